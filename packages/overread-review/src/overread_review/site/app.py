"""The app: routes, errors, and what they share."""

from pathlib import Path

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException as StarletteError
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.staticfiles import StaticFiles

from overread.errors import OverreadError
from overread_review.site import (
    admin_pages,
    decide_pages,
    entrance_pages,
    result_pages,
    study_pages,
    work_pages,
)
from overread_review.site import images as image_pages
from overread_review.site.access import SignInFirst
from overread_review.site.headers import Guarded
from overread_review.site.images import Images
from overread_review.site.render import page
from overread_review.store.connect import Store
from overread_review.work.answers import Closed, Conflict

HERE = Path(__file__).parent
LARGEST = 50_000_000
"""Bytes in one request."""

MODULES = (
    entrance_pages, study_pages, work_pages, decide_pages, image_pages, result_pages, admin_pages,
)  # fmt: skip


def make_app(
    store: Store,
    secret: bytes,
    *,
    hosts: tuple[str, ...] = (),
    https: bool = False,
    largest: int = LARGEST,
    hint: str = "",
    images: Images | None = None,
) -> FastAPI:
    """The app over a database with its tables; `hosts` are names it answers to besides loopback."""
    app = FastAPI(title="overread review", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.store, app.state.secret, app.state.https = store, secret, https
    app.state.agreements, app.state.hint, app.state.images = {}, hint, images or {}
    for module in MODULES:
        app.include_router(module.router)
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    app.add_exception_handler(SignInFirst, sign_in_first)
    app.add_exception_handler(StarletteError, refused)
    app.add_exception_handler(Conflict, conflict)
    app.add_exception_handler(OverreadError, wrong)
    app.add_middleware(
        TrustedHostMiddleware, allowed_hosts=["localhost", "127.0.0.1", "[::1]", "::1", *hosts]
    )
    app.add_middleware(Guarded, most=largest)
    return app


def wants_json(request: Request) -> bool:
    return request.url.path.startswith("/api/")


def sign_in_first(request: Request, error: Exception) -> Response:
    if wants_json(request):
        return JSONResponse({"detail": "You are signed out; sign in again in another tab."}, 401)
    return RedirectResponse("/login", 303)


def refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, (HTTPException, StarletteError))
    return told_page(request, str(error.detail), error.status_code, dict(error.headers or {}))


def conflict(request: Request, error: Exception) -> Response:
    assert isinstance(error, Conflict)
    return JSONResponse({"detail": str(error), "version": error.version, "rows": error.rows}, 409)


def wrong(request: Request, error: Exception) -> Response:
    """Something the user can correct; our messages quote no report text."""
    return told_page(request, str(error), 423 if isinstance(error, Closed) else 422)


def told_page(request: Request, text: str, status: int, headers: dict[str, str] | None = None) -> Response:
    if wants_json(request):
        return JSONResponse({"detail": text}, status, headers)
    try:
        shown = page(request, "told.html", status=status, text=text)
    except Exception:  # the page itself cannot be made, as when the database is away
        return PlainTextResponse(text + "\n", status, headers)
    shown.headers.update(headers or {})
    return shown
