"""A language model as a metric: a prompt file, one question a pair, an estimate before the first one."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from overread.bench.items import Pair
from overread.bench.run import key_of
from overread.bench.sources import Own, Values
from overread.errors import AskFailed, BadInput
from overread.llm.outcome import Answer, Failure, Item
from overread.llm.prompt import Prompt, parse_prompt
from overread.llm.settings import Settings
from overread.runner.meter import Meter
from overread.runner.run.workers import batches

if TYPE_CHECKING:
    from overread.llm.client import Client

BATCH = 64
LETTERS = 4
"""Of a token, roughly."""

FRAME, REPLY = 250, 30
"""Tokens of a question besides the prompt and the two texts, and of an answer: rough."""

PASSING = ("budget", "transport")
"""Failures after which asking again may help: the pair stays open."""


class Judgement(Struct, frozen=True, forbid_unknown_fields=True):
    """What the model answers."""

    score: float


class Estimate(Struct, frozen=True):
    """What is about to be asked, roughly."""

    pairs: int
    tokens: int
    cost: float | None

    def __str__(self) -> str:
        """
        >>> print(Estimate(2000, 900_000, 1.35))
        2,000 questions, about 900,000 tokens, cost about 1.35
        """
        money = "" if self.cost is None else f", cost about {self.cost:.2f}"
        return f"{self.pairs:,} questions, about {self.tokens:,} tokens{money}"


def load_judge(path: Path) -> Prompt:
    """The prompt of a judge: texts in, a number out."""
    try:
        prompt = parse_prompt(path.read_text("utf-8"), path.stem)
    except OSError as error:
        raise BadInput(f"Cannot read the prompt {path}: {error.strerror}.") from None
    if set(prompt.inputs) != {"reference", "candidate"} or prompt.plain or prompt.output != "Judgement":
        raise BadInput(
            f"The header of {path} must say `inputs: [reference, candidate]` and `output: Judgement`; the model "
            'answers {"score": number}.'
        )
    return prompt


def estimate(prompt: Prompt, pairs: Sequence[Pair], settings: Settings) -> Estimate:
    letters = sum(len(reference) + len(candidate) + len(prompt.body) for reference, candidate in pairs)
    asked, told = letters // LETTERS + FRAME * len(pairs), REPLY * len(pairs)
    price = settings.prices.get(settings.model[0]) if settings.model else None
    cost = None if price is None else (asked * price.input + told * price.output) / 1e6
    return Estimate(len(pairs), asked + told, cost)


def affordable(found: Estimate, settings: Settings) -> None:
    """An error where the budget cannot last: half a bench is none."""
    limits = (
        ("--max-calls", found.pairs, settings.max_calls),
        ("--max-tokens", found.tokens, settings.max_tokens),
        ("--max-cost", found.cost or 0.0, settings.max_cost),
    )
    for flag, wanted, limit in limits:
        if limit is not None and wanted > limit:
            raise BadInput(
                f"The judge would be asked {found}: more than {flag} {limit:g} allows. Raise it, or ask fewer items of "
                "each set with --sample."
            )


class LlmJudge(Own):
    """One model behind one prompt."""

    def __init__(self, client: "Client", path: Path, name: str = "", lower: bool = False) -> None:
        self.client, self.prompt = client, load_judge(path)
        asked = {"model": client.model, **client.settings.sampling(), "prompt": self.prompt.hash[:8]}
        settings = {key: str(value) for key, value in asked.items()}
        super().__init__(name or f"{path.stem} ({client.model})", "judge", lower, settings)
        self.fresh, self.money = 0, None if client.tally.cost is None else 0.0
        """Pairs that were really asked, and what they cost."""

    def run(self, pairs: Sequence[Pair], meter: Meter) -> Iterator[tuple[Pair, Values]]:
        from overread.llm.asking import ask_many

        told = estimate(self.prompt, pairs, self.client.settings)
        affordable(told, self.client.settings)
        meter.tell(f"The judge is asked {told}.")
        for some in batches(pairs, BATCH):
            items = [
                Item(key_of(pair), {"reference": pair[0] or "(empty)", "candidate": pair[1] or "(empty)"})
                for pair in some
            ]
            outcomes = ask_many(self.client, self.prompt, items, Judgement)
            open_ = [one for one in outcomes if isinstance(one, Failure) and one.kind in PASSING]
            for pair, outcome in zip(some, outcomes, strict=True):
                if isinstance(outcome, Answer):
                    self.fresh += not outcome.cached
                    yield pair, self.value(outcome.value.score)
                elif outcome.kind not in PASSING:
                    yield pair, {self.name: None}
            self.money = self.client.tally.cost
            if open_:
                raise AskFailed(
                    f"{open_[0].reason} What was answered is kept: run the same command again to resume."
                )
