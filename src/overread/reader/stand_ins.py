"""Words that stand for a noun named before: `a smaller one on the left`, `that on the right`, `the latter`."""

from collections.abc import Sequence
from typing import NamedTuple

from overread.lexicon.lexicon import Lexicon
from overread.lexicon.load import Row
from overread.reader.noun_phrases import IN_CHUNK
from overread.reader.roles import NOUNS, Role
from overread.reader.sides import OPPOSITE
from overread.reader.units import Unit

ONE = frozenset({"one", "ones", "another", "counterpart", "counterparts"})
THAT = frozenset({"that", "those"})
ORDER = {"former": 0, "latter": -1}
"""Which of the nouns before is meant."""

OPENS = frozenset({Role.STOP, Role.JOIN})
"""What may stand before a clause."""

NAMES = NOUNS | {Role.WORD, Role.BLANK}
"""`One nodule`, `another examination`: the noun itself follows."""

GENERAL = frozenset({"generic", "structure", "symptom", "history"})
"""Paths of rows that name nothing in particular."""


class Named(NamedTuple):
    """A noun that a later word may stand for."""

    words: str
    unit: Unit


def stand_ins(units: Sequence[Unit]) -> list[int]:
    """Where such words are."""
    return [n for n, unit in enumerate(units) if unit.form in WORDS and stands_for_noun(units, n)]


WORDS = ONE | THAT | ORDER.keys()


def stands_for_noun(units: Sequence[Unit], at: int) -> bool:
    before = units[at - 1] if at else None
    after = units[at + 1] if at + 1 < len(units) else None
    opens = before is None or before.role in OPENS
    if units[at].form in THAT:
        return opens and after is not None and after.role is Role.PREPOSITION
    if units[at].form in ORDER and (before is None or before.form != "the"):
        return False
    described = before is not None and before.role in IN_CHUNK
    return (opens or described) and (after is None or after.form != "of") and not noun_follows(units, at)


def noun_follows(units: Sequence[Unit], at: int) -> bool:
    for unit in units[at + 1 :]:
        if unit.role not in IN_CHUNK or unit.role is Role.DETERMINER:
            return False
        if unit.role in NAMES:
            return True
    return False


def name_stand_ins(text: str, units: list[Unit], places: list[int], before: Sequence[Named]) -> bool:
    """Read each as the noun it stands for, in this sentence or before it; is one left that stands for nothing?"""
    left = False
    for at in places:
        unit = units[at]
        here = [Named(u.name or text[u.start : u.end], u) for u in units[:at] if names_finding(u)]
        meant = antecedent(unit.form, here) or antecedent(unit.form, before)
        if meant is None:
            left = True
        else:
            unit.role, unit.rows, unit.tables = Role.FINDING, meant.unit.rows, meant.unit.tables
            unit.name = meant.words
    return left


def antecedent(form: str, nouns: Sequence[Named]) -> Named | None:
    if form not in ORDER:
        return nouns[-1] if nouns else None
    return nouns[ORDER[form]] if len(nouns) > 1 else None


def names_finding(unit: Unit) -> bool:
    row = unit.row("findings")
    return unit.role is Role.FINDING and (row is None or row.path[0] not in GENERAL)


def name_other_sides(text: str, units: list[Unit], forms: set[str], lex: Lexicon) -> list[Unit]:
    """`A cyst in the left kidney, the right is normal`: the right one, with the noun it leaves out."""
    if "the" not in forms or forms.isdisjoint(OPPOSITE):
        return units
    found: list[Unit] = []
    for at, unit in enumerate(units):
        found.append(unit)
        if (
            unit.form in OPPOSITE
            and is_bare_subject(units, at)
            and (organ := organ_on(OPPOSITE[unit.form], units[: at - 1]))
        ):
            found.append(left_out(text, organ, unit, lex))
    return found


def is_bare_subject(units: list[Unit], at: int) -> bool:
    """`…, the right is …`: a side alone, and a verb."""
    if at < 3 or at + 1 >= len(units) or units[at - 1].form != "the" or units[at - 2].role not in OPENS:
        return False
    return units[at + 1].role is Role.VERB or units[at + 1].form.split()[0] in ("is", "are", "has", "have")


def organ_on(side: str, before: Sequence[Unit]) -> Unit | None:
    """The last organ named, where it is named on this side."""
    for n in range(len(before) - 1, -1, -1):
        row = before[n].row("locations")
        if before[n].role is Role.STRUCTURE or (row is not None and row.role == "noun"):
            near = before[max(0, n - 2) : n + 1]
            return before[n] if any(side in u.form.split() for u in near) else None
    return None


def left_out(text: str, organ: Unit, side: Unit, lex: Lexicon) -> Unit:
    """The organ without its side, where the other side is named."""
    named = [w for w in organ.form.split() if w not in OPPOSITE]
    form = " ".join(named)
    place, structure = lex.described("locations", form), lex.named(form)
    rows = tuple(row for row in (structure, place) if row is not None) or organ.rows
    words = " ".join(text[organ.start : organ.end].split()[-len(named) :])
    tables = {row.table: row for row in rows if isinstance(row, Row)}
    return Unit(organ.role, form, side.first, side.last, side.start, side.end, rows, tables, words)
