"""Break overread on purpose, end to end: what was tried, what survived, what was lost.

python benchmarks/faults.py              # all but drawn texts, patterns and lengths: half an hour
python benchmarks/faults.py --patterns   # the nasty patterns alone, an hour or more
python benchmarks/faults.py --texts      # 25,000 drawn fragments and 1,000 drawn loops, hours: --journal FOLDER goes on
python benchmarks/faults.py --lengths    # seconds per 10,000 characters to 100,000, each view and metric
python benchmarks/faults.py --small      # a tenth of everything, for a look
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from drills import (
    assistants,
    files,
    fuzz,
    lengths,
    load,
    manners,
    models,
    patterns,
    spoiling,
    stopping,
    tested,
)
from drills.journal import Journal
from drills.outcome import Outcome, write_inputs

from overread.runner.run.run import run

PAIRS = 12
SMALL = (1_250, 2_500, 5_000, 10_000)
"""A tenth of the lengths."""


def drills(work: Path, share: float) -> Iterator[Callable[[], Outcome]]:
    chance = random.Random(3)

    def some(count: int) -> int:
        return max(2, round(count * share))

    yield lambda: stopping.kills(work, 1, some(40), chance)
    yield lambda: stopping.kills(work, 2, some(40), chance)
    yield lambda: stopping.together(work, some(20), chance)
    yield lambda: spoiling.journals(work, chance)
    yield lambda: spoiling.full_disks(work, some(10))
    yield lambda: models.faults(work)
    yield lambda: files.mutations(work / "mutated", some(2_000))
    yield lambda: load.clients(load.CLIENTS if share == 1 else load.CLIENTS[:2])
    yield assistants.messages
    yield manners.clients
    yield lambda: spoiling.closed_folders(work)
    for name in tested.DRILLS:
        yield partial(tested.tested, name)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--small", action="store_true", help="a tenth of everything")
    parser.add_argument(
        "--only", type=int, nargs="*", help="drills by number, from 0: several runs may share them"
    )
    parser.add_argument("--patterns", action="store_true", help="the nasty patterns alone")
    parser.add_argument("--texts", action="store_true", help="drawn fragments and loops alone")
    parser.add_argument("--seed", type=int, default=fuzz.SEED, help="of the drawn texts")
    parser.add_argument("--seconds", type=float, help="the most that each drill with drawn texts may take")
    parser.add_argument(
        "--journal", type=Path, help="a folder: drawn texts that were tried are not tried again"
    )
    parser.add_argument("--lengths", action="store_true", help="time per character alone")
    given = parser.parse_args()
    if given.lengths:
        return lengths.tables(fuzz.everything_asked(), SMALL if given.small else lengths.LENGTHS)

    def kept(name: str) -> Journal:
        return Journal(given.journal and given.journal / f"{name}-{given.seed}.jsonl")

    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        write_inputs(work, PAIRS)
        # so that the processes forked from this one start with all in memory
        run(spoiling.job(work), work / "warm")
        share = 0.01 if given.small else 1.0
        if given.patterns:
            chosen: list[Callable[[], Outcome]] = [lambda: patterns.patterns(fuzz.everything_asked())]
        elif given.texts:
            chosen = [
                lambda: fuzz.fragments(round(25_000 * share), given.seconds, given.seed, kept("fragments")),
                lambda: fuzz.loops(round(1_000 * share), given.seconds, given.seed, kept("loops")),
            ]
        else:
            chosen = list(drills(work, 0.1 if given.small else 1.0))
        if given.only:
            chosen = [chosen[n] for n in given.only]
        sys.exit(1 if table(chosen) else 0)


def table(chosen: list[Callable[[], Outcome]]) -> int:
    """Print a row as each drill ends, then what was lost; how much that is."""
    print("| drill | tried | survived | lost |\n|---|---:|---:|---:|", flush=True)
    done = []
    for drill in chosen:
        done.append(drill())
        print(done[-1].row(), flush=True)
    lost = [f"{one.name}: {trouble}" for one in done for trouble in one.lost]
    print("\n".join(lost))
    return len(lost)


if __name__ == "__main__":
    main()
