"""Spark: `mapInArrow`; Python workers are kept by Spark, and lexicon and scorer with them."""

import os
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import msgspec

from overread.extras import require
from overread.scale.batch import ROW_COLUMNS, ROW_NUMBERS, carried, read_batch, score_batch
from overread.scale.pieces import Order, Piece
from overread.scale.piecework import PieceOutcome, Pieceworker, answer_texts

TRIES = 4
VIEW_KINDS = "id string, view string, failed string"
ROWS = ", ".join(f"{name} {'double' if name in ROW_NUMBERS else 'string'}" for name in ROW_COLUMNS)


@lru_cache(2)
def worker(order: bytes) -> Pieceworker:
    """One per Python worker, however many tasks it is given."""
    return Pieceworker(msgspec.json.decode(order, type=Order))


def do(order: Order, pieces: list[Piece], jobs: int) -> Iterator[PieceOutcome]:
    """Each piece is a row and a partition of its own; a task that dies is tried again by Spark."""
    session, sent = started(jobs), msgspec.json.encode(order)

    def work(tables: Iterator[Any]) -> Iterator[Any]:
        pa = require("pyarrow", "spark")
        for table in tables:
            yield pa.RecordBatch.from_pydict({"done": answer_texts(worker(sent), table["piece"].to_pylist())})

    rows = [(msgspec.json.encode(piece).decode(),) for piece in pieces]
    table = session.createDataFrame(session.sparkContext.parallelize(rows, len(rows)), "piece string")
    for row in table.mapInArrow(work, "done string").collect():
        yield msgspec.json.decode(row["done"], type=PieceOutcome)


def started(jobs: int) -> Any:
    """The session that runs already, or one of our own on this machine."""
    sql = require("pyspark.sql", "spark")
    running = sql.SparkSession.getActiveSession()
    if running is not None:
        return running
    os.environ.setdefault(
        "PYSPARK_PYTHON", sys.executable
    )  # workers that find overread where this process did
    builder = sql.SparkSession.builder.appName("overread").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    return builder.config("spark.log.level", "ERROR").master(f"local[{jobs},{TRIES}]").getOrCreate()


def read(frame: Any, system: str = "lunguage", **options: Any) -> Any:
    """A frame of reports → a frame of views with the frame's other columns, inside your own Spark job."""
    kinds = with_others(VIEW_KINDS, frame, options.get("columns"))
    return frame.mapInArrow(mapped(lambda table: read_batch(table, system, keep=True, **options)), kinds)


def score(frame: Any, metrics: list[str] | None = None) -> Any:
    """A frame of pairs → a frame of rows of results, each with the other columns of its pair."""
    kinds = with_others(ROWS, frame, None)
    return frame.mapInArrow(mapped(lambda table: score_batch(table, metrics, keep=True)), kinds)


def with_others(made: str, frame: Any, columns: dict[str, str] | None) -> str:
    """The columns that are made, and those of the frame that are carried along."""
    names = [one.split()[0] for one in made.split(", ")]
    kinds = {one.name: one.dataType.simpleString() for one in frame.schema.fields}
    more = carried(list(kinds), columns, names)
    return ", ".join([made, *(f"`{name}` {kinds[name]}" for name in more)])


def mapped(work: Callable[[Any], Any]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A function of tables as Spark calls it: record batches in, record batches out."""

    def over(found: Iterator[Any]) -> Iterator[Any]:
        pa = require("pyarrow", "spark")
        for batch in found:
            yield from work(pa.Table.from_batches([batch])).to_batches()

    return over
