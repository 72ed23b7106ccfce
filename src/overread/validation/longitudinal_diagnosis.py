"""F1 of disease diagnosis beside the longitudinal scores, with CLEAR's conditions or CheXbert as the labeller.

CLEAR's thirteen conditions and `No Finding` are the fourteen classes. What a report calls likely is
`uncertain`; whether that counts as present is a named setting.
"""

from collections.abc import Iterable
from typing import Literal

from overread.baselines.optional import chexbert_labels
from overread.report import Report
from overread.systems.base import Score
from overread.systems.clear.schema import Level, Table
from overread.systems.longitudinal.diagnosis import Label, diagnosis, micro

LABELS: dict[Level, Label] = {"confidently present": "positive", "likely present": "uncertain"}


def labels(table: Table) -> dict[str, Label]:
    """A CLEAR table as CheXpert-style labels; what is not said to be present is negative."""
    return {name: LABELS.get(cell.level, "negative") for name, cell in table.conditions.items()}


def diagnoses(
    pairs: Iterable[tuple[Table, Table]], uncertain: Literal["positive", "negative"] = "positive"
) -> tuple[float | None, list[Score]]:
    """Micro F1 over all pairs of reference and candidate tables, and the score of each pair."""
    scores = [diagnosis(labels(one), labels(two), uncertain) for one, two in pairs]
    total = {name: sum(score.counts[name] for score in scores) for name in ("tp", "fp", "fn")}
    return micro(total), scores


def by_chexbert(pairs: Iterable[tuple[Report, Report]]) -> list[Score]:
    """The paper's labeller, where its package is installed; findings alone, uncertain counted as present."""
    return [diagnosis(chexbert(one), chexbert(two)) for one, two in pairs]


def chexbert(report: Report) -> dict[str, Label]:
    text = " ".join(section.span.of(report.text) for section in report.section("findings"))
    return dict.fromkeys(chexbert_labels(text or report.text), "positive")
