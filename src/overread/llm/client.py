"""The client: one endpoint, budget, cache and limit on concurrency, shared by every stage of a run.

Its event loop has a thread of its own, so that callers need not know that asking is concurrent. Recorded replies stand
in place of a server: for tests and for trying a prompt without a model.
"""

import asyncio
import copy
import logging
import random
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import CancelledError, wait
from pathlib import Path
from time import monotonic
from typing import Any, Self, TypeVar
from weakref import WeakValueDictionary

from overread.errors import AskFailed
from overread.extras import require
from overread.llm.batch_folder import BatchFolder, Waiting, told
from overread.llm.budget import Budget, Meter, Tally
from overread.llm.cache import Cache
from overread.llm.outcome import (
    Endpoint,
    Failure,
    FormatKind,
    RejectedError,
    Reply,
    Request,
    TransientError,
    UnansweredError,
    Usage,
)
from overread.llm.privacy import ensure_consent
from overread.llm.prompt import Bank, Prompt, bank_for, load_examples, shipped_examples
from overread.llm.server import Server
from overread.llm.settings import Settings

T = TypeVar("T")


class Loop:
    """Runs coroutines for any thread, also one that has a loop already (a notebook, a web server)."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="overread-llm", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`; Ctrl-C cancels it at once and is passed on."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            while not future.done():
                wait([future], timeout=0.5)  # in short spells: a plain wait cannot be interrupted on Windows
            return future.result()
        except CancelledError:
            raise AskFailed("Asking was stopped before every item had its turn.") from None
        except KeyboardInterrupt:
            future.cancel()
            raise

    def close(self, last: Coroutine[Any, Any, None]) -> None:
        """Cancel what is under way, do one `last` thing, and end the thread."""
        asyncio.run_coroutine_threadsafe(self._finish(last), self._loop).result(timeout=10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()

    async def _finish(self, last: Coroutine[Any, Any, None]) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await last


Send = Callable[[FormatKind], Awaitable[Reply]]
LADDER: tuple[FormatKind, ...] = ("json_schema", "json_object", "none")


class FormatProbe:
    """The best format a server takes for one schema of one model.

    The first request goes alone, down the ladder until the server takes it; the others wait and follow. A
    server that takes the schema but answers in another shape does not enforce it: from then on the schema is
    put in words.
    """

    def __init__(self, fixed: FormatKind | None = None) -> None:
        self.chosen = fixed
        self._lock = asyncio.Lock()

    async def ask(self, send: Send, ignores: Callable[[Reply], bool]) -> Reply:
        """Send in the chosen format, choosing it first if need be; `ignores` tells a reply that is of another shape."""
        if self.chosen is None:
            async with self._lock:
                if self.chosen is None:
                    return await self._first(send, ignores)
        return await send(self.chosen)

    async def _first(self, send: Send, ignores: Callable[[Reply], bool]) -> Reply:
        refusal: RejectedError | None = None
        for kind in LADDER:
            try:
                reply = await send(kind)
            except RejectedError as error:
                refusal = refusal or error
                continue
            self.chosen = "json_object" if kind == "json_schema" and ignores(reply) else kind
            return reply
        # Refused in every format: the request is at fault, not the format, so the next item tries afresh.
        assert refusal is not None
        raise refusal


LONGEST_WAIT = 120.0
"""Seconds; a server that asks for more patience than this is taken to have failed the item."""


SAME_REFUSALS = 5
"""So many requests refused alike, and none answered, and the rest need not be sent."""


class Client:
    """What a reader needs to ask a model; give it to `ask_many`.

    Any number of threads may use one client. Close it, or use it in a `with`.
    """

    def __init__(
        self, settings: Settings, *, endpoint: Endpoint | None = None, meter: Meter | None = None
    ) -> None:
        self.settings = settings
        self._model = settings.models[0] if len(settings.models) == 1 else None
        if endpoint is None and (settings.estimate or settings.batch):
            place = None if settings.estimate else Path(settings.batch or "").expanduser()
            endpoint = BatchFolder(settings, place)
        elif endpoint is None:
            ensure_consent(settings.endpoint, settings.yes_send)
            endpoint = Server(settings)
        self.endpoint = endpoint
        self.meter = meter
        self.budget = Budget(settings)
        self.failures: list[Failure] = []
        """Every failure row of the run, over all stages."""

        self.cache = Cache(settings.answers) if settings.cache else None
        self.slots = asyncio.Semaphore(settings.concurrency)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._formats: dict[tuple[str, str], FormatProbe] = {}
        self._banks: dict[str, Bank] = {}
        self._expected: Counter[str] = Counter()
        self._loop = Loop()

    def __repr__(self) -> str:
        return f"Client({self._model or ', '.join(self.settings.models)} at {self.endpoint.name})"

    @property
    def model(self) -> str:
        """The model this client asks."""
        if self._model is None:
            named = ", ".join(self.settings.models)
            raise AskFailed(f"Several models are named ({named}), but this reader asks only one: name one.")
        return self._model

    @property
    def tally(self) -> Tally:
        """Counts so far."""
        return self.budget.tally

    def for_model(self, model: str) -> "Client":
        """The same client asking another model; budget, cache, failures and limits stay shared."""
        other = copy.copy(self)
        other._model = model
        return other

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` in the client's loop and wait for it."""
        return self._loop.run(work)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop what is under way and let go of connections and cache. Answers already received are kept."""
        self._loop.close(self.endpoint.close())
        if self.cache:
            self.cache.close()

    def check_refusals(self) -> None:
        """Stop where nothing was ever answered and every request was refused alike: a wrong key, model or setting.

        Some servers, LiteLLM's proxy among them, answer a key they do not know with 400 and not with 401.
        """
        latest = self.failures[-SAME_REFUSALS:]
        alike = len({(one.kind, one.reason) for one in latest}) == 1 and latest[0].kind == "rejected"
        if alike and len(latest) == SAME_REFUSALS == len(self.failures) and not self.tally.answered:
            raise AskFailed(
                f"{self.endpoint.name} refused the first {SAME_REFUSALS} requests alike. {latest[0].reason} "
                "Check the key (OVERREAD_API_KEY), the model and the settings."
            )

    @property
    def described(self) -> dict[str, str]:
        """Who is asked, where and how: all that decides an answer, apart from the question."""
        models = ", ".join(self.settings.models)
        return {"model": models, "endpoint": self.endpoint.name, **self.settings.decisive()}

    @property
    def unanswered(self) -> int:
        """Questions so far whose requests wait in a batch file."""
        return self.endpoint.waiting if isinstance(self.endpoint, BatchFolder) else 0

    def check_waiting(self) -> None:
        """Stop here where questions wait in a batch file: what follows would be made without their answers."""
        if isinstance(self.endpoint, BatchFolder) and self.endpoint.waiting:
            raise Waiting(told(self.endpoint))

    def expect(self, stage: str, items: int) -> None:
        """So many more are about to be asked."""
        done = self._expected[stage]
        self._expected[stage] += items
        if self.meter:
            self.meter.expect(stage, self._expected[stage], done)

    def turn(self, key: str) -> asyncio.Lock:
        """A lock that lets one question be asked once, however many items share it."""
        return self._turns.setdefault(key, asyncio.Lock())

    def format_probe(self, schema_key: str) -> FormatProbe:
        # A batch cannot try and see: it is asked in the one form, and the same in every run.
        fixed: FormatKind | None = "json_schema" if isinstance(self.endpoint, BatchFolder) else None
        return self._formats.setdefault((self.model, schema_key), FormatProbe(fixed))

    def bank(self, prompt: Prompt, output: type[Any]) -> Bank:
        """The user's examples for one prompt, else the shipped ones, checked on first use."""
        if prompt.name not in self._banks:
            own = self.settings.examples
            given = load_examples(Path(own).expanduser()) if own else shipped_examples(prompt.package)
            self._banks[prompt.name] = bank_for(prompt.name, output, given)
        return self._banks[prompt.name]

    async def complete(self, request: Request) -> Reply:
        """The reply to one request: counted, within budget, tried again where that can help."""
        stamina, tries = require("stamina", "llm"), self.settings.attempts
        logging.getLogger("stamina").addFilter(_quiet)
        attempts = stamina.retry_context(
            on=patience,
            attempts=tries,
            timeout=None,
            wait_initial=self.settings.wait,
            wait_jitter=self.settings.wait,
            wait_max=LONGEST_WAIT,
        )
        try:
            async for attempt in attempts:
                with attempt:
                    self.budget.take_call()
                    self.tally.retries += attempt.num > 1
                    start = monotonic()
                    reply = await self.endpoint.complete(request)
                    self.budget.add(self.model, reply.usage, request.prompt, monotonic() - start)
                    return reply
        except TransientError as error:
            if error.unreachable and not self.tally.tokens:
                raise AskFailed(f"Nothing answers at {self.endpoint.name}. Is the server running?") from None
            raise UnansweredError("transport", f"{error.reason} Gave up (at most {tries} tries).") from None
        raise AssertionError("the last attempt raises")


