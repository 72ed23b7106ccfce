"""Does a metric fall as a report gets worse? Five levels of corruption, each scored against the original.

L1 keeps the meaning, L2 denies one abnormal finding, L3 two, L4 all, L5 inverts every sentence.
A metric passes a chain when L1 > L2 > L3 > L4 > L5, strictly. Of many reports a sample is taken, each modality by its
share in the whole.

Does a metric prefer a synonymous rewrite to an antonymous one? Correct only when strictly higher.

Antonyms are near-copies of their originals, so a metric that prefers far words wins when the original asks. Each
triplet is therefore asked both ways: the original asks (as published), then the synonym asks for the original. The
mean of both is the figure that says something.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from overread.report import Report
from overread.runner.measures import measure
from overread.stats.bootstrap import Interval, mean_interval
from overread.stats.correlation import Ladder, ladder
from overread.systems.radsem.by_rules import modality
from overread.systems.radsem.published import published
from overread.validation.annotated import lines_by_id
from overread.validation.measured import Asking, values_by_metric
from overread.validation.shown import NOTES, PUBLISHED, counted, figure, svg, table, within
from overread.whole import write


def sample(reports: Sequence[Report], count: int, seed: int = 0) -> list[Report]:
    """`count` reports in their order, drawn from each modality by its share; all where there are no more."""
    strata: dict[str, list[int]] = {}
    for place, report in enumerate(reports):
        strata.setdefault(modality(report), []).append(place)
    random = Random(seed)
    wanted = apportioned({name: len(places) for name, places in strata.items()}, min(count, len(reports)))
    drawn = [place for name in sorted(strata) for place in random.sample(strata[name], wanted[name])]
    return [reports[place] for place in sorted(drawn)]


def apportioned(sizes: dict[str, int], count: int) -> dict[str, int]:
    """How many of each: whole parts first, then the largest remainders.

    >>> apportioned({"CT": 60, "MR": 32, "CR": 8}, 5)
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
    found = []
    for name, rows in values_by_metric(metrics, [(c.reference, *c.levels) for c in chains], how).items():
        scores = {c.id: tuple(v for v in row if v is not None) for c, row in zip(chains, rows, strict=True)}
        whole = {id: row for id, row in scores.items() if len(row) == len(LEVEL_NAMES)}
        own = ladder(list(whole.values()), resamples=how.resamples, seed=how.seed) if whole else None
        undefined = tuple(id for id in scores if id not in whole)
        found.append(Ordered(name, measure(name).title, own, whole, undefined))
    return found


LEVEL_NAMES = ("L1", "L2", "L3", "L4", "L5")
LEVEL_STEPS = tuple(f"{one}>{two}" for one, two in pairwise(LEVEL_NAMES))
LADDER_COLUMNS = {
    "tau-b": "tau",
    "all pairs": "concordance",
    "adjacent": "adjacent",
    "whole chain": "perfect_chain",
}
"""Heading → field of the ladder."""


def figures_of(found: Ladder | None) -> list[Interval | None]:
    return [getattr(found, name, None) for name in LADDER_COLUMNS.values()]


def render(found: Sequence[Ordered], chains: int) -> str:
    """Ours with 95% confidence intervals, each step of the ladder, and what the RadSEM paper reports."""
    ladders = {one.title: one.ladder for one in found}
    figures, steps = [], []
    for title, own in ladders.items():
        figures += [[title, *map(within, figures_of(own))], *printed(published().ssree.get(title))]
        shares = own.transitions if own else [None] * len(LEVEL_STEPS)
        steps += [[title, *map(figure, shares)], *printed(published().steps.get(title))]
    lines = [f"{counted(chains, 'chain')} of five levels", ""]
    lines += [
        *table(("", *LADDER_COLUMNS), *figures),
        "",
        *table(("", *LEVEL_STEPS), *steps),
        *against_alt(ladders),
    ]
    if rest := [[name, *map(figure, row)] for name, row in published().ssree.items() if name not in ladders]:
        lines += ["", *table(("published, not run here", *LADDER_COLUMNS), *rest)]
    lines.append("")
    for one in found:
        if one.undefined:
            lost = counted(len(one.undefined), "chain")
            lines.append(f"{one.title}: {lost} left out, a level has no score")
        if one.ladder and one.ladder.tau_undefined:
            tied = counted(one.ladder.tau_undefined, "chain")
            lines.append(f"{one.title}: {tied} without tau-b, all levels tied")
    return "\n".join([*lines, NOTES["ladder"]]) + "\n"


def printed(known: Sequence[float] | None) -> list[list[str]]:
    """What the paper has of a metric, to stand below ours."""
    return [[PUBLISHED, *map(figure, known)]] if known else []


def against_alt(ladders: Mapping[str, Ladder | None]) -> list[str]:
    """RadSEM less RadSEM-Alt in every figure, where both were run: the bottom row of the paper's Table 5."""
    names = ("RadSEM", "RadSEM-Alt")
    both = [own for name in names if (own := ladders.get(name))]
    if len(both) < len(names):
        return []
    here = [[*(i.value if i else None for i in figures_of(own)), *own.transitions] for own in both]
    known = [[*published().ssree[name], *published().steps[name]] for name in names]
    rows = [[told, *less(*sides)] for told, sides in (("here", here), (PUBLISHED, known))]
    return ["", *table(("RadSEM − RadSEM-Alt", *LADDER_COLUMNS, *LEVEL_STEPS), *rows)]


