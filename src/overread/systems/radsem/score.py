"""Tags → Score: exact credit under one unit per sentence, then an abnormal-focused F1. Pure.

w  = (1/3)^k · d                       k part-whole labels, d for the details
M  = max Σ x,  0 ≤ x ≤ w,  every sentence's total ≤ 1
F1 = 2M / (2M + U_ref + U_gen)         1 − λ(1 − q) when nothing is unmatched and some w < 1
value = Σ α F1 / Σ α                   over the classes present; α = 0.9 abnormal, 0.1 normal
"""

from collections.abc import Callable, Iterable
from math import sqrt
from typing import Any, get_args

from msgspec import Struct, structs, to_builtins

from overread.systems.base import Metric, Score
from overread.systems.radsem.flow import UNIT, allocate
from overread.systems.radsem.match import matching, tagged
from overread.systems.radsem.published import published
from overread.systems.radsem.schema import Atoms, Normality
from overread.systems.radsem.tags import Pair, Tags, Unmatched

EMPTY = "neither report holds a finding sentence"
COUNTED = ("matched", "missed", "invented")
Link = tuple[Pair, int]
"""A pair and its weight, in parts of `UNIT`."""


class ClassScore(Struct, frozen=True):
    """One class, normal or abnormal, of one pair of reports."""

    matched: float
    missed: int
    """Reference sentences without a partner."""

    invented: int
    """Candidate sentences without a partner."""

    f1: float
    rule: str
    """`f1`; `no-unmatched` when everything has a partner; `partial-adjustment` when some partner fits in part."""

    @property
    def present(self) -> bool:
        return bool(self.matched or self.missed or self.invented)


def weight(pair: Pair) -> int:
    """Credit of a pair, in parts of `UNIT`."""
    return published().weight(pair.part_whole, pair.details_of_abnormality_relationship)


def links(pairs: Iterable[Pair]) -> list[Link]:
    """Pairs with their weights; a pair tagged twice counts once, with its higher weight."""
    best: dict[tuple[str, str], Link] = {}
    for pair in pairs:
        key, heavy = (pair.ref_sentence, pair.gen_sentence), weight(pair)
        if key not in best or heavy > best[key][1]:
            best[key] = (pair, heavy)
    return list(best.values())


def allocated(found: list[Link]) -> list[int]:
    """The share of each link in the largest total."""
    refs = {s: n for n, s in enumerate(dict.fromkeys(p.ref_sentence for p, _ in found))}
    gens = {s: n for n, s in enumerate(dict.fromkeys(p.gen_sentence for p, _ in found))}
    edges = [(refs[p.ref_sentence], gens[p.gen_sentence]) for p, _ in found]
    flow = allocate({edge: w for edge, (_, w) in zip(edges, found, strict=True)})
    return [flow[edge] for edge in edges]


def class_f1(matched: float, missed: int, invented: int) -> float:
    """F1 of one class from its matched credit.

        F1 = 2M / (2M + U_ref + U_gen)

    >>> class_f1(4, missed=2, invented=0)
    0.8
    """
    total = 2 * matched + missed + invented
    return 2 * matched / total if total else 0.0


def adjusted(weights: list[int]) -> float:
    """F1 where nothing is unmatched and some pairs fit only in part.

        F1 = 1 − λ(1 − q),  q the mean weight of the n pairs,  λ = 0.25 / √n

    >>> adjusted([108, 108, 108, 81])
    0.9921875
    """
    n = len(weights)
    q = sum(weights) / (n * UNIT)
    return 1 - published().adjustment / sqrt(n) * (1 - q)


def class_score(found: list[Link], shares: list[int], missed: int, invented: int) -> ClassScore:
    matched = sum(shares) / UNIT
    weights = [w for _, w in found]
    if missed or invented:
        return ClassScore(matched, missed, invented, class_f1(matched, missed, invented), "f1")
    if any(w < UNIT for w in weights):
        return ClassScore(matched, 0, 0, adjusted(weights), "partial-adjustment")
    return ClassScore(matched, 0, 0, 1.0, "no-unmatched")


def score_tags(tags: Tags, empty: float | None = None) -> Score:
    """RadSEM of one tag record.

    Two reports without a finding sentence have no score: None, with the reason. `empty=0.0` gives the
    published guard instead.
    """
    classes, allocation = {}, []
    for name in get_args(Normality):
        found = links(p for p in tags.findings.pairs if p.normality == name)
        shares = allocated(found)
        loose = [u for u in tags.findings.unmatched_sentences if u.normality == name]
        classes[name] = class_score(found, shares, *sides(loose))
        allocation += [(p, w, x) for (p, w), x in zip(found, shares, strict=True)]
    return combined(classes, allocation, tags.findings.unmatched_sentences, empty)


