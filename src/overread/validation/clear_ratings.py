"""How CLEAR's automatic scores follow experts' ratings: accuracies, and every similarity of phrases."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean

from msgspec import Struct

from overread.stats.correlation import pearson
from overread.systems.clear.outcomes import Outcome
from overread.systems.clear.schema import CHOICES, PHRASES
from overread.validation.clear_files import Rating

Key = tuple[str, str, str]
"""Study, condition, attribute."""

Scored = Mapping[Key, float | None]
Rated = tuple[Key, float, float]
"""A cell, its rating and our score of it."""


class Agreement(Struct, frozen=True, forbid_unknown_fields=True):
    """How an automatic score follows the experts' ratings."""

    name: str
    items: int
    experts: float
    """Mean rating."""

    ours: float
    """Mean automatic score of the same items."""

    r: float | None
    """Pearson correlation; None when a side never changes."""


def correlate(
    rouge: Mapping[str, tuple[Outcome, ...]],
    bleu: Mapping[str, tuple[Outcome, ...]],
    judged: Scored,
    ratings: Sequence[Rating],
) -> tuple[tuple[Agreement, ...], int]:
    """Each attribute, all accuracies and each similarity beside the ratings; how many ratings no cell answers."""
    by_rouge, by_bleu = values(rouge), values(bleu)
    known = [r for r in ratings if (r.id, r.condition, r.attribute) in by_rouge]
    choices = rated(known, by_rouge, CHOICES)
    found = [agreement(a.replace("_", " "), rated(known, by_rouge, (a,))) for a in CHOICES]
    found.append(agreement("accuracy", choices))
    found += [
        agreement(f"accuracy over attribute means, {how}", means(choices, key))
        for how, key in AVERAGES.items()
    ]
    for name, scores in (("ROUGE-L", by_rouge), ("BLEU-4", by_bleu), ("judge", judged)):
        found += [agreement(f"{a}, {name}", rated(known, scores, (a,))) for a in PHRASES]
        found.append(agreement(f"similarity, {name}", rated(known, scores, PHRASES)))
    found.append(agreement("all, phrases by ROUGE-L", rated(known, by_rouge, (*CHOICES, *PHRASES))))
    return tuple(a for a in found if a is not None), len(ratings) - len(known)


AVERAGES: dict[str, Callable[[Key], str]] = {
    "micro": lambda key: "",
    "report averaged": lambda key: key[0],
    "condition averaged": lambda key: key[1],
}
"""The paper's three ways to average one attribute before it correlates attributes."""


def values(found: Mapping[str, tuple[Outcome, ...]]) -> dict[Key, float | None]:
    return {(id, o.condition, o.attribute): o.value for id, rows in found.items() for o in rows}


def rated(ratings: Iterable[Rating], scores: Scored, attributes: Iterable[str]) -> list[Rated]:
    """The rated cells of some attributes that have a score."""
    wanted = set(attributes)
    keys = (((r.id, r.condition, r.attribute), r.rating) for r in ratings if r.attribute in wanted)
    return [(key, mark, score) for key, mark in keys if (score := scores.get(key)) is not None]


def means(cells: Sequence[Rated], part: Callable[[Key], str]) -> list[Rated]:
    """One point an attribute: the mean over its parts of their means, on both sides; two points say nothing."""
    found: list[Rated] = []
    for attribute in dict.fromkeys(key[2] for key, _, _ in cells):
        groups: dict[str, list[Rated]] = {}
        for cell in cells:
            if cell[0][2] == attribute:
                groups.setdefault(part(cell[0]), []).append(cell)
        experts = fmean(fmean(mark for _, mark, _ in group) for group in groups.values())
        ours = fmean(fmean(score for _, _, score in group) for group in groups.values())
        found.append((("", "", attribute), experts, ours))
    return found if len(found) > 2 else []


def agreement(name: str, cells: Sequence[Rated]) -> Agreement | None:
    if not cells:
        return None
    experts, ours = [mark for _, mark, _ in cells], [score for _, _, score in cells]
    return Agreement(name, len(cells), fmean(experts), fmean(ours), pearson(experts, ours))
