"""Word overlap on whole reports and on their longitudinal sentences alone, after the R2Gen clean-up.

A pair in which neither report compares anything is undefined and counted; one in which only one does is 0.
Any text metric will do: pass its name.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from overread.baselines.base import Value, corpus_score, score_many
from overread.baselines.registry import lookup
from overread.systems.longitudinal.schema import SECTIONS, LongitudinalReport, ViewSection
from overread.systems.longitudinal.text import longitudinal_text, whole_text

PUBLISHED = (*(f"bleu-{order}" for order in (1, 2, 3, 4)), "rouge-l-coco", "meteor-coco")
"""The columns of the paper's table B4, as the COCO caption code counts them; `meteor-coco` needs Java."""

Pairs = Sequence[tuple[LongitudinalReport, LongitudinalReport]]
"""Reference and candidate views."""


class Overlap(Struct, frozen=True, forbid_unknown_fields=True):
    """One text metric over many pairs."""

    metric: str
    whole: float | None
    longitudinal: float | None
    undefined: int
    """Pairs without a longitudinal sentence on either side."""

    one_sided: int
    """Pairs with longitudinal sentences on one side only: they score 0."""


def overlaps(
    pairs: Pairs,
    metrics: Iterable[str] = PUBLISHED,
    sections: Iterable[ViewSection] = SECTIONS,
    tokenisation: str = "r2gen",
) -> list[Overlap]:
    """Each metric on the whole sections and on their longitudinal sentences."""
    chosen = tuple(sections)
    whole = [tuple(whole_text(view, chosen) for view in pair) for pair in pairs]
    compared = [tuple(longitudinal_text(view, chosen) for view in pair) for pair in pairs]
    silent = sum(not one and not two for one, two in compared)
    lonely = sum(bool(one) != bool(two) for one, two in compared)
    return [
        Overlap(name, scored(name, tokenisation, whole), scored(name, tokenisation, compared), silent, lonely)
        for name in metrics
    ]


def scored(name: str, tokenisation: str, texts: Sequence[tuple[str, ...]]) -> float | None:
    """The corpus score of one metric; None when every pair is undefined."""
    baseline = lookup(name, tokenisation)
    values: list[Value] = score_many(baseline, [one for one, _ in texts], [two for _, two in texts])
    return corpus_score(baseline, values)
