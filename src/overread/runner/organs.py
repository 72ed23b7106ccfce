"""A finished run organ by organ: F1-SRR of every header of the template, per system."""

from pathlib import Path

from overread.errors import BadInput
from overread.runner.folder import Results
from overread.systems.srrg.score import Organ, per_header

METRICS = ("f1-srr-statuses", "f1-srr")
"""The first of these that the run has."""

Organs = dict[str, dict[str, Organ]]
"""System → header → its row of the table."""


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
    return {system: per_header(counts) for system, counts in sums.items()}


def render(found: Organs) -> str:
    """A block per system."""
    return "".join(
        "\n".join([heading(system), *map(line, headers, headers.values())]) + "\n"
        for system, headers in found.items()
    )


def heading(name: str) -> str:
    return f"{name:<42}{'precision':>10}{'recall':>10}{'F1':>10}{'mean F1':>10}{'reports':>10}"


def line(header: str, one: Organ) -> str:
    numbers = (one.precision, one.recall, one.f1, one.mean)
    return f"  {header:<40}{''.join(f'{value:>10.3f}' for value in numbers)}{one.reports:>10}"
