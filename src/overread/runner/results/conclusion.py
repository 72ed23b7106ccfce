"""What is finished → the files of the run; the same lines in the same order however often it was stopped."""

from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct, field

from overread.runner.measures import measures_of
from overread.runner.results.rows import Board, encode
from overread.runner.results.standings import rankings
from overread.runner.results.summary import Breakdown, Correlation, Draws, Summary, add_up
from overread.runner.run import folder
from overread.runner.run.pairs import Account
from overread.runner.run.scorer import Finished
from overread.runner.settings import Settings
from overread.runner.views import DoubtCount
from overread.stats.bootstrap import Matrix, Vector
from overread.stats.correlation import pearson, ranks, spearman
from overread.whole import whole, writing

FEWEST = 3
"""Reports below which a correlation says nothing."""


def correlations(board: Board) -> dict[str, Correlation]:
    """Over all systems together, and for each alone; metrics of single reports only."""
    everyone = board.systems()
    groups = {"all": everyone, **{system: (system,) for system in everyone}}
    return {name: correlation(board, systems) for name, systems in groups.items()}


def correlation(board: Board, systems: tuple[str, ...]) -> Correlation:
    """Over the reports of these systems."""
    metrics = tuple(board.of_unit("report"))
    columns = {m: np.concatenate([board.cells[m][system].column for system in systems]) for m in metrics}
    cells = {(a, b): correlated(columns[a], columns[b]) for a, b in combinations(metrics, 2)}
    cells |= {(b, a): cell for (a, b), cell in cells.items()}
    cells |= {(m, m): (1.0, int((~np.isnan(columns[m])).sum()), 1.0) for m in metrics}
    tables: Any = [tuple(tuple(cells[a, b][n] for b in metrics) for a in metrics) for n in range(3)]
    return Correlation(metrics, *tables)


def correlated(one: Vector, two: Vector) -> tuple[float | None, int, float | None]:
    """Two metrics over the reports that both define: Spearman's, how many reports, Pearson's."""
    both = ~(np.isnan(one) | np.isnan(two))
    count = int(both.sum())
    if count < FEWEST:
        return None, count, None
    return spearman(one[both], two[both]), count, pearson(one[both], two[both])


class Counted(Struct, forbid_unknown_fields=True):
    """What is added up while finished units go by, or views."""

    rows: int = 0
    failed: dict[str, int] = {}
    """What went wrong, and how often."""

    accounts: dict[str, Account] = {}
    notes: dict[str, dict[str, int]] = {}
    tallies: dict[str, Breakdown] = {}
    doubts: DoubtCount = field(default_factory=DoubtCount)

    def see(self, unit: Finished) -> None:
        """The rows of one more unit."""
        self.rows += len(unit.rows)
        add_up(self.tallies, unit.tallies)
        add_up(self.failed, Counter(row.failed for row in unit.rows if row.failed is not None))
        if unit.unit == "report":
            add_up(self.notes, {row.system: {row.note: 1} for row in unit.rows if row.note is not None})


def summed(parts: Iterable[Counted]) -> Counted:
    """What several parts come to."""
    total: dict[str, Any] = {}
    for one in parts:
        add_up(total, msgspec.to_builtins(one))
    return msgspec.convert(total, Counted)


def write_lines(place: Path, units: Iterable[Finished], explain: bool, counted: Counted) -> None:
    """results.jsonl, and details.jsonl where every unit is explained; what goes by is counted."""
    with writing(place), ExitStack() as opened:
        results = opened.enter_context(whole(place / folder.RESULTS))
        details = opened.enter_context(whole(place / folder.DETAILS)) if explain else None
        for unit in units:
            counted.see(unit)
            results.write(encode(unit.rows))
            if details is not None:
                details.write(msgspec.json.encode(unit.detail) + b"\n")


def summarised(
    board: Board, counted: Counted, settings: Settings, signatures: dict[str, str], draws: Draws
) -> Summary:
    accounts = counted.accounts
    by_patient = board.who.patients and "report" in board.who.items
    return Summary(
        reports=next(iter(accounts.values())).references,
        patients=board.who.patients,
        accounts=accounts,
        notes={system: dict(sorted(counted.notes.get(system, {}).items())) for system in accounts},
        draws=draws,
        drawn="patients" if by_patient else "reports",
        metrics=rankings(board, measures_of(settings), signatures, draws),
        correlation=correlations(board),
        breakdown={system: counted.tallies.get(system, {}) for system in accounts},
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
        values = np.concatenate([cell.column for cell in cells])
        known = ~np.isnan(values)
        if known.any():
            signed = values[known] if cells[0].direction == "higher" else -values[known]
            total[known] += ranks(signed) / known.sum()
            seen[known] += 1
    return np.divide(total, seen, out=np.ones_like(total), where=seen > 0).reshape(len(systems), -1)
