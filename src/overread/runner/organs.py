"""A finished run organ by organ: F1-SRR of every header of the template, per system."""

from pathlib import Path

from overread.errors import BadInput
from overread.runner.folder import Results
from overread.systems.srrg.averages import Scores
from overread.systems.srrg.score import per_header

METRICS = ("f1-srr-statuses", "f1-srr")
"""The first of these that the run has."""

Organs = dict[str, dict[str, tuple[Scores, int]]]
"""System → header → means over the reports that have it on either side, and how many these are."""


def by_organ(place: Path, metrics: tuple[str, ...] = METRICS) -> Organs:
    """The table of organs from the rows of a results folder; nothing is scored again."""
    every: dict[str, dict[str, dict[str, float]]] = {}
    for row in Results(place).rows():
        if row.metric in metrics:
            counts = every.setdefault(row.metric, {}).setdefault(row.system, {})
            for name, amount in row.counts.items():
                counts[name] = counts.get(name, 0.0) + amount
    sums = next((every[name] for name in metrics if name in every), None)
    if not sums:
        raise BadInput(f"{place} has no {metrics[0]}; score with -m {metrics[0]} to see organs.")
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
