"""Tags → Score: exact credit under one unit per sentence, then an abnormal-focused F1. Pure.

w  = (1/3)^k · d                       k part-whole labels, d for the details
M  = max Σ x,  0 ≤ x ≤ w,  every sentence's total ≤ 1; a pair of which the judge is sure by p gives p·x,
     and 1 − p of its sentences counts as unmatched
F1 = 2M / (2M + U_ref + U_gen)         1 − λ(1 − q) when nothing is unmatched and some w < 1
value = Σ α F1 / Σ α                   over the classes present; α = 0.9 abnormal, 0.1 normal

As published a pair counts or does not: one of which the judge is less than half sure is none, p of the others is 1.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import sqrt
from typing import get_args

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from overread.systems.base import Metric, Score
from overread.systems.radsem.detail import told
from overread.systems.radsem.flow import UNIT, Edge, allocate, separate
from overread.systems.radsem.match import match
from overread.systems.radsem.published import Constants, published
from overread.systems.radsem.schema import Atoms, Normality
from overread.systems.radsem.tags import Findings, Pair, Side, Tags, Unmatched

EMPTY = "neither report holds a finding sentence"
GUARD = 0.0
"""What the published code answers then."""

COUNTED = ("matched", "missed", "invented")
CLASSES: tuple[Normality, ...] = get_args(Normality)
Link = tuple[Pair, int]
"""A pair and its weight, in parts of `UNIT`."""

Share = tuple[Pair, int, int]
"""A pair, its weight and the credit it was given, in parts of `UNIT`."""


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


def usual() -> Constants:
    """The paper's constants."""
    return published().constants


def links(pairs: Iterable[Pair], constants: Constants) -> list[Link]:
    """Pairs with their weights; a pair tagged twice counts once, with its higher weight."""
    best: dict[tuple[str, str], Link] = {}
    weights = constants.weights
    for pair in pairs:
        heavy = weights[pair.part_whole, pair.details_of_abnormality_relationship]
        key = pair.ref_sentence, pair.gen_sentence
        if key not in best or heavy > best[key][1]:
            best[key] = (pair, heavy)
    return list(best.values())


def allocated(found: list[Link], unit: int) -> list[int]:
    """The share of each link in the largest total."""
    refs = {s: n for n, s in enumerate(dict.fromkeys([p.ref_sentence for p, _ in found]))}
    gens = {s: n for n, s in enumerate(dict.fromkeys([p.gen_sentence for p, _ in found]))}
    if len(refs) == len(gens) == len(found):  # one to one
        return [w for _, w in found]
    edges = [(refs[p.ref_sentence], gens[p.gen_sentence]) for p, _ in found]
    flow: dict[Edge, int] = {}
    for part in separate({edge: w for edge, (_, w) in zip(edges, found, strict=True)}):
        flow |= allocate(part, unit) if len(part) > 1 else part  # no pair weighs more than one sentence
    return [flow[edge] for edge in edges]


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
    by = constants or usual()
    n = len(weights)
    q = sum(weights) / (n * by.unit)
    return 1 - by.adjustment / sqrt(n) * (1 - q)


def class_score(shares: list[Share], unpaired: tuple[int, int], constants: Constants) -> ClassScore:
    matched = sum(x * pair.sure for pair, _, x in shares) / constants.unit
    weights = [w for _, w, _ in shares]
    missed, invented = (n + d for n, d in zip(unpaired, doubted([p for p, _, _ in shares]), strict=True))
    if missed or invented:
        return ClassScore(matched, missed, invented, class_f1(matched, missed, invented), "f1")
    if any(w < constants.unit for w in weights):
        return ClassScore(matched, 0, 0, adjusted(weights, constants), "partial-adjustment")
    return ClassScore(matched, 0, 0, 1.0, "no-unmatched")


