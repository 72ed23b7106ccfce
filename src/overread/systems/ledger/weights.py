"""The constants of the ledger, and a hospital's own in their place."""

import tomllib
from functools import cache
from hashlib import sha256
from typing import Any, Literal, get_args

from msgspec import Struct

from overread.errors import BadInput, UnknownName
from overread.systems.tables import text_in, text_of_user

Significance = Literal["critical", "significant", "minor", "none"]
LEVELS: tuple[Significance, ...] = ("none", "minor", "significant", "critical")


class Weights(Struct, frozen=True):
    """Every number a score is made of, and names whose significance a hospital has set."""

    levels: dict[str, float]
    score: dict[str, float]
    shares: dict[str, float]
    free: dict[str, float]
    sure: dict[str, float]
    advice: float
    significance: dict[str, Significance] = {}
    mark: str = ""
    """Eight hex digits of a hospital's file; empty for ours."""


def weights(path: str | None = None) -> Weights:
    """Ours, or ours with a file's entries in their place; a file that was edited is read again.

    >>> weights().levels["critical"]
    3.0
    """
    return loaded(path, text_of_user(path, "weights") if path else "")


@cache
def loaded(path: str | None, text: str) -> Weights:
    found = tomllib.loads(text_in("ledger", "weights.toml"))
    try:
        own = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path} is not a TOML file: {error}.") from None
    levels = checked_levels(own.pop("significance", {}), path)
    for section, entries in own.items():
        overlay(found, section, entries, path)
    numbers: dict[str, Any] = {
        section: {k: float(v) for k, v in entries.items() if k != "reason"}
        for section, entries in found.items()
    }
    numbers["advice"] = numbers["advice"]["left_out"]
    mark = sha256(text.encode()).hexdigest()[:8] if text else ""
    return Weights(**numbers, significance=levels, mark=mark)


def overlay(found: dict[str, Any], section: str, entries: Any, path: str | None) -> None:
    """Put a file's entries over ours; a name we do not know would be ignored in silence, so it is an error."""
    if section not in found:
        raise UnknownName("section of weights", section, (*found, "significance"))
    if not isinstance(entries, dict):
        raise BadInput(f"{path}: [{section}] must be a table of numbers.")
    for name, value in entries.items():
        if name not in found[section]:
            raise UnknownName(f"weight in [{section}]", name, found[section])
        if name != "reason" and (isinstance(value, bool) or not isinstance(value, int | float) or value < 0):
            raise BadInput(f"{path}: {section}.{name} must be a number that is not negative, not {value!r}.")
        if section == "shares" and name != "reason" and value >= 1:
            raise BadInput(f"{path}: {section}.{name} is a part and must lie below 1, not {value!r}.")
        found[section][name] = value


def checked_levels(levels: Any, path: str | None) -> dict[str, Significance]:
    if not isinstance(levels, dict):
        raise BadInput(f"{path}: [significance] must say a level for each name.")
    for name, level in levels.items():
        if level not in get_args(Significance):
            raise UnknownName(f"significance (of {name})", str(level), get_args(Significance))
    return levels
