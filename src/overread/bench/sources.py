"""Who scores: metrics that are built in, a function, a command, a language model; all behind one call."""

import inspect
import shlex
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib import import_module
from math import isfinite
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from overread.baselines.optional import EXTRAS
from overread.baselines.registry import lookup
from overread.bench.items import Pair, key_of
from overread.errors import AskFailed, BadInput
from overread.llm.outcome import Answer, Failure, Item
from overread.llm.prompt import Prompt, parse_prompt
from overread.llm.settings import Settings as LlmSettings
from overread.runner.measures import measure
from overread.runner.meter import Meter
from overread.runner.run.job import signatures_of
from overread.runner.run.workers import batches, in_order
from overread.runner.settings import Settings
from overread.signature import signature
from overread.validation.laws.scores import of_function
from overread.validation.measured import Asker

if TYPE_CHECKING:
    from overread.llm.client import Client

Values = dict[str, float | None]
"""Metric → value, higher is better; None where it has none."""

BATCH = 64
"""Pairs given to a function or a judge at once: few enough that a stop loses little."""

DEFAULT = (
    "overread", "radsem", "radsem-alt", "lunguage", "clear", "f1-srr-statuses", "f1-srr", "longitudinal", "bleu-1",
    "bleu-2", "bleu-3", "bleu-4", "rouge-1", "rouge-2", "rouge-l", "rouge-l-coco", "meteor-stem", "cider",
)  # fmt: skip
"""Every system's metrics and every baseline that needs nothing else; variants by name."""


class About(Struct, frozen=True):
    """One metric as tables name it."""

    name: str
    title: str
    family: str
    """Its system, `text`, `trained`, `added`; of a user's own `function`, `command` or `judge`."""

    signature: str
    """Everything that decides its numbers."""


class BuiltIn:
    """Metrics by name; a report is read once for all of them."""

    def __init__(self, names: Sequence[str], pairs: Iterable[Pair], jobs: int = 1) -> None:
        self.names, self.jobs = tuple(names), jobs
        self.references = list(dict.fromkeys(reference for reference, _ in pairs))
        signed = signatures_of(Settings(self.names))
        self.about = tuple(self.described(name, signed[name]) for name in self.names)

    def described(self, name: str, settings: str) -> About:
        """A metric that learns from the references has other numbers with other ones."""
        found = measure(name)
        fitted = found.of_texts and lookup(name).fit is not None
        seen = sha256("\0".join(self.references).encode()).hexdigest()[:8]
        return About(name, found.title, found.family, f"{settings}|references:{seen}" if fitted else settings)

    def run(self, pairs: Sequence[Pair], meter: Meter) -> Iterator[tuple[Pair, Values]]:
        grouped: dict[str, list[str]] = {}
        for reference, candidate in pairs:
            grouped.setdefault(reference, []).append(candidate)
        items = [(reference, *some) for reference, own in grouped.items() for some in batches(own, 8)]
        meter.expect("pairs", len(pairs), 0)
        for item, (found, failures) in in_order(Asker, (self.names, self.references), items, self.jobs):
            for reason in failures:
                meter.tell(f"{reason}; a pair has no score.")
            for n, candidate in enumerate(item[1:]):
                meter.advance()
                yield (item[0], candidate), {name: found[name][n] for name in self.names}


def installed(wanted: Sequence[str], chosen: bool, told: Callable[[str], None]) -> list[str]:
    """The metrics that can be used here, with trained ones of others added to a default; says what is missing."""
    names = list(wanted) if chosen else [*wanted, *EXTRAS]
    missing = [name for name in names if name in EXTRAS and not EXTRAS[name].installed]
    for install in dict.fromkeys(EXTRAS[name].install for name in missing):
        titles = ", ".join(EXTRAS[name].title for name in missing if EXTRAS[name].install == install)
        told(f"{titles}: not installed ({install}); left out.")
    return [name for name in names if name not in missing]


class Own:
    """A metric of the user's."""

    def __init__(self, name: str, family: str, lower: bool, settings: Mapping[str, str]) -> None:
        self.name, self.turn = name, -1 if lower else 1
        told = {**settings, **({"direction": "lower"} if lower else {})}
        self.about = (About(name, name, family, signature(name, **told)),)

    def value(self, value: Any) -> Values:
        """What it answered, so that higher is better; no number at all is an error, not a number is no score."""
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            try:
                value = float(value)
            except (TypeError, ValueError):
                raise BadInput(
                    f"{self.name} answered {type(value).__name__} where a number or null is wanted."
                ) from None
        return {self.name: None if value is None or not isfinite(value) else self.turn * float(value)}


