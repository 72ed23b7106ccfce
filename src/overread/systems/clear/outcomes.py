"""Two tables compared cell by cell."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from overread.report.span import Span
from overread.systems.clear.schema import CHOICES, CONDITIONS, Cell, Condition, Table, attributes_of
from overread.systems.clear.similarity import Match, Similarity, best_matches, rouge_l

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
            found.append(presence_outcome(condition, one, two))
        if one.presence == two.presence == "positive":
            found += attribute_outcomes(condition, one, two, alike)
    return tuple(found)


def presence_outcome(condition: Condition, one: Cell, two: Cell) -> Outcome:
    return built(condition, "presence", one, two, one.presence, two.presence, "unclear")


def attribute_outcomes(condition: Condition, one: Cell, two: Cell, alike: Similarity) -> Iterator[Outcome]:
    """Those both sides answer: an expert may have given labels without attributes."""
    for attribute in attributes_of(condition):
        first, second = getattr(one, attribute), getattr(two, attribute)
        if attribute not in CHOICES:
            yield phrase_outcome(condition, attribute, one, two, best_matches(first, second, alike))
        elif first is not None and second is not None:
            yield built(condition, attribute, one, two, first, second, "N/A")


def built(
    condition: Condition, attribute: str, one: Cell, two: Cell, first: str, second: str, silence: str
) -> Outcome:
    """The outcome of a single answer on each side."""
    return Outcome(
        condition,
        attribute,
        first,
        second,
        verdict_of(first == second, first != silence, second != silence),
        float(first == second),
        first != silence,
        None,
        one.spans.get(attribute, ()),
        two.spans.get(attribute, ()),
    )


def phrase_outcome(condition: Condition, attribute: str, one: Cell, two: Cell, match: Match) -> Outcome:
    """The outcome of two lists: their recall. Two empty ones agree, as N/A = N/A does in the published accuracy;
    a list where the reference has none scores 0.
    """
    first, second = getattr(one, attribute), getattr(two, attribute)
    value = float(not second) if match.recall is None else match.recall
    return Outcome(
        condition,
        attribute,
        first,
        second,
        verdict_of(value == 1.0, bool(first), bool(second)),
        value,
        bool(first),
        match.precision,
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
