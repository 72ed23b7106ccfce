"""A whole run over shards: plan, skip what is done, do the rest, add up."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from overread.errors import BadInput, OverreadError
from overread.extras import require
from overread.runner.measures import measures_of
from overread.runner.meter import Meter
from overread.runner.results.conclusion import summarised, summed
from overread.runner.results.rows import Row, board_of, read_rows
from overread.runner.results.summary import Draws, Summary
from overread.runner.run.folder import hashed, locked, write_json
from overread.runner.run.job import signatures_of
from overread.runner.views import DoubtCount
from overread.scale.batch import rows_of_table
from overread.scale.pieces import Order, Piece, PieceDone, fingerprint
from overread.scale.piecework import PieceEngine, engine
from overread.whole import make_folder, writing
from overread.whole import share as share_with_others

SUMMARY = "summary.json"


ShardShare = tuple[int, int]
"""Share n of so many: every so-many-th piece, for arrays of jobs that know nothing of one another."""


def share_in(text: str) -> ShardShare:
    """
    >>> share_in("2/8")
    (2, 8)
    """
    number, _, of = text.partition("/")
    if not (number.isdigit() and of.isdigit() and 1 <= int(number) <= int(of)):
        raise BadInput(f"--shard {text} is no share; say 1/8 … 8/8 for eight jobs.")
    return int(number), int(of)


class ReadSummary(Struct, frozen=True, forbid_unknown_fields=True):
    """summary.json of a reading run: sums over the markers."""

    reports: int
    failed: dict[str, int]
    parts: int
    fingerprint: str
    doubts: DoubtCount | UnsetType = UNSET
    """Only where the reading was checked."""


def run_shards(
    order: Order,
    pieces: list[Piece],
    *,
    resume: bool = False,
    share: ShardShare = (1, 1),
    using: str | PieceEngine = "local",
    jobs: int = 1,
    meter: Meter | None = None,
) -> list[PieceDone] | None:
    """Do every piece of this share that is not done; all markers when the whole run is finished, else None."""
    shown, do = meter or Meter(), engine(using) if isinstance(using, str) else using
    number, of = share
    order = replace(order, fingerprint=fingerprint(order.work, pieces))
    prepare(order, resume or of > 1)  # the others of an array may have begun, and they work side by side
    with locked(Path(order.place)) if of == 1 else nullcontext():
        work_share(order, pieces[number - 1 :: of], do, jobs, shown)
        found = markers(order, pieces)
        if found is not None:
            for left in Path(order.place).glob(".part-*.part"):  # what killed workers left half written
                left.unlink(missing_ok=True)
    return found


def work_share(order: Order, own: list[Piece], do: PieceEngine, jobs: int, shown: Meter) -> None:
    """Every piece that is not done yet."""
    ready = {piece.name for piece in own if piece_is_done(order, piece)}
    todo = [piece for piece in own if piece.name not in ready]
    shown.expect("shards", len(own), len(ready))
    wrong = []
    for outcome in do(order, todo, jobs) if todo else ():
        if isinstance(outcome, str):
            wrong.append(outcome)
        shown.advance()
    if wrong:
        raise OverreadError(
            f"{len(wrong)} of {len(own)} shards failed; {wrong[0]} The others are kept: --resume."
        )


def prepare(order: Order, resume: bool) -> None:
    """The folder must be new, or hold parts of this very run."""
    place = Path(order.place)
    share_with_others(order.shared)
    with writing(place):
        make_folder(place)
    old = sorted(place.glob("part-*.done"))
    if old and not resume:
        raise BadInput(
            f"{place} holds {len(old)} finished shards; continue with --resume, or choose another folder."
        )
    for marker in old[:1]:
        if read_marker(marker).fingerprint != order.fingerprint:
            raise BadInput(
                f"{place} holds shards of other inputs, settings or another version; choose another folder, "
                "or delete it."
            )


def piece_is_done(order: Order, piece: Piece) -> bool:
    """Is the piece done, its part as it was written, and its input as it was read?"""
    marker, part = order.marker(piece), order.part(piece)
    if not (marker.exists() and part.exists()):
        return False
    done = read_marker(marker)
    return (done.fingerprint, done.sha256, done.content) == (order.fingerprint, hashed(part), piece.content())


def read_marker(path: Path) -> PieceDone:
    try:
        return msgspec.json.decode(path.read_bytes(), type=PieceDone)
    except msgspec.DecodeError:
        raise BadInput(f"{path} is no marker of a finished shard; delete it and --resume.") from None


def markers(order: Order, pieces: list[Piece]) -> list[PieceDone] | None:
    paths = [order.marker(piece) for piece in pieces]
    return [read_marker(path) for path in paths] if all(path.exists() for path in paths) else None


def conclude_reading(order: Order, done: list[PieceDone]) -> ReadSummary:
    total = summed(one.counted for one in done)
    checked = order.work.settings.check
    found = ReadSummary(
        total.rows,
        dict(sorted(total.failed.items())),
        len(done),
        done[0].fingerprint,
        total.doubts if checked else UNSET,
    )
    write_json(Path(order.place) / SUMMARY, found)
    return found


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
