"""What goes back: JSON as the workers wrote it, and errors with the status that fits them."""

from typing import Any

import msgspec
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from overread.errors import MissingExtra, OverreadError
from overread.serve.line import Full, TooMany
from overread.serve.tasks import TaskAnswer


class Json(Response):
    """Anything msgspec can write; what is JSON already passes as it is."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return msgspec.json.encode(content)


def given(answer: TaskAnswer) -> Response:
    """The only answer of a request; what went wrong with it is the client's to know."""
    if answer.failed is not None:
        return Json({"error": answer.failed}, 422)
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
        return Json({"error": str(error)}, http_status(error), headers)

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> Response:
        return Json({"error": f"{error.detail}."}, error.status_code, dict(error.headers or {}))

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, error: RequestValidationError) -> Response:
        problems = [f"{'.'.join(map(str, one['loc'][1:])) or 'body'}: {one['msg']}" for one in error.errors()]
        return Json({"error": "; ".join(problems[:5])}, 422)
