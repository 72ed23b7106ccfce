"""Rankings as a table for the terminal."""

from collections.abc import Sequence

from rich.table import Table

from overread.pages.words import leader, p_value, score
from overread.runner.summary import Ranking


def leaderboard(metrics: Sequence[Ranking]) -> Table:
    """One line per metric and system; the better one bold, the test beside the first."""
    found = Table("metric", "system", expand=False, box=None, pad_edge=False)
    for name in ("score", "95 % interval", "scored", "undefined", "failed", "difference"):
        found.add_column(name, justify="right")
    for m in metrics:
        best = leader(m)
        for n, (system, one) in enumerate(m.systems.items()):
            value = score(one.value)
            found.add_row(
                m.name + (" ↓" if m.direction == "lower" else "") if n == 0 else "",
                system,
                f"[bold]{value}[/]" if system == best else value,
                f"{score(one.low)} – {score(one.high)}",
                str(one.scored),
                str(one.undefined or ""),
                f"[red]{one.failed}[/]" if one.failed else "",
                difference(m) if n == 0 else "",
            )
    return found


def difference(m: Ranking) -> str:
    """The test between two systems; of more there are too many for a line."""
    if len(m.differences) != 1:
        return f"{len(m.differences)} tests in summary.json" if m.differences else ""
    (one,) = m.differences
    return f"{one.difference:+.3f}  p {p_value(one.p_randomisation_holm)}"


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
