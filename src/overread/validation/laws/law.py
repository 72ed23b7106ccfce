"""What a law is and how often it broke; and plain cases for the laws, from `cases.toml`, with the bundled reports."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from overread.examples import REFERENCES, SYSTEMS, folder
from overread.formats import load
from overread.report import Report
from overread.validation.shown import NOTES, shipped, table

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


def render(found: Sequence[Outcome], reports: int) -> str:
    """A row per law and metric, then the worst cases of each that broke."""
    rows = [[str(o.law), o.name, o.metric or "reading", f"{o.broken:,}", f"{o.tried:,}"] for o in found]
    lines = [f"{reports:,} reports", "", *table(("law", "what holds", "of", "breaks", "tried"), *rows)]
    for outcome in found:
        if outcome.broken:
            lines += ["", f"{outcome.law}. {outcome.name} ({outcome.metric or 'reading'}), worst:"]
            lines += [f"  {one.item}: {one.what}" for one in outcome.worst]
    return "\n".join([*lines, "", NOTES["laws"]]) + "\n"


# ---- plain cases, with findings said four ways
class Found(Struct, frozen=True):
    """One finding, said four ways."""

    there: str
    denied: str
    hedged: str
    turned: str = ""
    """On the other side; empty where it has none."""


def on(finding: str, side: str = "", degree: str = "") -> Found:
    """
    >>> on("pneumothorax", "right", "large").there
    'Large right pneumothorax.'
    """
    other = {"left": "right", "right": "left"}.get(side, "")

    def said(*words: str) -> str:
        text = " ".join(filter(None, words))
        return f"{text[0].upper()}{text[1:]}."

    turned = said(degree, other, finding) if other else ""
    possible = said("possible", degree, side, finding)
    return Found(said(degree, side, finding), said("no", side, finding), possible, turned)


class Cases(Struct, frozen=True, forbid_unknown_fields=True):
    """What `cases.toml` holds."""

    findings: tuple[tuple[str, str, str], ...]
    plain: tuple[str, ...]
    unrelated: tuple[str, ...]
    paraphrases: tuple[tuple[str, str], ...]
    sizes: tuple[tuple[str, str, str], ...]
    positions: tuple[tuple[str, str, str], ...]
    named: tuple[str, ...]
    steps: tuple[tuple[str, str], ...]
    shapes: tuple[tuple[str, int], ...]
    cheats: dict[str, tuple[str, int]]
    foreign: dict[str, tuple[str, ...]]


CASES = shipped("laws/cases.toml", Cases)
FINDINGS = tuple(on(*one) for one in CASES.findings)
CHEATS = {name: text * times for name, (text, times) in CASES.cheats.items()}
"""Texts that are no report."""


def bundled() -> list[Report]:
    """Four versions of 44 invented reports, each under an id of its own."""
    files = (REFERENCES, *(f"{name}.jsonl" for name in SYSTEMS))
    with folder() as place:
        named = [(name.split(".")[0], report) for name in files for report in load(place / name)]
    return [replace(report, id=f"{name} {report.id}") for name, report in named]
