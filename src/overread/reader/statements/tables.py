"""The tables of this grain, read once: what words do in a statement, and which meanings lie close."""

import csv
from functools import cache
from importlib.resources import files

from msgspec import Struct


class WordRow(Struct, frozen=True):
    """Forms that do the same in a statement."""

    role: str
    """What the words do: name a finding, a place, a quality; deny, join, compare …"""

    meaning: str
    """Features, `@` before a place, `-` for none."""

    forms: tuple[str, ...]
    reason: str


class Relation(Struct, frozen=True):
    """Features or places that belong together."""

    relation: str
    """kin: findings one reader may write for another's; near: places likewise; paired, single: organs."""

    degree: float
    members: frozenset[str]
    reason: str


@cache
def word_rows() -> tuple[WordRow, ...]:
    return tuple(WordRow(a, b, tuple(c.split("|")), d) for a, b, c, d in rows("words.tsv"))


@cache
def relations(name: str) -> tuple[Relation, ...]:
    """Every row of one relation."""
    table = (Relation(a, float(b), frozenset(c.split("|")), d) for a, b, c, d in rows("relations.tsv"))
    return tuple(row for row in table if row.relation == name)


def rows(file: str) -> list[list[str]]:
    text = files("overread.reader.statements").joinpath(file).read_text("utf-8")
    return list(csv.reader(text.splitlines()[1:], delimiter="\t", quoting=csv.QUOTE_NONE))


@cache
def heads() -> frozenset[str]:
    """Every finding noun of the table, as a feature."""
    return frozenset(f for row in word_rows() if row.role == "head" for f in row.meaning.split())
