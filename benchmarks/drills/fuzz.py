"""Drawn texts put through every view and metric: nothing raises, and time grows with length alone."""

import random
from collections.abc import Callable
from time import process_time

from msgspec.json import encode
from msgspec.structs import replace

from drills import patterns
from drills.drawn import Loop, fragment, loop, sentences
from drills.journal import Journal, Tried
from drills.outcome import Outcome
from overread.baselines.registry import lookup
from overread.reader.check import check
from overread.report import Report, parse
from overread.runner.explained import explained
from overread.runner.limits import ITEM_SECONDS, Clock, describe
from overread.runner.measures import everything
from overread.runner.run.pairs import Pair
from overread.runner.run.scorer import FOREVER, REFERENCE_ROLE, Scorer, Visits
from overread.runner.settings import Settings
from overread.runner.views import Views, encode_view
from overread.systems import registry

SEED = 11
LENGTHS = (1_000, 8_000)
LONG = 100_000
WORST = 20
"""Loops that are tried at the full length: those whose time grew most."""


class Remembering(Scorer):
    """Reads and views a text once, however often a drill asks for it."""

    def views(self, report: Report, role: str = REFERENCE_ROLE) -> Views:
        if not hasattr(self, "seen"):
            self.seen: dict[str, Views] = {}
        if report.text not in self.seen:
            if len(self.seen) > 2:
                del self.seen[next(iter(self.seen))]
            self.seen[report.text] = super().views(report, role)
        return self.seen[report.text]


def everything_asked(kind: type[Scorer] = Scorer) -> Scorer:
    """Every metric that needs nothing but this package."""
    names = tuple(everything(patients=True))
    return kind(Settings(names), fitted={"cider": lookup("cider").fit(sentences()[:200])})


def raised(scorer: Scorer, text: str, other: str) -> str | None:
    """What goes wrong with a text in any view, score, explanation or doubt."""
    try:
        views = scorer.views(parse(text, "1"))
        for name in registry.names():
            encode_view(views.of(registry.system(name)))
        encode(explained(views.reading, scorer.words))
        encode(check(views.reading))
        return unscored(scorer, text, other)
    except Exception as error:
        return describe(error)


def unscored(scorer: Scorer, text: str, other: str) -> str | None:
    """The first metric that fails between two texts, or with them as two studies of one patient."""
    one, two = (
        replace(parse(words, str(day)), patient="p", day=float(day))
        for day, words in enumerate((text, other))
    )
    pairs = (Pair(0, one, {"ours": two}), Pair(1, two, {"ours": one}))
    clock = Clock(FOREVER)
    done = (scorer.pair(pairs[0], clock), scorer.patient(Visits(0, "p", pairs), clock))
    return next((f"{row.metric}: {row.failed}" for one in done for row in one.rows if row.failed), None)


def fragments(
    count: int, seconds: float | None = None, seed: int = SEED, journal: Journal | None = None
) -> Outcome:
    """So many fragments, or as many as the time allows; one that takes longer than a row may is lost."""
    outcome = Outcome("drawn fragments × (every view, metric, doubt and explanation)")
    scorer = everything_asked(Remembering)

    def tried(number: int) -> Tried:
        text, before = (fragment(drawing(seed, n)) for n in (number, number - 1))
        start = process_time()
        trouble = raised(scorer, text, before)
        took = process_time() - start
        if trouble is None and took > ITEM_SECONDS:
            trouble = f"slow, {took:.0f} s"
        return Tried(number, trouble and f"{trouble}: {text!r} against {before!r}", took)

    for one in (journal or Journal()).through(range(count), tried, seconds):
        outcome.count(one.trouble)
    return outcome


def loops(
    count: int,
    seconds: float | None = None,
    seed: int = SEED,
    journal: Journal | None = None,
    tell: Callable[[str], None] = print,
) -> Outcome:
    """So many loops, each read and scored in two lengths; those that grew most also in the full one."""
    outcome = Outcome(f"drawn loops × (reading, every metric), the {WORST} worst to {LONG:,} characters")
    scorer = everything_asked()

    def tried(number: int) -> Tried:
        one = loop(drawing(seed, number))
        trouble, growth = flat(scorer, one, LENGTHS)
        return Tried(number, trouble and f"{one}: {trouble}", growth)

    grew = list((journal or Journal()).through(range(count), tried, seconds))
    for found in grew:
        outcome.count(found.trouble)
    for found in sorted(grew, key=lambda found: -found.cost)[:WORST]:
        one = loop(drawing(seed, found.number))
        trouble, growth = flat(scorer, one, (LENGTHS[0], LONG))
        tell(f"{one}: {growth:.1f} times per character at {LONG:,}")
        outcome.count(trouble and f"{one} at {LONG:,}: {trouble}")
    return outcome


def drawing(seed: int, number: int) -> random.Random:
    """Each text has a chance of its own: it can be drawn again without those before it."""
    return random.Random(f"{seed}:{number}")


def flat(scorer: Scorer, one: Loop, lengths: tuple[int, int]) -> tuple[str | None, float]:
    """What is wrong with the time a loop takes, or with the loop itself; and how many times it grew per character."""
    short, long = (one.text(length) for length in lengths)
    most = 60.0 + lengths[1] / 100
    trouble = raised(scorer, short, "Clear lungs.")
    if trouble is not None:
        return trouble, 0.0
    worst = ("", 0.0)
    for _ in range(3):  # a busy machine may slow one measurement, not three
        first = patterns.seconds(scorer, short)
        took = patterns.limited(scorer, long, most)
        if isinstance(took, str):
            return took, 1000.0
        worst = max(patterns.grown(first, took, *lengths), key=lambda found: found[1])
        if worst[1] <= patterns.MOST:
            return None, worst[1]
    return f"{worst[1]:.1f} times per character for {worst[0]}", worst[1]
