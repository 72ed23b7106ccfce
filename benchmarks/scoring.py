"""Time per pair of every metric beside BLEU, and memory from a thousand pairs to a hundred thousand.

    python benchmarks/scoring.py                                  # minutes: times, and 1,000 against 10,000 pairs
    python benchmarks/scoring.py --sizes 1000 100000 --jobs 8     # the long one
    python benchmarks/scoring.py --sizes 1000 100000 --metric clear rouge-l
    python benchmarks/scoring.py --parallel 1000                  # `overread score` with one process and with two
    python benchmarks/scoring.py --five 1000                      # the five systems' scores, as a run meets its pairs

Pairs are `openi_generated_pairs.jsonl` from the folder in OVERREAD_DATA when that is set, else the bundled example;
larger sets are drawn from them with a fixed seed. Times are processor time of one core, reading included in each
metric as if it were asked alone, and then all of them together, reading once. Memory is the peak of a fresh process
that joins, scores, adds up and writes its files, as `overread score` does.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import invented
from lines import rows

from overread import examples
from overread.judge import pair_answers
from overread.reader.hearing import encoded
from overread.report import parse
from overread.runner.measures import DEFAULT
from overread.runner.run.pairs import Pair
from overread.runner.run.process import ONE_THREAD, single_threaded
from overread.runner.run.scorer import Scorer
from overread.runner.settings import Settings

FIVE = ("lunguage", "radsem", "clear", "f1-srr", "longitudinal")
TIMED = (*DEFAULT, "radsem-alt", "bleu-1", "rouge-1", "meteor-stem")
Texts = list[tuple[str, str]]


def texts() -> Texts:
    """Reference and candidate of every pair there is."""
    if folder := os.environ.get("OVERREAD_DATA"):
        found = rows(Path(folder) / "openi_generated_pairs.jsonl", "reference", "candidate")
        return [(row["reference"], row["candidate"]) for row in found]
    with examples.folder() as place:
        names = (examples.REFERENCES, f"{examples.SYSTEMS[0]}.jsonl")
        sides = [rows(place / n, "report") for n in names]
    return [(one["report"], two["report"]) for one, two in zip(*sides, strict=True)]


def milliseconds(found: Texts, *metrics: str) -> float:
    """Per pair, parsing and reading included; best of two rounds."""
    scorer = Scorer(Settings(metrics, explain=False))
    pairs = [(str(n), one, two) for n, (one, two) in enumerate(found)]
    rounds = []
    for _ in range(2):
        start = process_time()
        for n, (id, one, two) in enumerate(pairs):
            scorer(Pair(n, parse(one, id), {"s": parse(two, id)}))
        rounds.append(process_time() - start)
    return 1000 * min(rounds) / len(pairs)


def show_times(found: Texts) -> None:
    bleu = milliseconds(found, "bleu-4")
    print(f"{len(found)} pairs\n{'metric':<16} {'ms a pair':>10} {'BLEU-4 = 1':>11}")
    for name in TIMED:
        took = milliseconds(found, name)
        print(f"{name:<16} {took:>10.2f} {took / bleu:>11.1f}")
    took = milliseconds(found, *DEFAULT)
    print(f"{'default together':<16} {took:>10.2f} {took / bleu:>11.1f}")


def show_five(found: Texts, size: int) -> None:
    """Each pair once as it comes: the first ones are new in every word, later ones repeat sentences of others."""
    drawn = random.Random(size).choices(found, k=size) if size > len(found) else found[:size]
    scorer = Scorer(Settings(FIVE, explain=False))
    scorer(
        Pair(0, parse(found[-1][0], ""), {"s": parse(found[-1][1], "")})
    )  # reads tables, loads the network
    forget()
    start = process_time()
    for n, (one, two) in enumerate(drawn):
        scorer(Pair(n, parse(one, str(n)), {"s": parse(two, str(n))}))
    took = 1000 * (process_time() - start) / size
    print(f"five scores of {size:,} pairs {took:6.2f} ms a pair")


def forget() -> None:
    """As in a new process: no sentence was met before."""
    encoded.cache_clear()
    pair_answers.cache_clear()


def draw(found: Texts, size: int, place: Path) -> tuple[Path, Path]:
    """So many pairs, drawn with replacement, as two files."""
    chance = random.Random(size)
    sides = place / "references.jsonl", place / "candidates.jsonl"
    with sides[0].open("w", encoding="utf-8") as one, sides[1].open("w", encoding="utf-8") as two:
        for n in range(size):
            reference, candidate = chance.choice(found)
            one.write(json.dumps({"id": str(n), "report": reference}) + "\n")
            two.write(json.dumps({"id": str(n), "report": candidate}) + "\n")
    return sides


def peak(found: Texts, size: int, metrics: list[str], jobs: int) -> tuple[float, float]:
    """Megabytes and seconds of a whole run in a process of its own."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        references, candidates = draw(found, size, place)
        command = [sys.executable, __file__, "--child", str(references), str(candidates), "--jobs", str(jobs)]
        start = perf_counter()
        done = subprocess.run([*command, "--metric", *metrics], stdout=subprocess.PIPE, check=True, text=True)
        return float(done.stdout), perf_counter() - start


