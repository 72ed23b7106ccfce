"""How much a finding matters, and why: a row of the table, moved by what is said of it and of the patient."""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from msgspec import Struct

from overread.systems.ledger.schema import Claim, Context
from overread.systems.ledger.tables import ancestors, grouped, listed, pattern, rows
from overread.systems.ledger.weights import LEVELS, Significance, Weights

NOBODY = Context()
YOUNG, AGED = 40, 65
SIGNIFICANT = LEVELS.index("significant")


class Judged(Struct, frozen=True):
    """A significance with its reason."""

    level: Significance
    reason: str


class Row(Struct, frozen=True):
    place: str
    words: re.Pattern[str] | None
    level: int
    least: int
    most: int
    reason: str


STEP = {str(level): n for n, level in enumerate(LEVELS)}
UNKNOWN = Row("-", None, 2, 1, 3, "not in the table; taken as significant")


@cache
def table() -> dict[str, tuple[Row, ...]]:
    """Name → its rows, special ones first as in the file."""
    diseases = (
        {**row, "names": row["name"], "place": "-", "words": "-"}
        for row in rows("diseases")
        if row["level"] != "-"
    )
    made = ((listed(row["names"]), with_levels(row)) for row in (*diseases, *rows("significance")))
    return grouped((name, one) for names, one in made for name in names)


def with_levels(row: dict[str, str]) -> Row:
    level, least, most = (STEP[row[column]] for column in ("level", "least", "most"))
    return Row(row["place"], pattern(row["words"]), level, least, most, row["reason"])


class Move(Struct, frozen=True):
    """What lifts or lowers the significance of findings."""

    aspect: str
    value: str
    names: frozenset[str]
    """Whose; empty for all."""

    step: int
    reason: str


@cache
def moves() -> tuple[Move, ...]:
    return tuple(made(row) for row in rows("moves"))


def made(row: dict[str, str]) -> Move:
    aspect, value = row["when"].split(":")
    names = frozenset[str]() if row["names"] == "*" else listed(row["names"])
    return Move(aspect, value, names, int(row["step"]), row["reason"])


def significance(claim: Claim, context: Context, weights: Weights) -> Judged:
    """The level of a finding and its reason in words.

    >>> from overread.systems.ledger.weights import weights
    >>> claim = Claim("pneumothorax", "pneumothorax", "finding", "present", (), "", degree=4)
    >>> significance(claim, NOBODY, weights())
    Judged(level='critical', reason='may need a chest drain; a large one at once; extensive')
    """
    if claim.name in weights.significance:
        return Judged(weights.significance[claim.name], "set in the weights file")
    row = row_of(claim)
    level, reasons = row.level, [row.reason]
    for step, strong, reason in sorted(steps(claim, context)):
        most = row.most if strong else max(level, min(row.most, SIGNIFICANT))
        moved = min(most, max(row.least, level + step))
        if moved != level:
            level = moved
            reasons.append(reason)
    return Judged(LEVELS[level], "; ".join(reasons))


def row_of(claim: Claim) -> Row:
    """The first row that fits the name, or what it is a kind of."""
    told = f"{claim.name} {claim.words} {claim.statement}"
    for name in ancestors(claim.name):
        for row in table().get(name, ()):
            if (row.place == "-" or row.place in claim.places) and (
                row.words is None or row.words.search(told)
            ):
                return row
    return UNKNOWN


def steps(claim: Claim, context: Context) -> Iterator[tuple[int, bool, str]]:
    """What moves it up or down; change and context alone never make a finding critical."""
    facts = set(facts_of(claim, NOBODY if claim.acuity == "old" else context))
    names = set(ancestors(claim.name))
    for move in moves():
        if move.step and (move.aspect, move.value) in facts and (not move.names or move.names & names):
            yield move.step, move.aspect not in ("change", "context"), move.reason


def facts_of(claim: Claim, context: Context) -> Iterator[tuple[str, str]]:
    if claim.degree == 1:
        yield "degree", "trace"
    elif claim.degree is not None and claim.degree >= 4:
        yield "degree", "large" if claim.degree == 4 else "severe"
    if claim.acuity:
        yield "acuity", claim.acuity
    if claim.change:
        yield "change", claim.change
    if claim.position in ("bad", "slightly"):
        yield "position", str(claim.position)
    yield from (("trait", trait) for trait in claim.traits)
    yield from (("context", one) for one in context.circumstances)
    if context.asked & set(ancestors(claim.name)):
        yield "context", "asked"
    if context.age is not None and (context.age < YOUNG or context.age >= AGED):
        yield "context", "young" if context.age < YOUNG else "aged"


def weight(claim: Claim, judged: Judged, weights: Weights) -> float:
    return weights.levels[judged.level]


def moved(
    level: Significance, claims: Iterable[Claim], context: Context, weights: Weights
) -> tuple[Significance, float]:
    """A level that was given to a whole sentence, moved as far as the patient's story moves its findings, or set as a
    hospital's table sets them; and by how much more or less it then costs."""
    steps = 0
    for claim in claims:
        if claim.name in weights.significance:
            new = weights.significance[claim.name]
            return new, weights.levels[new] / weights.levels[level]
        told, untold = (LEVELS.index(significance(claim, one, weights).level) for one in (context, NOBODY))
        steps = max(steps, told - untold, key=abs)
    new = LEVELS[max(0, min(len(LEVELS) - 1, LEVELS.index(level) + steps))]
    return new, weights.levels[new] / weights.levels[level]
