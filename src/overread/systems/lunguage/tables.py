"""The tables behind timelines: topics, courses, references and zones, read once and checked."""

from functools import cache
from importlib.resources import files
from typing import Literal, cast

from msgspec import Struct

from overread.lexicon.load import lines

Apart = Literal["none", "side", "route", "place"]
"""What tells two findings of one topic apart: nothing, their side, side and vein, or side and place."""


class Course(Struct, frozen=True):
    """How a topic is followed."""

    apart: Apart
    lasting: bool
    """It stays without being mentioned; a long silence does not end the episode."""


BY_KIND: dict[str, Course] = {
    "device": Course("side", True),
    "procedure": Course("place", True),
    "structure": Course("side", False),
    "symptom": Course("side", False),
    "history": Course("none", True),
    "generic": Course("none", False),
}
"""Topics that courses.tsv does not name, by the kind of their concept; all others by place, passing."""


@cache
def topics() -> dict[tuple[str, str], str]:
    """(concept, what is said of it or `-`) → topic; `*` for a bag of different things."""
    return {
        (cell["concept"], cell["said"]): cell["topic"] for cell in rows("topics", "concept", "said", "topic")
    }


@cache
def courses() -> dict[str, Course]:
    return {
        cell["topic"]: Course(cast(Apart, cell["told_apart_by"]), cell["course"] == "lasting")
        for cell in rows("courses", "topic", "told_apart_by", "course")
    }


@cache
def references() -> dict[str, tuple[str, ...]]:
    """Topics a general word may point at."""
    found: dict[str, tuple[str, ...]] = {}
    for cell in rows("references", "topic", "may_be"):
        found[cell["topic"]] = (*found.get(cell["topic"], ()), cell["may_be"])
    return found


@cache
def zones() -> dict[str, str]:
    """Place → zone of the lung it is seen in."""
    return {cell["place"]: cell["zone"] for cell in rows("zones", "place", "zone")}


def rows(name: str, *columns: str) -> list[dict[str, str]]:
    text = files("overread.systems.lunguage").joinpath(f"{name}.tsv").read_text("utf-8")
    return [cell for _, cell in lines(text, f"{name}.tsv", (*columns, "reason"))]