class Function(Own):
    """A function of the user's: lists of references and candidates in, a number for each pair out."""

    def __init__(self, path: str, name: str = "", lower: bool = False) -> None:
        self.call = of_function(path)
        source = inspect.getsourcefile(import_module(path.partition(":")[0]))
        text = Path(source).read_bytes() if source else b""
        settings = {"function": path.replace("|", " "), "source": sha256(text).hexdigest()[:8]}
        super().__init__(name or path, "function", lower, settings)

    def run(self, pairs: Sequence[Pair], meter: Meter) -> Iterator[tuple[Pair, Values]]:
        meter.expect("pairs", len(pairs), 0)
        for some in batches(pairs, BATCH):
            for pair, value in zip(some, self.call(some), strict=True):
                meter.advance()
                yield pair, self.value(value)


class Answered(Struct):
    """A line of a command's output."""

    id: str
    score: float | None


class Command(Own):
    """A command of the user's: JSON lines with id, reference and candidate in, with id and score out, in any order."""

    def __init__(self, command: str, name: str = "", lower: bool = False) -> None:
        try:
            self.words = shlex.split(command)
        except ValueError as error:
            raise BadInput(f"The command cannot be read: {error}.") from None
        if not self.words:
            raise BadInput("The command is empty.")
        settings = {"command": sha256(command.encode()).hexdigest()[:8]}
        super().__init__(name or self.words[0], "command", lower, settings)

    def run(self, pairs: Sequence[Pair], meter: Meter) -> Iterator[tuple[Pair, Values]]:
        meter.expect("pairs", len(pairs), 0)
        asked = {str(n): pair for n, pair in enumerate(pairs)}
        with TemporaryFile() as questions:
            for id, (reference, candidate) in asked.items():
                question = {"id": id, "reference": reference, "candidate": candidate}
                questions.write(msgspec.json.encode(question) + b"\n")
            questions.seek(0)
            try:
                process = subprocess.Popen(self.words, stdin=questions, stdout=subprocess.PIPE)
            except OSError as error:
                raise BadInput(f"Cannot start {self.words[0]}: {error.strerror}.") from None
        try:
            for line in process.stdout or ():
                if line.strip():
                    try:
                        one = msgspec.json.decode(line, type=Answered)
                    except msgspec.DecodeError as error:
                        told = 'must answer lines like {"id": "0", "score": 0.8}'
                        raise BadInput(f"{self.name} {told}: {error}.") from None
                    if one.id not in asked:
                        raise BadInput(
                            f"{self.name} answered an id that was not asked, or the same one twice."
                        )
                    meter.advance()
                    yield asked.pop(one.id), self.value(one.score)
            code = process.wait()
        finally:
            process.kill()
            process.wait()
        if code or asked:
            why = f"ended with status {code}" if code else "ended"
            raise BadInput(
                f"{self.name} {why} with {len(asked)} of {len(pairs)} pairs unanswered; answers are kept."
            )


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


def judge_estimate(prompt: Prompt, pairs: Sequence[Pair], settings: LlmSettings) -> Estimate:
    letters = sum(len(reference) + len(candidate) + len(prompt.body) for reference, candidate in pairs)
    asked, told = letters // LETTERS + FRAME * len(pairs), REPLY * len(pairs)
    price = settings.prices.get(settings.model[0]) if settings.model else None
    cost = None if price is None else (asked * price.input + told * price.output) / 1e6
    return Estimate(len(pairs), asked + told, cost)


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

        settings = self.client.settings
        told = judge_estimate(self.prompt, pairs, settings)
        limits = {
            "--max-calls": (told.pairs, settings.max_calls),
            "--max-tokens": (told.tokens, settings.max_tokens),
            "--max-cost": (told.cost or 0.0, settings.max_cost),
        }
        for flag, (wanted, limit) in limits.items():
            if limit is not None and wanted > limit:  # half a bench is none
                raise BadInput(
                    f"The judge would be asked {told}: more than {flag} {limit:g} allows. Raise it, or ask fewer items "
                    "of each set with --sample."
                )
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


Source = BuiltIn | Function | Command | LlmJudge
"""What scores pairs, under one or several metrics (`about`)."""
