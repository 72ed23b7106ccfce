"""What is finished → the files of the run; the same lines in the same order however often it was stopped."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec
import numpy as np

from overread.runner import breakdown, folder
from overread.runner.board import Board, census
from overread.runner.breakdown import Tally
from overread.runner.job import measures_of
from overread.runner.pairs import Pairs
from overread.runner.relations import correlations
from overread.runner.rows import encode, read_rows
from overread.runner.scorer import Finished, Recipe
from overread.runner.standings import rankings
from overread.runner.summary import Draws, Summary
from overread.stats.clean import Vector
from overread.stats.correlation import ranks


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


def write_rows(units: Iterable[Finished], place: Path, systems: Iterable[str], recipe: Recipe) -> Seen:
    """results.jsonl, and details.jsonl beside it."""
    seen = Seen(systems)
    with whole(place / folder.RESULTS) as results, whole(place / folder.DETAILS) as details:
        for unit in units:
            results.write(encode(unit.rows))
            seen.add(unit)
            if recipe.explain:
                details.write(msgspec.json.encode(folder.detail(unit)) + b"\n")
    return seen


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """A file that appears under its name only when it is written to its end."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        yield file
    part.replace(path)


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
    """Places of the pairs that rank lowest over the metrics, each system judged alone; in reading order."""
    overall = [standing_of(board, system) for system in board.systems()]
    lowest = np.min(np.vstack(overall), axis=0)
    return sorted(np.argsort(lowest, kind="stable")[:count].tolist())


def standing_of(board: Board, system: str) -> Vector:
    """Mean rank of each report over the metrics that define it, from 0 to 1; 1 where none does."""
    total = np.zeros(len(board.who.items["report"]))
    seen = np.zeros_like(total)
    for metric in board.of_unit("report"):
        cell = board.cells[metric][system]
        values = np.frombuffer(cell.values)
        known = ~np.isnan(values)
        if known.any():
            signed = values[known] if cell.direction == "higher" else -values[known]
            total[known] += ranks(signed) / known.sum()
            seen[known] += 1
    return np.divide(total, seen, out=np.ones_like(total), where=seen > 0)
