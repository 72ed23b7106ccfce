"""What goes in and what comes out: an item, its answer, or the row that says why there is none."""

from collections.abc import Iterable, Mapping
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct

T = TypeVar("T")

FailureKind = Literal["transport", "rejected", "refused", "unusable", "budget", "disagreement", "waiting"]
"""In turn: no usable connection, the server refused, the model declined, not valid even after repair, budget
spent, too few models answered for a vote, written to a batch file and not answered yet."""


class Item(Struct, frozen=True):
    """One thing to ask about."""

    id: str
    """Names the item in failure rows; may be long-lived, so no report text."""

    inputs: Mapping[str, str]
    """A text for each variable of the prompt."""

    patient: str | None = None
    """Examples of the same patient are not shown."""

    about: str = ""
    """What is asked of the material where that varies: a condition, a disease; an example says its own."""

    source: Any = None
    """Whatever the reader wants back in its check; never sent."""


class Answer(Struct, Generic[T], frozen=True):
    """A valid answer."""

    item: str
    value: T
    cached: bool
    """Taken from disk, without a call."""


class Failure(Struct, frozen=True):
    """An item that has no answer: counted beside every score, never replaced by a default."""

    item: str
    stage: str
    """The prompt that was asked, e.g. `radsem/atoms`."""

    kind: FailureKind
    reason: str
    """In words, without report text."""

    model: str = ""


class UnansweredError(Exception):
    """Raised inside the layer when one item cannot be answered; becomes its `Failure`."""

    def __init__(self, kind: FailureKind, reason: str) -> None:
        super().__init__(reason)
        self.kind: FailureKind = kind
        self.reason = reason


def answers(outcomes: Iterable[Answer[T] | Failure]) -> dict[str, T]:
    """The answered items' values, by item id."""
    return {one.item: one.value for one in outcomes if isinstance(one, Answer)}


def failures(outcomes: Iterable[Answer[T] | Failure]) -> list[Failure]:
    """The items that have no answer."""
    return [one for one in outcomes if isinstance(one, Failure)]
