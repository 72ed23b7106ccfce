"""What goes in and what comes out: an item, a request and its reply, the answer, or why there is none."""

from collections.abc import Iterable, Mapping
from typing import Any, Generic, Literal, Protocol, TypeVar

from msgspec import Struct

from overread.llm.structured import Schema

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


Message = dict[str, str]
FormatKind = Literal["json_schema", "json_object", "none"]


class Request(Struct, frozen=True):
    """What is asked of the server, and (never sent) for which prompt and item."""

    model: str
    messages: list[Message]
    format: FormatKind
    schema: Schema
    sampling: Mapping[str, float | int]
    prompt: str
    item: str


class Usage(Struct, frozen=True):
    """Tokens of one reply."""

    tokens_in: int
    tokens_out: int
    estimated: bool = False


class Reply(Struct, frozen=True):
    """What the model wrote."""

    text: str
    usage: Usage
    finish: str | None = "stop"
    refused: bool = False


class TransientError(Exception):
    """Worth another try, after `wait` seconds where the server said so."""

    def __init__(self, reason: str, *, wait: float | None = None, unreachable: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.wait = wait
        self.unreachable = unreachable


class RejectedError(UnansweredError):
    """The server will not take this request as it is; another format may do."""

    def __init__(self, reason: str) -> None:
        super().__init__("rejected", reason)


class Endpoint(Protocol):
    """Who answers: a server, or replies recorded for a test."""

    name: str
    """Part of the cache key."""

    async def complete(self, request: Request) -> Reply:
        """One try: a reply, or one of the errors above, or AskFailed when no request can succeed."""

    async def close(self) -> None: ...
