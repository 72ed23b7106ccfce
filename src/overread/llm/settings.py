"""Settings: everything that decides how a model is asked, and which are in force, each with its origin.

Flags come before environment before config file before defaults; each default and each explanation stands here, once.
"""

import os
import sys
import tomllib
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from overread.errors import AskFailed, BadInput, UnknownName


class Secret:
    """Holds a key; printing, logging or formatting it shows `<hidden>`, and no encoder accepts it.

    >>> key = Secret("sk-123")
    >>> print(key, [key])
    <hidden> [<hidden>]
    >>> key.reveal()
    'sk-123'
    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The key itself; only the code that builds the request header calls this."""
        return self._value

    def __repr__(self) -> str:
        return "<hidden>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value


Count = Annotated[int, Meta(ge=0)]
AtLeastOne = Annotated[int, Meta(ge=1)]
Amount = Annotated[float, Meta(ge=0)]
Seconds = Annotated[float, Meta(gt=0)]
Warmth = Annotated[float, Meta(ge=0, le=2)]


class Price(Struct, frozen=True, forbid_unknown_fields=True):
    """What a million tokens cost, in whatever currency the user thinks in."""

    input: float
    output: float


class Settings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How to ask. What each setting that is a flag of the command line does stands in `cli/options.tsv`."""

    base_url: str | None = None
    model: tuple[str, ...] = ()
    api_key: Secret | None = None
    temperature: Warmth | None = 0.0
    seed: int | None = None
    reply_tokens: AtLeastOne | None = None
    timeout: Seconds = 120.0
    concurrency: AtLeastOne = 8
    attempts: AtLeastOne = 6
    """Tries of one request before its item fails."""

    wait: Amount = 1.0
    """Seconds before the first retry; doubles, with jitter."""

    max_calls: Count | None = None
    max_tokens: Count | None = None
    max_cost: Amount | None = None
    prices: dict[str, Price] = {}
    agree: AtLeastOne | None = None
    examples: str | None = None
    shots: Count = 5
    cues: bool = True
    cues_as_written: bool = False
    three_labels: bool = False
    clear_terms: str | None = None
    whole_report: bool = False
    one_disease: bool = False
    segmenter: Literal["own", "stanza"] = "own"
    batch: str | None = None
    estimate: bool = False
    cache: bool = True
    cache_file: str | None = None
    """In place of `overread/answers.sqlite` in the user's cache folder."""

    yes_send: bool = False

    def __post_init__(self) -> None:
        for field in msgspec.structs.fields(self):
            if field.name == "api_key":
                continue
            try:  # e.g. a concurrency of nought, which would wait for ever
                msgspec.convert(getattr(self, field.name), field.type)
            except msgspec.ValidationError as error:
                raise BadInput(f"The setting {field.name} cannot be used: {error}.") from None
        if self.base_url is not None:
            check_url(self.base_url)
        if self.max_cost is not None and (unpriced := [m for m in self.model if m not in self.prices]):
            raise BadInput(
                f"max_cost is set but {', '.join(unpriced)} has no price. "
                'Add [llm.prices."MODEL"] with input and output (per million tokens) to the config file.'
            )

    @property
    def endpoint(self) -> str:
        """The address to ask, without a trailing slash; an error when there is none."""
        if self.base_url is None:
            raise AskFailed(
                "No endpoint is set, so nothing can be asked (and nothing leaves this machine). "
                "Give --base-url, or set OVERREAD_BASE_URL, e.g. http://localhost:8080/v1."
            )
        return self.base_url.rstrip("/")

    @property
    def key(self) -> str:
        """What is sent as key; servers that want none are content with any word."""
        return self.api_key.reveal() if self.api_key else "none"

    @property
    def models(self) -> tuple[str, ...]:
        """The models to ask; an error when there is none."""
        if not self.model:
            raise AskFailed("Name a model with --model, or set OVERREAD_MODEL.")
        return self.model

    @property
    def priced(self) -> bool:
        """Has every model a price?"""
        return bool(self.model) and all(model in self.prices for model in self.model)

    def cost(self, model: str, tokens_in: int, tokens_out: int) -> float:
        price = self.prices[model]
        return (tokens_in * price.input + tokens_out * price.output) / 1e6

    @property
    def answers(self) -> Path:
        """The file of cached answers."""
        return Path(self.cache_file).expanduser() if self.cache_file else cache_file()

    def sampling(self) -> dict[str, float | int]:
        """The sampling settings a request carries: those that are set."""
        pairs = {"temperature": self.temperature, "seed": self.seed, "max_tokens": self.reply_tokens}
        return {name: value for name, value in pairs.items() if value is not None}

    def decisive(self) -> dict[str, str]:
        """Everything here that decides an answer, in words for a signature."""
        given = {**self.sampling(), "agree": self.agree}
        named = {name: str(value) for name, value in given.items() if value is not None}
        words = {
            "cues": "none" if not self.cues else "as-written" if self.cues_as_written else "",
            "clear_terms": content_mark(self.clear_terms) if self.clear_terms else "",
            "asked": "whole-report" if self.whole_report else "",
            "diseases": "one" if self.one_disease else "",
            "segmenter": "" if self.segmenter == "own" else self.segmenter,
            "shots": str(self.shots),
            "examples": content_mark(self.examples) if self.examples else "",
            "labels": "three" if self.three_labels else "",
        }
        return named | {name: word for name, word in words.items() if word}


