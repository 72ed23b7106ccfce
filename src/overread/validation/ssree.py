"""Does a metric fall as a report gets worse? Five levels of corruption, each scored against the original.

L1 keeps the meaning, L2 denies one abnormal finding, L3 two, L4 all, L5 inverts every sentence.
A metric passes a chain when L1 > L2 > L3 > L4 > L5, strictly. Of many reports a sample is taken, each modality by its
share in the whole.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from overread.report import Report
from overread.runner.measures import measure
from overread.stats.ranking import Ladder, ladder
from overread.systems.radsem.by_rules import modality
from overread.systems.radsem.published import published
from overread.validation.annotated import lines_by_id
from overread.validation.drawing import shade, svg
from overread.validation.measured import Asking, values_by_metric
from overread.validation.tables import PUBLISHED, counted, figure, table, within
from overread.whole import write


def sample(reports: Sequence[Report], count: int, seed: int = 0) -> list[Report]:
    """`count` reports in their order, drawn from each modality by its share; all where there are no more."""
    strata: dict[str, list[int]] = {}
    for place, report in enumerate(reports):
        strata.setdefault(modality(report), []).append(place)
    random = Random(seed)
    wanted = shares({name: len(places) for name, places in strata.items()}, min(count, len(reports)))
    drawn = [place for name in sorted(strata) for place in random.sample(strata[name], wanted[name])]
    return [reports[place] for place in sorted(drawn)]


def shares(sizes: dict[str, int], count: int) -> dict[str, int]:
    """How many of each: whole parts first, then the largest remainders.

    >>> shares({"CT": 60, "MR": 32, "CR": 8}, 5)
    {'CT': 3, 'MR': 2, 'CR': 0}
    """
    total = sum(sizes.values())
    exact = {name: size * count / total for name, size in sizes.items()}
    found = {name: int(part) for name, part in exact.items()}
    ranked = sorted(sizes, key=lambda name: (found[name] - exact[name], name))
    for name in ranked[: count - sum(found.values())]:
        found[name] += 1
    return found


class Chain(Struct, frozen=True):
    """A report and its five levels, best first; other fields of a line are passed over."""

    id: str
    reference: str
    L1: str
    L2: str
    L3: str
    L4: str
    L5: str

    @property
    def levels(self) -> tuple[str, ...]:
        return (self.L1, self.L2, self.L3, self.L4, self.L5)


class Ordered(Struct, frozen=True, forbid_unknown_fields=True):
    """How one metric orders the chains."""

    metric: str
    title: str
    ladder: Ladder | None
    """None when no chain could be scored throughout."""

    scores: dict[str, tuple[float, ...]]
    """Chain id → its five scores."""

    undefined: tuple[str, ...]
    """Chains with a level that has no score: left out and counted."""


def load_chains(path: Path) -> list[Chain]:
    """Chains from JSON lines with `id`, `reference` and `L1` … `L5`."""
    shape = "is not as it should be. A line needs id, reference and L1 to L5, all text."
    return list(lines_by_id(path, Chain, shape).values())


def save_chains(path: Path, chains: Iterable[Chain]) -> None:
    """One JSON line per chain, as `load_chains` reads them."""
    write(path, b"".join(msgspec.json.encode(c) + b"\n" for c in chains))


def ssree(chains: Sequence[Chain], metrics: Iterable[str], how: Asking) -> list[Ordered]:
    """Every metric on every chain."""
    found = values_by_metric(metrics, [(c.reference, *c.levels) for c in chains], how)
    ids = [c.id for c in chains]
    return [ordered(name, dict(zip(ids, rows, strict=True)), how) for name, rows in found.items()]


def ordered(name: str, rows: Mapping[str, tuple[float | None, ...]], how: Asking) -> Ordered:
    scores = {id: tuple(v for v in row if v is not None) for id, row in rows.items()}
    whole = {id: row for id, row in scores.items() if len(row) == len(rows[id])}
    found = ladder(list(whole.values()), resamples=how.resamples, seed=how.seed) if whole else None
    undefined = tuple(id for id in rows if id not in whole)
    return Ordered(name, measure(name).title, found, whole, undefined)


STEPS = ("L1>L2", "L2>L3", "L3>L4", "L4>L5")
COLUMNS = ("tau-b", "all pairs", "adjacent", "whole chain")
KEY = (
    "tau-b: Kendall's, within each report; all pairs: level pairs in order, ties half; adjacent: neighbours strictly",
    "in order; whole chain: all five strictly in order. 95% confidence intervals over reports.",
    "Published: 2,448 reports of the authors, GPT-5 reading and matching.",
)


def render(found: Sequence[Ordered], chains: int) -> str:
    """Ours with 95% confidence intervals, each step of the ladder, and what the RadSEM paper reports."""
    lines = [f"{counted(chains, 'chain')} of five levels", ""]
    figures, steps = [], []
    for one in found:
        own = one.ladder
        four = (own.tau, own.concordance, own.adjacent, own.perfect_chain) if own else (None,) * 4
        figures += [[one.title, *map(within, four)], *printed(published().ssree.get(one.title))]
        shares = map(figure, own.transitions if own else (None,) * len(STEPS))
        steps += [[one.title, *shares], *printed(published().steps.get(one.title))]
    lines += [*table(("", *COLUMNS), figures), "", *table(("", *STEPS), steps), *against_alt(found)]
    lines += [*others(found), "", *(note for one in found for note in notes(one)), *KEY]
    return "\n".join(lines) + "\n"


def printed(known: Sequence[float] | None) -> list[list[str]]:
    """What the paper has of a metric, to stand below ours."""
    return [[PUBLISHED, *map(figure, known)]] if known else []


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


# ---- as a picture
LEVELS = ("L1", "L2", "L3", "L4", "L5")
CELL, LEFT, TOP, ROW, ACROSS = 44, 16, 112, 308, 3
PANEL = CELL * (len(LEVELS) + 1) + 28
NOTE = (
    "Share of reports in which the row's level scores strictly above the column's; "
    "a good metric is dark above the diagonal."
)


def heatmap(found: Sequence[Ordered]) -> str:
    """P(row level scores above column level) of each metric."""
    ladders = [(one.title, one.ladder) for one in found if one.ladder is not None]
    panels = [
        {
            "title": name,
            "figures": f"τb {figure(one.tau.value if one.tau is not None else None)}, "
            f"whole chains {one.perfect_chain.value:.1%}, n = {one.items}",
            "x": LEFT + n % ACROSS * PANEL,
            "y": TOP + n // ACROSS * ROW,
            "cells": squares(name, one),
        }
        for n, (name, one) in enumerate(ladders)
    ]
    width = max(LEFT * 2 + (min(len(panels), ACROSS) or 1) * PANEL, 760)
    height = TOP + -(-len(panels) // ACROSS) * ROW
    title = "Which level scores higher?"
    sizes = {"width": width, "height": height, "cell": CELL}
    return svg("heatmap", title=title, note=NOTE, levels=LEVELS, panels=panels, **sizes).removesuffix("\n")


def squares(metric: str, found: Ladder) -> list[dict[str, object]]:
    made: list[dict[str, object]] = []
    for row, shares in enumerate(found.preference):
        for column, share in enumerate(shares):
            if row != column:
                fill, ink = shade(share)
                told = f"{metric}: {LEVELS[row]} above {LEVELS[column]} in {share:.1%} of reports"
                place: dict[str, object] = {"x": CELL * (column + 1), "y": CELL * row}
                made.append(place | {"fill": fill, "ink": ink, "label": f"{share:.2f}", "told": told})
    return made
