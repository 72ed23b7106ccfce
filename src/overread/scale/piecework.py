"""Pieces done, by this process, several of this machine, Ray, or Spark; all leave the same parts and markers.

A piece is read in batches, written beside, renamed when whole, marked when done."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import as_completed
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import msgspec

from overread.errors import AskFailed, OverreadError, UnknownName
from overread.extras import require
from overread.formats import load
from overread.runner.limits import describe
from overread.runner.results.conclusion import Counted, summed
from overread.runner.results.rows import encode
from overread.runner.run.folder import hashed
from overread.runner.run.pairs import Account, Pair, Pairs
from overread.runner.run.scorer import Finished, Scorer
from overread.runner.run.workers import Crew, batches, in_threads
from overread.runner.views import reader_of
from overread.scale.batch import pairs_in_rows, rows_of_table, rows_table, viewed_rows
from overread.scale.pieces import ROWS_AT_ONCE, Order, Piece, PieceDone, Work, piece_rows
from overread.whole import share, whole, write_whole

if TYPE_CHECKING:
    from overread.llm import Client


TablePart = tuple[Any, Counted]
Write = Callable[[Any], object]
PieceOutcome = PieceDone | str
"""A finished piece, or what went wrong with one."""


class Pieceworker:
    """Does pieces; keeps lexicon and scorer warm from one to the next."""

    def __init__(self, order: Order, client: "Client | None" = None) -> None:
        self.order = order
        self.client = client
        share(order.shared)
        self.tables = self.reading(order.work.system) if order.work.system else self.scoring()

    def __call__(self, piece: Piece) -> PieceDone:
        start, part = perf_counter(), self.order.part(piece)
        before = self.client.unanswered if self.client else 0
        counted = []
        with part_writer(part, self.order) as write:
            for table, count in self.tables(piece):
                counted.append(count)
                write(table)
            if self.client and self.client.unanswered > before:
                self.client.check_waiting()
        done = PieceDone(
            piece.name, self.order.fingerprint, piece.content(), hashed(part), round(perf_counter() - start, 3),
            summed(counted),
        )  # fmt: skip
        write_whole(self.order.marker(piece), msgspec.json.encode(done) + b"\n")
        return done

    def reading(self, system: str) -> Callable[[Piece], Iterator[TablePart]]:
        work = self.order.work
        read = reader_of(system, work.settings, self.client, self.order.limits)
        return lambda piece: (viewed_rows(rows, work.columns, read) for rows in piece_rows(piece))

    def scoring(self) -> Callable[[Piece], Iterator[TablePart]]:
        scorer = Scorer(self.order.work.settings, limits=self.order.limits, client=self.client)

        def scored(pairs: Iterable[Pair]) -> Iterator[Finished]:
            """One after another; with a language model several at once, for the work is waiting."""
            if self.client is None:
                return map(scorer, pairs)
            return (unit for _, unit in in_threads(scorer, pairs, self.client.settings.concurrency))

        def tables(piece: Piece) -> Iterator[TablePart]:
            for pairs, accounts in pairs_of(piece, self.order.work):
                counted = Counted(accounts=accounts)
                for batch in batches(scored(pairs), ROWS_AT_ONCE):
                    for unit in batch:
                        counted.see(unit)
                    yield rows_table(batch), counted
                    counted = Counted()

        return tables


def pairs_of(piece: Piece, work: Work) -> Iterator[tuple[Iterable[Pair], dict[str, Account]]]:
    """Of a table with both sides in each row, a few hundred pairs at a time; files of one name are joined by id."""
    if len(piece.files) == 1:
        yield from (pairs_in_rows(rows, work.columns) for rows in piece_rows(piece))
        return
    first, *rest = piece.files
    theirs = {
        name: load(path, work.candidate_columns, side="candidate")
        for name, path in zip(work.candidates, rest, strict=True)
    }
    pairs = Pairs.gather(load(first, work.columns, side="reference"), theirs)
    yield pairs, pairs.accounts
    pairs.close()


def attempt_piece(worker: Pieceworker, piece: Piece) -> PieceOutcome:
    try:
        return worker(piece)
    except (OSError, AskFailed):
        raise
    except Exception as error:
        return f"{piece.path.name}: {describe(error)}"


def answer_texts(worker: Pieceworker, texts: list[str]) -> list[str]:
    """The same as texts, for machines that send and get nothing else."""
    pieces = (msgspec.json.decode(text, type=Piece) for text in texts)
    return [msgspec.json.encode(attempt_piece(worker, piece)).decode() for piece in pieces]


@contextmanager
def part_writer(path: Path, order: Order) -> Iterator[Write]:
    """A part that appears under its name only when it is whole."""
    with whole(path) as file:
        if order.format == "jsonl":
            yield lambda table: file.write(as_lines(table, order))
            return
        parquet, writer = require("pyarrow.parquet", "parquet"), None

        def write(table: Any) -> None:
            nonlocal writer
            writer = writer or parquet.ParquetWriter(file, table.schema)
            writer.write_table(table)

        yield write
        if writer is not None:
            writer.close()


def as_lines(table: Any, order: Order) -> bytes:
    """Views as `overread read` writes them, results as `overread score` does."""
    if order.work.system is None:
        return encode(rows_of_table(table))
    return b"".join(
        (view or msgspec.json.encode({"id": id, "failed": failed}).decode()).encode() + b"\n"
        for id, view, failed in zip(*(table[name].to_pylist() for name in table.column_names), strict=True)
    )


PieceEngine = Callable[[Order, list[Piece], int], Iterator[PieceOutcome]]


def do_here(
    order: Order, pieces: list[Piece], jobs: int, client: "Client | None" = None
) -> Iterator[PieceOutcome]:
    """Here; with several jobs in processes, of which one that is killed is replaced and its piece done again.

    A piece whose questions wait in a batch file is not done yet, and the next one has its turn.
    """
    if jobs == 1:
        from overread.llm.batch_folder import Waiting

        worker = Pieceworker(order, client)
        for piece in pieces:
            with suppress(Waiting):
                yield attempt_piece(worker, piece)
        return
    with Crew(Pieceworker, (order,), min(jobs, len(pieces))) as crew:
        waiting = {crew.submit(piece): piece for piece in pieces}
        try:
            for future in as_completed(waiting):
                try:
                    yield future.result()
                except OverreadError as error:
                    yield f"{waiting[future].path.name}: {error}"
        finally:
            for future in waiting:
                future.cancel()


ENGINES = {
    "local": (__name__, "do_here"),
    "ray": ("overread.scale.on_ray", "do"),
    "spark": ("overread.scale.on_spark", "do"),
}
"""Name → module and function, imported when asked for."""


def engine(name: str) -> PieceEngine:
    if name not in ENGINES:
        raise UnknownName("engine", name, ENGINES)
    module, function = ENGINES[name]
    found: PieceEngine = getattr(import_module(module), function)
    return found