def less(one: Sequence[float | None], other: Sequence[float | None]) -> list[str]:
    pairs = zip(one, other, strict=True)
    return ["–" if a is None or b is None else f"{a - b:+.3f}" for a, b in pairs]


def heatmap(found: Sequence[Ordered]) -> str:
    """P(row level scores above column level) of each metric."""
    panels = []
    for title, own in ((one.title, one.ladder) for one in found):
        if own is not None:
            tau, whole = figure(own.tau.value if own.tau else None), own.perfect_chain.value
            panels.append((title, f"τb {tau}, whole chains {whole:.1%}, n = {own.items}", own.preference))
    return svg("heatmap", levels=LEVEL_NAMES, panels=panels)


# ---- synonymous and antonymous rewrites
MOST_LISTED = 20
"""So many wrong triplets or fewer are named."""


class Triplet(Struct, frozen=True):
    """An original, the same meaning in other words, the opposite in nearly the same words."""

    id: str
    original: str
    synonymous: str
    antonymous: str
    kind: str = "-"
    """What is turned: negation, side, normality …; other fields of a line are passed over."""


class Preferred(Struct, frozen=True, forbid_unknown_fields=True):
    """How often one metric prefers the synonym."""

    metric: str
    title: str
    balanced: Interval
    """Mean of both ways."""

    right: Interval
    """The original asks: synonym above antonym, as the RadSEM paper has it."""

    turned: Interval
    """The synonym asks: original above antonym."""

    kinds: dict[str, tuple[int, int]]
    """Kind → right both ways together, asked in all."""

    wrong: tuple[str, ...]
    """Triplets in which the antonym scores as high or higher, or a score is undefined, as published."""

    wrong_turned: tuple[str, ...]
    undefined: int
    """Triplets without a score one way or the other."""


def load_triplets(path: Path) -> list[Triplet]:
    """Triplets from JSON lines with `id`, `original`, `synonymous`, `antonymous` and perhaps `kind`."""
    shape = "is not as it should be. A line needs id, original, synonymous and antonymous, all text."
    return list(lines_by_id(path, Triplet, shape).values())


def rewrites(triplets: Sequence[Triplet], metrics: Iterable[str], how: Asking) -> list[Preferred]:
    """Every metric on every triplet, both ways."""
    texts = [(t.original, t.synonymous, t.antonymous) for t in triplets]
    texts += [(t.synonymous, t.original, t.antonymous) for t in triplets]
    found = []
    for name, rows in values_by_metric(metrics, texts, how).items():
        halves = rows[: len(triplets)], rows[len(triplets) :]
        ways = [[wins(*row) for row in half] for half in halves]
        both = [(one + two) / 2 for one, two in zip(*ways, strict=True)]
        balanced, right, turned = (
            mean_interval(way, resamples=how.resamples, seed=how.seed) for way in (both, *ways)
        )
        wrong = [tuple(t.id for t, good in zip(triplets, way, strict=True) if not good) for way in ways]
        asked = [t.kind for t in (*triplets, *triplets)]
        won = Counter(kind for kind, good in zip(asked, (*ways[0], *ways[1]), strict=True) if good)
        kinds = {kind: (won[kind], total) for kind, total in sorted(Counter(asked).items())}
        lost = sum(None in (*one, *two) for one, two in zip(*halves, strict=True))
        title = measure(name).title
        found.append(Preferred(name, title, balanced, right, turned, kinds, wrong[0], wrong[1], lost))
    return found


def wins(same: float | None, opposite: float | None) -> bool:
    """Does the synonym score strictly higher? Scores equal to twelve decimals are tied."""
    return same is not None and opposite is not None and round(same - opposite, 12) > 0


def render_rewrites(found: Sequence[Preferred], triplets: int) -> str:
    """A column per metric: both ways first, then each way with what the RadSEM paper reports, then kinds."""
    rows = [
        ["both ways", str(2 * triplets), *(within(one.balanced) for one in found)],
        ["original asks", str(triplets), *(within(one.right) for one in found)],
        [PUBLISHED, "599", *(figure(published().rewrites.get(one.title)) for one in found)],
        ["synonym asks", str(triplets), *(within(one.turned) for one in found)],
    ]
    for kind, (_, total) in (found[0].kinds if found else {}).items():
        rows.append([kind, str(total), *(str(one.kinds[kind][0]) for one in found)])
    titles = [one.title for one in found]
    head = f"{counted(triplets, 'triplet')}; right when the same meaning scores strictly above the opposite"
    lines = [head, "", *table(("", "n", *titles), *rows)]
    rest = [f"{name} {share:.3f}" for name, share in published().rewrites.items() if name not in titles]
    if rest:
        lines += ["", f"published, not run here: {', '.join(rest)}"]
    lines.append("")
    for one in found:
        for asked, wrong in (("the original", one.wrong), ("the synonym", one.wrong_turned)):
            if 0 < len(wrong) <= MOST_LISTED:
                lines.append(f"{one.title} is wrong where {asked} asks on {', '.join(wrong)}")
        if one.undefined:
            lost = counted(one.undefined, "triplet")
            lines.append(f"{one.title}: {lost} without a score, counted as wrong")
    return "\n".join([*lines, NOTES["rewrites"]]) + "\n"
