"""LUNGUAGESCORE: View × View → Score, for one report or a patient's timeline."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from overread.encoders import Encoder, load
from overread.systems.base import Score
from overread.systems.blocks import blocks
from overread.systems.lunguage.breakdown import breakdown
from overread.systems.lunguage.items import Item, of_report, of_timeline
from overread.systems.lunguage.likeness import factors
from overread.systems.lunguage.matching import Counts, assign, counts
from overread.systems.lunguage.schema import StructuredReport
from overread.systems.lunguage.timeline import Timeline


class Variant(Struct, frozen=True):
    """A named way to count; `PUBLISHED` is the paper's."""

    name: str
    strict: bool = False
    """An unmatched finding costs 1; as published, duplicates go free."""

    numeric: bool = False
    """Lengths are compared as numbers."""


PUBLISHED = Variant("published")
STRICT = Variant("strict", strict=True)
NUMERIC = Variant("numeric", numeric=True)
MOST, MOST_POOLED = 250, 1_000
"""Findings of one report, and of a patient's reports, that are all held against all others; more are matched in
blocks of like phrases. A long report has a hundred."""

Part = tuple[Counts, dict[str, Any]]
VARIANTS = {variant.name: variant for variant in (PUBLISHED, STRICT, NUMERIC)}


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
