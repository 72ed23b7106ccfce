"""Parts of a scoring run → its summary, the same to the last digit as one process would have written."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from overread.extras import require
from overread.runner.results.board import Board, census
from overread.runner.results.conclusion import Seen, summarised
from overread.runner.results.rows import Row, read_rows
from overread.runner.results.summary import Draws, Summary, add_tally
from overread.runner.run.folder import write_json
from overread.runner.run.job import measures_of, signatures_of
from overread.runner.run.pairs import Account
from overread.scale.batch import rows_of_table
from overread.scale.order import Done, Order, Scoring
from overread.scale.pieces import Piece
from overread.scale.piecework import merged
from overread.scale.shards import SUMMARY


class Whole:
    """What a summary asks of the pairs, from the accounts of the pieces."""

    def __init__(self, accounts: dict[str, Account], patients: set[str]) -> None:
        self.accounts, self.known = accounts, patients

    def __len__(self) -> int:
        return next(iter(self.accounts.values())).references

    def patients(self) -> list[tuple[str, int]]:
        return [(one, 1) for one in sorted(self.known)]


def conclude_scoring(order: Order, pieces: list[Piece], done: list[Done], draws: Draws) -> Summary:
    """Rows in the order of the input go through the same sums as those of one process; counts are added."""
    assert isinstance(order.work, Scoring)
    recipe, files = order.work.recipe, [order.part(piece) for piece in pieces]
    accounts: dict[str, Account] = {}
    for one in done:
        accounts = merged(accounts, one.accounts)
    seen, patients = Seen(accounts), set[str]()
    for one in done:
        for system, more in one.tallies.items():
            add_tally(seen.tallies[system], more)
    pooled = frozenset(m.name for m in measures_of(recipe).values() if m.corpus is not None)
    board = Board(census(noted(rows_in(files), seen, patients)), pooled).fill(rows_in(files))
    whole = Whole(accounts, patients)
    summary = summarised(board, whole, seen, recipe, signatures_of(recipe), draws)  # type: ignore[arg-type]
    write_json(Path(order.place) / SUMMARY, summary)
    return summary


def noted(rows: Iterable[Row], seen: Seen, patients: set[str]) -> Iterator[Row]:
    """The rows, counting on the way what was odd about a pair: once for each, whatever the metrics."""
    before = None
    for row in rows:
        if row.patient is not None:
            patients.add(row.patient)
        if row.note is not None and (row.id, row.system) != before:
            seen.notes[row.system][row.note] += 1
        before = (row.id, row.system)
        yield row


def rows_in(files: list[Path]) -> Iterator[Row]:
    for file in files:
        if file.suffix == ".jsonl":
            yield from read_rows(file)
        else:
            for batch in require("pyarrow.parquet", "parquet").ParquetFile(file).iter_batches():
                yield from rows_of_table(batch)
