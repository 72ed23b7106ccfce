"""Work done piece by piece at the terminal: the options that say how, and the run."""

from pathlib import Path

from msgspec import Struct

from overread.cli.terminal.progress import meter_for
from overread.cli.terminal.stopping import stoppable
from overread.cli.terminal.voice import note
from overread.runner.limits import Limits
from overread.scale.order import Done, Order
from overread.scale.pieces import Piece
from overread.scale.shards import WHOLE, Share, run


class Wish(Struct, frozen=True):
    """How the pieces are to be done."""

    place: Path
    resume: bool
    share: str | None
    engine: str
    jobs: int
    quiet: bool
    limits: Limits = Limits()
    shared: bool = False


def finish(order: Order, pieces: list[Piece], wish: Wish) -> list[Done] | None:
    share = Share.parsed(wish.share) if wish.share else WHOLE
    with stoppable(), meter_for(wish.quiet) as meter:
        done = run(
            order, pieces, resume=wish.resume, share=share, using=wish.engine, jobs=wish.jobs, meter=meter
        )
    if done is None and not wish.quiet:
        note(f"Share {share.number} of {share.of} is done; when all are, --resume without --shard adds up.")
    return done
