"""Any text metric over two structured reports, in the same cells as F1-SRR."""

from collections.abc import Callable
from itertools import zip_longest

from overread.systems.base import Score
from overread.systems.srrg.cells import Settings, cells
from overread.systems.srrg.schema import SrrgView


def text_score(
    reference: SrrgView,
    candidate: SrrgView,
    measure: Callable[[str, str], float | None],
    settings: Settings | None = None,
) -> Score:
    """A text metric (BLEU, ROUGE-L, …) in the same way: pooled or aligned lines, mean over headers.

    A header or an aligned line that one side lacks scores 0; so does what the metric leaves undefined.
    """
    settings = settings or Settings()
    values = []
    for cell in cells(reference, candidate, settings):
        ours, theirs = [u.text for u in cell.reference], [u.text for u in cell.candidate]
        if settings.lines == "unaligned":
            ours, theirs = [" ".join(ours)], [" ".join(theirs)]
        elif settings.extra == "dropped":
            theirs = theirs[: len(ours)]
        pairs = list(zip_longest(ours, theirs, fillvalue=""))
        values.append(sum((measure(a, b) or 0.0) if a and b else 0.0 for a, b in pairs) / len(pairs))
    if not values:
        return Score(None, why=f"neither report has a line in its {settings.section}")
    total = sum(values)
    return Score(total / len(values), counts={"cells": float(len(values)), "f1": total})
