"""Tags → Score: exact credit under one unit per sentence, then an abnormal-focused F1. Pure.

w  = (1/3)^k · d                       k part-whole labels, d for the details
M  = max Σ x,  0 ≤ x ≤ w,  every sentence's total ≤ 1; a pair of which the judge is sure by p gives p·x,
     and 1 − p of its sentences counts as unmatched
F1 = 2M / (2M + U_ref + U_gen)         1 − λ(1 − q) when nothing is unmatched and some w < 1
value = Σ α F1 / Σ α                   over the classes present; α = 0.9 abnormal, 0.1 normal

As published a pair counts or does not: one of which the judge is less than half sure is none, p of the others is 1.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import sqrt
from typing import NamedTuple, get_args

from msgspec import Struct, to_builtins
from msgspec.structs import asdict, replace

from overread.systems.base import Metric, Score
from overread.systems.radsem.flow import Edge, allocate, separate
from overread.systems.radsem.match import match
from overread.systems.radsem.published import Constants, published
from overread.systems.radsem.schema import Atoms, Normality
from overread.systems.radsem.tags import TAG_SIDES, SentencePair, Tags, Unmatched, keeping, score_detail

WHY_EMPTY = "neither report holds a finding sentence"
GUARD = 0.0
"""What the published code answers then."""

OUTCOMES_COUNTED = ("matched", "missed", "invented")
NORMALITY_CLASSES: tuple[Normality, ...] = get_args(Normality)


class Share(NamedTuple):
    """A pair, its weight, and the credit it was given, in parts of one sentence's worth."""

    pair: SentencePair
    weight: int
    credit: int = 0


class ClassScore(Struct, frozen=True):
    """One class, normal or abnormal, of one pair of reports."""

    matched: float
    missed: float
    """Reference sentences without a partner, or the share of one whose partner is unsure."""

    invented: float
    """Candidate sentences without a partner, likewise."""

    f1: float
    rule: str
    """`f1`; `no-unmatched` when everything has a partner; `partial-adjustment` when some partner fits in part."""

    @property
    def present(self) -> bool:
        return bool(self.matched or self.missed or self.invented)


def links(pairs: Iterable[SentencePair], constants: Constants) -> list[Share]:
    """Pairs with their weights; a pair tagged twice counts once, with its higher weight."""
    best: dict[tuple[str, str], Share] = {}
    for pair in pairs:
        one = Share(pair, constants.weights[pair.part_whole, pair.details_of_abnormality_relationship])
        if pair.sentences not in best or one.weight > best[pair.sentences].weight:
            best[pair.sentences] = one
    return list(best.values())


def allocated(found: list[Share], unit: int) -> list[Share]:
    """With the share of each in the largest total."""
    refs, gens = (
        {s: n for n, s in enumerate({p.sentences[side]: 0 for p, _, _ in found})} for side in (0, 1)
    )
    edges = {(refs[p.ref_sentence], gens[p.gen_sentence]): weight for p, weight, _ in found}
    flow: dict[Edge, int] = {}
    for part in separate(edges):
        flow |= allocate(part, unit)
    return [one._replace(credit=flow[edge]) for one, edge in zip(found, edges, strict=True)]


def class_f1(matched: float, missed: float, invented: float) -> float:
    """F1 of one class from its matched credit.

        F1 = 2M / (2M + U_ref + U_gen)

    >>> class_f1(4, missed=2, invented=0)
    0.8
    """
    total = 2 * matched + missed + invented
    return 2 * matched / total if total else 0.0


def adjusted(weights: list[int], constants: Constants | None = None) -> float:
    """F1 where nothing is unmatched and some pairs fit only in part.

        F1 = 1 − λ(1 − q),  q the mean weight of the n pairs,  λ = 0.25 / √n

    >>> adjusted([108, 108, 108, 81])
    0.9921875
    """
    by = constants or published().constants
    n = len(weights)
    q = sum(weights) / (n * by.unit)
    return 1 - by.adjustment / sqrt(n) * (1 - q)


