"""Settings in force: flags before environment before config file before defaults, each with its origin."""

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from overread.errors import BadInput, UnknownName
from overread.llm.places import config_file
from overread.llm.secret import Secret
from overread.llm.settings import Settings

FIELDS = {field.name: field for field in msgspec.structs.fields(Settings)}
FLAG_ONLY = frozenset({"yes_send", "batch", "estimate"})
"""Said anew by whoever runs the command, not inherited from a file or a shell: consent, and not asking at all."""

KEY_VARIABLES = ("OVERREAD_API_KEY", "OPENAI_API_KEY")


class Resolved(Struct, frozen=True):
    """The settings in force and, per name, where each came from."""

    settings: Settings
    origins: dict[str, str]

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Name, value as text, origin; a key shows only that it is there."""
        for name, origin in self.origins.items():
            yield name, _shown(getattr(self.settings, name)), origin


def resolve(flags: Mapping[str, Any] | None = None, env: Mapping[str, str] = os.environ) -> Resolved:
    """Flags (None counts as not given), then environment, then config file, then defaults.

    >>> found = resolve({"timeout": 9}, {"OVERREAD_MODEL": "tiny", "OVERREAD_CONFIG": os.devnull})
    >>> found.settings.timeout, found.settings.model, found.origins["model"]
    (9.0, ('tiny',), 'OVERREAD_MODEL')
    """
    given = {name: value for name, value in (flags or {}).items() if value is not None}
    values: dict[str, Any] = {}
    origins = dict.fromkeys(FIELDS, "default")
    for name, raw, origin in (*_from_file(env), *_from_environment(env), *_from_flags(given)):
        values[name] = _converted(name, raw, origin)
        origins[name] = origin
    return Resolved(Settings(**values), origins)


def _from_flags(flags: Mapping[str, Any]) -> Iterator[tuple[str, Any, str]]:
    for name, value in flags.items():
        yield name, value, "--key-file" if name == "api_key" else "--" + name.replace("_", "-")


def _from_environment(env: Mapping[str, str]) -> Iterator[tuple[str, Any, str]]:
    for name in FIELDS.keys() - FLAG_ONLY - {"api_key", "prices"}:
        variable = f"OVERREAD_{name.upper()}"
        if env.get(variable):
            yield name, env[variable], variable
    for variable in reversed(KEY_VARIABLES):
        if env.get(variable):
            yield "api_key", env[variable], variable


def _from_file(env: Mapping[str, str]) -> Iterator[tuple[str, Any, str]]:
    path = config_file(env)
    if not path.exists() and "OVERREAD_CONFIG" not in env:
        return
    known = FIELDS.keys() - FLAG_ONLY
    for name, value in _tables(path).items():
        if name not in known:
            raise UnknownName(f"setting in {path}", name, known)
        yield name, value, str(path)


def _tables(path: Path) -> dict[str, Any]:
    """The `[llm]` table of the config file."""
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        kind = type(error).__name__
        raise BadInput(f"Cannot read the config file {path} ({kind}). It must be UTF-8 TOML.") from None
    for table in document.keys() - {"llm"}:
        raise UnknownName(f"table in {path}", table, ["llm"])
    table = document.get("llm", {})
    if not isinstance(table, dict):
        raise BadInput(f"{path}: llm must be a table; write [llm] above the settings.")
    return table


def _converted(name: str, raw: Any, origin: str) -> Any:
    """`raw` as the type of setting `name`; text from a shell is read leniently."""
    if name == "api_key":
        if isinstance(raw, Secret):
            return raw
        if not isinstance(raw, str) or not raw.strip():
            raise BadInput(f"The api_key of {origin} is not a text.")
        return Secret(raw.strip())
    if name == "model" and isinstance(raw, str):
        raw = [part.strip() for part in raw.split(",") if part.strip()]
    if name == "temperature" and raw == "default":
        return None
    try:
        return msgspec.convert(raw, FIELDS[name].type, strict=False)
    except msgspec.ValidationError as error:
        raise BadInput(f"The setting {name} from {origin} cannot be used: {error}.") from None


def _shown(value: Any) -> str:
    if value is None or value in ((), {}):
        return "-"
    if isinstance(value, Secret):
        return "set (hidden)"
    if isinstance(value, dict):
        return ", ".join(f"{model} {price.input:g}/{price.output:g}" for model, price in value.items())
    return ", ".join(value) if isinstance(value, tuple) else str(value)
