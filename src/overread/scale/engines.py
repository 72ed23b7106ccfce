"""Who does the pieces: this process, several of this machine, Ray, or Spark. All leave the same parts and markers."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, as_completed
from typing import TYPE_CHECKING

from overread.errors import AskFailed, OverreadError, UnknownName
from overread.runner.limits import describe
from overread.runner.run.workers import Crew
from overread.scale.order import Done, Order
from overread.scale.pieces import Piece
from overread.scale.piecework import Pieceworker

if TYPE_CHECKING:
    from overread.llm import Client

Outcome = Done | str
"""A finished piece, or what went wrong with one."""

Engine = Callable[[Order, list[Piece], int], Iterator[Outcome]]


def local(order: Order, pieces: list[Piece], jobs: int) -> Iterator[Outcome]:
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
                yield outcome(future, waiting[future])
        finally:
            for future in waiting:
                future.cancel()


def attempted(worker: Pieceworker, piece: Piece) -> Outcome:
    try:
        return worker(piece)
    except OSError:
        raise
    except Exception as error:
        return f"{piece.path.name}: {describe(error)}"


def asking(client: "Client") -> Engine:
    """Here, one piece after another, with a client that asks about many reports at once.

    A piece whose questions wait in a batch file is not done yet, and the next one has its turn.
    """
    from overread.llm.batch_folder import Waiting

    def do(order: Order, pieces: list[Piece], jobs: int) -> Iterator[Outcome]:
        worker = Pieceworker(order, client)
        for piece in pieces:
            try:
                yield worker(piece)
            except Waiting:
                continue
            except (OSError, AskFailed):
                raise
            except Exception as error:
                yield f"{piece.path.name}: {describe(error)}"

    return do


def outcome(future: "Future[Done]", piece: Piece) -> Outcome:
    try:
        return future.result()
    except OverreadError as error:
        return f"{piece.path.name}: {error}"


def on_ray(order: Order, pieces: list[Piece], jobs: int) -> Iterator[Outcome]:
    from overread.scale.on_ray import do

    return do(order, pieces, jobs)


def on_spark(order: Order, pieces: list[Piece], jobs: int) -> Iterator[Outcome]:
    from overread.scale.on_spark import do

    return do(order, pieces, jobs)


ENGINES: dict[str, Engine] = {"local": local, "ray": on_ray, "spark": on_spark}


def engine(name: str) -> Engine:
    if name not in ENGINES:
        raise UnknownName("engine", name, ENGINES)
    return ENGINES[name]
