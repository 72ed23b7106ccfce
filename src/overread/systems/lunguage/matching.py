"""One-to-one assignment of findings, and the counts that follow from it.

The best assignment of small tables is as `scipy.optimize.linear_sum_assignment` gives it, tie for tie. Loading that
package takes half a second and 50 MB in every process, more than all words of the lexicon; it is done for large tables
only. Shortest augmenting paths: D. F. Crouse, On implementing 2D rectangular assignment algorithms, IEEE Transactions
on Aerospace and Electronic Systems 52 (2016) 1679."""

from collections.abc import Sequence
from math import inf

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

LARGE = 2_500
"""Cells from which on the package's speed is worth loading it: 50 findings on either side take us 2 ms."""

NOBODY = -1


def best_pairs(gain: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Row and column of each pair, by rows; the sum of `gain` over them is as large as can be.

    >>> best_pairs(np.array([[1.0, 2.0], [4.0, 8.0], [0.0, 9.0]]))
    [(1, 0), (2, 1)]
    """
    if gain.size >= LARGE:
        from scipy.optimize import linear_sum_assignment

        rows, columns = linear_sum_assignment(gain, maximize=True)
        return list(zip(rows.tolist(), columns.tolist(), strict=True))
    if gain.shape[1] < gain.shape[0]:
        return sorted((row, column) for column, row in enumerate(Assignment((-gain.T).tolist()).solved()))
    return list(enumerate(Assignment((-gain).tolist()).solved()))


class Assignment:
    """Rows, at most as many as columns, get their columns one after another, each at the least cost for all."""

    def __init__(self, cost: list[list[float]]) -> None:
        self.cost = cost
        rows, columns = len(cost), len(cost[0])
        self.row_price, self.column_price = [0.0] * rows, [0.0] * columns
        self.column_of, self.row_of = [NOBODY] * rows, [NOBODY] * columns

    def solved(self) -> list[int]:
        """The column of each row."""
        for row in range(len(self.cost)):
            self.place(row)
        return self.column_of

    def place(self, row: int) -> None:
        """Find the cheapest chain of moves that gives the row a column, and make them."""
        columns = len(self.row_of)
        least, via = [inf] * columns, [NOBODY] * columns
        unseen, seen = list(range(columns - 1, -1, -1)), list[int]()
        total, mover = 0.0, row
        while mover != NOBODY:
            at = self.nearest(mover, total, least, via, unseen)
            column = unseen[at]
            unseen[at] = unseen[-1]
            unseen.pop()
            seen.append(column)
            total, mover = least[column], self.row_of[column]
        self.charge(row, seen, least, total)
        self.move(row, seen[-1], via)

    def nearest(self, mover: int, total: float, least: list[float], via: list[int], unseen: list[int]) -> int:
        """Where in `unseen` the column stands that is nearest when this row moves; of equal ones the last free."""
        cost, price, charged, taken = self.cost[mover], self.row_price[mover], self.column_price, self.row_of
        lowest, found = inf, NOBODY
        for at, column in enumerate(unseen):
            way = total + cost[column] - price - charged[column]
            if way < least[column]:
                least[column], via[column] = way, mover
            if least[column] < lowest or (least[column] == lowest and taken[column] == NOBODY):
                lowest, found = least[column], at
        return found

    def charge(self, row: int, seen: list[int], least: list[float], total: float) -> None:
        """Prices that keep every row placed so far where it stands cheapest."""
        self.row_price[row] += total
        for column in seen[:-1]:  # the last one was free
            self.row_price[self.row_of[column]] += total - least[column]
            self.column_price[column] -= total - least[column]

    def move(self, row: int, column: int, via: list[int]) -> None:
        """Everyone along the chain takes the column found for it."""
        mover = NOBODY
        while mover != row:
            mover = via[column]
            self.row_of[column] = mover
            self.column_of[mover], column = column, self.column_of[mover]


Pairs = list[tuple[int, int]]
"""(candidate, reference) positions."""

TIE = 1e-9
"""Weight of the rule for equally good assignments: leave over what has the nearest other match."""


class Counts(Struct, frozen=True):
    """Soft counts; a corpus score is a function of their sums.

    >>> counts(np.array([[0.8, 0.1], [0.2, 0.6]])).f1
    0.7
    """

    true_positive: float
    false_positive: float
    false_negative: float

    @property
    def f1(self) -> float:
        return share(2 * self.true_positive, self.false_positive + self.false_negative)

    @property
    def precision(self) -> float:
        return share(self.true_positive, self.false_positive)

    @property
    def recall(self) -> float:
        return share(self.true_positive, self.false_negative)


def share(good: float, bad: float) -> float:
    return good / (good + bad) if good else 0.0


def assign(match: NDArray[np.float64]) -> Pairs:
    """The one-to-one pairs with the largest sum of match scores; no threshold."""
    if not match.size:
        return []
    nearest = match.max(1, keepdims=True) + match.max(0, keepdims=True)
    return best_pairs(match - TIE * nearest)


def counts(match: NDArray[np.float64], pairs: Pairs | None = None, *, strict: bool = False) -> Counts:
    """Counts of an assignment (by default the best one).

        TP = Σ s     FP = Σ (1 − s) + Σ over unmatched candidates (1 − max s)     FN likewise

    `strict`: an unmatched finding costs 1, however near it is to one that found another partner.
    """
    chosen = assign(match) if pairs is None else pairs
    matched = [float(match[i, j]) for i, j in chosen]
    residue = sum(1 - s for s in matched)
    candidates, references = match.shape
    return Counts(
        sum(matched),
        residue + sum(costs(match, unmatched(candidates, [i for i, _ in chosen]), strict)),
        residue + sum(costs(match.T, unmatched(references, [j for _, j in chosen]), strict)),
    )


def unmatched(count: int, matched: Sequence[int]) -> list[int]:
    return sorted(set(range(count)) - set(matched))


def costs(match: NDArray[np.float64], rows: Sequence[int], strict: bool) -> list[float]:
    """What each left-over row costs: 1 less its nearest match, or 1."""
    return [1.0 if strict or not match.shape[1] else 1 - float(match[row].max()) for row in rows]
