"""Many items over one connection: JSON lines in, JSON lines out, in the same order, memory flat."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import Any

import msgspec
from fastapi import Request
from fastapi.responses import Response
from pydantic import BaseModel, ValidationError
from starlette.types import Receive, Scope, Send

from overread.errors import OverreadError
from overread.serve.gate import JSON_LINES
from overread.serve.line import Queue
from overread.serve.tasks import Task, TaskAnswer

WINDOW = 64
"""Items of one stream in the queue at a time; their room is taken when the stream begins."""

LineTask = tuple[str, Task | None, str | None]
"""The id of a line, its task, or what is wrong with it."""


def streams(request: Request) -> bool:
    return request.headers.get("content-type", "").startswith(JSON_LINES)


def stream(request: Request, line: Queue, body: type[BaseModel], task: Callable[[Any], Task]) -> Response:
    """Answer a request of JSON lines, each of which is a `body`."""
    window = min(WINDOW, line.settings.room)
    line.enter(window)
    asked = (task_of_line(one, body, task) async for one in body_lines(request, line.settings.max_bytes))
    return LineResponse(answer_lines(asked, line, window))


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
    asked: AsyncIterator[LineTask], line: Queue, window: int
) -> AsyncGenerator[bytes, None]:
    waiting: deque[tuple[str, asyncio.Task[TaskAnswer]]] = deque()
    try:
        async for id, task, wrong in asked:
            waiting.append((id, asyncio.create_task(one_answer(line, task, wrong))))
            if len(waiting) == window:
                yield await answer_line(*waiting.popleft())
            while waiting and waiting[0][1].done():
                yield await answer_line(*waiting.popleft())
        while waiting:
            yield await answer_line(*waiting.popleft())
    except TooLong as error:
        while waiting:
            yield await answer_line(*waiting.popleft())
        yield msgspec.json.encode({"failed": str(error)}) + b"\n"
    finally:
        for _, pending in waiting:
            pending.cancel()
        line.leave(window)


async def one_answer(line: Queue, task: Task | None, wrong: str | None) -> TaskAnswer:
    if task is None:
        return TaskAnswer(failed=wrong)
    (answer,) = await line.entered([task])
    return answer


async def answer_line(id: str, pending: "asyncio.Task[TaskAnswer]") -> bytes:
    """A line of the answer: `{"id", "answer"}` or `{"id", "failed"}`."""
    answer = await pending
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


def task_of_line(line: bytes, body: type[BaseModel], task: Callable[[Any], Task]) -> LineTask:
    """A line that cannot be understood fails alone."""
    try:
        found = body.model_validate_json(line)
        return getattr(found, "id", ""), task(found), None
    except ValidationError as error:
        first = error.errors()[0]
        return id_of(line), None, f"{'.'.join(map(str, first['loc'])) or 'line'}: {first['msg']}"
    except OverreadError as error:
        return id_of(line), None, str(error)


def id_of(line: bytes) -> str:
    try:
        return str(msgspec.json.decode(line).get("id", ""))
    except (msgspec.DecodeError, AttributeError):
        return ""
