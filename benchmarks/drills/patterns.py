"""Time must grow with length and nothing else: nasty texts of 1,000, 10,000 and 100,000 characters."""

import signal
import sys
from collections.abc import Callable, Iterator
from time import process_time

from nasty_patterns import PATTERNS

from drills.outcome import Outcome
from overread.judge import pair_answers
from overread.reader.hearing import encoded
from overread.report import Patient, Study, parse
from overread.runner.limits import describe
from overread.runner.measures import Measure
from overread.runner.run.scorer import Scorer
from overread.runner.timelines import timeline
from overread.runner.views import Views

SCORES = ("lunguage", "radsem", "clear", "f1-srr", "longitudinal", "overread")
LENGTHS = (1_000, 10_000, 100_000)
MOST = 3.0
"""Time per character may be so many times that of the shortest text."""

LEAST = 0.02
"""Seconds: what takes less at the shortest length is measured too coarsely to be held against the longest."""

Times = dict[str, float]
"""Reading alone, and each score of a text against itself with all it needs: seconds of processor time."""


def seconds(scorer: Scorer, text: str) -> Times:
    """What each job takes; the two readings are made once, and counted for every score."""
    forget()
    start = process_time()
    sides = [scorer.views(parse(text, name)) for name in "12"]
    for side in sides:
        _ = side.reading.findings
    both = process_time() - start
    found = {"reading": both}
    for one in scorer.measures:
        start = process_time()
        if one.unit == "report":
            scorer.score(one, *sides)
        else:
            followed(scorer, one, sides)
        found[one.name] = both + process_time() - start
    return found


def followed(scorer: Scorer, one: Measure, sides: list[Views]) -> None:
    """The two as studies of one patient, and the patient held against himself."""
    patient = Patient("p", tuple(Study(n, float(n), side.report) for n, side in enumerate(sides, 1)))
    system, metric = scorer.systems[one.name]
    history = timeline(patient, {side.report.id: side for side in sides}, system)
    metric.score(history, history)


def forget() -> None:
    """Sentences and pairs that were met before are remembered: here each text is met for the first time."""
    encoded.cache_clear()
    pair_answers.cache_clear()


class Spent(BaseException):
    """A text took more processor time than it may; nothing in between may catch this."""


def limited(scorer: Scorer, text: str, most: float) -> Times | str:
    """Processor time is what counts: the machine may be busy with other work."""

    def ring(*_: object) -> None:
        raise Spent

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, most)
    try:
        return seconds(scorer, text)
    except Spent:
        return f"more than {most:.0f} s of processor time"
    except Exception as error:
        return describe(error)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def grown(short: Times, long: Times, first: int, length: int) -> Iterator[tuple[str, float]]:
    """Each job with how many times longer it takes per character."""
    for name, took in long.items():
        yield name, (took / length) / (max(short[name], LEAST) / first)


def verdicts(scorer: Scorer, pattern: str, lengths: tuple[int, ...], most: float) -> dict[str, str | None]:
    """For each job None, or how the time per character grew; longer texts are not tried once one did."""
    make, first = PATTERNS[pattern], lengths[0]
    seconds(scorer, make(200))
    tries = [seconds(scorer, make(first)) for _ in range(3)]
    short = {name: min(one[name] for one in tries) for name in tries[0]}
    found: dict[str, str | None] = dict.fromkeys(short)
    for length in lengths[1:]:
        long = limited(scorer, make(length), most)
        if isinstance(long, str):
            return dict.fromkeys(short, f"{long} at {length:,}")
        worst = max(grown(short, long, first, length), key=lambda one: one[1])
        told = f"{worst[1]:.2f} times per character for {worst[0]}"
        print(f"{pattern}, {length:,}: {told} ({long[worst[0]]:.2f} s)", file=sys.stderr, flush=True)
        for name, growth in grown(short, long, first, length):
            if growth > MOST and found[name] is None:
                found[name] = f"{growth:.1f} times per character at {length:,} ({long[name]:.1f} s)"
        if any(found.values()):
            break
    return found


def patterns(
    scorer: Scorer,
    lengths: tuple[int, ...] = LENGTHS,
    most: float = 300.0,
    tell: Callable[[str], None] = print,
    names: tuple[str, ...] = tuple(PATTERNS),
) -> Outcome:
    outcome = Outcome(f"nasty patterns × (reading, every metric), up to {lengths[-1]:,} characters")
    for pattern in names:
        for job, trouble in verdicts(scorer, pattern, lengths, most).items():
            outcome.count(None if trouble is None else f"{job}, {pattern}: {trouble}")
            if trouble is not None:
                tell(outcome.lost[-1])
    return outcome
