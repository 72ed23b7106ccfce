"""Does a metric notice an error, and leave a harmless rewrite alone?

A report is scored against itself and against itself with one change. An error is caught when the score drops; a rewrite
that changes nothing raises a false alarm when the score drops by more than `ROOM`.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from overread.reader import read
from overread.report import Report
from overread.runner.failure import each, warned
from overread.runner.measures import measure
from overread.runner.meter import Meter
from overread.stats.bootstrap import RESAMPLES, Interval, mean_interval
from overread.validation.injection import ERRORS, HARMLESS, changes
from overread.validation.injection_places import Change
from overread.validation.measured import values
from overread.validation.spreads import Spread, spread, spreads

ROOM = 0.02
"""A drop that a harmless rewrite may cause without being called a false alarm."""

HEARD = 1e-9
UNCHANGED = "homophone, seen through"
"""Homophones that any reader sees through change no meaning and are counted apart."""


class Pair(Struct, frozen=True):
    """A report and the same with one change."""

    id: str
    kind: str
    what: str
    changes_meaning: bool
    reference: str
    candidate: str


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """One metric on one kind of change."""

    reports: int
    """Reports that the change applies to and whose scores are defined."""

    undefined: int
    dropped: int
    """How often the score fell at all; of harmless rewrites, by more than `ROOM`."""

    drop: Interval | None
    """Mean fall of the score."""

    five: tuple[float, ...] = ()
    """Smallest, quartiles and largest fall; empty where nothing is defined."""

    @property
    def share(self) -> float | None:
        return self.dropped / self.reports if self.reports else None


class Injected(Struct, frozen=True, forbid_unknown_fields=True):
    """One metric on every kind."""

    metric: str
    title: str
    kinds: dict[str, Outcome]


def kind_of(change: Change) -> str:
    return UNCHANGED if change.kind == "homophone" and not change.meaning else change.kind


def inject(reports: Iterable[Report], seed: int = 0) -> list[Pair]:
    """One change of every kind that fits, for every report."""
    found = []
    made = each(reports, lambda r: (r, list(changes(read(r), seed))), lambda r: r.id, warned)
    for report, some in made:
        for change in some:
            told = (report.id, kind_of(change), change.what, change.meaning, report.text, change.text)
            found.append(Pair(*told))
    return found


def kinds() -> tuple[str, ...]:
    """Every kind in the order of the tables: errors, then what changes nothing."""
    at = ERRORS.index("homophone") + 1
    return (*ERRORS[:at], UNCHANGED, *ERRORS[at:], *HARMLESS)


def in_order(found: Iterable[str]) -> list[str]:
    """Kinds as the tables have them, those of others after ours.

    >>> in_order(["their own", "typo"])
    ['typo', 'their own']
    """
    names = dict.fromkeys(found)
    return [kind for kind in kinds() if kind in names] + [kind for kind in names if kind not in kinds()]


def injected(
    pairs: Sequence[Pair],
    metrics: Iterable[str],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    jobs: int = 1,
    meter: Meter | None = None,
) -> list[Injected]:
    """Every metric on every pair; each report is read once for all its changes."""
    names = list(metrics)
    texts: dict[str, list[Pair]] = {}
    for pair in pairs:
        texts.setdefault(pair.reference, []).append(pair)
    items = [(text, text, *(p.candidate for p in own)) for text, own in texts.items()]
    ordered = [p for own in texts.values() for p in own]
    rows = list(values(names, items, jobs=jobs, meter=meter))
    found = []
    for name in names:
        drops = [fall for row in rows for fall in falls(row[name])]
        found.append(Injected(name, measure(name).title, by_kind(ordered, drops, resamples, seed)))
    return found


def falls(scores: tuple[float | None, ...]) -> list[float | None]:
    """How far each changed text falls below the report's score against itself."""
    own, *others = scores
    return [None if own is None or other is None else own - other for other in others]


def by_kind(
    pairs: Sequence[Pair], drops: Sequence[float | None], resamples: int, seed: int
) -> dict[str, Outcome]:
    found: dict[str, list[float | None]] = {}
    for pair, drop in zip(pairs, drops, strict=True):
        found.setdefault(pair.kind, []).append(drop)
    return {kind: outcome(kind, found[kind], resamples, seed) for kind in in_order(found)}


def outcome(kind: str, drops: Sequence[float | None], resamples: int, seed: int) -> Outcome:
    """
    >>> found = outcome("severity", [0.2, 0.0, None], 100, 0)
    >>> found.reports, found.undefined, found.dropped, found.share
    (2, 1, 1, 0.5)
    """
    known = [d for d in drops if d is not None]
    least = ROOM if is_harmless(kind) else HEARD
    interval = mean_interval(known, resamples=resamples, seed=seed) if known else None
    five = spread(known).five if known else ()
    return Outcome(len(known), len(drops) - len(known), sum(d > least for d in known), interval, five)


def is_harmless(kind: str) -> bool:
    return kind in HARMLESS or kind in (UNCHANGED, "typo")


def distributions(found: Sequence[Injected]) -> str:
    """How far scores fall on every kind of change, a panel for each metric (LUNGUAGE, Figure D.3)."""
    panels = {
        one.title: {kind: Spread(own.five, own.reports) for kind, own in one.kinds.items() if own.five}
        for one in found
    }
    return spreads(
        "Fall of the score, by kind of change", {title: rows for title, rows in panels.items() if rows}
    )
