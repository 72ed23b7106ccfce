"""Ray Data: `map_batches` with actors that keep lexicon and scorer warm."""

import logging
import os
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from overread.extras import require
from overread.scale.batch import read_batch, score_batch
from overread.scale.pieces import Order, Piece
from overread.scale.piecework import PieceOutcome, Pieceworker, answer_texts


class Actor:
    """Does the pieces of a batch; what Ray sends and gets are texts."""

    def __init__(self, order: bytes) -> None:
        self.worker = Pieceworker(msgspec.json.decode(order, type=Order))

    def __call__(self, table: Any) -> Any:
        pa = require("pyarrow", "ray")
        return pa.table({"done": answer_texts(self.worker, table["piece"].to_pylist())})


def do(order: Order, pieces: list[Piece], jobs: int) -> Iterator[PieceOutcome]:
    """Each piece is a row of a data set; an actor that dies is replaced by Ray and its piece done again."""
    ray = started(jobs)
    rows = [{"piece": msgspec.json.encode(piece).decode()} for piece in pieces]
    made = ray.data.from_items(rows, override_num_blocks=len(rows)).map_batches(
        Actor,
        fn_constructor_args=(msgspec.json.encode(order),),
        batch_size=1,
        batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(size=min(jobs, len(pieces))),
    )
    for row in made.iter_rows():
        yield msgspec.json.decode(row["done"], type=PieceOutcome)


def started(jobs: int) -> Any:
    """Ray as it runs already, or a small one of our own on this machine."""
    ray = require("ray", "ray")
    require("ray.data", "ray")
    if not ray.is_initialized():
        here = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": max(2, jobs), "include_dashboard": False}
        os.environ.setdefault("RAY_worker_niceness", "0")  # as urgent as the command itself
        ray.init(logging_level="ERROR", log_to_driver=False, **here)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    return ray


def read(dataset: Any, system: str = "lunguage", *, actors: int = 2, **options: Any) -> Any:
    """A data set of reports → a data set of views, inside your own Ray pipeline (checkpointing is Ray's)."""
    return dataset.map_batches(
        Kept, fn_constructor_args=(read_batch, system, options), batch_format="pyarrow", compute=pool(actors)
    )


def score(dataset: Any, metrics: list[str] | None = None, *, actors: int = 2) -> Any:
    """A data set of pairs → a data set of rows of results."""
    return dataset.map_batches(
        Kept, fn_constructor_args=(score_batch, metrics, {}), batch_format="pyarrow", compute=pool(actors)
    )


def pool(actors: int) -> Any:
    return require("ray.data", "ray").ActorPoolStrategy(size=actors)


class Kept:
    """One of the functions of tables, with its options, in an actor of its own; other columns are carried along."""

    def __init__(self, work: Callable[..., Any], asked: Any, options: dict[str, Any]) -> None:
        self.work, self.asked, self.options = work, asked, options

    def __call__(self, table: Any) -> Any:
        return self.work(table, self.asked, keep=True, **self.options)
