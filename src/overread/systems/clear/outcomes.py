"""Two tables compared cell by cell, and phrases by their likeness.

Each phrase looks for its best match on the other side:

recall    = mean over reference phrases of the best similarity to a candidate phrase   (the published score)
precision = mean over candidate phrases of the best similarity to a reference phrase"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import exp, prod
from typing import Literal

from msgspec import Struct
from rapidfuzz.distance import LCSseq

from overread.lexicon.words import bare
from overread.report.span import Span
from overread.systems.clear.schema import CHOICES, CONDITIONS, Cell, Condition, Table, attributes_of

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


MOST = 60
"""Phrases of the other side that a phrase is compared with."""


class Match(Struct, frozen=True, forbid_unknown_fields=True):
    """Two phrase lists compared."""

    recall: float | None
    """None without a reference phrase."""

    precision: float | None
    """None without a candidate phrase."""


def best_matches(reference: Sequence[str], candidate: Sequence[str], alike: Similarity = rouge_l) -> Match:
    """The two lists compared, each phrase with its best match.

    >>> best_matches(["left effusion"], ["left effusion", "right effusion"])
    Match(recall=1.0, precision=0.75)
    >>> best_matches(["left effusion"], [])
    Match(recall=0.0, precision=None)
    """
    if max(len(reference), len(candidate)) > MOST:
        rows = [[alike(e, c) for c in some] for e, some in near(reference, candidate)]
        columns = [[alike(e, c) for e in some] for c, some in near(candidate, reference)]
        return Match(mean_best(rows), mean_best(columns))
    table = [[alike(e, c) for c in candidate] for e in reference]
    turned = list(zip(*table, strict=True)) if reference else [() for _ in candidate]
    return Match(mean_best(table), mean_best(turned))


def near(phrases: Sequence[str], others: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each phrase with some of very many: those at about the same place, and the same words wherever they stand.

    >>> many = [str(n) for n in range(1_000)]
    >>> [(phrase, len(some), some[-1]) for phrase, some in near(["5", "999", "x"], many)][:2]
    [('5', 60, '59'), ('999', 61, '999')]
    """
    known = frozenset(others)
    for n, phrase in enumerate(phrases):
        start = max(0, min(n * len(others) // len(phrases) - MOST // 2, len(others) - MOST))
        found = list(others[start : start + MOST])
        yield phrase, found if phrase in found or phrase not in known else [*found, phrase]


def mean_best(rows: Sequence[Sequence[float]]) -> float | None:
    """The mean of each row's best; a row without anything to match scores 0.

    >>> mean_best([[0.5, 1.0], []]), mean_best([])
    (0.5, None)
    """
    return sum(max(row, default=0.0) for row in rows) / len(rows) if rows else None


def harmonic(precision: float | None, recall: float | None) -> float | None:
    """
    >>> harmonic(0.75, 0.25), harmonic(None, 1.0), harmonic(0.0, 0.0)
    (0.375, None, 0.0)
    """
    if precision is None or recall is None:
        return None
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


# ---- cells
Verdict = Literal["match", "mismatch", "missing", "invented"]


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """One condition and attribute, on both sides."""

    condition: Condition
    attribute: str
    """`presence`, `first_occurrence`, `change`, `severity`, `location` or `recommendation`."""

    reference: str | tuple[str, ...]
    candidate: str | tuple[str, ...]
    verdict: Verdict
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
        if one.presence != "unclear" or two.presence != "unclear":
            same = float(one.presence == two.presence)
            found.append(built(condition, "presence", one, two, same, "unclear"))
        if one.presence == two.presence == "positive":
            found += attribute_outcomes(condition, one, two, alike)
    return tuple(found)


def attribute_outcomes(condition: Condition, one: Cell, two: Cell, alike: Similarity) -> Iterator[Outcome]:
    """Those both sides answer: an expert may have given labels without attributes.

    Of two lists of phrases the value is their recall. Two empty ones agree, as N/A = N/A does in the published
    accuracy; a list where the reference has none scores 0.
    """
    for attribute in attributes_of(condition):
        first, second = getattr(one, attribute), getattr(two, attribute)
        if attribute not in CHOICES:
            match = best_matches(first, second, alike)
            value = float(not second) if match.recall is None else match.recall
            yield built(condition, attribute, one, two, value, (), match.precision)
        elif first is not None and second is not None:
            yield built(condition, attribute, one, two, float(first == second), "N/A")


def built(
    condition: Condition,
    attribute: str,
    one: Cell,
    two: Cell,
    value: float,
    silence: str | tuple[str, ...],
    precision: float | None = None,
) -> Outcome:
    """The outcome of an answer on each side, and what it says where it says nothing."""
    first, second = getattr(one, attribute), getattr(two, attribute)
    return Outcome(
        condition,
        attribute,
        first,
        second,
        verdict_of(value == 1.0, first != silence, second != silence),
        value,
        first != silence,
        precision,
        one.spans.get(attribute, ()),
        two.spans.get(attribute, ()),
    )


def verdict_of(same: bool, reference: bool, candidate: bool) -> Verdict:
    """
    >>> verdict_of(False, reference=True, candidate=False)
    'missing'
    """
    if same:
        return "match"
    if reference and candidate:
        return "mismatch"
    return "missing" if reference else "invented"
