"""How much has been asked, how much may be, how far a run is, and what it came to."""

from typing import Any

from msgspec import Struct, field

from overread.llm.outcome import Closing, UnansweredError, Usage
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


class Meter:
    """Hears of every item; this one keeps quiet."""

    def expect(self, stage: str, items: int, tally: Tally) -> None:
        """`items` more are about to be asked."""

    def advance(self, stage: str) -> None:
        """One item has its outcome."""


class Bar(Meter, Closing):
    """A line per stage on the terminal: done, rate, failures, tokens, cost. Silent without a terminal."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TextColumn("{task.fields[counts]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self._bar.disable = not self._bar.console.is_terminal
        self._tasks: dict[str, Any] = {}
        self._tally = Tally()

    def close(self) -> None:
        """Take the bar off the terminal, so that what is printed next stands below it."""
        self._bar.stop()

    def expect(self, stage: str, items: int, tally: Tally) -> None:
        self._tally = tally
        self._bar.start()  # only now: a question about privacy may have stood on the terminal before
        if stage not in self._tasks:
            self._tasks[stage] = self._bar.add_task(stage, total=0, rate="", counts="")
        total = self._bar.tasks[self._tasks[stage]].total or 0
        self._bar.update(self._tasks[stage], total=total + items)

    def advance(self, stage: str) -> None:
        speed = self._bar.tasks[self._tasks[stage]].speed
        rate = f"{speed:.1f}/s" if speed else ""
        self._bar.update(self._tasks[stage], advance=1, rate=rate, counts=counts_so_far(self._tally))


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