def class_score(shares: list[Share], unpaired: Sequence[int], constants: Constants) -> ClassScore:
    """`unpaired`: missed and invented sentences."""
    matched = sum(one.credit * one.pair.sure for one in shares) / constants.unit
    weights = [one.weight for one in shares]
    missed, invented = (n + doubted(shares, side) for side, n in enumerate(unpaired))
    if missed or invented:
        return ClassScore(matched, missed, invented, class_f1(matched, missed, invented), "f1")
    if any(w < constants.unit for w in weights):
        return ClassScore(matched, 0, 0, adjusted(weights, constants), "partial-adjustment")
    return ClassScore(matched, 0, 0, 1.0, "no-unmatched")


def doubted(shares: Iterable[Share], side: int) -> float:
    """The unsure share of the sentences of one report, each by its surest pair."""
    surest: dict[str, float] = {}
    for one in shares:
        text = one.pair.sentences[side]
        surest[text] = max(surest.get(text, 0.0), one.pair.sure)
    return sum([1 - p for p in surest.values()])


AtomViews = tuple[Atoms, Atoms]


def score_tags(
    tags: Tags, empty: float | None = None, views: AtomViews | None = None, constants: Constants | None = None
) -> Score:
    """RadSEM of one tag record; the `views` it was made of tell where its sentences stand.

    Two reports without a finding sentence have no score: None, with the reason. `empty=0.0` gives the
    published guard instead. `constants` are the paper's unless others are to be tried.
    """
    by = constants or published().constants
    every = links(tags.findings.pairs, by)
    given = {
        name: iter(allocated([one for one in every if one.pair.normality == name], by.unit))
        for name in NORMALITY_CLASSES
    }
    shares = [next(given[one.pair.normality]) for one in every]
    return combined(tags, shares, tags.findings.unmatched_sentences, empty, views, by)


def score_tags_alt(
    tags: Tags, empty: float | None = None, views: AtomViews | None = None, constants: Constants | None = None
) -> Score:
    """RadSEM-Alt: every candidate sentence keeps its best reference sentence, which fills up to one unit."""
    by = constants or published().constants
    own = reference_anchored(tags, by)
    kept = anchored(links(own.findings.pairs, by), by.unit)
    loose = keeping(own, [one.pair for one in kept]).findings.unmatched_sentences
    return combined(tags, kept, loose, empty, views, by)


HALF = 0.5
"""From here on a pair of the judge's is one where only yes and no are asked for."""


def as_published(
    how: Callable[..., Score],
    tags: Tags,
    views: AtomViews | None = None,
    constants: Constants | None = None,
) -> Score:
    """What the released third step gives on the same tags: pairs count whole, two empty reports score 0."""
    return how(decided(tags), GUARD, views, constants)


def decided(tags: Tags) -> Tags:
    """The tags by yes and no, as the paper has them; a record without `sure` stays as it is."""
    kept = keeping(tags, [pair for pair in tags.findings.pairs if pair.sure >= HALF])
    certain = tuple(replace(pair, sure=1.0) for pair in kept.findings.pairs)
    return replace(kept, findings=replace(kept.findings, pairs=certain))


def reference_anchored(tags: Tags, constants: Constants) -> Tags:
    """The tags of Alt's own second stage: every candidate sentence with the one reference sentence that is nearest."""
    every = tags.findings.pairs
    best: dict[str, tuple[str, str]] = {}
    for pair, _, _ in sorted(links(every, constants), key=lambda one: (-one.pair.sure, *preference(one))):
        best.setdefault(pair.gen_sentence, pair.sentences)
    return keeping(tags, [pair for pair in every if pair.sentences == best[pair.gen_sentence]])


def preference(one: Share) -> tuple[int, bool]:
    """The heaviest first; of equals the sentence that is the same word for word."""
    return -one.weight, one.pair.ref_sentence != one.pair.gen_sentence


