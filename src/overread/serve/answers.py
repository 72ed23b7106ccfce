"""What is taken and what goes back: checked bodies, JSON as the workers wrote it, errors with their status.

Of many items over one connection: JSON lines in, JSON lines out, in the same order, memory flat.
"""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any, TypeVar

import msgspec
from fastapi import FastAPI, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from overread.errors import BadInput, MissingExtra, OverreadError
from overread.runner.run.workers import batches
from overread.serve.desk import ReadBody, ScoreBody, TaskAnswer
from overread.serve.line import Full, Queue, TooMany

Body = TypeVar("Body")
JSON_LINES = "application/x-ndjson"
QUOTING = "Invalid enum value"
"""How the complaint begins that repeats what was sent."""


def decoded(content: bytes, kind: type[Body]) -> Body:
    """What was sent, as what is taken here; complaints never quote it.

    >>> decoded(b'{"a": "words of a report"}', dict[str, int])
    Traceback (most recent call last):
    overread.errors.BadInput: [...]: Expected `int`, got `str`
    """
    try:
        return msgspec.convert(json.loads(content), kind)
    except msgspec.ValidationError as error:
        what, placed, where = str(error).rpartition(" - at `")
        what, where = (what, where.rpartition("$")[2].strip(".`")) if placed else (where, "body")
        told = "it must be one of those that /docs names" if what.startswith(QUOTING) else what
        raise BadInput(f"{where}: {told}") from None
    except ValueError as error:
        raise BadInput(f"body: {error}") from None


class Json(Response):
    """Anything msgspec can write; what is JSON already passes as it is."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return msgspec.json.encode(content)


def refused(status: int, error: str, headers: dict[str, str] | None = None) -> Response:
    return Json(
        {"error": error}, status, headers or ({"www-authenticate": "Bearer"} if status == 401 else None)
    )


def given(answer: TaskAnswer) -> Response:
    """The only answer of a request; what went wrong with it is the client's to know."""
    if answer.failed is not None:
        return refused(422, answer.failed)
    return Json(answer.json)


def with_failure(answer: TaskAnswer, id: str = "") -> Any:
    """One answer among many: it, or an id and what went wrong."""
    return answer.json if answer.failed is None else {"id": id, "failed": answer.failed}


STATUS: dict[type[OverreadError], int] = {Full: 429, TooMany: 413, MissingExtra: 501}
"""Of errors that are not simply the client's (422)."""


def explain_errors(app: FastAPI) -> None:
    """Errors as JSON; what the client sent is not sent back, as it may be a report."""

    @app.exception_handler(OverreadError)
    async def ours(_: Request, error: OverreadError) -> Response:
        headers = {"Retry-After": str(error.wait)} if isinstance(error, Full) else None
        status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 422)
        return refused(status, str(error), headers)

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> Response:
        return refused(error.status_code, f"{error.detail}.", dict(error.headers or {}))


WINDOW = 64
"""Items of one stream in the queue at a time; their room is taken when the stream begins."""

LineBody = type[ReadBody] | type[ScoreBody]


def streams(request: Request) -> bool:
    return request.headers.get("content-type", "").startswith(JSON_LINES)


def stream(request: Request, line: Queue, body: LineBody) -> Response:
    """Answer a request of JSON lines, each of which is a `body`."""
    window = min(WINDOW, line.settings.room)
    line.enter(window)
    return LineResponse(answer_lines(request, line, body, window))


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
    request: Request, line: Queue, body: LineBody, window: int
) -> AsyncGenerator[bytes, None]:
    """Lines of `{"id", "answer"}` or `{"id", "failed"}`."""
    try:
        async for lines in body_lines(request, line.settings.max_bytes):
            for some in batches(lines, window):
                for told in await answered(some, line, body):
                    yield msgspec.json.encode(told) + b"\n"
    except TooLong as error:
        yield msgspec.json.encode({"failed": str(error)}) + b"\n"
    finally:
        line.leave(window)


async def answered(lines: Sequence[bytes], line: Queue, body: LineBody) -> list[dict[str, Any]]:
    """What is said to these lines; one that cannot be understood fails alone."""
    read = [task_of_line(one, body) for one in lines]
    answers = iter(await line.entered([task for _, task in read if not isinstance(task, str)]))
    found = [(id, TaskAnswer(failed=task) if isinstance(task, str) else next(answers)) for id, task in read]
    return [
        {"id": id, "answer": one.json} if one.failed is None else {"id": id, "failed": one.failed}
        for id, one in found
    ]


def task_of_line(line: bytes, body: LineBody) -> tuple[str, ReadBody | ScoreBody | str]:
    """The id of a line, and its task or what is wrong with it."""
    try:
        task = decoded(line, body).task()
    except OverreadError as error:
        return id_of(line), str(error)
    return task.id, task


class TooLong(OverreadError):
    """A line without an end."""


async def body_lines(request: Request, most: int) -> AsyncIterator[list[bytes]]:
    """The lines of the body, as many as arrive together."""
    rest = b""
    async for block in request.stream():
        *whole, rest = (rest + block).split(b"\n")
        yield [one for one in whole if one.strip()]
        if len(rest) > most:
            raise TooLong(f"A line is longer than {most:,} bytes; the lines before it were answered.")
    yield [rest] if rest.strip() else []


def id_of(line: bytes) -> str:
    try:
        return str(msgspec.json.decode(line).get("id", ""))
    except (msgspec.DecodeError, AttributeError):
        return ""
