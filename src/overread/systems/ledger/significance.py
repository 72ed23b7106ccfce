"""How much a finding matters, and why: a row of the table, moved by what is said of it and of the patient."""

from collections.abc import Iterable, Iterator
from functools import cache

from msgspec import Struct

from overread.systems.ledger.schema import Claim, Context
from overread.systems.ledger.tables import TableRow, ancestors, by_key, names_in_cell, rows
from overread.systems.ledger.weights import LEVELS, Significance, Weights

NOBODY = Context()
YOUNG, AGED = 40, 65
DEGREE = {1: "trace", 4: "large", 5: "severe"}
SIGNIFICANT = LEVELS.index("significant")


class Judged(Struct, frozen=True):
    """A significance with its reason."""

    level: Significance
    reason: str


STEP = {str(level): n for n, level in enumerate(LEVELS)}
NOT_LISTED = "not in the table; taken as significant"
UNKNOWN = TableRow({"level": "significant", "least": "minor", "most": "critical", "reason": NOT_LISTED})


@cache
def levels_of(name: str) -> tuple[TableRow, ...]:
    """The rows of a name, special ones first as in the file."""
    diseases = (row for row in by_key("diseases", "name").get(name, ()) if row["level"] != "-")
    return (*diseases, *by_key("significance", "names").get(name, ()))


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
    level, least, highest = (STEP[row[column]] for column in ("level", "least", "most"))
    reasons = [row["reason"]]
    for step, strong, reason in sorted(steps(claim, context)):
        most = highest if strong else max(level, min(highest, SIGNIFICANT))
        moved = min(most, max(least, level + step))
        if moved != level:
            level = moved
            reasons.append(reason)
    return Judged(LEVELS[level], "; ".join(reasons))


def row_of(claim: Claim) -> TableRow:
    """The first row that fits the name, or what it is a kind of."""
    told = f"{claim.name} {claim.words} {claim.statement}"
    known = (row for name in ancestors(claim.name) for row in levels_of(name))
    return next((row for row in known if row.fits(told, claim.places)), UNKNOWN)


def steps(claim: Claim, context: Context) -> Iterator[tuple[int, bool, str]]:
    """What moves it up or down; change and context alone never make a finding critical."""
    facts = set(facts_of(claim, NOBODY if claim.acuity == "old" else context))
    names = set(ancestors(claim.name))
    for row in rows("moves"):
        step, aspect = int(row["step"]), row["when"].split(":")[0]
        if step and row["when"] in facts and (row["names"] == "*" or names_in_cell(row["names"]) & names):
            yield step, aspect not in ("change", "context"), row["reason"]


def facts_of(claim: Claim, context: Context) -> Iterator[str]:
    """What is known of a finding and of the patient, as rows of `moves.tsv` ask for it."""
    if claim.degree is not None:
        yield f"degree:{DEGREE.get(claim.degree)}"
    yield from (f"acuity:{claim.acuity}", f"change:{claim.change}", f"position:{claim.position}")
    yield from (f"trait:{trait}" for trait in claim.traits)
    yield from (f"context:{one}" for one in context.circumstances)
    if context.asked & set(ancestors(claim.name)):
        yield "context:asked"
    if context.age is not None and (context.age < YOUNG or context.age >= AGED):
        yield "context:young" if context.age < YOUNG else "context:aged"


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
