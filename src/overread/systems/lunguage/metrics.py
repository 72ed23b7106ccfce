"""The metrics of this system by name; scoring code and encoders are loaded when the first pair is scored."""

from functools import partial
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from overread.errors import BadInput
from overread.systems.base import Metric, Score
from overread.systems.lunguage.timeline import Timeline


class Variant(Struct, frozen=True):
    """A way to count, by what stands behind the name of the metric; `PUBLISHED` is the paper's."""

    name: str = ""
    about: str = ""
    strict: bool = False
    """An unmatched finding costs 1."""

    numeric: bool = False


PUBLISHED = Variant()
STRICT = Variant("-strict", "; an unmatched finding costs 1 (as published, duplicates go free)", strict=True)
NUMERIC = Variant("-numeric", "; lengths are compared as numbers", numeric=True)
METRIC_UNITS: tuple[tuple[Literal["report", "patient"], str, str], ...] = (
    ("report", "lunguage", "F1 of findings matched one to one by meaning and attributes"),
    ("patient", "lunguage-sequential", "the same over a patient's studies, by entity group and episode"),
)


def metrics(encoder: str = "embedded", folder: Path | None = None) -> tuple[Metric, ...]:
    """Both scores in every variant, with the encoder called `encoder`.

    >>> [metric.name for metric in metrics()][:3]
    ['lunguage', 'lunguage-strict', 'lunguage-numeric']
    """
    return tuple(
        Metric(
            name + variant.name,
            about + variant.about,
            partial(score_views, unit, variant, encoder, folder),
            laws=frozenset({"identity", "symmetric", "bounded"}),
            unit=unit,
        )
        for unit, name, about in METRIC_UNITS
        for variant in (PUBLISHED, STRICT, NUMERIC)
    )


def score_views(
    unit: str, variant: Variant, encoder: str, folder: Path | None, reference: Any, candidate: Any
) -> Score:
    """The score of two reports, or of two patients."""
    from overread.encoders import load
    from overread.systems.lunguage.score import score_reports, score_timelines

    patients = isinstance(reference, Timeline) and isinstance(candidate, Timeline)
    if unit == "patient" and not patients:
        raise BadInput("lunguage-sequential compares patients: give reports with a patient column.")
    of = score_timelines if patients else score_reports
    return of(reference, candidate, load(encoder, folder), variant)
