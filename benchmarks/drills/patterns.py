"""Time must grow with length and nothing else: nasty texts of 1,000, 10,000 and 100,000 characters."""

from collections.abc import Callable
from time import process_time

from nasty_patterns import PATTERNS

from drills.outcome import Outcome
from overread.reader import read
from overread.report import parse
from overread.runner.limits import Clock, attempted, timed
from overread.runner.measures import measure
from overread.runner.recipe import Recipe
from overread.runner.scorer import Scorer

SCORES = ("lunguage", "radsem", "clear", "f1-srr", "longitudinal")
LENGTHS = (1_000, 10_000, 100_000)
MOST = 3.0
"""Time per character may be so many times that of the shortest text."""

LEAST = 0.02
"""Seconds: what takes less at the shortest length is measured too coarsely to be held against the longest."""


def jobs() -> dict[str, Callable[[str], object]]:
    """What is timed: reading alone, and each score of a text against itself, reading included."""
    return {"reading": lambda text: read(parse(text)).findings} | {name: scoring(name) for name in SCORES}


def scoring(name: str) -> Callable[[str], object]:
    scorer, found = Scorer(Recipe((name,))), measure(name)

    def score(text: str) -> object:
        return scorer.score(found, scorer.views(parse(text, "1")), scorer.views(parse(text, "2")))

    return score


def seconds(work: Callable[[str], object], text: str, most: float) -> float | None:
    """Processor time; None where it took longer than `most`."""
    start = process_time()
    with timed(most) as clock:
        found = attempted(lambda: work(text) and None, clock)
    if found == Clock.why.fget(clock):  # type: ignore[attr-defined]
        return None
    if isinstance(found, str):
        raise RuntimeError(found)
    return process_time() - start


def verdict(work: Callable[[str], object], pattern: str, lengths: tuple[int, ...], most: float) -> str | None:
    """None, or how the time per character grew; longer texts are not tried once it did."""
    make, first = PATTERNS[pattern], lengths[0]
    work(make(200))
    short = max(min(seconds(work, make(first), most) or most for _ in range(3)), LEAST * first / LENGTHS[0])
    for length in lengths[1:]:
        took = seconds(work, make(length), most)
        if took is None:
            return f"over {most:g} s at {length:,}"
        growth = took / length / (short / first)
        if growth > MOST:
            return f"{growth:.1f} times per character at {length:,} ({took:.1f} s)"
    return None


def patterns(
    lengths: tuple[int, ...] = LENGTHS, most: float = 20.0, tell: Callable[[str], None] = print
) -> Outcome:
    outcome = Outcome(f"nasty patterns × (reading, five scores), up to {lengths[-1]:,} characters")
    for name, work in jobs().items():
        for pattern in PATTERNS:
            try:
                trouble = verdict(work, pattern, lengths, most)
            except RuntimeError as error:
                trouble = str(error)
            outcome.count(None if trouble is None else f"{name}, {pattern}: {trouble}")
            if trouble is not None:
                tell(outcome.lost[-1])
    return outcome
