"""The ledger of one pair: every error with its words, its significance and a suggested correction."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from overread.report.span import Span
from overread.systems.ledger.weights import Significance

Kind = Literal[
    "false finding", "missed finding", "wrong place", "wrong degree", "wrong size", "wrong certainty",
    "wrong description", "false comparison", "missed comparison", "wrong direction", "wrong device",
    "device position", "vaguer", "more specific", "self-contradiction", "repeated sentence",
    "missed recommendation", "false recommendation",
]  # fmt: skip

ALONE: tuple[Kind, Kind] = ("missed finding", "false finding")
ADVISED: tuple[Kind, Kind] = ("missed recommendation", "false recommendation")
COMPARED: tuple[Kind, Kind] = ("missed comparison", "false comparison")
LEFT_OUT: tuple[Kind, Kind] = ("vaguer", "more specific")
"""What errors are where only the reference, or only the candidate, has the words."""

ONLY_OURS, ONLY_THEIRS = (frozenset(kinds) for kinds in zip(ALONE, ADVISED, COMPARED, LEFT_OUT, strict=True))

LEFT_OPEN = frozenset((*COMPARED, *LEFT_OUT))
"""Details that one report leaves open: listed where nothing else of the sentence is wrong."""

FINDINGS, WHOLLY = frozenset(ALONE), frozenset((*ALONE, *ADVISED))

ERRORS_NAMED = 3
"""Errors that a verdict names."""

SHOWN_AS_SAID = frozenset(
    {"wrong place", "wrong degree", "wrong size", "wrong direction", "device position", "wrong certainty"}
)
"""Kinds of which a verdict quotes what the candidate says."""


UNCERTAIN = 0.8
"""Below this, about every third line is wrong (docs/ledger.md)."""


class Error(Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the ledger."""

    kind: Kind
    significance: Significance
    reason: str
    """Why it matters as much as it does."""

    finding: str
    """The finding in plain words."""

    concept: str
    reference: tuple[Span, ...]
    """The reference's words; empty where it says nothing of it."""

    candidate: tuple[Span, ...]
    reference_says: str
    candidate_says: str
    correction: str
    cost: float
    """Weight it takes from the score."""

    sure: float = 1.0
    """How likely the line is right as it stands; 1 where no network is asked."""

    @property
    def uncertain(self) -> bool:
        return self.sure < UNCERTAIN


class Agreement(Struct, frozen=True, forbid_unknown_fields=True):
    """A finding that both reports tell."""

    finding: str
    concept: str
    significance: Significance
    reference: tuple[Span, ...]
    candidate: tuple[Span, ...]
    credit: float
    """Part of its weight that the candidate earns."""

    how: str
    """same, or in part."""


def short(error: Error) -> str:
    """One error in a few words."""
    if error.kind == "missed finding":
        told = "denied" if error.candidate else "missed"
        return f"{told} {error.finding}"
    if error.kind == "false finding":
        return f"invented {error.finding}"
    if error.kind in SHOWN_AS_SAID:
        return f"{error.kind} of {error.finding}: {error.candidate_says}"
    return f"{error.kind}: {error.finding}"


class Ledger(Struct, frozen=True, forbid_unknown_fields=True):
    """All errors and agreements of one pair, and the sums a score is made of."""

    errors: tuple[Error, ...]
    agreed: tuple[Agreement, ...]
    weight: float
    """What the reference's findings weigh, with the start that every score has."""

    missed: float
    """Expected cost of what the reference says and the candidate does not."""

    false: float
    """Expected cost of what the candidate says and the reference does not, and of repetitions."""

    worst: float
    """What the most serious single sentence costs on top."""

    @property
    def value(self) -> float:
        whole = self.weight + self.missed + self.false + self.worst
        return self.weight / whole if whole else 0.0

    @property
    def verdict(self) -> str:
        """The most serious errors in one line."""
        costly = [e for e in self.errors if e.cost > 0]
        more = len(costly) - ERRORS_NAMED
        told = "; ".join(map(short, costly[:ERRORS_NAMED])) + (f"; and {more} more" if more > 0 else "")
        return told or "no error found"

    def __iter__(self) -> Iterator[Error]:
        return iter(self.errors)

    def __len__(self) -> int:
        return len(self.errors)
