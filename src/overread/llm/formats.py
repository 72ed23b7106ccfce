"""What a server does with a schema, found out by the first question that has it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Literal

from overread.llm.endpoint import FormatKind, RejectedError, Reply

Verdict = Literal["kept", "ignored", "unclear"]
LADDER: tuple[FormatKind, ...] = ("json_schema", "json_object", "none")


class FormatProbe:
    """The best format a server takes for one schema of one model.

    The first request goes alone, down the ladder until the server takes it; the others wait and follow. A
    server that takes the schema but answers in another shape does not enforce it: from then on the schema is
    put in words.
    """

    def __init__(self, fixed: FormatKind | None = None) -> None:
        self.chosen = fixed
        self._lock = asyncio.Lock()

    async def ask(
        self, send: Callable[[FormatKind], Awaitable[Reply]], judge: Callable[[Reply], Verdict]
    ) -> Reply:
        """Send in the chosen format, choosing it first if need be."""
        if self.chosen is None:
            async with self._lock:
                if self.chosen is None:
                    return await self._first(send, judge)
        return await send(self.chosen)

    async def _first(
        self, send: Callable[[FormatKind], Awaitable[Reply]], judge: Callable[[Reply], Verdict]
    ) -> Reply:
        refusal: RejectedError | None = None
        for kind in LADDER:
            try:
                reply = await send(kind)
            except RejectedError as error:
                refusal = refusal or error
                continue
            ignored = kind == "json_schema" and judge(reply) == "ignored"
            self.chosen = "json_object" if ignored else kind
            return reply
        # Refused in every format: the request is at fault, not the format, so the next item tries afresh.
        assert refusal is not None
        raise refusal
