"""A bench from its settings to its result: ask what is not known yet, keep it line by line, work out the figures."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import msgspec
from msgspec import Struct

from overread.bench.figures import Standing, standing
from overread.bench.items import BenchItem, Pair, key_of
from overread.bench.readers import Reader
from overread.bench.sets import CANARY, VERSION, Asked, Sets, pairs_of
from overread.bench.sources import About, BuiltIn, Source
from overread.errors import BadInput, OverreadError
from overread.runner.meter import Meter
from overread.validation.measured import Asker, Texts
from overread.version import __version__
from overread.whole import file_mode, writing

NAME = "values.jsonl"


class Journal:
    """Metric → pair → value, and what it cost; values of a metric with other settings are forgotten."""

    def __init__(self, path: Path, signatures: Mapping[str, str], restart: bool = False) -> None:
        self.path = path
        self.signatures: dict[str, str] = {}
        self.values: dict[str, dict[str, float | None]] = defaultdict(dict)
        self.spent: dict[str, list[tuple[int, float, float | None]]] = defaultdict(list)
        """Metric → stints: pairs, seconds, money."""

        if restart:
            path.unlink(missing_ok=True)
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        whole = [line for line in lines if line.endswith(b"\n")]
        try:
            told = [msgspec.json.decode(line) for line in whole]
        except msgspec.DecodeError:
            raise BadInput(
                f"{path} is damaged. Begin anew with --restart, or in another folder with -o."
            ) from None
        for line in told:
            self.take(line)
        with writing(path.parent):
            path.touch(mode=file_mode())
            self.file = path.open("ab")
            self.file.truncate(sum(map(len, whole)))
        for name, signature in signatures.items():
            if self.signatures.get(name) != signature:
                self.add(metric=name, signature=signature)

    def take(self, line: dict[str, Any]) -> None:
        """What a line tells: the settings of a metric, a stint of asking it, or the values of a pair."""
        if "signature" in line:
            self.signatures[line["metric"]] = line["signature"]
            self.values[line["metric"]], self.spent[line["metric"]] = {}, []
        elif "seconds" in line:
            self.spent[line["metric"]].append((line["pairs"], line["seconds"], line.get("money")))
        else:
            for name, value in line["values"].items():
                self.values[name][line["pair"]] = value

    def add(self, **line: Any) -> None:
        """Take a line and write it."""
        self.take(line)
        with writing(self.path.parent):
            self.file.write(msgspec.json.encode(line) + b"\n")
            self.file.flush()

    def missing(self, names: Sequence[str], pairs: Sequence[Pair]) -> list[Pair]:
        """Pairs for which some of these metrics have no value yet."""
        return [pair for pair in pairs if any(key_of(pair) not in self.values[name] for name in names)]

    def of(self, metric: str, pair: Pair) -> float | None:
        return self.values[metric][key_of(pair)]

    def close(self) -> None:
        self.file.close()


REFERENCES = 6
"""So many, each with its candidates, are scored once more to be timed."""

FIRST = ("There is a small left pleural effusion.", "Small effusion on the left.")
"""Scored before the clock starts: tables and weights are loaded once, and not counted."""


def seconds_alone(name: str, items: Sequence[Texts]) -> float:
    """Seconds of processor time for all of these."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        try:
            return pool.submit(seconds, name, items).result()
        except OSError as error:
            raise OverreadError(f"{name} could not be timed: {error}.") from error


def seconds(name: str, items: Sequence[Texts]) -> float:
    asker = Asker((name,), [item[0] for item in items])
    asker(FIRST)
    start = process_time()
    for item in items:
        asker(item)
    return process_time() - start


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


def run_metrics(
    sources: Sequence[Source],
    sets: Sets,
    folder: Path,
    *,
    private: Sets | None = None,
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
        found = ranked_standings(about, sets.items, journal)
        own = ranked_standings(about, hidden, journal) if hidden else ()
    unnamed = tuple(msgspec.structs.replace(one, worst=()) for one in own)
    return Metrics(sets.asked, found, private.asked if private else None, unnamed)


def ask(source: Source, pairs: Sequence[Pair], journal: Journal, meter: Meter) -> None:
    names = [one.name for one in source.about]
    missing = journal.missing(names, pairs)
    meter.stage(", ".join(names) if len(names) < 4 else f"{len(names)} metrics")
    start = perf_counter()
    done = 0
    try:
        for pair, values in source.run(missing, meter) if missing else ():
            journal.add(pair=key_of(pair), values=values)
            done += 1
    finally:
        asked = getattr(source, "fresh", done)  # what a judge was asked before costs nothing now
        if asked and not isinstance(source, BuiltIn):
            spent, money = perf_counter() - start, getattr(source, "money", None)
            journal.add(metric=names[0], pairs=asked, seconds=spent, money=money)
    if isinstance(source, BuiltIn):
        clock(source, pairs, journal, meter)


def clock(source: BuiltIn, pairs: Sequence[Pair], journal: Journal, meter: Meter) -> None:
    """Time each metric alone: together they share their readings."""
    references = list(islice(dict.fromkeys(reference for reference, _ in pairs), REFERENCES))
    items = [(one, *(text for reference, text in pairs if reference == one)) for one in references]
    waiting = [name for name in source.names if not journal.spent[name]]
    meter.expect("metrics to time", len(waiting), 0)
    for name in waiting:
        timed = sum(len(item) - 1 for item in items)
        journal.add(metric=name, pairs=timed, seconds=seconds_alone(name, items), money=None)
        meter.advance()


def ranked_standings(
    about: Sequence[About], items: Sequence[BenchItem], journal: Journal
) -> tuple[Standing, ...]:
    """Best first."""
    found = [standing(one, items, journal.of, journal.spent[one.name]) for one in about]
    return tuple(sorted(found, key=lambda one: -one.overall.value))
