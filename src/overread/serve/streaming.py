"""Many items over one connection: JSON lines in, JSON lines out, in the same order, memory flat."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

import msgspec
from fastapi import Request
from fastapi.responses import Response
from starlette.types import Receive, Scope, Send

from overread.errors import OverreadError
from overread.serve.answers import decoded
from overread.serve.bodies import ReadBody, ScoreBody, TaskAnswer
from overread.serve.gate import JSON_LINES
from overread.serve.line import Queue

WINDOW = 64
"""Items of one stream in the queue at a time; their room is taken when the stream begins."""

LineBody = type[ReadBody] | type[ScoreBody]


def streams(request: Request) -> bool:
    return request.headers.get("content-type", "").startswith(JSON_LINES)


def stream(request: Request, line: Queue, body: LineBody) -> Response:
    """Answer a request of JSON lines, each of which is a `body`."""
    window = min(WINDOW, line.settings.room)
    line.enter(window)
    return LineResponse(answer_lines(body_lines(request, line.settings.max_bytes), body, line, window))


class LineResponse(Response):
    """Sends lines as they are made, while the body is still being read: it alone may listen to the client."""

    def __init__(self, made: AsyncGenerator[bytes, None]) -> None:
        super().__init__(media_type=JSON_LINES)
        self.made = made
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async with aclosing(self.made):
            async for one in self.made:
                await send({"type": "http.response.body", "body": one, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def answer_lines(
    lines: AsyncIterator[bytes], body: LineBody, line: Queue, window: int
) -> AsyncGenerator[bytes, None]:
    waiting: deque[asyncio.Task[bytes]] = deque()
    last = b""
    try:
        try:
            async for one in lines:
                waiting.append(asyncio.create_task(answer_line(line, one, body)))
                while waiting and (len(waiting) == window or waiting[0].done()):
                    yield await waiting.popleft()
        except TooLong as error:
            last = msgspec.json.encode({"failed": str(error)}) + b"\n"
        while waiting:
            yield await waiting.popleft()
        yield last
    finally:
        for pending in waiting:
            pending.cancel()
        line.leave(window)


async def answer_line(line: Queue, content: bytes, body: LineBody) -> bytes:
    """A line of the answer: `{"id", "answer"}` or `{"id", "failed"}`; one that cannot be understood fails alone."""
    try:
        task = decoded(content, body).task()
    except OverreadError as error:
        id, answer = id_of(content), TaskAnswer(failed=str(error))
    else:
        id, (answer,) = task.id, await line.entered([task])
    told = {"failed": answer.failed} if answer.failed is not None else {"answer": answer.json}
    return msgspec.json.encode({"id": id, **told}) + b"\n"


class TooLong(OverreadError):
    """A line without an end."""


async def body_lines(request: Request, most: int) -> AsyncIterator[bytes]:
    """The lines of the body as they arrive."""
    rest = b""
    async for block in request.stream():
        *whole, rest = (rest + block).split(b"\n")
        for one in whole:
            if one.strip():
                yield one
        if len(rest) > most:
            raise TooLong(f"A line is longer than {most:,} bytes; the lines before it were answered.")
    if rest.strip():
        yield rest


def id_of(line: bytes) -> str:
    try:
        return str(msgspec.json.decode(line).get("id", ""))
    except (msgspec.DecodeError, AttributeError):
        return ""
