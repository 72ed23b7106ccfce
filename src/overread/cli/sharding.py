"""Reading and scoring piece by piece at the terminal."""

from pathlib import Path

import typer
from msgspec import Struct

from overread.cli.scoring import FAILED, Wanted, meter_for, sections_of, show, stoppable, system_names
from overread.cli.voice import note
from overread.errors import BadInput
from overread.runner.limits import Limits
from overread.runner.measures import choose, measure
from overread.runner.recipe import Recipe
from overread.runner.summary import Draws
from overread.scale.adding_up import conclude_scoring
from overread.scale.order import Done, Format, Order, Reading, Scoring
from overread.scale.pieces import Piece, cut, side_by_side, tables_in
from overread.scale.shards import WHOLE, Share, conclude_reading, run
from overread.systems.ledger.weights import weights as own_weights
from overread.systems.srrg.labellers import check_labels


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


def read_shards(reports: Path, work: Reading, by: str, wish: Wish) -> None:
    if by != "rules":
        raise BadInput(
            "Shards are read by rules; a language model reads one table at a time, without --shards."
        )
    files = tables_in(reports)
    order = Order(work, str(wish.place), format_of(files), wish.limits, wish.shared)
    done = finish(order, cut(files), wish)
    if done is None:
        return
    summary = conclude_reading(order, done)
    failed = sum(summary.failed.values())
    if not wish.quiet:
        also = f", {failed} of them failed" if failed else ""
        note(f"{summary.reports} reports read as {work.system}{also}, {summary.parts} parts → {wish.place}")
    if failed:
        raise typer.Exit(FAILED)


def score_shards(
    wanted: Wanted,
    metrics: list[str] | None,
    by: str,
    lexicon: Path | None,
    words: str | None,
    sections: str,
    definitions: str,
    labels: str,
    draws: Draws,
    json: bool,
    wish: Wish,
    weights: Path | None = None,
    context: bool = True,
) -> None:
    if by != "rules":
        raise BadInput("Shards are scored by rules; with a language model score without --shards.")
    check_labels(labels, by, definitions)
    recipe = Recipe(
        checked(choose(metrics, patients=False)),
        lexicon=str(lexicon) if lexicon else None,
        tokenisation=words,
        sections=sections_of(sections),
        explain=False,
        definitions=definitions,
        error_weights=str(weights) if weights else None,
        context=context,
        labels=labels,
    )
    own_weights(recipe.error_weights)
    names = system_names(wanted) if wanted.candidates else []
    work = Scoring(recipe, tuple(names), wanted.columns, wanted.candidate_columns)
    pieces = pieces_of(wanted, names)
    order = Order(
        work, str(wish.place), format_of([piece.path for piece in pieces]), wish.limits, wish.shared
    )
    done = finish(order, pieces, wish)
    if done is None:
        return
    summary = conclude_scoring(order, pieces, done, draws)
    show(summary, json, wish.quiet, wish.place)
    if any(one.failed for m in summary.metrics for one in m.systems.values()):
        raise typer.Exit(FAILED)


def pieces_of(wanted: Wanted, names: list[str]) -> list[Piece]:
    if not wanted.candidates:
        return cut(tables_in(wanted.reference))
    return side_by_side(wanted.reference, dict(zip(names, wanted.candidates, strict=True)))


def checked(metrics: tuple[str, ...]) -> tuple[str, ...]:
    """Metrics that look at one pair at a time."""
    for name in metrics:
        found = measure(name)
        if found.unit == "patient" or found.family == "trained" or name == "cider":
            raise BadInput(
                f"{name} needs more than one pair, or a model, at a time; score it without --shards."
            )
    return metrics


def format_of(files: list[Path]) -> Format:
    return "parquet" if all(file.suffix.lower() == ".parquet" for file in files) else "jsonl"


def finish(order: Order, pieces: list[Piece], wish: Wish) -> list[Done] | None:
    share = Share.parsed(wish.share) if wish.share else WHOLE
    with stoppable(), meter_for(wish.quiet) as meter:
        done = run(
            order, pieces, resume=wish.resume, share=share, using=wish.engine, jobs=wish.jobs, meter=meter
        )
    if done is None and not wish.quiet:
        note(f"Share {share.number} of {share.of} is done; when all are, --resume without --shard adds up.")
    return done