def doubted(pairs: Sequence[Pair]) -> tuple[float, float]:
    """The unsure share of the sentences of either report, each by its surest pair."""
    refs: dict[str, float] = {}
    gens: dict[str, float] = {}
    for pair in pairs:
        refs[pair.ref_sentence] = max(refs.get(pair.ref_sentence, 0.0), pair.sure)
        gens[pair.gen_sentence] = max(gens.get(pair.gen_sentence, 0.0), pair.sure)
    return sum([1 - p for p in refs.values()]), sum([1 - p for p in gens.values()])


Views = tuple[Atoms, Atoms]


def score_tags(
    tags: Tags, empty: float | None = None, views: Views | None = None, constants: Constants | None = None
) -> Score:
    """RadSEM of one tag record; the `views` it was made of tell where its sentences stand.

    Two reports without a finding sentence have no score: None, with the reason. `empty=0.0` gives the
    published guard instead. `constants` are the paper's unless others are to be tried.
    """
    by = constants or usual()
    every = links(tags.findings.pairs, by)
    given = {
        name: iter(allocated([link for link in every if link[0].normality == name], by.unit))
        for name in CLASSES
    }
    shares = [(pair, w, next(given[pair.normality])) for pair, w in every]
    return combined(tags, shares, tags.findings.unmatched_sentences, empty, views, by)


def score_tags_alt(
    tags: Tags, empty: float | None = None, views: Views | None = None, constants: Constants | None = None
) -> Score:
    """RadSEM-Alt: every candidate sentence keeps its best reference sentence, which fills up to one unit."""
    by = constants or usual()
    own = reference_anchored(tags, by)
    every = links(own.findings.pairs, by)
    kept = anchored(every, by.unit)
    loose = [*own.findings.unmatched_sentences, *lost(every, kept)]
    return combined(tags, kept, loose, empty, views, by)


HALF = 0.5
"""From here on a pair of the judge's is one where only yes and no are asked for."""


def as_published(
    how: Callable[..., Score],
    tags: Tags,
    views: Views | None = None,
    constants: Constants | None = None,
) -> Score:
    """What the released third step gives on the same tags: pairs count whole, two empty reports score 0."""
    return how(decided(tags), GUARD, views, constants)


def decided(tags: Tags) -> Tags:
    """The tags by yes and no, as the paper has them; a record without `sure` stays as it is."""
    every = tags.findings.pairs
    if all(pair.sure == 1 for pair in every):
        return tags
    kept = [pair for pair in every if pair.sure >= HALF]
    loose = lost([(pair, 0) for pair in every], [(pair, 0, 0) for pair in kept])
    findings = Findings(
        tuple(replace(pair, sure=1.0) for pair in kept), (*tags.findings.unmatched_sentences, *loose)
    )
    return replace(tags, findings=findings)


def reference_anchored(tags: Tags, constants: Constants) -> Tags:
    """The tags of Alt's own second stage: every candidate sentence with the one reference sentence that is nearest."""
    best: dict[str, Link] = {}
    for link in sorted(
        links(tags.findings.pairs, constants), key=lambda one: (-one[0].sure, *preference(one))
    ):
        best.setdefault(link[0].gen_sentence, link)
    every = [(pair, 0) for pair in tags.findings.pairs]
    chosen = {(pair.ref_sentence, pair.gen_sentence) for pair, _ in best.values()}
    kept = [pair for pair, _ in every if (pair.ref_sentence, pair.gen_sentence) in chosen]
    loose = lost(every, [(pair, 0, 0) for pair in kept])
    return replace(tags, findings=Findings(tuple(kept), (*tags.findings.unmatched_sentences, *loose)))


def lost(every: list[Link], kept: list[Share]) -> Iterator[Unmatched]:
    """Sentences that had a pair and have none among those kept."""
    reports: tuple[tuple[Side, str], ...] = (("Ref", "ref_sentence"), ("Gen", "gen_sentence"))
    for side, field in reports:
        seen = {getattr(p, field) for p, _, _ in kept}
        for p, _ in every:
            text = getattr(p, field)
            if text not in seen:
                seen.add(text)
                yield Unmatched(text, side, p.normality)


def preference(link: Link) -> tuple[int, bool]:
    """The heaviest first; of equals the sentence that is the same word for word."""
    pair, heavy = link
    return -heavy, pair.ref_sentence != pair.gen_sentence


