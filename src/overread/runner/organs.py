"""A finished run organ by organ: F1-SRR of every header of the template, per system."""

from pathlib import Path

from overread.errors import BadInput
from overread.runner.folder import Results
from overread.systems.srrg.averages import Scores
from overread.systems.srrg.score import per_header

METRIC = "f1-srr-statuses"

Organs = dict[str, dict[str, tuple[Scores, int]]]
"""System → header → means over the reports that have it on either side, and how many these are."""


def by_organ(place: Path, metric: str = METRIC) -> Organs:
    """The table of organs from the rows of a results folder; nothing is scored again."""
    sums: dict[str, dict[str, float]] = {}
    for row in Results(place).rows():
        if row.metric == metric:
            counts = sums.setdefault(row.system, {})
            for name, amount in row.counts.items():
                counts[name] = counts.get(name, 0.0) + amount
    if not sums:
        raise BadInput(f"{place} has no {metric}; score with -m {metric} to see organs.")
    return {
        system: {header: (s, int(counts[f"cells|{header}"])) for header, s in per_header(counts).items()}
        for system, counts in sums.items()
    }


def render(found: Organs) -> str:
    """A block per system."""
    lines = []
    for system, headers in found.items():
        lines.append(f"{system:<42}{'precision':>10}{'recall':>10}{'F1':>10}{'reports':>10}")
        for header, (s, reports) in headers.items():
            lines.append(f"  {header:<40}{s.precision:>10.3f}{s.recall:>10.3f}{s.f1:>10.3f}{reports:>10}")
    return "\n".join(lines) + "\n"
