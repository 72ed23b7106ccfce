"""The metrics of this system by name; scoring code and encoders are loaded when the first pair is scored."""

from functools import partial
from pathlib import Path
from typing import Literal

from overread.errors import BadInput
from overread.systems.base import Metric, Score
from overread.systems.lunguage.schema import StructuredReport
from overread.systems.lunguage.timeline import Timeline

VARIANTS = {
    "published": "",
    "strict": "; an unmatched finding costs 1 (as published, duplicates go free)",
    "numeric": "; lengths are compared as numbers",
}
REPORT: Literal["report"] = "report"
PATIENT: Literal["patient"] = "patient"
LAWS = frozenset({"identity", "symmetric", "bounded"})


def metrics(encoder: str = "embedded", folder: Path | None = None) -> tuple[Metric, ...]:
    """Both scores in every variant, with the encoder called `encoder`.

    >>> [metric.name for metric in metrics()][:3]
    ['lunguage', 'lunguage-strict', 'lunguage-numeric']
    """
    single = "F1 of findings matched one to one by meaning and attributes"
    sequential = "the same over a patient's studies, by entity group and episode"
    return tuple(
        Metric(
            name_of(base, variant),
            about + VARIANTS[variant],
            partial(score, variant, encoder, folder),
            laws=LAWS,
            unit=unit,
        )
        for base, unit, about, score in (
            ("lunguage", REPORT, single, of_reports),
            ("lunguage-sequential", PATIENT, sequential, of_patients),
        )
        for variant in VARIANTS
    )


def name_of(base: str, variant: str) -> str:
    return base if variant == "published" else f"{base}-{variant}"


def of_reports(
    variant: str, encoder: str, folder: Path | None, reference: StructuredReport, candidate: StructuredReport
) -> Score:
    from overread.encoders import load
    from overread.systems.lunguage import score

    return score.score_reports(reference, candidate, load(encoder, folder), score.VARIANTS[variant])


def of_patients(
    variant: str, encoder: str, folder: Path | None, reference: Timeline, candidate: Timeline
) -> Score:
    from overread.encoders import load
    from overread.systems.lunguage import score

    if not (isinstance(reference, Timeline) and isinstance(candidate, Timeline)):
        raise BadInput("lunguage-sequential compares patients: give reports with a patient column.")
    return score.score_timelines(reference, candidate, load(encoder, folder), score.VARIANTS[variant])
