"""What is asked of a server and what may come back: the seam between our layer and whoever answers."""

from collections.abc import Mapping
from typing import Literal, Protocol

from msgspec import Struct

from overread.llm.budget import Usage
from overread.llm.outcome import UnansweredError
from overread.llm.structured import Schema

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
