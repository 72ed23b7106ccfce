"""Does a metric notice an error, and leave a harmless rewrite alone?

A report is scored against itself and against itself with one change. An error is caught when the score drops; a rewrite
that changes nothing raises a false alarm when the score drops by more than `ROOM`.
Over patients one study is changed and the whole sequence is scored. Errors may also have been put in by others, as in
ReXErr's tables: a row has the original, the changed text and its kinds of errors, and counts under each of them.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from overread.errors import BadInput
from overread.reader import read
from overread.report import Report, parse
from overread.runner.limits import unfailed, warned
from overread.runner.measures import measure
from overread.runner.scores import score
from overread.sources import patients
from overread.stats.bootstrap import Interval
from overread.validation.clear.files import rows_of, usual_columns
from overread.validation.injection.changes import ERRORS, HARMLESS, UNCHANGED, ChangedPair, changes
from overread.validation.measured import Asking, values_of_pairs
from overread.validation.shown import Spread, shipped, spread, spreads, svg, table

ROOM = 0.02
"""A drop that a harmless rewrite may cause without being called a false alarm."""

HEARD = 1e-9


class KindOutcome(Struct, frozen=True, forbid_unknown_fields=True):
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
    kinds: dict[str, KindOutcome]


def inject(reports: Iterable[Report], seed: int = 0) -> list[ChangedPair]:
    """One change of every kind that fits, for every report."""
    made = unfailed(reports, lambda r: list(changes(read(r), seed)), lambda r: r.id, warned)
    return [pair for some in made for pair in some]


def in_table_order(found: Iterable[str]) -> list[str]:
    """Kinds as the tables have them, errors before what changes nothing, those of others last.

    >>> in_table_order(["their own", "typo", UNCHANGED])
    ['homophone, seen through', 'typo', 'their own']
    """
    order = [*ERRORS, *HARMLESS]
    order.insert(order.index("homophone") + 1, UNCHANGED)
    return sorted(dict.fromkeys(found), key=lambda kind: order.index(kind) if kind in order else len(order))


def injected(pairs: Sequence[ChangedPair], metrics: Iterable[str], how: Asking) -> list[Injected]:
    """Every metric on every pair; each report is read once for all its changes."""
    values = values_of_pairs(
        metrics, [(p.reference, text) for p in pairs for text in (p.reference, p.candidate)], how
    )
    found = []
    for name, both in values.items():
        kinds: dict[str, list[float | None]] = {}
        for pair, own, other in zip(pairs, both[::2], both[1::2], strict=True):
            kinds.setdefault(pair.kind, []).append(fall(own, other))
        found.append(of_drops(name, kinds, how))
    return found


def of_drops(name: str, drops: Mapping[str, Sequence[float | None]], how: Asking) -> Injected:
    """One metric, from how far it fell under each kind."""
    kinds = {kind: kind_outcome(kind, drops[kind], how) for kind in in_table_order(drops)}
    return Injected(name, measure(name).title, kinds)


def fall(own: float | None, other: float | None) -> float | None:
    """How far a changed text falls below the report's score against itself."""
    return None if own is None or other is None else own - other


def kind_outcome(kind: str, drops: Sequence[float | None], how: Asking) -> KindOutcome:
    """
    >>> found = kind_outcome("severity", [0.2, 0.0, None], Asking(100))
    >>> found.reports, found.undefined, found.dropped, found.share
    (2, 1, 1, 0.5)
    """
    known = [d for d in drops if d is not None]
    fallen = sum(d > (ROOM if is_harmless(kind) else HEARD) for d in known)
    five = spread(known).five if known else ()
    return KindOutcome(len(known), len(drops) - len(known), fallen, how.interval_of(known), five)


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


INJECTED_COLUMNS = shipped("columns.toml", dict[str, dict[str, tuple[str, ...]]])["injected"]
IDS = ("study_id", "dicom_id", "id")


def load_pairs(path: Path) -> list[ChangedPair]:
    """Every row whose text was changed, once for each kind of error."""
    found: list[ChangedPair] = []
    for line, row in rows_of(path):
        columns = usual_columns(path, row, INJECTED_COLUMNS)
        original, changed, kinds = (str(row[columns[what]] or "") for what in INJECTED_COLUMNS)
        if original.strip() and changed.strip() and original != changed:
            id = next((str(row[name]) for name in IDS if row.get(name)), str(line))
            found += [ChangedPair(id, kind, kind, True, original, changed) for kind in kinds_named(kinds)]
    if not found:
        raise BadInput(f"{path} has no row whose text was changed.")
    return found


