"""The outcome of the ladder test as tables, published figures below each metric's own."""

from collections.abc import Iterable, Sequence

from overread.stats.bootstrap import Interval
from overread.systems.radsem.published import published
from overread.validation.ssree import Ordered

STEPS = ("L1>L2", "L2>L3", "L3>L4", "L4>L5")
COLUMNS = ("tau-b", "all pairs", "adjacent", "whole chain")
PUBLISHED = "  published"
KEY = (
    "tau-b: Kendall's, within each report; all pairs: level pairs in order, ties half; adjacent: neighbours strictly",
    "in order; whole chain: all five strictly in order. 95% confidence intervals over reports.",
    "Published: 2,448 reports of the authors, GPT-5 reading and matching.",
)


def render(found: Sequence[Ordered], chains: int) -> str:
    """Ours with 95% confidence intervals, each step of the ladder, and what the RadSEM paper reports."""
    lines = [f"{counted(chains, 'chain')} of five levels", ""]
    lines += table(("", *COLUMNS), (row for one in found for row in figures(one)))
    lines += ["", *table(("", *STEPS), (row for one in found for row in steps(one)))]
    lines += against_alt(found)
    lines += [*others(found), "", *(note for one in found for note in notes(one)), *KEY]
    return "\n".join(lines) + "\n"


def figures(one: Ordered) -> list[list[str]]:
    """A metric's four figures, and the published ones below."""
    found = one.ladder
    own = (found.tau, found.concordance, found.adjacent, found.perfect_chain) if found else (None,) * 4
    rows = [[one.title, *map(within, own)]]
    known = published().ssree.get(one.title)
    return [*rows, [PUBLISHED, *(f"{v:.3f}" for v in known)]] if known else rows


def steps(one: Ordered) -> list[list[str]]:
    """Share of chains in order at each step."""
    own = [f"{share:.3f}" for share in one.ladder.transitions] if one.ladder else ["–"] * len(STEPS)
    rows = [[one.title, *own]]
    known = published().steps.get(one.title)
    return [*rows, [PUBLISHED, *(f"{v:.3f}" for v in known)]] if known else rows


def against_alt(found: Sequence[Ordered]) -> list[str]:
    """RadSEM less RadSEM-Alt in every figure, where both were run: the bottom row of the paper's Table 5."""
    ladders = {one.title: one.ladder for one in found}
    one, two = ladders.get("RadSEM"), ladders.get("RadSEM-Alt")
    if one is None or two is None:
        return []
    sides = [
        [
            *(i.value if i else None for i in (x.tau, x.concordance, x.adjacent, x.perfect_chain)),
            *x.transitions,
        ]
        for x in (one, two)
    ]
    ours = [f"{a - b:+.3f}" if a is not None and b is not None else "–" for a, b in zip(*sides, strict=True)]
    known = [[*published().ssree[name], *published().steps[name]] for name in ("RadSEM", "RadSEM-Alt")]
    theirs = [f"{a - b:+.3f}" for a, b in zip(*known, strict=True)]
    return ["", *table(("RadSEM − RadSEM-Alt", *COLUMNS, *STEPS), [["here", *ours], [PUBLISHED, *theirs]])]


def others(found: Sequence[Ordered]) -> list[str]:
    """Published figures of metrics that were not asked for."""
    rest = {k: v for k, v in published().ssree.items() if k not in {one.title for one in found}}
    if not rest:
        return []
    rows = ([name, *(f"{v:.3f}" for v in row)] for name, row in rest.items())
    return ["", *table(("published, not run here", *COLUMNS), rows)]


def notes(one: Ordered) -> list[str]:
    """What was left out of the figures."""
    found = []
    if one.undefined:
        found.append(f"{one.title}: {counted(len(one.undefined), 'chain')} left out, a level has no score")
    if one.ladder and one.ladder.tau_undefined:
        tied = counted(one.ladder.tau_undefined, "chain")
        found.append(f"{one.title}: {tied} without tau-b, all levels tied")
    return found


def counted(number: int, what: str) -> str:
    """
    >>> counted(1, "chain"), counted(2000, "chain")
    ('1 chain', '2,000 chains')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def within(interval: Interval | None) -> str:
    if interval is None:
        return "–"
    return f"{interval.value:.3f} ({interval.low:.3f}–{interval.high:.3f})"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Columns as wide as their widest cell."""
    cells = [list(header), *(list(row) for row in rows)]
    widths = [max(len(row[n]) for row in cells) for n in range(len(header))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
