"""Injected errors over a patient's studies: one study is changed, the whole sequence is scored."""

from collections.abc import Sequence

from overread.errors import BadInput
from overread.reader import read
from overread.report import Report
from overread.runner.failure import each, warned
from overread.runner.measures import measure
from overread.runner.scores import score
from overread.stats.bootstrap import RESAMPLES
from overread.validation.injected import Injected, kind_of, kinds, outcome
from overread.validation.injection import changes


def over_patients(
    reports: Sequence[Report], metrics: Sequence[str], *, resamples: int = RESAMPLES, seed: int = 0
) -> list[Injected]:
    """Metrics that follow patients, on patients of whom one study says something wrong."""
    if not metrics:
        return []
    people = by_patient(reports)
    if not people:
        raise BadInput(
            f"{metrics[0]} follows patients, but no report names its own with two studies; see --patient."
        )
    changed = {kind: {} for kind in kinds()}  # type: dict[str, dict[str, str]]
    for patient, studies in people.items():
        made = each(studies, lambda one: (one, list(changes(read(one), seed))), lambda one: one.id, warned)
        for study, some in made:
            for change in some:
                if not any(study_of in changed[kind_of(change)] for study_of in (s.id for s in studies)):
                    changed[kind_of(change)][study.id] = change.text
        del patient
    whole = [one for studies in people.values() for one in studies]
    return [of_metric(name, whole, changed, resamples, seed) for name in metrics]


def by_patient(reports: Sequence[Report]) -> dict[str, list[Report]]:
    """Patients with two studies or more."""
    found: dict[str, list[Report]] = {}
    for report in reports:
        if report.patient:
            found.setdefault(report.patient, []).append(report)
    return {patient: studies for patient, studies in found.items() if len(studies) > 1}


def of_metric(
    name: str, studies: Sequence[Report], changed: dict[str, dict[str, str]], resamples: int, seed: int
) -> Injected:
    own = scored(name, studies, {})
    found = {}
    for kind, texts in changed.items():
        if texts:
            patients = {s.patient for s in studies if s.id in texts}
            worse = scored(name, [s for s in studies if s.patient in patients], texts)
            drops = [fall(own.get(p), worse.get(p)) for p in sorted(filter(None, patients))]
            found[kind] = outcome(kind, drops, resamples, seed)
    return Injected(name, measure(name).title, found)


def fall(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def scored(name: str, studies: Sequence[Report], texts: dict[str, str]) -> dict[str, float | None]:
    """Patient → score of the studies, some of them with other texts, against the studies as they are."""
    references = [record(s, s.text) for s in studies]
    candidates = [record(s, texts.get(s.id, s.text)) for s in studies]
    rows = score(references, candidates, [name], resamples=1, shuffles=1).rows
    return {row.id: row.value for row in rows if row.unit == "patient"}


def record(report: Report, text: str) -> dict[str, object]:
    day = {"day": report.day} if report.day is not None else {}
    return {"id": report.id, "patient": report.patient, "study": report.study, "text": text, **day}
