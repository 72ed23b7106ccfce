"""Which counts a metric's formula looks at, so that resampling leaves the others alone.

F1-SRR keeps a few hundred counts per pair for its tables and needs two of them for its score: adding up all
of them ten thousand times would be most of the run.
"""

from collections.abc import Iterator, Mapping

from overread.runner.measures import Corpus


class Watched(Mapping[str, float]):
    """Counts that remember which of them were looked at; walking over them counts as looking at all."""

    def __init__(self, counts: Mapping[str, float]) -> None:
        self.counts = counts
        self.seen: set[str] = set()

    def __getitem__(self, name: str) -> float:
        self.seen.add(name)
        return self.counts[name]

    def __iter__(self) -> Iterator[str]:
        self.seen.update(self.counts)
        return iter(self.counts)

    def __len__(self) -> int:
        return len(self.counts)


def needed(corpus: Corpus, totals: list[Mapping[str, float]], names: list[str]) -> list[str]:
    """The counts that decide the score of every one of `totals`; all of them where the test fails.

    >>> needed(lambda counts: counts["tp"] / counts["n"], [{"tp": 1.0, "n": 2.0, "other": 5.0}], ["n", "other", "tp"])
    ['n', 'tp']
    """
    seen: set[str] = set()
    for total in (*totals, dict.fromkeys(names, 1.0)):
        watched = Watched(total)
        corpus(watched)
        seen |= watched.seen
    chosen = [name for name in names if name in seen]
    same = all(corpus({n: total[n] for n in chosen}) == corpus(total) for total in totals)
    return chosen if chosen and same else names
