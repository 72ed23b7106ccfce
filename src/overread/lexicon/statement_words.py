"""What words do in a statement (`words.tsv`), and which meanings lie close (`relations.tsv`), read once."""

from functools import cache

from msgspec import Struct

from overread.lexicon.load import lines, table_text


class WordRow(Struct, frozen=True):
    """Forms that do the same in a statement."""

    role: str
    """What the words do: name a finding, a place, a quality; deny, join, compare …"""

    meaning: str
    """Features, `@` before a place, `-` for none."""

    forms: tuple[str, ...]
    reason: str

    @property
    def id(self) -> str:
        """What the words do and the first of them: `head:consolidation`."""
        return f"{self.role}:{self.forms[0]}"


class Relation(Struct, frozen=True):
    """Features or places that belong together."""

    relation: str
    """kin: findings one reader may write for another's; near: places likewise; paired, single: organs."""

    degree: float
    members: frozenset[str]
    reason: str


@cache
def word_rows() -> tuple[WordRow, ...]:
    found = lines(table_text("words"), "words.tsv", ("role", "meaning", "forms", "reason"))
    return tuple(
        WordRow(c["role"], c["meaning"], tuple(c["forms"].split("|")), c["reason"]) for _, c in found
    )


@cache
def relations(name: str) -> tuple[Relation, ...]:
    """Every row of one relation."""
    found = lines(table_text("relations"), "relations.tsv", ("relation", "degree", "members", "reason"))
    table = (
        Relation(c["relation"], float(c["degree"]), frozenset(c["members"].split("|")), c["reason"])
        for _, c in found
    )
    return tuple(row for row in table if row.relation == name)


@cache
def heads() -> frozenset[str]:
    """Every finding noun of the table, as a feature."""
    return frozenset(f for row in word_rows() if row.role == "head" for f in row.meaning.split())
