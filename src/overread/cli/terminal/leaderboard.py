"""Rankings as a table for the terminal."""

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from overread.errors import UnknownName
from overread.pages.words import leader, p_value, score
from overread.runner.results.rows import read_rows
from overread.runner.results.summary import Ranking, Standing
from overread.runner.run.folder import RESULTS

LEVELS = ("critical", "significant", "minor")
WIDE = 160
"""Columns where nobody's screen sets a limit: in a file or a pipe."""


def printed(*tables: Table) -> None:
    """Print to standard output, as wide as the terminal."""
    from rich.console import Console

    console = Console() if sys.stdout.isatty() else Console(width=WIDE, no_color=True)
    for table in tables:
        console.print(table)


def leaderboard(metrics: Sequence[Ranking], baseline: str | None = None) -> Table:
    """One line per metric and system, narrow enough for 80 columns; the better one bold.

    Differences are against one system: the first, or the baseline named.
    """
    systems = systems_of(metrics)
    base = known_system(metrics, baseline) if baseline is not None else systems[0]
    found = Table(expand=False, box=None, pad_edge=False)
    found.add_column("metric", no_wrap=True)
    found.add_column("system", min_width=8, overflow="ellipsis", no_wrap=True)
    against = f"− {base}" if len(systems) > 1 else "difference"
    for name in ("score", "95% CI", "scored", against, "p"):
        found.add_column(name, justify="right", no_wrap=True, max_width=14)
    for m in metrics:
        for n, (system, one) in enumerate(m.systems.items()):
            found.add_row(*cells_of(m, system, one, base, first=n == 0))
    return found


def rates(metrics: Sequence[Ranking]) -> Table | None:
    """Precision and recall of the metrics that have them, as papers print them; None where no metric has."""
    found = Table("metric", "system", expand=False, box=None, pad_edge=False)
    for name in ("precision", "recall", "F1"):
        found.add_column(name, justify="right")
    for m in metrics:
        for system, one in m.systems.items():
            if one.precision is not None:
                found.add_row(m.name, system, score(one.precision), score(one.recall), score(one.value))
    return found if found.row_count else None


def errors_found(folder: Path) -> Table | None:
    """How many errors of each significance the ledger found, by system; None where it was not among the metrics."""
    if not (folder / RESULTS).is_file():
        return None
    rows = [row for row in read_rows(folder / RESULTS) if row.metric == "overread"]
    if not rows:
        return None
    found = Table("errors", expand=False, box=None, pad_edge=False)
    for name in (*LEVELS, "reports"):
        found.add_column(name, justify="right")
    for system in dict.fromkeys(row.system for row in rows):
        own = [row for row in rows if row.system == system]
        totals = [sum((row.counts or {}).get(f"level:{level}", 0) for row in own) for level in LEVELS]
        found.add_row(system, *(f"{total:.0f}" for total in totals), str(len(own)))
    return found


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
    found = Table(
        "metric", "first", "second", expand=False, box=None, pad_edge=False, title="Paired tests (Holm)"
    )
    for name in ("difference", "95% CI", "p bootstrap", "p randomisation"):
        found.add_column(name, justify="right")
    for m in metrics:
        for d in m.differences:
            found.add_row(
                m.name,
                d.first,
                d.second,
                signed(d.difference),
                f"{score(d.low)} – {score(d.high)}",
                p_value(d.p_bootstrap_holm),
                p_value(d.p_randomisation_holm),
            )
    return found
