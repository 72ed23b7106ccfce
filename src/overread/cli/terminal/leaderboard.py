"""Rankings as a table for the terminal."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Column, Table

from overread.errors import UnknownName
from overread.pages.words import leader, p_value, score
from overread.runner.results.rows import read_rows
from overread.runner.results.summary import Ranking, Standing
from overread.runner.run.folder import RESULTS

GRAVEST_FIRST = ("critical", "significant", "minor")
WIDE = 160
"""Columns where nobody's screen sets a limit: in a file or a pipe."""


def grid(
    words: Iterable[Column | str],
    figures: Iterable[str],
    rows: Iterable[Iterable[str]],
    widest: int | None = None,
    **more: Any,
) -> Table:
    """A table without lines: columns of words, then those of figures; `more` as rich has it."""
    right = (Column(name, justify="right", no_wrap=True, max_width=widest) for name in figures)
    found = Table(*words, *right, box=None, pad_edge=False, **more)
    for row in rows:
        found.add_row(*row)
    return found


def printed(*tables: Table | None) -> None:
    """Print to standard output, as wide as the terminal, with a blank line between tables."""
    console = Console() if sys.stdout.isatty() else Console(width=WIDE, no_color=True)
    for n, table in enumerate(filter(None, tables)):
        console.print(*([""] if n else []), table, sep="\n")


def leaderboard(metrics: Sequence[Ranking], baseline: str | None = None) -> Table:
    """One line per metric and system, narrow enough for 80 columns; the better one bold.

    Differences are against one system: the first, or the baseline named.
    """
    systems = systems_of(metrics)
    base = known_system(metrics, baseline) if baseline is not None else systems[0]
    against = f"− {base}" if len(systems) > 1 else "difference"
    words = Column("metric", no_wrap=True), Column("system", min_width=8, overflow="ellipsis", no_wrap=True)
    rows = [
        cells_of(m, system, one, base, first=n == 0)
        for m in metrics
        for n, (system, one) in enumerate(m.systems.items())
    ]
    return grid(words, ("score", "95% CI", "scored", against, "p"), rows, widest=14)


def rates(metrics: Sequence[Ranking]) -> Table | None:
    """Precision and recall of the metrics that have them, as papers print them; None where no metric has."""
    rows = [
        (m.name, system, score(one.precision), score(one.recall), score(one.value))
        for m in metrics
        for system, one in m.systems.items()
        if one.precision is not None
    ]
    return grid(("metric", "system"), ("precision", "recall", "F1"), rows) if rows else None


def errors_found(folder: Path) -> Table | None:
    """How many errors of each significance the ledger found, by system; None where it was not among the metrics."""
    scored = read_rows(folder / RESULTS) if (folder / RESULTS).is_file() else ()
    found: dict[str, list[dict[str, float]]] = {}
    for row in scored:
        if row.metric == "overread":
            found.setdefault(row.system, []).append(dict(row.counts or {}))
    totals = (
        (
            system,
            *(f"{sum(one.get(f'level:{level}', 0) for one in own):.0f}" for level in GRAVEST_FIRST),
            str(len(own)),
        )
        for system, own in found.items()
    )
    return grid(("errors",), (*GRAVEST_FIRST, "reports"), totals) if found else None


def systems_of(metrics: Sequence[Ranking]) -> list[str]:
    return list(dict.fromkeys(system for m in metrics for system in m.systems))


def known_system(metrics: Sequence[Ranking], name: str) -> str:
    """The name, if there is such a system."""
    if name not in systems_of(metrics):
        raise UnknownName("system", name, systems_of(metrics))
    return name


def cells_of(m: Ranking, system: str, one: Standing, base: str, *, first: bool) -> list[str]:
    value = score(one.value)
    return [
        m.name + (" ↓" if m.direction == "lower" else "") if first else "",
        system,
        f"[bold]{value}[/]" if system == leader(m) else value,
        f"{score(one.low)}–{score(one.high)}",
        str(one.scored) if one.scored == one.total else f"{one.scored}/{one.total}",
        *difference(m, system, base),
    ]


def difference(m: Ranking, system: str, base: str) -> tuple[str, str]:
    """This system minus the baseline, and p corrected for all pairs of systems."""
    for d in m.differences:
        if {d.first, d.second} == {system, base} and system != base:
            turned = d.difference if d.first == system else -d.difference
            return signed(turned), p_value(d.p_randomisation_holm)
    return "", ""


def signed(difference: float) -> str:
    """
    >>> signed(-0.0001), signed(-0.25)
    ('+0.000', '-0.250')
    """
    return f"{round(difference, 3) + 0.0:+.3f}"


def tests(metrics: Sequence[Ranking]) -> Table:
    """Every pair of systems, corrected for the number of pairs."""
    rows = (
        (m.name, d.first, d.second, signed(d.difference), f"{score(d.low)} – {score(d.high)}",
         p_value(d.p_bootstrap_holm), p_value(d.p_randomisation_holm))
        for m in metrics
        for d in m.differences
    )  # fmt: skip
    figures = ("difference", "95% CI", "p bootstrap", "p randomisation")
    return grid(("metric", "first", "second"), figures, rows, title="Paired tests (Holm)")
