"""Work done piece by piece at the terminal: the options that say how, and the run."""

from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from overread.cli.terminal.stopping import stoppable
from overread.cli.terminal.voice import meter_for, note
from overread.errors import BadInput
from overread.llm import Client
from overread.runner.limits import Limits
from overread.scale.engines import do_here
from overread.scale.order import Order, PieceDone, Work
from overread.scale.pieces import Piece, format_of
from overread.scale.shards import WHOLE_RUN, ShardShare, run_shards


class Wish(Struct, frozen=True):
    """How the pieces are to be done."""

    place: Path
    resume: bool
    share: str | None
    engine: str
    jobs: int
    limits: Limits = Limits()
    shared: bool = False


def finish(
    work: Work, pieces: list[Piece], wish: Wish, client: Client | None = None
) -> tuple[Order, list[PieceDone] | None]:
    """The pieces done, by rules on the engine wished for or by asking a language model from here."""
    kind = format_of([piece.path for piece in pieces])
    order = Order(
        replace(work, settings=work.settings.asking(client)), str(wish.place), kind, wish.limits, wish.shared
    )
    share = ShardShare.parsed(wish.share) if wish.share else WHOLE_RUN
    if client is not None and (wish.engine != "local" or wish.jobs > 1):
        raise BadInput(
            "A language model is asked from one process: leave out -j and --engine; --concurrency counts."
        )
    using = wish.engine if client is None else partial(do_here, client=client)
    with stoppable(), meter_for() as meter:
        done = run_shards(
            order, pieces, resume=wish.resume, share=share, using=using, jobs=wish.jobs, meter=meter
        )
    if client is not None:
        client.check_waiting()
    if done is None:
        note(f"Share {share.number} of {share.of} is done; when all are, --resume without --shard adds up.")
    return order, done
