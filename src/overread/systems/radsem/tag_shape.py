"""JSON values held against the shape of a tag record: every fault of it, where the decoder would stop at the first."""

from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from overread.systems.radsem.tags import Problem, Tags

SHORT = 24
"""A wrong label up to this length is quoted; a longer one may be report text."""


def shape_problems(value: Any) -> Iterator[Problem]:
    """What keeps a JSON value from being a tag record.

    >>> [p.text for p in shape_problems({"name": "7", "finding": {}})]
    ["no field is called 'finding' (findings?)", 'findings is missing']
    """
    return of_struct(value, Tags, "")


def of_struct(value: Any, kind: type[Struct], place: str) -> Iterator[Problem]:
    before = f"{place}: " if place else ""
    if not isinstance(value, dict):
        yield Problem("field", f"{place or 'the record'} must be an object in braces")
        return
    known = hints(kind)
    for name in value.keys() - known.keys():
        close = get_close_matches(name, known, n=1)
        meant = f" ({close[0]}?)" if close else ""
        yield Problem("field", f"{before}no field is called {quoted(name)}{meant}")
    required = {f.name for f in fields(kind) if f.default is NODEFAULT}
    for name, hint in known.items():
        if name in value:
            yield from of_value(value[name], hint, f"{before}{name}")
        elif name in required:
            yield Problem("field", f"{before}{name} is missing")


def of_value(value: Any, hint: Any, place: str) -> Iterator[Problem]:
    if get_origin(hint) is tuple:
        yield from of_list(value, get_args(hint)[0], place)
    elif isinstance(hint, type) and issubclass(hint, Struct):
        yield from of_struct(value, hint, "" if place == "findings" else place)
    elif hint is str:
        if not isinstance(value, str) or not value.strip():
            yield Problem("field", f"{place} must be a text")
    elif hint is int:
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            yield Problem("field", f"{place} must be a whole number")
    elif hint is float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            yield Problem("field", f"{place} must be a number between 0 and 1")
    elif value not in labels(hint):
        yield Problem("label", f"{place} is {quoted(value)}; it must be {choice(labels(hint))}")


def of_list(value: Any, hint: Any, place: str) -> Iterator[Problem]:
    """Every item, named by its number: `pair 2`."""
    if not isinstance(value, list):
        yield Problem("field", f"{place} must be a list")
        return
    one = {"pairs": "pair", "unmatched_sentences": "unmatched sentence"}.get(place, f"{place}, item")
    for number, item in enumerate(value, 1):
        yield from of_value(item, hint, f"{one} {number}")


@cache
def hints(kind: type[Struct]) -> dict[str, Any]:
    return get_type_hints(kind)


@cache
def labels(hint: Any) -> tuple[str | None, ...]:
    """The words a label may be; None where it may be null."""
    if get_origin(hint) in (Union, UnionType):
        return tuple(label for part in get_args(hint) for label in labels(part))
    return get_args(hint) if get_origin(hint) is Literal else (None,)


def choice(words: tuple[str | None, ...]) -> str:
    """
    >>> choice(("equivalent", "part-whole", None))
    'equivalent, part-whole or null'
    """
    *most, last = ("null" if word is None else word for word in words)
    return f"{', '.join(most)} or {last}" if most else last


def quoted(value: Any) -> str:
    if isinstance(value, str):
        return repr(value) if len(value) <= SHORT else "a longer text"
    return "null" if value is None else f"a {type(value).__name__}"