def anchored(every: list[Link], unit: int) -> list[Share]:
    """Links kept by the Alt policy with their shares: the heaviest first, none that would add nothing."""
    kept, spare, taken = [], dict.fromkeys((p.ref_sentence for p, _ in every), unit), set()
    for pair, w in sorted(every, key=preference):
        if pair.gen_sentence in taken:
            continue
        taken.add(pair.gen_sentence)
        given = min(w, spare[pair.ref_sentence])
        if given:
            spare[pair.ref_sentence] -= given
            kept.append((pair, w, given))
    return kept


def sides(loose: Iterable[Unmatched]) -> tuple[int, int]:
    """Missed and invented sentences."""
    origins = [u.sentence_is_from for u in loose]
    return origins.count("Ref"), origins.count("Gen")


def combined(
    tags: Tags,
    shares: list[Share],
    loose: Sequence[Unmatched],
    empty: float | None,
    views: Views | None,
    constants: Constants,
) -> Score:
    """The mixture over the classes present, with everything it was made of."""
    classes = {
        name: class_score(
            [s for s in shares if s[0].normality == name],
            sides(u for u in loose if u.normality == name),
            constants,
        )
        for name in CLASSES
    }
    here = {name: c for name, c in classes.items() if c.present}
    counts = {f"{name}_{k}": float(getattr(c, k)) for name, c in classes.items() for k in COUNTED}
    detail = told(
        tags, in_units(shares, constants), loose, {name: to_builtins(c) for name, c in here.items()}, views
    )
    if not here:
        return Score(empty, why=EMPTY, counts=counts, detail=detail)
    alpha = constants.classes
    total = sum(alpha[name] for name in here)
    if not total:
        return Score(None, why="only classes of weight 0 are present", counts=counts, detail=detail)

    def mixed(figure: Callable[[ClassScore], float]) -> float:
        return sum(alpha[name] * figure(c) for name, c in here.items()) / total

    return Score(
        mixed(lambda c: c.f1),
        precision=mixed(lambda c: share(c.matched, c.invented)),
        recall=mixed(lambda c: share(c.matched, c.missed)),
        counts=counts,
        detail=detail,
    )


def in_units(shares: list[Share], constants: Constants) -> list[Share]:
    """Weights and credit in parts of `UNIT`, which explanations count in."""
    if constants.unit == UNIT:
        return shares
    return [(pair, w * UNIT / constants.unit, x * UNIT / constants.unit) for pair, w, x in shares]  # type: ignore[misc]


def share(matched: float, loose: float) -> float:
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


def score_alt(reference: Atoms, candidate: Atoms) -> Score:
    """RadSEM-Alt of two views, matched by the network."""
    return scored("radsem-alt", reference, candidate)


def scored(name: str, reference: Atoms, candidate: Atoms, tags: Tags | None = None) -> Score:
    """The variant called `name` of two views; by the tags given, else matched by the network."""
    found = match(reference, candidate) if tags is None else tags
    return BY_NAME[name](found, views=(reference, candidate))


ABOUT = "finding by finding, contradictions never match; F1 over atomic sentences, abnormal ones weighted 90%"
ALT = "the same, each candidate sentence tied to its single best reference sentence"
PUBLISHED = "; binary matches, and 0 for two reports without a finding sentence, as published"
METRICS = (
    Metric("radsem", ABOUT, score, laws=frozenset({"identity", "symmetric", "bounded"})),
    Metric("radsem-alt", ALT, score_alt, laws=frozenset({"identity", "bounded"})),
    Metric(
        "radsem-as-published",
        f"as radsem{PUBLISHED}",
        partial(scored, "radsem-as-published"),
        laws=frozenset({"symmetric", "bounded"}),
    ),
    Metric(
        "radsem-alt-as-published",
        f"as radsem-alt{PUBLISHED}",
        partial(scored, "radsem-alt-as-published"),
        laws=frozenset({"bounded"}),
    ),
)
