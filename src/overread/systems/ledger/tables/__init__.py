"""The ledger's tables, read once: one kind of row, which says which words and which place it wants."""

import re
from collections.abc import Collection
from functools import cache, lru_cache

from msgspec import Struct

from overread.lexicon.lexicon import knows_words, lexicon
from overread.lexicon.meanings import GRADES
from overread.lexicon.meanings import endings as lexicon_endings
from overread.systems.tables import records

DEGREES = {grade: step for step, grade in enumerate(GRADES, 1)}
"""Classes of degree in the lexicon, and their steps here."""


class TableRow(Struct, frozen=True):
    """A row by its columns, of which `words`, a pattern, and `place` say of what it speaks; `-` is anything."""

    cells: dict[str, str]
    words: re.Pattern[str] | None = None

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    def fits(self, said: str, places: Collection[str] = ()) -> bool:
        """With `!` before the pattern the words must be missing."""
        if self.cells.get("place", "-") != "-" and self["place"] not in places:
            return False
        return self.words is None or (self.words.search(said) is None) == self["words"].startswith("!")


@cache
def rows(table: str) -> tuple[TableRow, ...]:
    """The rows of one table, in its order."""
    return tuple(
        TableRow(cells, pattern(cells.get("words", "-"))) for cells in records("ledger", f"tables/{table}")
    )


def pattern(cell: str) -> re.Pattern[str] | None:
    return None if cell == "-" else re.compile(cell.removeprefix("!"), re.IGNORECASE)


@cache
def by_key(table: str, column: str) -> dict[str, tuple[TableRow, ...]]:
    """Each name in a column → the rows that speak of it, in the order of the table."""
    found: dict[str, list[TableRow]] = {}
    for row in rows(table):
        for name in names_in_cell(row[column]):
            found.setdefault(name, []).append(row)
    return {name: tuple(some) for name, some in found.items()}


@cache
def pairs(table: str, column: str, other: str) -> dict[str, str]:
    """What stands in one column → what stands beside it in another, if anything does."""
    return {row[column]: row[other] for row in rows(table) if row[other] != "-"}


def names_in_cell(cell: str) -> frozenset[str]:
    """Names joined by commas; `-` for none.

    >>> sorted(names_in_cell("edema,heart-failure")), sorted(names_in_cell("-"))
    (['edema', 'heart-failure'], [])
    """
    return frozenset() if cell == "-" else frozenset(cell.split(","))


@cache
def sets() -> dict[str, frozenset[str]]:
    """Words and names that are told apart, by what they are."""
    return {row["name"]: names_in_cell(row["words"]) for row in records("ledger", "tables/sets")}


def traits() -> dict[str, str]:
    """What a structure has that is said to be so."""
    return pairs("traits", "trait", "name")


@cache
def broader() -> dict[str, str]:
    """What a name is a kind of; rows of `broader.tsv` count before those of `diseases.tsv`."""
    return pairs("diseases", "name", "broader") | pairs("broader", "name", "broader")


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


@knows_words
@cache
def place_words() -> dict[str, str]:
    """A written form of a place, and no mere direction → its concept."""
    places = (row for row in lexicon().rows if row.table == "locations" and row.path and row.role != "dir")
    return {row.form: row.concept for row in places}
