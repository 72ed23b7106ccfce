"""The metrics of this system by name, and with the encoder of a run; what scores is loaded with the first pair."""

from functools import partial
from pathlib import Path
from typing import Any, Literal

from overread.errors import BadInput
from overread.systems import base
from overread.systems.lunguage.schema import Timeline

USUAL = "embedded"
METRIC_UNITS: tuple[tuple[Literal["report", "patient"], str, str], ...] = (
    ("report", "lunguage", "F1 of findings matched one to one by meaning and attributes"),
    ("patient", "lunguage-sequential", "the same over a patient's studies, by entity group and episode"),
)
VARIANTS: tuple[tuple[str, str, dict[str, bool]], ...] = (
    ("", "", {}),
    ("-strict", "; an unmatched finding costs 1 (as published, duplicates go free)", {"strict": True}),
    ("-numeric", "; lengths are compared as numbers", {"numeric": True}),
)
"""Ways to count, by what stands behind the name of the metric; the first is the paper's."""


def metrics_with(encoder: str = USUAL, folder: Path | None = None) -> tuple[base.Metric, ...]:
    """Both scores in every variant, with the encoder called `encoder`.

    >>> [metric.name for metric in metrics_with()][:3]
    ['lunguage', 'lunguage-strict', 'lunguage-numeric']
    """
    return tuple(
        base.Metric(
            name + ending,
            about + more,
            partial(score_views, unit, encoder, folder, **variant),
            laws=frozenset({"identity", "symmetric", "bounded"}),
            unit=unit,
        )
        for unit, name, about in METRIC_UNITS
        for ending, more, variant in VARIANTS
    )


def score_views(
    unit: str, encoder: str, folder: Path | None, reference: Any, candidate: Any, **variant: bool
) -> base.Score:
    """The score of two reports, or of two patients."""
    from overread.encoders import load
    from overread.systems.lunguage.score import score_reports, score_timelines

    patients = isinstance(reference, Timeline) and isinstance(candidate, Timeline)
    if unit == "patient" and not patients:
        raise BadInput("lunguage-sequential compares patients: give reports with a patient column.")
    of = score_timelines if patients else score_reports
    return of(reference, candidate, load(encoder, folder), **variant)


# ---- under the settings of a run
def metrics(settings: base.SystemSettings) -> tuple[base.Metric, ...]:
    return () if settings.encoder == USUAL else metrics_with(settings.encoder, models_of(settings))


def marks(settings: base.SystemSettings) -> dict[str, str]:
    from overread.encoders.load import marked

    return {} if settings.encoder == USUAL else {"encoder": marked(settings.encoder, models_of(settings))}


def models_of(settings: base.SystemSettings) -> Path | None:
    return Path(settings.models) if settings.models else None
