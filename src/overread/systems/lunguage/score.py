"""LUNGUAGESCORE: View × View → Score, for one report or a patient's timeline."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from overread.encoders import Encoder, load
from overread.systems.base import Score
from overread.systems.blocks import blocks
from overread.systems.lunguage.likeness import (
    Factors,
    Item,
    attribute_weights,
    factors,
    of_report,
    of_timeline,
)
from overread.systems.lunguage.matching import Loose, matching, rates
from overread.systems.lunguage.metrics import PUBLISHED, Variant
from overread.systems.lunguage.schema import StructuredReport
from overread.systems.lunguage.timeline import Timeline

MOST, MOST_POOLED = 250, 1_000
"""Findings of one report, and of a patient's reports, that are all held against all others; more are matched in
blocks of like phrases. A long report has a hundred."""


def score_reports(
    reference: StructuredReport,
    candidate: StructuredReport,
    encoder: Encoder | None = None,
    variant: Variant = PUBLISHED,
) -> Score:
    """One report against another: Match = Semantic · Structural."""
    return score_items(of_report(reference), of_report(candidate), encoder, variant, over_time=False)


def score_timelines(
    reference: Timeline, candidate: Timeline, encoder: Encoder | None = None, variant: Variant = PUBLISHED
) -> Score:
    """A patient's studies pooled: Match = Semantic · Temporal · Structural.

    A patient with a single study has no time to compare: phrases are those of a report, and the temporal factor is
    left out.
    """
    studies = {study.study for timeline in (reference, candidate) for study in timeline.studies}
    over_time = len(studies) > 1
    mine, theirs = (of_timeline(timeline, over_time) for timeline in (reference, candidate))
    return score_items(mine, theirs, encoder, variant, over_time=over_time)


def score_items(
    reference: Sequence[Item],
    candidate: Sequence[Item],
    encoder: Encoder | None,
    variant: Variant,
    *,
    over_time: bool,
) -> Score:
    """F1 of the best one-to-one match; undefined when neither side has a finding, 0 when one has none.

    The detail has the pairs of each block from best to worst; `missed` are references, `invented` candidates without a
    partner; `contradicted` are positions in `pairs` where one side affirms what the other denies.
    """
    if not reference and not candidate:
        return Score(None, why="neither side has a finding")
    if reference and candidate:
        candidate, reference = (sorted(items, key=lambda item: item.key) for items in (candidate, reference))
    ours, theirs = ([f"{item.study} {item.phrase}" for item in items] for items in (candidate, reference))
    counts: dict[str, float] = {"tp": 0, "fp": 0, "fn": 0}
    detail: dict[str, list[Any]] = {"pairs": [], "missed": [], "invented": [], "contradicted": []}
    for some, others in blocks(ours, theirs, MOST_POOLED if over_time else MOST):
        mine, wanted = [candidate[n] for n in some], [reference[n] for n in others]
        found = factors(mine, wanted, encoder or load(), over_time=over_time, numeric=variant.numeric)
        match = found.match
        best = matching(match, strict=variant.strict)
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
def pair_told(candidate: Item, reference: Item, found: Factors, i: int, j: int) -> dict[str, Any]:
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


def loose_told(item: Item, loose: Loose, others: Sequence[Item]) -> dict[str, Any]:
    """A finding without partner, the nearest one of the other side, and what it costs."""
    nearest = None if loose.nearest is None else others[loose.nearest].id
    return {**words_told(item), "nearest": nearest, "likeness": loose.likeness, "cost": loose.cost}


def words_told(item: Item) -> dict[str, Any]:
    """A finding's own words and where they stand."""
    when = {"study": item.study, "episode": item.episode} if item.study else {}
    return {
        **{name: getattr(item, name) for name in ("id", "entity", "phrase", "status")},
        **when,
        "report": item.report,
        "spans": {name: [[s.start, s.end] for s in spans] for name, spans in item.spans.items()},
    }
