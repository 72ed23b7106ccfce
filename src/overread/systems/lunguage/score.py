"""LUNGUAGESCORE: View × View → Score, for one report or a patient's timeline; findings are matched one to one."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import Any, cast

import numpy as np
from msgspec import Struct

from overread.encoders import Encoder, load
from overread.systems.base import Score
from overread.systems.blocks import blocks
from overread.systems.lunguage.likeness import (
    ComparedFinding,
    Factors,
    Matrix,
    attribute_weights,
    factors,
    of_report,
    of_timeline,
)
from overread.systems.lunguage.schema import StructuredReport, Timeline

# ---- one-to-one assignment of findings, and the counts that follow from it
TIE = 1e-9
"""Weight of the rule for equally good assignments: leave over what has the nearest other match."""


@cache
def assignment() -> Callable[..., Any]:
    """`scipy.optimize.linear_sum_assignment`, without the package around it where its compiled file stands alone.

    Loading all of that package takes half a second and 50 MB in every process, more than all words of the lexicon.
    """
    scipy = find_spec("scipy")
    folders = [f"{place}/optimize" for place in (scipy and scipy.submodule_search_locations) or ()]
    alone = PathFinder.find_spec("_lsap", folders)
    if alone is None or alone.loader is None:
        module = import_module("scipy.optimize")
    else:
        module = module_from_spec(alone)
        alone.loader.exec_module(module)
    return cast(Callable[..., Any], module.linear_sum_assignment)


class Loose(Struct, frozen=True):
    """A finding without partner."""

    place: int
    nearest: int | None
    """Where its nearest match of the other side stands; None where the other side has nothing."""

    likeness: float
    cost: float
    """1 less its nearest match; strictly 1, however near it is to one that found another partner."""


class Matching(Struct, frozen=True):
    """The best one-to-one match, and its soft counts, whose sums give the score of many.

        TP = Σ s     FP = Σ (1 − s) + Σ over unmatched candidates (1 − max s)     FN likewise

    >>> rates(matching(np.array([[0.8, 0.1], [0.2, 0.6]])).counts)[0]
    0.7
    """

    pairs: list[tuple[int, int]]
    """(candidate, reference) positions."""

    missed: list[Loose]
    """References that no candidate matches."""

    invented: list[Loose]
    counts: dict[str, float]


def matching(match: Matrix, *, strict: bool = False) -> Matching:
    """The pairs with the largest sum of match scores, candidates in rows; no threshold."""
    pairs = []
    if match.size:
        nearest = match.max(1, keepdims=True) + match.max(0, keepdims=True)
        rows, columns = assignment()(match - TIE * nearest, maximize=True)
        pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    matched = [float(match[pair]) for pair in pairs]
    residue = sum(1 - s for s in matched)
    missed = left_over(match.T, {j for _, j in pairs}, strict)
    invented = left_over(match, {i for i, _ in pairs}, strict)
    fp, fn = (residue + sum(one.cost for one in some) for some in (invented, missed))
    return Matching(pairs, missed, invented, {"tp": sum(matched), "fp": fp, "fn": fn})


def left_over(match: Matrix, matched: set[int], strict: bool) -> list[Loose]:
    """The rows without partner, each with its nearest column."""
    found = []
    for place in (n for n in range(len(match)) if n not in matched):
        nearest = int(match[place].argmax()) if match.shape[1] else None
        likeness = 0.0 if nearest is None else float(match[place, nearest])
        found.append(Loose(place, nearest, likeness, 1.0 if strict else 1 - likeness))
    return found


def rates(counts: dict[str, float]) -> tuple[float, float, float]:
    """F1, precision and recall.

    >>> rates({"tp": 1, "fp": 1, "fn": 0})[1:]
    (0.5, 1.0)
    """
    good, fp, fn = (counts[name] for name in ("tp", "fp", "fn"))
    f1, precision, recall = (
        part / (part + bad) if part else 0.0 for part, bad in ((2 * good, fp + fn), (good, fp), (good, fn))
    )
    return f1, precision, recall


# ---- scores
MOST_IN_REPORT, MOST_POOLED = 250, 1_000
"""Findings of one report, and of a patient's reports, that are all held against all others; more are matched in
blocks of like phrases. A long report has a hundred."""


def score_reports(
    reference: StructuredReport,
    candidate: StructuredReport,
    encoder: Encoder | None = None,
    **variant: bool,
) -> Score:
    """One report against another: Match = Semantic · Structural."""
    return score_items(of_report(reference), of_report(candidate), encoder, **variant)


def score_timelines(
    reference: Timeline, candidate: Timeline, encoder: Encoder | None = None, **variant: bool
) -> Score:
    """A patient's studies pooled: Match = Semantic · Temporal · Structural.

    A patient with a single study has no time to compare: phrases are those of a report, and the temporal factor is
    left out.
    """
    studies = {study.study for timeline in (reference, candidate) for study in timeline.studies}
    over_time = len(studies) > 1
    mine, theirs = (of_timeline(timeline, over_time) for timeline in (reference, candidate))
    return score_items(mine, theirs, encoder, over_time, **variant)


def score_items(
    reference: Sequence[ComparedFinding],
    candidate: Sequence[ComparedFinding],
    encoder: Encoder | None,
    over_time: bool = False,
    *,
    strict: bool = False,
    numeric: bool = False,
) -> Score:
    """F1 of the best one-to-one match; undefined when neither side has a finding, 0 when one has none.

    `strict`: an unmatched finding costs 1; `numeric`: lengths are compared as numbers. The detail has the pairs of each
    block from best to worst; `missed` are references, `invented` candidates without a partner; `contradicted` are
    positions in `pairs` where one side affirms what the other denies.
    """
    if not reference and not candidate:
        return Score(None, why="neither side has a finding")
    if reference and candidate:
        candidate, reference = (sorted(items, key=lambda item: item.key) for items in (candidate, reference))
    ours, theirs = ([f"{item.study} {item.phrase}" for item in items] for items in (candidate, reference))
    counts: dict[str, float] = {"tp": 0, "fp": 0, "fn": 0}
    detail: dict[str, list[Any]] = {"pairs": [], "missed": [], "invented": [], "contradicted": []}
    for some, others in blocks(ours, theirs, MOST_POOLED if over_time else MOST_IN_REPORT):
        mine, wanted = [candidate[n] for n in some], [reference[n] for n in others]
        found = factors(mine, wanted, encoder or load(), over_time=over_time, numeric=numeric)
        match = found.match
        best = matching(match, strict=strict)
        counts = {name: count + best.counts[name] for name, count in counts.items()}
        for i, j in sorted(best.pairs, key=lambda pair: (-match[pair], pair)):
            if mine[i].status != wanted[j].status:
                detail["contradicted"].append(len(detail["pairs"]))
            detail["pairs"].append(pair_told(mine[i], wanted[j], found, i, j))
        detail["missed"] += [loose_told(wanted[one.place], one, mine) for one in best.missed]
        detail["invented"] += [loose_told(mine[one.place], one, wanted) for one in best.invented]
    f1, precision, recall = rates(counts)
    return Score(f1, precision=precision, recall=recall, counts=counts, detail=detail)


# ---- what a score is made of, as plain values: pairs with their factors, and what found no partner
def pair_told(
    candidate: ComparedFinding, reference: ComparedFinding, found: Factors, i: int, j: int
) -> dict[str, Any]:
    """A pair with its factors; of each attribute its weight and what it earned and cost of the structural one."""
    weights = attribute_weights()
    present = {n: float(sims[i, j]) for n, sims in found.attributes.items() if not np.isnan(sims[i, j])}
    total = sum(weights[name] for name in present)
    attributes = [
        {
            "name": name,
            "reference": reference.value(name),
            "candidate": candidate.value(name),
            "weight": weights[name],
            "similarity": similarity,
            "earned": weights[name] * similarity / total,
            "lost": weights[name] * (1 - similarity) / total,
        }
        for name, similarity in present.items()
    ]
    temporal = {} if found.temporal is None else {"temporal": float(found.temporal[i, j])}
    return {
        "reference": words_told(reference),
        "candidate": words_told(candidate),
        "match": float(found.match[i, j]),
        "semantic": float(found.semantic[i, j]),
        "structural": float(found.structural[i, j]),
        "attributes": attributes,
        **temporal,
    }


def loose_told(item: ComparedFinding, loose: Loose, others: Sequence[ComparedFinding]) -> dict[str, Any]:
    """A finding without partner, the nearest one of the other side, and what it costs."""
    nearest = None if loose.nearest is None else others[loose.nearest].id
    return {**words_told(item), "nearest": nearest, "likeness": loose.likeness, "cost": loose.cost}


def words_told(item: ComparedFinding) -> dict[str, Any]:
    """A finding's own words and where they stand."""
    when = {"study": item.study, "episode": item.episode} if item.study else {}
    return {
        **{name: getattr(item, name) for name in ("id", "entity", "phrase", "status")},
        **when,
        "report": item.report,
        "spans": {name: [[s.start, s.end] for s in spans] for name, spans in item.spans.items()},
    }
