"""Two tables compared cell by cell, and phrases by their likeness.

Each phrase looks for its best match on the other side:

recall    = mean over reference phrases of the best similarity to a candidate phrase   (the published score)
precision = mean over candidate phrases of the best similarity to a reference phrase"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from math import exp, prod
from typing import Literal

from msgspec import Struct
from rapidfuzz.distance import LCSseq

from overread.lexicon.words import bare
from overread.report.span import Span
from overread.systems.blocks import blocks
from overread.systems.clear.schema import CONDITIONS, PHRASES, Cell, Condition, Table, attributes_of

# ---- likeness of phrases
Similarity = Callable[[str, str], float]
"""(reference phrase, candidate phrase) → 0 … 1."""


def rouge_l(reference: str, candidate: str) -> float:
    """F1 of the longest common subsequence of words.

    >>> round(rouge_l("left lower lobe opacity", "left lobe patchy opacity"), 3)
    0.75
    """
    one, two = bare(reference), bare(candidate)
    common = LCSseq.similarity(one, two)
    return 2 * common / (len(one) + len(two)) if common else 0.0


def bleu_4(reference: str, candidate: str) -> float:
    """BLEU-4 of two phrases, one added to matches and proposals of two words and more (Lin and Och, 2004).

    Phrases are shorter than reports: plain BLEU-4 is 0 for every phrase of three words, even against itself.

    >>> bleu_4("small left effusion", "small left effusion"), bleu_4("left effusion", "clear")
    (1.0, 0.0)
    >>> round(bleu_4("small left pleural effusion", "left pleural effusion"), 3)
    0.717
    """
    one, two = bare(reference), bare(candidate)
    matches = [shared_runs(one, two, n) for n in range(1, 5)]
    if not matches[0]:
        return 0.0
    totals = [max(0, len(two) - n + 1) for n in range(1, 5)]
    ratios = [(m + (n > 0)) / (t + (n > 0)) for n, (m, t) in enumerate(zip(matches, totals, strict=True))]
    return float(prod(ratios) ** 0.25 * min(1.0, exp(1 - len(one) / len(two))))


def shared_runs(one: Sequence[str], two: Sequence[str], n: int) -> int:
    first, second = (Counter(zip(*(side[i:] for i in range(n)), strict=False)) for side in (one, two))
    return (first & second).total()


MOST_PHRASES = 60
"""Phrases of each side that are all compared with each other; of more, those of a block (`blocks`)."""


def best_matches(
    reference: Sequence[str], candidate: Sequence[str], alike: Similarity = rouge_l
) -> tuple[float | None, float | None]:
    """Recall and precision of two lists, each phrase with its best match; one without anything to match scores 0.

    Without a reference phrase there is no recall, without one of the candidate no precision.

    >>> best_matches(["left effusion"], ["left effusion", "right effusion"]), best_matches(["left effusion"], [])
    ((1.0, 0.75), (0.0, None))
    """
    ours, theirs = [0.0] * len(reference), [0.0] * len(candidate)
    for some, others in blocks(reference, candidate, MOST_PHRASES):
        for n, m in product(some, others):
            likeness = alike(reference[n], candidate[m])
            ours[n], theirs[m] = max(ours[n], likeness), max(theirs[m], likeness)
    recall, precision = (sum(best) / len(best) if best else None for best in (ours, theirs))
    return recall, precision


# ---- cells
CellVerdict = Literal["match", "mismatch", "missing", "invented"]
SILENCE: dict[str, str | tuple[str, ...]] = {"presence": "unclear", "location": (), "recommendation": ()}
"""What an attribute has where nothing is said; the others have `N/A`."""


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """One condition and attribute, on both sides."""

    condition: Condition
    attribute: str
    """`presence`, `first_occurrence`, `change`, `severity`, `location` or `recommendation`."""

    reference: str | tuple[str, ...]
    candidate: str | tuple[str, ...]
    verdict: CellVerdict
    """Missing: only the reference says something; invented: only the candidate does."""

    value: float
    """1 for agreement, 0 for none; for phrases the recall of the best matches."""

    said: bool
    """Does the reference say anything? False: it is unclear, N/A or an empty list."""

    precision: float | None = None
    """For phrases: how much of the candidate's list the reference holds; None where it has no phrase."""

    reference_spans: tuple[Span, ...] = ()
    candidate_spans: tuple[Span, ...] = ()


def outcomes(reference: Table, candidate: Table, alike: Similarity = rouge_l) -> tuple[Outcome, ...]:
    """Presence where at least one side decides it; attributes where both sides call the condition positive.

    A condition both leave unclear has no outcome: nobody spoke, so there is nothing to agree on.
    """
    found: list[Outcome] = []
    for condition in CONDITIONS:
        one, two = reference.conditions[condition], candidate.conditions[condition]
        if {one.presence, two.presence} != {"unclear"}:
            found.append(outcome(condition, "presence", one, two, alike))
        if one.presence == two.presence == "positive":
            asked = (a for a in attributes_of(condition) if None not in (getattr(one, a), getattr(two, a)))
            found += [outcome(condition, a, one, two, alike) for a in asked]
    return tuple(found)


def outcome(condition: Condition, attribute: str, one: Cell, two: Cell, alike: Similarity) -> Outcome:
    """What both sides answer.

    Of two lists of phrases the value is their recall. Two empty ones agree, as N/A = N/A does in the published
    accuracy; a list where the reference has none scores 0.
    """
    first, second = getattr(one, attribute), getattr(two, attribute)
    silence = SILENCE.get(attribute, "N/A")
    value, precision = float(first == second), None
    if attribute in PHRASES:
        recall, precision = best_matches(first, second, alike)
        value = value if recall is None else recall
    verdict: CellVerdict = "match" if value == 1.0 else "mismatch"
    if verdict == "mismatch" and silence in (first, second):
        verdict = "invented" if first == silence else "missing"
    spans = (side.spans.get(attribute, ()) for side in (one, two))
    return Outcome(condition, attribute, first, second, verdict, value, first != silence, precision, *spans)