def child(references: Path, candidates: Path, metrics: list[str], jobs: int) -> None:
    """Run, and print this process's peak; with workers, the largest of theirs where that is more."""
    from overread.formats import load
    from overread.runner.run.job import Job
    from overread.runner.run.run import run

    job = Job(load(references), {"candidate": load(candidates)}, Settings(tuple(metrics)))
    run(job, references.parent / "out", jobs=jobs)
    own, theirs = (
        resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    print(max(own, theirs) / 1024)


def show_parallel(size: int, rounds: int = 2) -> None:
    """The whole command, page and all, on invented pairs; one process and two take turns and must write the same."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        invented.write(size, place, 1, "jsonl", pairs=True)
        took: dict[int, list[float]] = {1: [], 2: []}
        for n in range(rounds):
            for jobs in took:
                seconds, processor = whole_command(place, place / f"{n}-{jobs}", jobs)
                took[jobs].append(seconds)
                print(f"-j {jobs}: {seconds:.1f} s, processor {processor:.1f} s without workers", flush=True)
        assert len({path.read_bytes() for path in place.glob("*/results.jsonl")}) == 1
    print(f"{size} pairs: two processes are {min(took[1]) / min(took[2]):.2f} times as fast as one")


def whole_command(place: Path, out: Path, jobs: int) -> tuple[float, float]:
    """Wall clock and processor time, as of an installed package, whose modules are compiled already.

    From a checkout, where nobody keeps what was compiled, each process would compile three hundred files as it starts.
    """
    (pairs,) = place.glob("*.jsonl")
    command = [str(Path(sys.executable).with_name("overread")), "score", str(pairs), "-o", str(out), "-q"]
    kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(place / "compiled")}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    subprocess.run(
        [*command, "-j", str(jobs)], check=True, stdout=subprocess.DEVNULL, env={**os.environ, **kept}
    )
    after, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter() - start
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    if (
        ONE_THREAD[0] not in os.environ
    ):  # numpy is here already; `overread` forbids it more threads before it comes
        with single_threaded():
            sys.exit(subprocess.run([sys.executable, *sys.argv]).returncode)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000, 10_000])
    parser.add_argument("--metric", nargs="*", default=list(DEFAULT))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=100, help="pairs to take the time of; 0 for none")
    parser.add_argument("--parallel", type=int, help="pairs for one process and two; instead of the rest")
    parser.add_argument("--five", type=int, help="pairs for the five systems' scores; instead of the rest")
    parser.add_argument("--child", type=Path, nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        child(*asked.child, asked.metric, asked.jobs)
        return
    if asked.parallel:
        show_parallel(asked.parallel)
        return
    found = texts()
    if asked.five:
        show_five(found, asked.five)
        return
    if asked.pairs:
        show_times(found[: asked.pairs])
    for size in asked.sizes:
        megabytes, seconds = peak(found, size, asked.metric, asked.jobs)
        print(
            f"{size:>9,} pairs: {megabytes:6.0f} MB at most, {seconds:7.1f} s, {1000 * seconds / size:.2f} ms a pair"
        )


if __name__ == "__main__":
    main()
