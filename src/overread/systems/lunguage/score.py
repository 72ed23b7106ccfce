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
    Matrix,
    attribute_weights,
    factors,
    of_report,
    of_timeline,
)
from overread.systems.lunguage.matching import Counts, Pairs, assign, counts, unmatched
from overread.systems.lunguage.metrics import PUBLISHED, Variant
from overread.systems.lunguage.schema import StructuredReport
from overread.systems.lunguage.timeline import Timeline

MOST, MOST_POOLED = 250, 1_000
"""Findings of one report, and of a patient's reports, that are all held against all others; more are matched in
blocks of like phrases. A long report has a hundred."""

Part = tuple[Counts, dict[str, Any]]


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
    """F1 of the best one-to-one match; undefined when neither side has a finding, 0 when one has none."""
    if not reference and not candidate:
        return Score(None, why="neither side has a finding")
    if not reference or not candidate:
        return result(*empty_side(reference, candidate))
    mine, theirs = (sorted(items, key=lambda item: item.key) for items in (candidate, reference))
    ours, others = ([f"{item.study} {item.phrase}" for item in items] for items in (mine, theirs))
    parts = [
        matched([mine[n] for n in one], [theirs[n] for n in two], encoder, variant, over_time=over_time)
        for one, two in blocks(ours, others, MOST_POOLED if over_time else MOST)
    ]
    total, detail = parts[0] if len(parts) == 1 else together(parts)
    return result(total, detail)


def matched(
    candidate: Sequence[Item],
    reference: Sequence[Item],
    encoder: Encoder | None,
    variant: Variant,
    *,
    over_time: bool,
) -> Part:
    """Counts and breakdown of the best match between two sides of usual length."""
    if not reference or not candidate:
        return empty_side(reference, candidate)
    found = factors(candidate, reference, encoder or load(), over_time=over_time, numeric=variant.numeric)
    match = found.match
    pairs = assign(match)
    total = counts(match, pairs, strict=variant.strict)
    return total, breakdown(candidate, reference, found, pairs, strict=variant.strict)


def together(parts: Sequence[Part]) -> Part:
    """Counts added up, breakdowns one after the other."""
    detail: dict[str, Any] = {"pairs": [], "missed": [], "invented": [], "contradicted": []}
    for _, one in parts:
        detail["contradicted"] += [len(detail["pairs"]) + n for n in one["contradicted"]]
        for name in ("pairs", "missed", "invented"):
            detail[name] += one[name]
    sums = (sum(getattr(total, name) for total, _ in parts) for name in Counts.__struct_fields__)
    return Counts(*sums), detail


def empty_side(reference: Sequence[Item], candidate: Sequence[Item]) -> Part:
    match = np.zeros((len(candidate), len(reference)))
    return counts(match, []), breakdown(candidate, reference, None, [], strict=True)


def result(total: Counts, detail: dict[str, Any]) -> Score:
    return Score(
        value=total.f1,
        precision=total.precision,
        recall=total.recall,
        counts={"tp": total.true_positive, "fp": total.false_positive, "fn": total.false_negative},
        detail=detail,
    )


# ---- what a score is made of, as plain values: pairs with their factors, and what found no partner
def breakdown(
    candidates: Sequence[Item],
    references: Sequence[Item],
    found: Factors | None,
    pairs: Pairs,
    *,
    strict: bool,
) -> dict[str, Any]:
    """Every pair with its factors and each attribute's part in them; unmatched findings with their nearest.

    `pairs` from best to worst; `missed` are references, `invented` candidates without a partner;
    `contradicted` are positions in `pairs` where one side affirms what the other denies.
    """
    match = found.match if found else np.zeros((len(candidates), len(references)))
    ordered = sorted(pairs, key=lambda pair: (-match[pair], pair))
    described = (
        [pair_told(candidates[i], references[j], found, match, i, j) for i, j in ordered] if found else []
    )
    lost = unmatched(len(references), [j for _, j in pairs])
    extra = unmatched(len(candidates), [i for i, _ in pairs])
    return {
        "pairs": described,
        "missed": [left_over(references[j], match.T[j], candidates, strict) for j in lost],
        "invented": [left_over(candidates[i], match[i], references, strict) for i in extra],
        "contradicted": [
            n for n, (i, j) in enumerate(ordered) if candidates[i].status != references[j].status
        ],
    }


def pair_told(
    candidate: Item, reference: Item, found: Factors, match: Matrix, i: int, j: int
) -> dict[str, Any]:
    described = {
        "reference": words_told(reference),
        "candidate": words_told(candidate),
        "match": float(match[i, j]),
        "semantic": float(found.semantic[i, j]),
        "structural": float(found.structural[i, j]),
        "attributes": attribute_parts(candidate, reference, found.attributes, i, j),
    }
    if found.temporal is not None:
        described["temporal"] = float(found.temporal[i, j])
    return described


def attribute_parts(
    candidate: Item, reference: Item, similarities: dict[str, Matrix], i: int, j: int
) -> list[dict[str, Any]]:
    """Each attribute's weight, similarity, and what it earned and cost of the structural factor."""
    weights = attribute_weights()
    present = {name: float(sims[i, j]) for name, sims in similarities.items() if not np.isnan(sims[i, j])}
    total = sum(weights[name] for name in present)
    return [
        {
            "name": name,
            "reference": value(reference, name),
            "candidate": value(candidate, name),
            "weight": weights[name],
            "similarity": similarity,
            "earned": weights[name] * similarity / total,
            "lost": weights[name] * (1 - similarity) / total,
        }
        for name, similarity in present.items()
    ]


def value(item: Item, name: str) -> str:
    if name == "status":
        return item.status
    return item.certainty if name == "certainty" else item.words.get(name, "")


def left_over(item: Item, row: Matrix, others: Sequence[Item], strict: bool) -> dict[str, Any]:
    """A finding without partner, the nearest one of the other side, and what it costs."""
    if not others:
        return {**words_told(item), "nearest": None, "likeness": 0.0, "cost": 1.0}
    best = int(row.argmax())
    likeness = float(row[best])
    return {
        **words_told(item),
        "nearest": others[best].id,
        "likeness": likeness,
        "cost": 1.0 if strict else 1 - likeness,
    }


def words_told(item: Item) -> dict[str, Any]:
    """A finding's own words and where they stand."""
    described: dict[str, Any] = {
        "id": item.id,
        "entity": item.entity,
        "phrase": item.phrase,
        "status": item.status,
    }
    if item.study:
        described |= {"study": item.study, "episode": item.episode}
    described["report"] = item.report
    described["spans"] = {name: [[s.start, s.end] for s in spans] for name, spans in item.spans.items()}
    return described
