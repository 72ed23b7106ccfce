"""The application put together; start, say where, serve until told to stop, finish what is in flight."""

import logging
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI

from overread.errors import BadInput
from overread.runner.run.workers import Crew
from overread.serve import answers, routes
from overread.serve.desk import Desk
from overread.serve.gate import Gate
from overread.serve.line import Queue, Telemetry
from overread.serve.openapi import page_of
from overread.serve.settings import ServerSettings
from overread.version import __version__

ABOUT_SERVER = """\
Read, score and reward radiology reports. Everything is computed on this machine; nothing is stored and
no report text is logged. `/read` and `/score` take JSON lines (`Content-Type: application/x-ndjson`) for many.
A full queue answers 429 with `Retry-After`."""


def build_app(settings: ServerSettings) -> FastAPI:
    telemetry = Telemetry()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        desk = (settings.lexicon, settings.item_seconds, settings.labels)
        crew = Crew(Desk, desk, settings.workers).start()
        app.state.line = Queue(crew, settings, telemetry)
        yield
        crew.close()

    app = FastAPI(title="overread", version=__version__, description=ABOUT_SERVER, lifespan=lifespan)
    app.include_router(routes.router)
    app.include_router(routes.trainers)
    answers.explain_errors(app)
    page = page_of(app, settings.keys is not None)
    app.openapi = lambda: page  # type: ignore[method-assign]
    known = {path: frozenset(map(str.upper, methods)) for path, methods in page["paths"].items()}
    app.add_middleware(Gate, settings=settings, telemetry=telemetry, routes=known)
    return app


def serve(settings: ServerSettings) -> None:
    listen_quietly(settings.quiet)
    config = uvicorn.Config(
        build_app(settings),
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=settings.drain_seconds,
        timeout_keep_alive=30,
    )
    server = uvicorn.Server(config)

    def stop(*_: object) -> None:
        server.should_exit = True

    # The server raises the signal that ended it once more when all is answered: then this does nothing.
    for sign in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(sign, stop)
    server.run(sockets=[listening(settings)])


def listening(settings: ServerSettings) -> socket.socket:
    """The socket, had before the workers start, so that a taken port is one line."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # It says that it is TCP: only then asyncio lets the body of an answer go before its head is confirmed.
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((settings.host, settings.port))
        found.listen(2048)
    except OSError as error:
        raise BadInput(
            f"Cannot listen on {settings.host}, port {settings.port}: {error.strerror}. Choose another --port."
        ) from None
    if not settings.quiet:
        host, port = found.getsockname()[:2]
        print(f"overread serves on http://{host}:{port} (routes: /docs)", file=sys.stderr, flush=True)
    return found


def listen_quietly(quiet: bool) -> None:
    """One line per request on standard error: method, route, status, time."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    log = logging.getLogger("overread.serve")
    log.handlers, log.propagate = [handler], False
    log.setLevel(logging.WARNING if quiet else logging.INFO)
    logging.getLogger("uvicorn.error").disabled = True  # its tracebacks may quote
