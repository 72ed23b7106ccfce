"""The ledger's tables, read once: names, broader names, signs, significance, moves, tips, opposites."""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import TypeVar

from msgspec import Struct

from overread.lexicon.lexicon import knows_words, lexicon
from overread.lexicon.load import Row
from overread.lexicon.meanings import GRADES
from overread.lexicon.meanings import endings as lexicon_endings

Of = TypeVar("Of")
DEGREES = {grade: step for step, grade in enumerate(GRADES, 1)}
"""Classes of degree in the lexicon, and their steps here."""


def rows(name: str) -> Iterator[dict[str, str]]:
    """The rows of one table by column."""
    lines = (files("overread.systems.ledger.tables") / f"{name}.tsv").read_text("utf-8").splitlines()
    header = lines[0].split("\t")
    for line in lines[1:]:
        yield dict(zip(header, line.split("\t"), strict=True))


def listed(cell: str) -> frozenset[str]:
    """Names joined by commas; `-` for none.

    >>> sorted(listed("edema,heart-failure")), sorted(listed("-"))
    (['edema', 'heart-failure'], [])
    """
    return frozenset() if cell == "-" else frozenset(cell.split(","))


def pattern(cell: str) -> re.Pattern[str] | None:
    return None if cell == "-" else re.compile(cell.removeprefix("!"), re.IGNORECASE)


def grouped(pairs: Iterable[tuple[str, Of]]) -> dict[str, tuple[Of, ...]]:
    """Everything that stands under one key, in the order of its table."""
    found: dict[str, list[Of]] = {}
    for key, one in pairs:
        found.setdefault(key, []).append(one)
    return {key: tuple(some) for key, some in found.items()}


@cache
def sets() -> dict[str, frozenset[str]]:
    """Words and names that are told apart, by what they are."""
    return {row["name"]: listed(row["words"]) for row in rows("sets")}


class NameRow(Struct, frozen=True):
    """When a concept said with these words or at this place has a name of its own."""

    concepts: frozenset[str]
    words: re.Pattern[str] | None
    unless: bool
    """Must the words be missing instead?"""

    place: str
    name: str
    site: str

    def fits(self, name: str, words: str, places: frozenset[str]) -> bool:
        if name not in self.concepts or (self.place != "-" and self.place not in places):
            return False
        return self.words is None or bool(self.words.search(words)) != self.unless


@cache
def name_rows() -> dict[str, tuple[tuple[int, NameRow], ...]]:
    """Concept → the rows that speak of it, in the order of the table."""
    made = (
        NameRow(
            listed(row["concept"]), pattern(row["words"]), row["words"].startswith("!"), row["place"], row["name"],
            row["site"],
        )
        for row in rows("names")
    )  # fmt: skip
    return grouped((concept, (n, one)) for n, one in enumerate(made) for concept in one.concepts)


@cache
def traits() -> dict[str, str]:
    """What a structure has that is said to be so."""
    return {row["trait"]: row["name"] for row in rows("traits")}


@cache
def broader() -> dict[str, str]:
    """What a name is a kind of; rows of `broader.tsv` before those of `diseases.tsv`."""
    listed = [*rows("diseases"), *rows("broader")]
    return {row["name"]: row["broader"] for row in listed if row["broader"] != "-"}


@cache
def endings() -> tuple[tuple[str, str], ...]:
    return tuple((one.forms[0], one.means) for one in lexicon_endings() if one.means is not None)


def made_of(name: str) -> str | None:
    """What a name that nobody has listed is a kind of, by the ending of one of its words.

    >>> made_of("?villous adenomyoma"), made_of("?finger")
    ('mass', None)
    """
    words = [word for word in name[1:].split() if len(word) > 5]
    return next((means for word in words for ending, means in endings() if word.endswith(ending)), None)


@knows_words
@lru_cache(maxsize=4096)
def ancestors(name: str) -> tuple[str, ...]:
    """The name and what it is a kind of, most special first.

    >>> ancestors("hemorrhage/subdural"), ancestors("consolidation")
    (('hemorrhage/subdural', 'hemorrhage'), ('consolidation', 'airspace-opacity', 'opacity'))
    """
    found = [name]
    while (above := parent(found[-1])) and above not in found:
        found.append(above)
    return tuple(found)


def parent(name: str) -> str | None:
    if "/" in name:
        return name.split("/")[0]
    if name in broader():
        return broader()[name]
    if name.startswith("?"):
        return made_of(name)
    concept = lexicon().concepts.get(name)
    return concept.parent if concept else None


class Tip(Struct, frozen=True):
    place: re.Pattern[str]
    verdict: str


@cache
def tips() -> dict[str, tuple[Tip, ...]]:
    """The rows that speak of a device, in the order of the table."""
    made = ((row, Tip(re.compile(row["place"], re.IGNORECASE), row["verdict"])) for row in rows("tips"))
    return grouped((device, tip) for row, tip in made for device in listed(row["devices"]))


class Limit(Struct, frozen=True):
    """From which size on a structure is too large."""

    words: re.Pattern[str] | None
    millimetres: float
    trait: str


@cache
def limits() -> dict[str, tuple[Limit, ...]]:
    """Structure → its limits, special ones first as in the file."""
    return grouped(
        (row["structure"], Limit(pattern(row["words"]), float(row["millimetres"]), row["trait"]))
        for row in rows("limits")
    )


@cache
def known_by_words(table: str, column: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What a text may speak of, and the words for it: a circumstance of the patient, an action that is asked for."""
    return tuple((row[column], re.compile(row["words"], re.IGNORECASE)) for row in rows(table))


def named_places() -> Iterator[Row]:
    """Rows of the lexicon that name a place, and no mere direction."""
    return (row for row in lexicon().rows if row.table == "locations" and row.path and row.role != "dir")


@cache
def place_paths() -> dict[str, tuple[str, ...]]:
    """Anatomical concept → its path, itself last."""
    return {row.concept: (*row.path, row.concept) for row in named_places()}


@cache
def place_words() -> dict[str, tuple[str, str]]:
    """A written form of a place → its concept and side."""
    return {row.form: (row.concept, row.side) for row in named_places()}
