"""How much has been asked, and how much may be."""

from msgspec import Struct, field

from overread.llm.outcome import UnansweredError
from overread.llm.settings import Settings


class Queries(Struct):
    """The replies to one kind of question."""

    replies: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    """Time until each reply was there, added up; questions under way together each count their own."""


class Tally(Struct):
    """Counts of one run, over all stages and models; written to the run's summary and manifest."""

    answered: int = 0
    cached: int = 0
    """Of those answered, how many were on disk."""

    failed: int = 0
    calls: int = 0
    """Requests sent, retries and repairs included."""

    retries: int = 0
    repairs: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: bool = False
    """Some replies came without token counts; four characters were taken for a token."""

    cost: float | None = None
    """None unless every model asked has a price."""

    queries: dict[str, dict[str, Queries]] = field(default_factory=dict)
    """Prompt → model → what its replies took."""

    @property
    def asked(self) -> int:
        return self.answered + self.failed

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


class Usage(Struct, frozen=True):
    """Tokens of one reply."""

    tokens_in: int
    tokens_out: int
    estimated: bool = False


class Budget:
    """Lets a request go, or not.

    No more than `max_calls` requests are ever sent. Tokens and cost are known only when a reply is there, so
    those limits can be passed by the requests then in flight, and no further.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        priced = bool(settings.model) and all(model in settings.prices for model in settings.model)
        self.tally = Tally(cost=0.0 if priced else None)

    def take_call(self) -> None:
        """Count one request about to be sent, or refuse it."""
        limits, tally = self._settings, self.tally
        if limits.max_calls is not None and tally.calls >= limits.max_calls:
            raise UnansweredError("budget", f"The budget of {limits.max_calls} calls is spent.")
        if limits.max_tokens is not None and tally.tokens >= limits.max_tokens:
            raise UnansweredError("budget", f"The budget of {limits.max_tokens} tokens is spent.")
        if limits.max_cost is not None and (tally.cost or 0.0) >= limits.max_cost:
            raise UnansweredError("budget", f"The budget of {limits.max_cost:g} is spent.")
        tally.calls += 1

    def add(self, model: str, usage: Usage, prompt: str = "", seconds: float = 0.0) -> None:
        """Count the tokens of a reply, and the time it took."""
        tally = self.tally
        own = tally.queries.setdefault(prompt, {}).setdefault(model, Queries())
        own.replies += 1
        own.tokens_in += usage.tokens_in
        own.tokens_out += usage.tokens_out
        own.seconds += seconds
        tally.tokens_in += usage.tokens_in
        tally.tokens_out += usage.tokens_out
        tally.estimated |= usage.estimated
        if tally.cost is not None:
            price = self._settings.prices[model]
            tally.cost += (usage.tokens_in * price.input + usage.tokens_out * price.output) / 1e6
