"""The client: one endpoint, budget, cache and limit on concurrency, shared by every stage of a run."""

import asyncio
import copy
import logging
import random
from collections.abc import Coroutine
from functools import cached_property
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from overread.errors import AskFailed
from overread.extras import require
from overread.llm.batch_folder import BatchFolder, Waiting, told
from overread.llm.budget import Budget, Tally
from overread.llm.cache import Cache
from overread.llm.endpoint import Endpoint, FormatKind, Reply, Request, TransientError
from overread.llm.examples import Bank, Example, bank_for, load_examples, shipped_examples
from overread.llm.formats import FormatProbe
from overread.llm.loop import Loop
from overread.llm.outcome import Failure, UnansweredError
from overread.llm.places import cache_file
from overread.llm.privacy import ensure_consent
from overread.llm.progress import Meter
from overread.llm.prompt import Prompt
from overread.llm.server import Server
from overread.llm.settings import Settings

T = TypeVar("T")

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
        self.meter = meter or Meter()
        self.budget = Budget(settings)
        self.failures: list[Failure] = []
        """Every failure row of the run, over all stages."""

        path = Path(settings.cache_file).expanduser() if settings.cache_file else cache_file()
        self.cache = Cache(path) if settings.cache else None
        self.slots = asyncio.Semaphore(settings.concurrency)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._formats: dict[tuple[str, str], FormatProbe] = {}
        self._banks: dict[str, Bank] = {}
        self._loop = Loop()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

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
        return self.endpoint.asked.waiting if isinstance(self.endpoint, BatchFolder) else 0

    def check_waiting(self) -> None:
        """Stop here where questions wait in a batch file: what follows would be made without their answers."""
        if isinstance(self.endpoint, BatchFolder) and self.endpoint.asked.waiting:
            raise Waiting(told(self.endpoint))

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
            given = self._examples if self.settings.examples else shipped_examples(prompt.package)
            self._banks[prompt.name] = bank_for(prompt.name, output, given)
        return self._banks[prompt.name]

    @cached_property
    def _examples(self) -> list[Example]:
        return load_examples(Path(self.settings.examples).expanduser()) if self.settings.examples else []

    async def complete(self, request: Request) -> Reply:
        """The reply to one request: counted, within budget, tried again where that can help."""
        try:
            return await self._with_retries(request)
        except TransientError as error:
            if error.unreachable and not self.tally.tokens:
                raise AskFailed(f"Nothing answers at {self.endpoint.name}. Is the server running?") from None
            tries = self.settings.attempts
            raise UnansweredError("transport", f"{error.reason} Gave up (at most {tries} tries).") from None

    async def _with_retries(self, request: Request) -> Reply:
        stamina = require("stamina", "llm")
        logging.getLogger("stamina").addFilter(_quiet)
        attempts = stamina.retry_context(
            on=patience,
            attempts=self.settings.attempts,
            timeout=None,
            wait_initial=self.settings.wait,
            wait_jitter=self.settings.wait,
            wait_max=LONGEST_WAIT,
        )
        async for attempt in attempts:
            with attempt:
                self.budget.take_call()
                self.tally.retries += attempt.num > 1
                start = monotonic()
                reply = await self.endpoint.complete(request)
                self.budget.add(self.model, reply.usage, request.prompt, monotonic() - start)
                return reply
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
