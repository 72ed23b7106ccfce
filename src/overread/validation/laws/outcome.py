"""How often a law was tried, how often it broke, and where."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from overread.validation.tables import table

WORST = 5


class Break(Struct, frozen=True):
    """One case in which a law does not hold."""

    item: str
    """Id of the report, or the name of the case."""

    what: str
    """What happened, without report text."""

    size: float = 1.0
    """How badly: for scores the difference."""


def unless(holds: object, item: str, what: str, size: float = 1.0) -> Break | None:
    """None where the law holds."""
    return None if holds else Break(item, what, size)


class Law(Struct, frozen=True):
    """A number in docs/laws.md, a name, and how it is checked."""

    number: int
    name: str
    check: Callable[..., Any]
    """Of readings: reports → their breaks. Of scores: case, more that it must know, scores → a break or None."""


class Outcome(Struct, frozen=True):
    """One law over many cases."""

    law: int
    name: str
    tried: int
    broken: int
    worst: tuple[Break, ...]
    metric: str = ""


def outcome_of(law: Law, cases: Iterable[Break | None], metric: str = "") -> Outcome:
    """The outcome of a law from its cases: None where it held."""
    tried = list(cases)
    broken = sorted((one for one in tried if one is not None), key=lambda b: (-b.size, b.item))
    return Outcome(law.number, law.name, len(tried), len(broken), tuple(broken[:WORST]), metric)


KEY = (
    "Laws 1 to 7 are of readings, the others of scores. A break is a case in which the law does not hold;",
    "docs/laws.md says what each law asks and which breaks are known.",
)


def render(found: Sequence[Outcome], reports: int) -> str:
    """A row per law and metric, then the worst cases of each that broke."""
    rows = [[str(o.law), o.name, o.metric or "reading", f"{o.broken:,}", f"{o.tried:,}"] for o in found]
    lines = [f"{reports:,} reports", "", *table(("law", "what holds", "of", "breaks", "tried"), *rows)]
    for outcome in found:
        if outcome.broken:
            lines += ["", f"{outcome.law}. {outcome.name} ({outcome.metric or 'reading'}), worst:"]
            lines += [f"  {one.item}: {one.what}" for one in outcome.worst]
    return "\n".join([*lines, "", *KEY]) + "\n"
