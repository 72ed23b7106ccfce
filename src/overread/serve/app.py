"""The application: routes, gate and worker processes put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from overread.runner.run.workers import Crew
from overread.serve import answers, routes
from overread.serve.desk import Desk
from overread.serve.gate import Gate
from overread.serve.keys import Keys
from overread.serve.line import Queue
from overread.serve.openapi import describe_app
from overread.serve.settings import ServerSettings
from overread.serve.telemetry import Telemetry
from overread.version import __version__

ABOUT_SERVER = """\
Read, score and reward radiology reports. Everything is computed on this machine; nothing is stored and
no report text is logged. `/read` and `/score` take JSON lines (`Content-Type: application/x-ndjson`) for many.
A full queue answers 429 with `Retry-After`."""


def build_app(settings: ServerSettings) -> FastAPI:
    telemetry = Telemetry()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        crew = Crew(
            Desk, (settings.lexicon, settings.item_seconds, settings.labels), settings.workers
        ).start()
        app.state.line = Queue(crew, settings, telemetry)
        yield
        crew.close()

    app = FastAPI(title="overread", version=__version__, description=ABOUT_SERVER, lifespan=lifespan)
    app.include_router(routes.router)
    app.include_router(routes.trainers)
    answers.explain_errors(app)
    describe_app(app, settings.keys is not None)
    known = {path: frozenset(map(str.upper, methods)) for path, methods in app.openapi()["paths"].items()}
    keys = Keys(settings.keys) if settings.keys else None
    app.add_middleware(Gate, settings=settings, telemetry=telemetry, keys=keys, routes=known)
    return app
