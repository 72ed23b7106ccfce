"""A bench from its settings to its result: ask what is not known yet, keep it, work out the figures."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from time import perf_counter

import msgspec
from msgspec import Struct

from overread.bench.figures import Standing, standing
from overread.bench.items import Item, Pair
from overread.bench.journal import NAME, Journal
from overread.bench.readers import Reader
from overread.bench.sets import CANARY, VERSION, Sets
from overread.bench.sources import About, BuiltIn, Source
from overread.bench.timing import seconds_alone, timed_pairs
from overread.runner.meter import Meter
from overread.version import __version__


class Asked(Struct, frozen=True):
    """What the sets of a run were."""

    sets: dict[str, int]
    """Set → items asked."""

    hashes: dict[str, str]
    hash: str
    pairs: int
    sample: int | None = None
    absent: tuple[str, ...] = ()


class Metrics(Struct, frozen=True):
    """The metrics track: what was asked, how every metric did, and how on the private part where there is one."""

    asked: Asked
    standings: tuple[Standing, ...]
    private_asked: Asked | None = None
    private: tuple[Standing, ...] = ()


class Bench(Struct, frozen=True):
    """All of bench.json."""

    bench: str = VERSION
    overread: str = __version__
    canary: str = CANARY
    metrics: Metrics | None = None
    readers: tuple[Reader, ...] = ()


def asked_of(sets: Sets, sample: int | None) -> Asked:
    counts: dict[str, int] = {}
    for item in sets.items:
        counts[item.set] = counts.get(item.set, 0) + 1
    return Asked(counts, sets.hashes, sets.hash, len(pairs_of(sets.items)), sample, sets.absent)


def pairs_of(items: Sequence[Item]) -> list[Pair]:
    """Every pair once, in order."""
    return list(dict.fromkeys(pair for item in items for pair in item.pairs))


def run_metrics(
    sources: Sequence[Source],
    sets: Sets,
    folder: Path,
    *,
    private: Sets | None = None,
    sample: int | None = None,
    restart: bool = False,
    meter: Meter | None = None,
) -> Metrics:
    """Every metric on every item; what an earlier run in this folder found out is not asked again."""
    shown = meter or Meter()
    about = [one for source in sources for one in source.about]
    hidden = private.items if private else []
    pairs = pairs_of([*sets.items, *hidden])
    with closing(Journal(folder / NAME, {one.name: one.signature for one in about}, restart)) as journal:
        for source in sources:
            ask(source, pairs, journal, shown)
        found = tuple(ranked_standings(about, sets.items, journal))
        own = tuple(ranked_standings(about, hidden, journal)) if hidden else ()
    told = asked_of(private, sample) if private else None
    return Metrics(
        asked_of(sets, sample), found, told, tuple(msgspec.structs.replace(s, worst=()) for s in own)
    )


def ask(source: Source, pairs: Sequence[Pair], journal: Journal, meter: Meter) -> None:
    names = [one.name for one in source.about]
    missing = journal.missing(names, pairs)
    meter.stage(", ".join(names) if len(names) < 4 else f"{len(names)} metrics")
    start = perf_counter()
    done = 0
    try:
        for pair, values in source.run(missing, meter) if missing else ():
            journal.add(pair, values)
            done += 1
    finally:
        asked = getattr(source, "fresh", done)  # what a judge was asked before costs nothing now
        if asked and not isinstance(source, BuiltIn):
            journal.add_stint(names[0], asked, perf_counter() - start, getattr(source, "money", None))
    if isinstance(source, BuiltIn):
        clock(source, pairs, journal, meter)


def clock(source: BuiltIn, pairs: Sequence[Pair], journal: Journal, meter: Meter) -> None:
    """Time each metric alone: together they share their readings."""
    items = timed_pairs(pairs)
    waiting = [name for name in source.names if not journal.spent[name]]
    meter.expect("metrics to time", len(waiting), 0)
    for name in waiting:
        journal.add_stint(name, sum(len(item) - 1 for item in items), seconds_alone(name, items))
        meter.advance()


def ranked_standings(about: Sequence[About], items: Sequence[Item], journal: Journal) -> Iterator[Standing]:
    """Best first."""
    found = [standing(one, items, journal.of, journal.spent[one.name]) for one in about]
    yield from sorted(found, key=lambda one: -one.overall.value)
