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
from overread.scale.piecework import PieceOutcome, Pieceworker, attempt_piece

if TYPE_CHECKING:
    from overread.llm import Client

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