def kinds_named(text: str) -> list[str]:
    """Kinds of errors as a list is written in a cell.

    >>> kinds_named("['False Negation', 'Change Severity']"), kinds_named("add typo; remove finding"), kinds_named("")
    (['false negation', 'change severity'], ['add typo', 'remove finding'], ['error'])
    """
    parts = (part.strip().lower() for part in re.split(r"[\[\]'\";|,]+", text))
    return list(dict.fromkeys(part for part in parts if part)) or ["error"]


def over_patients(reports: Sequence[Report], metrics: Sequence[str], how: Asking) -> list[Injected]:
    """Metrics that follow patients, on patients of whom one study says something wrong."""
    if not metrics:
        return []
    whole = {
        one.id: [study.report for study in one.studies]
        for one in patients(report for report in reports if report.patient)
        if len(one.studies) > 1
    }
    if not whole:
        raise BadInput(
            f"{metrics[0]} follows patients, but no report names its own with two studies; see --patient."
        )
    changed: dict[str, dict[str, ChangedPair]] = {}
    for patient, studies in whole.items():
        for pair in inject(studies, how.seed):
            changed.setdefault(pair.kind, {}).setdefault(patient, pair)
    found = []
    for name in metrics:
        own = patient_scores(name, [one for studies in whole.values() for one in studies], {})
        drops = {}
        for kind, pairs in changed.items():
            some = [one for patient in pairs for one in whole[patient]]
            worse = patient_scores(name, some, {pair.id: pair.candidate for pair in pairs.values()})
            drops[kind] = [fall(own.get(p), worse.get(p)) for p in sorted(pairs)]
        found.append(of_drops(name, drops, how))
    return found


def patient_scores(name: str, studies: Sequence[Report], texts: Mapping[str, str]) -> dict[str, float | None]:
    """Patient → score of the studies, some of them with other texts, against the studies as they are."""
    candidates = [
        parse(texts.get(s.id, s.text), s.id, patient=s.patient, study=s.study, day=s.day) for s in studies
    ]
    found = score(studies, candidates, [name], resamples=1, shuffles=1).rows
    return {row.id: row.value for row in found if row.unit == "patient"}


def render(found: Sequence[Injected], reports: int) -> str:
    """Errors first, then rewrites that change nothing."""
    titles = [one.title for one in found]
    parts = [f"{reports} reports, one change of each kind that fits", ""]
    told = f"harmless: share that drops by more than {ROOM:g}, mean drop [95 %]"
    for harmless, head in ((False, "errors: share caught, mean drop [95 %]"), (True, told)):
        rows = []
        for kind, outcomes in by_kind(found).items():
            if is_harmless(kind) is harmless:
                n = max(o.reports + o.undefined for o in outcomes if o)
                rows.append([kind, str(n), *map(drop_cell, outcomes)])
        parts += [*table((head, "n", *titles), *rows), ""] if rows else []
    return "\n".join(parts)


def by_kind(found: Sequence[Injected]) -> dict[str, list[KindOutcome | None]]:
    """Each kind in the order of the tables, with what came of it under each metric."""
    shown = in_table_order(kind for one in found for kind in one.kinds)
    return {kind: [one.kinds.get(kind) for one in found] for kind in shown}


def drop_cell(one: KindOutcome | None) -> str:
    """
    >>> drop_cell(None)
    '–'
    """
    if one is None or one.share is None or one.drop is None:
        return "–"
    missing = f" ({one.undefined} undefined)" if one.undefined else ""
    return f"{one.share:.1%}  {one.drop.value:.3f} [{one.drop.low:.3f}, {one.drop.high:.3f}]{missing}"


def heatmap(found: Sequence[Injected]) -> str:
    """Kinds down, metrics across: the share caught, or of harmless rewrites the share of false alarms."""
    rows = [(kind, is_harmless(kind), [o and o.share for o in row]) for kind, row in by_kind(found).items()]
    return svg("injected", titles=[one.title for one in found], rows=rows)
