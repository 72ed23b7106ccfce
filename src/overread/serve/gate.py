"""What every request passes first: who asks, how large it is, and a line of log without a word of it."""

import logging
from asyncio import CancelledError
from collections.abc import Mapping
from time import perf_counter

from msgspec import Struct
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from overread.runner.limits import describe
from overread.serve.answers import JSON_LINES, refused
from overread.serve.line import Telemetry
from overread.serve.settings import LOOPBACK, ServerSettings, key_owner

OPEN_PATHS = ("/health", "/version")
"""Answered without a key."""

STOPPING = "The server is stopping and did not come to this; send it again elsewhere, or later."
log = logging.getLogger("overread.serve")


class TooLarge(Exception):
    """The body is larger than a request may be."""


class Gate(Struct):
    """ASGI middleware; a pure one, since bodies and answers may be streams without end."""

    app: ASGIApp
    settings: ServerSettings
    telemetry: Telemetry
    routes: Mapping[str, frozenset[str]]
    """Path → methods."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        start, status = perf_counter(), 0

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.admitted(scope, receive, noted)
        except CancelledError:  # told to stop, and --drain-seconds are over
            if status == 0:
                await refused(503, STOPPING)(scope, receive, noted)
            raise
        except Exception as error:  # told here in a few words: a traceback may quote
            log.error("%s", describe(error))
            if status == 0:
                told = f"Something went wrong here: {describe(error)}"
                await refused(500, told)(scope, receive, noted)
        finally:
            self.note(scope, status, perf_counter() - start)
        return None

    async def admitted(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        refusal = self.refusal(scope, headers)
        if refusal is not None:
            return await refused(*refusal)(scope, receive, send)
        if headers.get("content-type", "").startswith(JSON_LINES):
            return await self.app(scope, receive, send)
        try:
            return await self.app(scope, counted_body(receive, self.settings.max_bytes), send)
        except TooLarge:
            return await refused(413, self.too_large())(scope, receive, send)

    def refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Why a request is not even looked at."""
        if scope["path"] not in OPEN_PATHS:
            keys = self.settings.keys
            if keys is None and host_of(headers.get("host", "")) not in LOOPBACK:
                return 403, "Without keys only this machine is served."
            if keys is not None and key_owner(keys, key_in(headers)) is None:
                return 401, "Give your key: Authorization: Bearer KEY"
        takes = self.routes.get(scope["path"], frozenset())
        if scope["method"] == "POST" in takes and not headers.get("content-type", "").startswith(
            ("application/json", JSON_LINES)
        ):
            return (
                415,
                f"Send JSON (Content-Type: application/json), or JSON lines ({JSON_LINES}) where offered.",
            )
        length = headers.get("content-length", "0")
        if not length.isdigit():
            return 400, "The Content-Length is no number."
        lines = headers.get("content-type", "").startswith(JSON_LINES)
        return (413, self.too_large()) if int(length) > self.settings.max_bytes and not lines else None

    def too_large(self) -> str:
        return f"The request is larger than {self.settings.max_megabytes:g} MB; send fewer at once, or JSON lines."

    def note(self, scope: Scope, status: int, seconds: float) -> None:
        path = scope["path"] if scope["path"] in self.routes else "other"
        self.telemetry.request(path, status, seconds)
        if path not in OPEN_PATHS:
            log.info("%s %s %d %.0f ms", scope["method"], path, status, 1000 * seconds)


def counted_body(receive: Receive, most: int) -> Receive:
    """The body as it comes, as long as it is not too large."""
    seen = 0

    async def body() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise TooLarge
        return message

    return body


def host_of(header: str) -> str:
    """
    >>> host_of("localhost:8700"), host_of("[::1]:8700"), host_of("evil.example")
    ('localhost', '::1', 'evil.example')
    """
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.partition(":")[0]


def key_in(headers: Headers) -> str:
    """From `Authorization: Bearer …` or `X-API-Key: …`."""
    kind, _, value = headers.get("authorization", "").partition(" ")
    return value.strip() if kind.lower() == "bearer" else headers.get("x-api-key", "")
