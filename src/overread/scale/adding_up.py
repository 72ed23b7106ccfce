"""Parts of a scoring run → its summary, the same to the last digit as one process would have written."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from overread.extras import require
from overread.runner.measures import measures_of
from overread.runner.results.board import board_of
from overread.runner.results.conclusion import SeenUnits, summarised
from overread.runner.results.rows import Row, read_rows
from overread.runner.results.summary import Draws, Summary, add_tally
from overread.runner.run.folder import write_json
from overread.runner.run.job import signatures_of
from overread.runner.run.pairs import Account, Joined
from overread.scale.batch import rows_of_table
from overread.scale.order import Order, PieceDone, ScoringWork
from overread.scale.pieces import Piece
from overread.scale.piecework import merge_accounts
from overread.scale.shards import SUMMARY


def conclude_scoring(order: Order, pieces: list[Piece], done: list[PieceDone], draws: Draws) -> Summary:
    """Rows in the order of the input go through the same sums as those of one process; counts are added."""
    assert isinstance(order.work, ScoringWork)
    settings, files = order.work.settings, [order.part(piece) for piece in pieces]
    accounts: dict[str, Account] = {}
    for one in done:
        accounts = merge_accounts(accounts, one.accounts)
    seen, patients = SeenUnits(accounts), set[str]()
    for one in done:
        for system, more in one.tallies.items():
            add_tally(seen.tallies[system], more)
    board = board_of(noted(rows_in(files), seen, patients), rows_in(files), measures_of(settings))
    known = Joined(next(iter(accounts.values())).references, len(patients), accounts)
    summary = summarised(board, known, seen, settings, signatures_of(settings), draws)
    write_json(Path(order.place) / SUMMARY, summary)
    return summary


def noted(rows: Iterable[Row], seen: SeenUnits, patients: set[str]) -> Iterator[Row]:
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