def score_tags_alt(tags: Tags, empty: float | None = None) -> Score:
    """RadSEM-Alt: every candidate sentence keeps its best reference sentence, which fills up to one unit."""
    classes, allocation = {}, []
    loose = list(tags.findings.unmatched_sentences)
    for name in get_args(Normality):
        found = links(p for p in tags.findings.pairs if p.normality == name)
        kept = anchored(found)
        refs, gens = ({getattr(p, s) for p, _, _ in kept} for s in ("ref_sentence", "gen_sentence"))
        lost_refs = dict.fromkeys(p.ref_sentence for p, _ in found if p.ref_sentence not in refs)
        lost_gens = dict.fromkeys(p.gen_sentence for p, _ in found if p.gen_sentence not in gens)
        loose += [Unmatched(s, "Ref", name) for s in lost_refs] + [
            Unmatched(s, "Gen", name) for s in lost_gens
        ]
        counts = sides(u for u in loose if u.normality == name)
        classes[name] = class_score([(p, w) for p, w, _ in kept], [x for _, _, x in kept], *counts)
        allocation += kept
    return combined(classes, allocation, loose, empty)


def preference(link: Link) -> tuple[int, bool]:
    """The heaviest first; of equals the sentence that is the same word for word."""
    pair, heavy = link
    return -heavy, pair.ref_sentence != pair.gen_sentence


def anchored(found: list[Link]) -> list[tuple[Pair, int, int]]:
    """Links kept by the Alt policy with their shares: the heaviest first, none that would add nothing."""
    kept, spare, taken = [], dict.fromkeys((p.ref_sentence for p, _ in found), UNIT), set()
    for pair, w in sorted(found, key=preference):
        if pair.gen_sentence in taken:
            continue
        taken.add(pair.gen_sentence)
        share = min(w, spare[pair.ref_sentence])
        if share:
            spare[pair.ref_sentence] -= share
            kept.append((pair, w, share))
    return kept


def sides(loose: Iterable[Unmatched]) -> tuple[int, int]:
    """Missed and invented sentences."""
    origins = [u.sentence_is_from for u in loose]
    return origins.count("Ref"), origins.count("Gen")


def combined(
    classes: dict[Normality, ClassScore],
    allocation: list[tuple[Pair, int, int]],
    loose: Iterable[Unmatched],
    empty: float | None,
) -> Score:
    """The mixture over the classes present, with everything it was made of."""
    here = {name: c for name, c in classes.items() if c.present}
    alpha = published().classes
    total = sum(alpha[name] for name in here)
    counts = {f"{name}_{k}": float(getattr(c, k)) for name, c in classes.items() for k in COUNTED}
    detail = {
        "pairs": [pair_detail(p, w, x) for p, w, x in allocation],
        "missed": [u.sentence for u in loose if u.sentence_is_from == "Ref"],
        "invented": [u.sentence for u in loose if u.sentence_is_from == "Gen"],
        "classes": {name: to_builtins(c) for name, c in here.items()},
    }
    if not here:
        return Score(empty, why=EMPTY, counts=counts, detail=detail)

    def mixed(figure: Callable[[ClassScore], float]) -> float:
        return sum(alpha[name] * figure(c) for name, c in here.items()) / total

    return Score(
        mixed(lambda c: c.f1),
        precision=mixed(lambda c: share(c.matched, c.invented)),
        recall=mixed(lambda c: share(c.matched, c.missed)),
        counts=counts,
        detail=detail,
    )


def share(matched: float, loose: int) -> float:
    return matched / (matched + loose) if matched + loose else 0.0


def pair_detail(pair: Pair, heavy: int, given: int) -> dict[str, Any]:
    return {**structs.asdict(pair), "weight": heavy / UNIT, "credit": given / UNIT}


def score(reference: Atoms, candidate: Atoms) -> Score:
    """RadSEM of two views, matched by rules."""
    return scored(reference, candidate, score_tags)


def score_alt(reference: Atoms, candidate: Atoms) -> Score:
    """RadSEM-Alt of two views, matched by rules."""
    return scored(reference, candidate, score_tags_alt)


def scored(reference: Atoms, candidate: Atoms, by: Callable[[Tags], Score]) -> Score:
    found = matching(reference.atoms, candidate.atoms)
    made = by(tagged(reference, candidate, found))
    denied = [(reference.atoms[i].text, candidate.atoms[j].text) for i, j in found.contradicted]
    return structs.replace(made, detail={**made.detail, "contradicted": denied})


METRICS = (
    Metric(
        "radsem",
        "finding by finding, contradictions never match; F1 over atomic sentences, 90 % abnormal",
        score,
        laws=frozenset({"identity", "symmetric", "bounded"}),
    ),
    Metric(
        "radsem-alt",
        "the same, each candidate sentence tied to its single best reference sentence",
        score_alt,
        laws=frozenset({"identity", "bounded"}),
    ),
)