def content_mark(path: str) -> str:
    """Eight hex digits that change with a file."""
    try:
        return sha256(Path(path).expanduser().read_bytes()).hexdigest()[:8]
    except OSError as error:
        raise BadInput(f"Cannot read {path}: {error.strerror}.") from None


def check_url(url: str) -> None:
    """Refuse an address that is no endpoint, or that would carry a secret into logs.

    >>> check_url("http://localhost:8080/v1")
    >>> check_url("localhost:8080")
    Traceback (most recent call last):
    overread.errors.BadInput: The base URL must begin with http:// or https:// and name a host.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput("The base URL must begin with http:// or https:// and name a host.")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise BadInput(
            "The base URL must not hold a password, a query or a fragment: addresses are shown and stored. "
            "Put the key in OVERREAD_API_KEY."
        )


def config_file(env: Mapping[str, str] = os.environ) -> Path:
    """`OVERREAD_CONFIG`, or `overread/config.toml` in the user's configuration folder.

    >>> config_file({"OVERREAD_CONFIG": "/etc/overread.toml"}).as_posix()
    '/etc/overread.toml'
    """
    named = env.get("OVERREAD_CONFIG")
    return Path(named).expanduser() if named else _base(env, "config") / "config.toml"


def cache_file(env: Mapping[str, str] = os.environ) -> Path:
    """`overread/answers.sqlite` in the user's cache folder."""
    return _base(env, "cache") / "answers.sqlite"


def _base(env: Mapping[str, str], kind: str) -> Path:
    """The folder each platform reserves for a user's `kind` ("config" or "cache") files."""
    config, home = kind == "config", Path.home()
    if sys.platform == "win32":
        place = env.get("APPDATA" if config else "LOCALAPPDATA") or home / "AppData"
    elif sys.platform == "darwin":
        place = home / "Library" / ("Application Support" if config else "Caches")
    else:
        place = env.get(f"XDG_{kind.upper()}_HOME") or home / f".{kind}"
    return Path(place) / "overread"


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
    values: dict[str, Any] = {}
    origins = dict.fromkeys(FIELDS, "default")
    flagged = (
        (name, value, "--key-file" if name == "api_key" else f"--{name.replace('_', '-')}")
        for name, value in (flags or {}).items()
        if value is not None
    )
    for name, raw, origin in (*_from_file(env), *_from_environment(env), *flagged):
        values[name] = _converted(name, raw, origin)
        origins[name] = origin
    return Resolved(Settings(**values), origins)


def _from_environment(env: Mapping[str, str]) -> Iterator[tuple[str, Any, str]]:
    for name in FIELDS.keys() - FLAG_ONLY - {"api_key", "prices"}:
        variable = f"OVERREAD_{name.upper()}"
        if env.get(variable):
            yield name, env[variable], variable
    for variable in reversed(KEY_VARIABLES):
        if env.get(variable):
            yield "api_key", env[variable], variable


def _from_file(env: Mapping[str, str]) -> Iterator[tuple[str, Any, str]]:
    """The `[llm]` table of the config file."""
    path = config_file(env)
    if not path.exists() and "OVERREAD_CONFIG" not in env:
        return
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        kind = type(error).__name__
        raise BadInput(f"Cannot read the config file {path} ({kind}). It must be UTF-8 TOML.") from None
    for name in document.keys() - {"llm"}:
        raise UnknownName(f"table in {path}", name, ["llm"])
    table = document.get("llm", {})
    if not isinstance(table, dict):
        raise BadInput(f"{path}: llm must be a table; write [llm] above the settings.")
    known = FIELDS.keys() - FLAG_ONLY
    for name, value in table.items():
        if name not in known:
            raise UnknownName(f"setting in {path}", name, known)
        yield name, value, str(path)


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
