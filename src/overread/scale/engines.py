"""Who does the pieces: this process, several of this machine, Ray, or Spark. All leave the same parts and markers."""

from collections.abc import Callable, Iterator
from concurrent.futures import as_completed
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from overread.errors import OverreadError, UnknownName
from overread.runner.run.workers import Crew
from overread.scale.order import Order
from overread.scale.pieces import Piece
from overread.scale.piecework import Outcome, Pieceworker, attempted

if TYPE_CHECKING:
    from overread.llm import Client

Engine = Callable[[Order, list[Piece], int], Iterator[Outcome]]


def do(order: Order, pieces: list[Piece], jobs: int) -> Iterator[Outcome]:
    """Here; with several jobs in processes, of which one that is killed is replaced and its piece done again."""
    if jobs == 1:
        worker = Pieceworker(order)
        for piece in pieces:
            yield attempted(worker, piece)
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


def asking(client: "Client") -> Engine:
    """Here, one piece after another, with a client that asks about many reports at once.

    A piece whose questions wait in a batch file is not done yet, and the next one has its turn.
    """
    from overread.llm.batch_folder import Waiting

    def ask(order: Order, pieces: list[Piece], jobs: int) -> Iterator[Outcome]:
        worker = Pieceworker(order, client)
        for piece in pieces:
            with suppress(Waiting):
                yield attempted(worker, piece)

    return ask


ENGINES = {"local": __name__, "ray": "overread.scale.on_ray", "spark": "overread.scale.on_spark"}
"""Name → module whose `do` it is, imported when asked for."""


def engine(name: str) -> Engine:
    if name not in ENGINES:
        raise UnknownName("engine", name, ENGINES)
    found: Engine = import_module(ENGINES[name]).do
    return found
