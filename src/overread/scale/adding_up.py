"""Parts of a scoring run → its summary, the same to the last digit as one process would have written."""

from collections.abc import Iterator
from pathlib import Path

from overread.extras import require
from overread.runner.measures import measures_of
from overread.runner.results.board import board_of
from overread.runner.results.conclusion import summarised, summed
from overread.runner.results.rows import Row, read_rows
from overread.runner.results.summary import Draws, Summary
from overread.runner.run.folder import write_json
from overread.runner.run.job import signatures_of
from overread.scale.batch import rows_of_table
from overread.scale.order import Order, PieceDone
from overread.scale.pieces import Piece
from overread.scale.shards import SUMMARY


def conclude_scoring(order: Order, pieces: list[Piece], done: list[PieceDone], draws: Draws) -> Summary:
    """Rows in the order of the input go through the same sums as those of one process; counts are added."""
    settings, files = order.work.settings, [order.part(piece) for piece in pieces]
    counted = summed(one.counted for one in done)
    board = board_of(rows_in(files), rows_in(files), measures_of(settings))
    summary = summarised(board, counted, settings, signatures_of(settings), draws)
    write_json(Path(order.place) / SUMMARY, summary)
    return summary


def rows_in(files: list[Path]) -> Iterator[Row]:
    for file in files:
        if file.suffix == ".jsonl":
            yield from read_rows(file)
        else:
            for batch in require("pyarrow.parquet", "parquet").ParquetFile(file).iter_batches():
                yield from rows_of_table(batch)
