"""Rankings as a table for the terminal."""

import sys
from collections.abc import Sequence

from rich.table import Table

from overread.pages.words import leader, p_value, score
from overread.runner.summary import Ranking, Standing

WIDE = 160
"""Columns where nobody's screen sets a limit: in a file or a pipe."""


def printed(*tables: Table) -> None:
    """Print to standard output, as wide as the terminal."""
    from rich.console import Console

    console = Console() if sys.stdout.isatty() else Console(width=WIDE)
    for table in tables:
        console.print(table)


def leaderboard(metrics: Sequence[Ranking]) -> Table:
    """One line per metric and system, narrow enough for 80 columns; the better one bold, the test beside the first."""
    found = Table(expand=False, box=None, pad_edge=False)
    found.add_column("metric", no_wrap=True)
    found.add_column("system", min_width=8, overflow="ellipsis", no_wrap=True)
    for name in ("score", "95 % interval", "scored", "difference", "p"):
        found.add_column(name, justify="right", no_wrap=True)
    for m in metrics:
        for n, (system, one) in enumerate(m.systems.items()):
            found.add_row(*line(m, system, one, first=n == 0))
    return found


def line(m: Ranking, system: str, one: Standing, *, first: bool) -> list[str]:
    value = score(one.value)
    return [
        m.name + (" ↓" if m.direction == "lower" else "") if first else "",
        system,
        f"[bold]{value}[/]" if system == leader(m) else value,
        f"{score(one.low)}–{score(one.high)}",
        str(one.scored) if one.scored == one.total else f"{one.scored}/{one.total}",
        *(difference(m) if first else ("", "")),
    ]


def difference(m: Ranking) -> tuple[str, str]:
    """The test between two systems; of more there are too many for a line."""
    if len(m.differences) != 1:
        return "", ""
    (one,) = m.differences
    return f"{one.difference:+.3f}", p_value(one.p_randomisation_holm)


def tests(metrics: Sequence[Ranking]) -> Table:
    """Every pair of systems, corrected for the number of pairs."""
    found = Table(
        "metric", "first", "second", expand=False, box=None, pad_edge=False, title="Paired tests (Holm)"
    )
    for name in ("difference", "95 % interval", "p bootstrap", "p randomisation"):
        found.add_column(name, justify="right")
    for m in metrics:
        for d in m.differences:
            found.add_row(
                m.name,
                d.first,
                d.second,
                f"{d.difference:+.3f}",
                f"{score(d.low)} – {score(d.high)}",
                p_value(d.p_bootstrap_holm),
                p_value(d.p_randomisation_holm),
            )
    return found