def patience(error: Exception) -> bool | float:
    """Try again? Yes, no, or after so many seconds: a little over what the server asked, to spread the load.

    >>> patience(ValueError()), patience(TransientError("500")), patience(TransientError("429", wait=3600))
    (False, True, False)
    """
    if not isinstance(error, TransientError):
        return False
    if error.wait is None:
        return True
    return error.wait + random.uniform(0, 0.1 * error.wait) if error.wait <= LONGEST_WAIT else False


def _quiet(record: logging.LogRecord) -> bool:
    """Retries are counted and shown by the progress bar; a warning for each would tear it apart."""
    return record.getMessage() != "stamina.retry_scheduled"


class Recorded:
    """Answers each request with what `reply` returns for it; `requests` keeps them in order."""

    name = "recorded"

    def __init__(self, reply: Callable[[Request], str]) -> None:
        self._reply = reply
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        return Reply(text=self._reply(request), usage=Usage(0, 0))

    async def close(self) -> None:
        """Nothing to close."""


def recorded_client(reply: Callable[[Request], str], *models: str) -> Client:
    """A client that asks nobody and keeps nothing on disk.

    `request.prompt` and `request.item` tell what is asked about.
    """
    settings = Settings(model=models or ("recorded",), cache=False, concurrency=1)
    return Client(settings, endpoint=Recorded(reply))