def anchored(every: list[Share], unit: int) -> list[Share]:
    """Links kept by the Alt policy with their shares: the heaviest first, none that would add nothing."""
    kept, spare, taken = [], dict.fromkeys((p.ref_sentence for p, _, _ in every), unit), set()
    for one in sorted(every, key=preference):
        ref, gen = one.pair.sentences
        if gen not in taken and (given := min(one.weight, spare[ref])):
            spare[ref] -= given
            kept.append(one._replace(credit=given))
        taken.add(gen)
    return kept


def combined(
    tags: Tags,
    shares: list[Share],
    loose: Sequence[Unmatched],
    empty: float | None,
    views: AtomViews | None,
    constants: Constants,
) -> Score:
    """The mixture over the classes present, with everything it was made of."""
    classes = {
        name: class_score(
            [s for s in shares if s.pair.normality == name],
            [sum((u.sentence_is_from, u.normality) == (side, name) for u in loose) for side in TAG_SIDES],
            constants,
        )
        for name in NORMALITY_CLASSES
    }
    here = {name: c for name, c in classes.items() if c.present}
    counts = {f"{name}_{k}": float(getattr(c, k)) for name, c in classes.items() for k in OUTCOMES_COUNTED}
    detail = score_detail(
        tags,
        [
            {**asdict(pair), "weight": weight / constants.unit, "credit": credit / constants.unit}
            for pair, weight, credit in shares
        ],
        loose,
        {name: to_builtins(c) for name, c in here.items()},
        views,
    )
    if not here:
        return Score(empty, why=WHY_EMPTY, counts=counts, detail=detail)
    alpha = constants.classes
    total = sum(alpha[name] for name in here)
    if not total:
        return Score(None, why="only classes of weight 0 are present", counts=counts, detail=detail)

    def mixed(figure: Callable[[ClassScore], float]) -> float:
        return sum(alpha[name] * figure(c) for name, c in here.items()) / total

    return Score(
        mixed(lambda c: c.f1),
        precision=mixed(lambda c: matched_share(c.matched, c.invented)),
        recall=mixed(lambda c: matched_share(c.matched, c.missed)),
        counts=counts,
        detail=detail,
    )


def matched_share(matched: float, loose: float) -> float:
    return matched / (matched + loose) if matched + loose else 0.0


# ---- metrics
BY_NAME: dict[str, Callable[..., Score]] = {
    "radsem": score_tags,
    "radsem-alt": score_tags_alt,
    "radsem-as-published": partial(as_published, score_tags),
    "radsem-alt-as-published": partial(as_published, score_tags_alt),
}
"""Every variant as a function of the tags, and of the `views` where there are any: who matched does not matter."""

ALTERNATIVE = "radsem-alt"


def score(reference: Atoms, candidate: Atoms) -> Score:
    """RadSEM of two views, matched by the network."""
    return scored("radsem", reference, candidate)


def scored(name: str, reference: Atoms, candidate: Atoms, tags: Tags | None = None) -> Score:
    """The variant called `name` of two views; by the tags given, else matched by the network."""
    found = match(reference, candidate) if tags is None else tags
    return BY_NAME[name](found, views=(reference, candidate))


AS_PUBLISHED = "; binary matches, and 0 for two reports without a finding sentence, as published"
METRICS = tuple(
    Metric(name, about, partial(scored, name), laws=frozenset(laws.split()))
    for name, about, laws in (
        (
            "radsem",
            "finding by finding, contradictions never match; F1 over atomic sentences, abnormal ones weighted 90%",
            "identity symmetric bounded",
        ),
        (
            "radsem-alt",
            "the same, each candidate sentence tied to its single best reference sentence",
            "identity bounded",
        ),
        ("radsem-as-published", f"as radsem{AS_PUBLISHED}", "symmetric bounded"),
        ("radsem-alt-as-published", f"as radsem-alt{AS_PUBLISHED}", "bounded"),
    )
)
