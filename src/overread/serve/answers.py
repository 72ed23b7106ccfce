"""What is taken and what goes back: checked bodies, JSON as the workers wrote it, errors with their status."""

import json
from typing import Any, TypeVar

import msgspec
from fastapi import FastAPI, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from overread.errors import BadInput, MissingExtra, OverreadError
from overread.serve.bodies import TaskAnswer
from overread.serve.line import Full, TooMany

Body = TypeVar("Body")
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


def http_status(error: OverreadError) -> int:
    match error:
        case Full():
            return 429
        case TooMany():
            return 413
        case MissingExtra():
            return 501
    return 422


def explain_errors(app: FastAPI) -> None:
    """Errors as JSON; what the client sent is not sent back, as it may be a report."""

    @app.exception_handler(OverreadError)
    async def ours(_: Request, error: OverreadError) -> Response:
        headers = {"Retry-After": str(error.wait)} if isinstance(error, Full) else None
        return refused(http_status(error), str(error), headers)

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> Response:
        return refused(error.status_code, f"{error.detail}.", dict(error.headers or {}))
