"""One piece done: read in batches, written beside, renamed when whole, marked when done."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import msgspec

from overread.errors import AskFailed
from overread.extras import require
from overread.formats import load
from overread.runner.limits import describe
from overread.runner.results.rows import encode
from overread.runner.results.summary import Breakdown, add_tally
from overread.runner.run.folder import hashed
from overread.runner.run.pairs import Account, Pair, Pairs
from overread.runner.run.scorer import Finished, Scorer
from overread.runner.run.workers import in_threads
from overread.runner.views import DoubtCount as Doubts
from overread.scale.batch import asked_batch, pairs_in_rows, read_batch, rows_of_table, rows_table
from overread.scale.order import Order, PieceDone, ReadingWork, ScoringWork
from overread.scale.pieces import ROWS_AT_ONCE, Piece, piece_tables
from overread.whole import share, whole, write_whole

if TYPE_CHECKING:
    from overread.llm import Client

Write = Callable[[Any], object]
PieceOutcome = PieceDone | str
"""A finished piece, or what went wrong with one."""


class Pieceworker:
    """Does pieces; keeps lexicon and scorer warm from one to the next."""

    def __init__(self, order: Order, client: "Client | None" = None) -> None:
        self.order = order
        self.client = client
        share(order.shared)
        work = order.work
        self.scorer = (
            Scorer(work.settings, limits=order.limits, client=client)
            if isinstance(work, ScoringWork)
            else None
        )

    def __call__(self, piece: Piece) -> PieceDone:
        start, part = perf_counter(), self.order.part(piece)
        count = PieceCount()
        before = self.client.unanswered if self.client else 0
        with part_writer(part, self.order) as write:
            for table in self.tables(piece, count):
                count.add(table)
                write(table)
            if self.client and self.client.unanswered > before:
                self.client.check_waiting()
        done = PieceDone(
            piece.name, self.order.fingerprint, piece.content(), hashed(part), count.rows,
            dict(sorted(count.failed.items())), round(perf_counter() - start, 3), count.accounts, count.tallies,
            count.doubts,
        )  # fmt: skip
        write_whole(self.order.marker(piece), msgspec.json.encode(done) + b"\n")
        return done

    def tables(self, piece: Piece, count: "PieceCount") -> Iterator[Any]:
        work = self.order.work
        if isinstance(work, ReadingWork):
            for batch in piece_tables(piece):
                yield self.read(batch, work, count)
        elif len(piece.files) == 1:
            yield from self.of_pairs(piece, work, count)
        else:
            yield from self.of_sides(piece, work, count)

    def read(self, batch: Any, work: ReadingWork, count: "PieceCount") -> Any:
        if self.client is not None:
            return asked_batch(batch, self.client, work.system, work.columns, self.order.limits)
        return read_batch(
            batch,
            work.system,
            columns=work.columns,
            lexicon=work.settings.lexicon,
            definitions=work.settings.definitions,
            labels=work.settings.labels,
            limits=self.order.limits,
            check=work.settings.check,
            doubts=count.doubts,
        )

    def of_pairs(self, piece: Piece, work: ScoringWork, count: "PieceCount") -> Iterator[Any]:
        """A table with both sides in each row."""
        assert self.scorer is not None
        for batch in piece_tables(piece):
            pairs, accounts = pairs_in_rows(batch.to_pylist(), work.columns)
            units = list(self.scored(pairs))
            count.see(units, accounts)
            yield rows_table(units)

    def of_sides(self, piece: Piece, work: ScoringWork, count: "PieceCount") -> Iterator[Any]:
        """Files of one name, joined by id."""
        assert self.scorer is not None
        first, *rest = piece.files
        theirs = {
            name: load(path, work.candidate_columns, side="candidate")
            for name, path in zip(work.systems, rest, strict=True)
        }
        pairs = Pairs.gather(load(first, work.columns, side="reference"), theirs)
        count.see([], pairs.accounts)
        units = self.scored(pairs)
        while batch := list(islice(units, ROWS_AT_ONCE)):
            count.see(batch, {})
            yield rows_table(batch)
        pairs.close()

    def scored(self, pairs: Iterable[Pair]) -> Iterator[Finished]:
        """One after another; with a language model several at once, for the work is waiting."""
        assert self.scorer is not None
        if self.client is None:
            return map(self.scorer, pairs)
        return (unit for _, unit in in_threads(self.scorer, pairs, self.client.settings.concurrency))


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


class PieceCount:
    """What is added up while a piece is done."""

    def __init__(self) -> None:
        self.rows = 0
        self.failed: Counter[str] = Counter()
        self.accounts: dict[str, Account] = {}
        self.tallies: dict[str, Breakdown] = {}
        self.doubts = Doubts()

    def add(self, table: Any) -> None:
        self.rows += len(table)
        self.failed.update(reason for reason in table["failed"].to_pylist() if reason is not None)

    def see(self, units: list[Finished], accounts: dict[str, Account]) -> None:
        self.accounts = merge_accounts(self.accounts, accounts)
        for unit in units:
            for system, more in unit.tallies.items():
                add_tally(self.tallies.setdefault(system, {}), more)


def merge_accounts(one: dict[str, Account], two: dict[str, Account]) -> dict[str, Account]:
    """Accounts of two pieces together."""
    total = dict(one)
    for name, more in two.items():
        held = total.get(name)
        both = zip(msgspec.structs.astuple(held), msgspec.structs.astuple(more), strict=True) if held else ()
        total[name] = Account(*(a + b for a, b in both)) if held else more
    return total


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
    if isinstance(order.work, ScoringWork):
        return encode(rows_of_table(table))
    return b"".join(
        (view or msgspec.json.encode({"id": id, "failed": failed}).decode()).encode() + b"\n"
        for id, view, failed in zip(*(table[name].to_pylist() for name in table.column_names), strict=True)
    )
