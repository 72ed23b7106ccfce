"""What every reply carries and every request must keep to, below the pages."""

import logging
from pathlib import Path
from traceback import extract_tb

from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


BROKEN = "Something went wrong on our side. What you saved before is safe.\n"
log = logging.getLogger("overread.review")


class Guarded:
    """The app behind security headers, a limit on the size of requests, and a net for defects of ours."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self.app, self.most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        stated = dict(scope["headers"]).get(b"content-length", b"0")
        if not stated.isdigit() or int(stated) > self.most:
            await too_large(self.most)(scope, receive, guarding(scope, send))
            return
        sent = guarding(scope, send)
        try:
            await self.app(scope, counted(receive, self.most), sent)
        except ClientDisconnect:
            pass  # nobody is there to be told
        except Exception as error:
            log.error("%s at %s", type(error).__name__, place_of(error))
            await PlainTextResponse(BROKEN, 500)(scope, receive, sent)


def place_of(error: Exception) -> str:
    """File and line; never the message, which may hold report text."""
    *_, last = extract_tb(error.__traceback__)
    return f"{Path(last.filename).name}:{last.lineno}"


def too_large(most: int) -> PlainTextResponse:
    return PlainTextResponse(f"This is larger than {most // 1_000_000} MB; send less.\n", 413)


def counted(receive: Receive, most: int) -> Receive:
    """The request's body, cut off once it is too long, whatever its headers say."""
    seen = 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        return {"type": "http.disconnect"} if seen > most else message

    return limited


def guarding(scope: Scope, send: Send) -> Send:
    static = scope["path"].startswith("/static/")
    extra = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
    extra.append((b"cache-control", b"no-cache" if static else b"no-store"))

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *extra]}
        await send(message)

    return guarded
