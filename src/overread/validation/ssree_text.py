"""The outcome of the ladder test as a table, published figures beside ours."""

from collections.abc import Iterable, Sequence

from overread.stats.bootstrap import Interval
from overread.systems.radsem.published import published
from overread.validation.ssree import Ordered

STEPS = ("L1>L2", "L2>L3", "L3>L4", "L4>L5")
COLUMNS = ("tau-b", "all pairs", "adjacent", "chain")


def render(found: Sequence[Ordered], chains: int) -> str:
    """Ours with 95 % intervals, each step of the ladder, and what the RadSEM paper reports."""
    lines = [f"{chains} chains of five levels; higher is better, ties count as failures", ""]
    lines += table(("metric", *COLUMNS, *STEPS), (ours(one) for one in found))
    left_out = [f"{one.title}: {len(one.undefined)} chains have a level without a score" for one in found]
    left_out = [line for line, one in zip(left_out, found, strict=True) if one.undefined]
    lines += ["", *left_out] if left_out else []
    lines += ["", "As published (2,448 reports, GPT-5 reading):", ""]
    figures = published().ssree.items()
    lines += table(("metric", *COLUMNS), ([name, *(f"{v:.3f}" for v in row)] for name, row in figures))
    return "\n".join(lines) + "\n"


def ours(one: Ordered) -> list[str]:
    found = one.ladder
    if found is None:
        return [one.title, *("–" for _ in (*COLUMNS, *STEPS))]
    figures = (found.tau, found.concordance, found.adjacent, found.perfect_chain)
    return [one.title, *(within(i) for i in figures), *(f"{share:.3f}" for share in found.transitions)]


def within(interval: Interval | None) -> str:
    if interval is None:
        return "–"
    return f"{interval.value:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Columns as wide as their widest cell."""
    cells = [list(header), *(list(row) for row in rows)]
    widths = [max(len(row[n]) for row in cells) for n in range(len(header))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
