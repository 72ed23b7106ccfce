"""How much has been asked, how much may be, how far a run is, and what it came to."""

from typing import Protocol

from msgspec import Struct, field

from overread.llm.outcome import UnansweredError, Usage
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


class Budget:
    """Lets a request go, or not.

    No more than `max_calls` requests are ever sent. Tokens and cost are known only when a reply is there, so
    those limits can be passed by the requests then in flight, and no further.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.tally = Tally(cost=0.0 if settings.priced else None)

    def take_call(self) -> None:
        """Count one request about to be sent, or refuse it."""
        limits, tally = self._settings, self.tally
        spent = (
            (limits.max_calls, tally.calls, f"{limits.max_calls} calls"),
            (limits.max_tokens, tally.tokens, f"{limits.max_tokens} tokens"),
            (limits.max_cost, tally.cost or 0.0, f"{limits.max_cost or 0:g}"),
        )
        for most, used, told in spent:
            if most is not None and used >= most:
                raise UnansweredError("budget", f"The budget of {told} is spent.")
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
            tally.cost += self._settings.cost(model, usage.tokens_in, usage.tokens_out)


class Meter(Protocol):
    """Who is told how far a run is."""

    def expect(self, what: str, total: int | None, done: int) -> None:
        """`total` items of a stage are to be asked, `done` of them were."""

    def advance(self, how: str = "") -> None:
        """One item has its outcome; how the run goes, in words."""


def counts_so_far(tally: Tally) -> str:
    """Failures, tokens and cost so far.

    >>> counts_so_far(Tally(failed=2, tokens_in=1000, tokens_out=200, cost=0.25))
    '2 failed · 1,200 tokens · cost 0.2500'
    """
    cost = "" if tally.cost is None else f" · cost {tally.cost:.4f}"
    return f"{tally.failed} failed · {_about(tally)}{tally.tokens:,} tokens{cost}"


def summary(tally: Tally) -> str:
    """The run in two lines.

    >>> print(summary(Tally(answered=9, cached=4, failed=1, calls=8, retries=2, repairs=1, tokens_in=10)))
    10 asked: 9 answered (4 from the cache), 1 failed.
    8 calls (2 retries, 1 repairs); 10 tokens in, 0 out.
    """
    cost = "" if tally.cost is None else f"; cost {tally.cost:.4f}"
    return (
        f"{tally.asked} asked: {tally.answered} answered ({tally.cached} from the cache), "
        f"{tally.failed} failed.\n"
        f"{tally.calls} calls ({tally.retries} retries, {tally.repairs} repairs); "
        f"{_about(tally)}{tally.tokens_in:,} tokens in, {tally.tokens_out:,} out{cost}."
    )


def queries(tally: Tally) -> str:
    """What one query of each kind took on average, as papers tell it; empty where nothing was asked.

    >>> from overread.llm.budget import Queries
    >>> print(queries(Tally(queries={"clear/presence": {"m": Queries(2, 900, 100, 4.0)}})))
    query                                     replies   s each  tokens out  tokens/s
    clear/presence, m                               2     2.00        50.0      25.0
    """
    if not tally.queries:
        return ""
    lines = [f"{'query':<40}{'replies':>9}{'s each':>9}{'tokens out':>12}{'tokens/s':>10}"]
    every = [(prompt, model, one) for prompt, own in tally.queries.items() for model, one in own.items()]
    for prompt, model, one in sorted(every, key=lambda row: row[:2]):
        speed = f"{one.tokens_out / one.seconds:.1f}" if one.seconds else "–"
        lines.append(
            f"{f'{prompt}, {model}':<40}{one.replies:>9}{one.seconds / one.replies:>9.2f}"
            f"{one.tokens_out / one.replies:>12.1f}{speed:>10}"
        )
    return "\n".join(lines)


def each(kind: str, tally: Tally, items: int, seconds: float) -> str:
    """What one report, or whatever was asked about, took; answers from the cache took no time and no tokens.

    >>> each("report", Tally(calls=6, tokens_in=900, tokens_out=300, cost=0.003), 3, 4.5)
    'Per report: 1.50 s, 2.0 calls, 300 tokens in, 100 out; cost 0.00100.'
    """
    cost = "" if tally.cost is None else f"; cost {tally.cost / items:.5f}"
    return (
        f"Per {kind}: {seconds / items:.2f} s, {tally.calls / items:.1f} calls, {_about(tally)}"
        f"{tally.tokens_in / items:,.0f} tokens in, {tally.tokens_out / items:,.0f} out{cost}."
    )


def _about(tally: Tally) -> str:
    return "about " if tally.estimated else ""
