"""What is finished → the files of the run; the same lines in the same order however often it was stopped."""

from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from overread.runner import breakdown, folder
from overread.runner.board import Board, census
from overread.runner.breakdown import Tally
from overread.runner.job import measures_of
from overread.runner.pairs import Pairs
from overread.runner.recipe import Recipe
from overread.runner.relations import correlations
from overread.runner.rows import encode, read_rows
from overread.runner.scorer import Finished
from overread.runner.standings import rankings
from overread.runner.summary import Draws, Summary
from overread.stats.clean import Matrix
from overread.stats.correlation import ranks
from overread.whole import whole, writing


class Seen:
    """What is added up while the finished units go by."""

    def __init__(self, systems: Iterable[str]) -> None:
        self.notes = {system: Counter[str]() for system in systems}
        self.tallies: dict[str, Tally] = {system: {} for system in systems}

    def add(self, unit: Finished) -> None:
        for system, more in unit.tallies.items():
            breakdown.add(self.tallies[system], more)
        if unit.unit == "report":
            odd = {row.system: row.note for row in unit.rows if row.note is not None}
            for system, note in odd.items():
                self.notes[system][note] += 1


class Lines:
    """results.jsonl and details.jsonl while they are written; they have their names when both are whole."""

    def __init__(self, place: Path, systems: Iterable[str], recipe: Recipe) -> None:
        self.place, self.explain = place, recipe.explain
        self.seen = Seen(systems)

    def __enter__(self) -> "Lines":
        with writing(self.place), ExitStack() as opened:
            self.results = opened.enter_context(whole(self.place / folder.RESULTS))
            self.details = opened.enter_context(whole(self.place / folder.DETAILS))
            self.files = opened.pop_all()
        return self

    def add(self, unit: Finished) -> None:
        self.seen.add(unit)
        with writing(self.place):
            self.results.write(encode(unit.rows))
            if self.explain:
                self.details.write(msgspec.json.encode(folder.detail(unit)) + b"\n")

    def __exit__(self, *error: Any) -> None:
        with writing(self.place):
            self.files.__exit__(*error)


def add_up(rows: Path, recipe: Recipe) -> Board:
    """The board of a results file, read twice: who is there, then what they got."""
    pooled = frozenset(m.name for m in measures_of(recipe).values() if m.corpus is not None)
    return Board(census(read_rows(rows)), pooled).fill(read_rows(rows))


def summarised(
    board: Board, pairs: Pairs, seen: Seen, recipe: Recipe, signatures: dict[str, str], draws: Draws
) -> Summary:
    return Summary(
        reports=len(pairs),
        patients=len(pairs.patients()),
        accounts=pairs.accounts,
        notes={system: dict(sorted(found.items())) for system, found in seen.notes.items()},
        draws=draws,
        drawn="patients" if board.who.patients else "reports",
        metrics=rankings(board, measures_of(recipe), signatures, draws),
        correlation=correlations(board),
        breakdown=seen.tallies,
    )


def worst(board: Board, count: int) -> list[int]:
    """Places of the pairs that rank lowest over the metrics with one of the systems; in reading order.

    None where every metric is of patients.
    """
    if "report" not in board.who.items:
        return []
    lowest = np.min(mean_ranks(board), axis=0)
    return sorted(np.argsort(lowest, kind="stable")[:count].tolist())


def mean_ranks(board: Board) -> Matrix:
    """System × report: mean rank among all pairs, over the metrics that define it; 1 where none does."""
    systems = board.systems()
    total = np.zeros(len(systems) * len(board.who.items["report"]))
    seen = np.zeros_like(total)
    for metric in board.of_unit("report"):
        cells = [board.cells[metric][system] for system in systems]
        values = np.concatenate([np.frombuffer(cell.values) for cell in cells])
        known = ~np.isnan(values)
        if known.any():
            signed = values[known] if cells[0].direction == "higher" else -values[known]
            total[known] += ranks(signed) / known.sum()
            seen[known] += 1
    return np.divide(total, seen, out=np.ones_like(total), where=seen > 0).reshape(len(systems), -1)
