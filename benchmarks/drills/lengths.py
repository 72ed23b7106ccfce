"""Seconds per 10,000 characters of every view and metric, at lengths to 100,000 characters."""

import random
from collections.abc import Callable
from functools import partial
from time import process_time

from nasty_patterns import finding

from drills import patterns
from drills.drawn import sentences
from overread.report import parse
from overread.runner.run.scorer import Scorer
from overread.systems import registry

LENGTHS = (12_500, 25_000, 50_000, 100_000)


Text = Callable[[int, int], str]
"""A length and a seed: two seeds give two texts that share what two reports share."""


def filled(length: int, said: Callable[[int], str], between: str) -> str:
    parts: list[str] = []
    have = 0
    while have < length:
        parts.append(said(len(parts)))
        have += len(parts[-1]) + len(between)
    return between.join(parts)[:length]


def varied(length: int, seed: int) -> str:
    """Sentences of invented reports, each with a number of its own: none is passed over as said before."""
    chance = random.Random(seed)
    return filled(length, lambda n: f"{chance.choice(sentences()).rstrip('.')} on image {n + 1}.", " ")


def listed(length: int, seed: int) -> str:
    """Numbered lines, each a list of findings."""
    chance = random.Random(seed)
    return filled(
        length, lambda n: f"{n + 1}. {', '.join(finding(chance.randrange(9_999)) for _ in range(5))}.", "\n"
    )


def phrase(length: int, seed: int) -> str:
    """The phrase that once took for ever, numbered: in the same words it is passed over."""
    return filled(length, lambda n: f"lateral segment of the left lower lobe {seed * n}", " ")


TEXTS: dict[str, Text] = {"sentences": varied, "a phrase said again": phrase, "lists": listed}


def seconds(scorer: Scorer, one: str, other: str) -> dict[str, float]:
    """Processor time of reading a text, of each view of the reading, and of each score against another text."""
    patterns.forget()
    sides = [scorer.views(parse(text, name)) for name, text in (("1", one), ("2", other))]
    found = {"reading": took(lambda: sides[0].reading.findings)}
    for name in registry.names():
        system = registry.system(name)
        found[f"view {name}"] = took(partial(sides[0].of, system))
        sides[1].of(system)
    for measure in scorer.measures:
        if measure.unit == "report":
            found[measure.name] = took(partial(scorer.score, measure, *sides))
        else:
            found[measure.name] = took(partial(patterns.followed, scorer, measure, sides))
    return found


def took(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def tables(scorer: Scorer, lengths: tuple[int, ...] = LENGTHS, tell: Callable[[str], None] = print) -> None:
    """A table for each kind of text: a row for each job, told as soon as its last length is through."""
    for name, text in TEXTS.items():
        seconds(scorer, text(1_000, 3), text(1_000, 4))  # what is loaded on first use is not counted
        found = [seconds(scorer, text(length, 1), text(length, 2)) for length in lengths]
        tell(f"\n| {name} | {' | '.join(f'{length:,}' for length in lengths)} |")
        tell(f"|---|{'---:|' * len(lengths)}")
        for job in found[0]:
            each = (times[job] * 10_000 / length for times, length in zip(found, lengths, strict=True))
            tell(f"| {job} | {' | '.join(f'{one:.2f}' for one in each)} |")
