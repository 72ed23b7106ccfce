"""A job → a folder of results: join, score, add up, write; what is finished survives being stopped."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from overread.errors import BadInput
from overread.runner import folder, manifest
from overread.runner.conclusion import add_up, summarised, whole, worst, write_rows
from overread.runner.hashes import hashed
from overread.runner.job import Job, check_reader, check_ready, fitted, measures_of, signatures_of
from overread.runner.journal import NAME as JOURNAL
from overread.runner.journal import Journal
from overread.runner.manifest import Manifest, draft, write_json
from overread.runner.meter import Meter
from overread.runner.pairs import Pair, Pairs
from overread.runner.pool import Build, in_order, in_threads
from overread.runner.recipe import Recipe
from overread.runner.scorer import Finished, Scorer, Visits
from overread.runner.summary import Summary
from overread.runner.trained import with_trained

if TYPE_CHECKING:
    from overread.llm import Client

Engine = Callable[[Build, tuple[Any, ...], Iterable[Any], int], Iterator[tuple[Any, Any]]]
"""Who does the work: this process, a pool, or many machines. Results come in the order of the items."""


def run(
    job: Job,
    place: Path,
    *,
    jobs: int = 1,
    engine: Engine = in_order,
    client: "Client | None" = None,
    meter: Meter | None = None,
    restart: bool = False,
) -> Summary:
    """Score everything and write results.jsonl, details.jsonl, summary.json and manifest.json into `place`.

    A run that was stopped goes on where it stopped; one that is finished is not done again.
    """
    start, shown, job = monotonic(), meter or Meter(), job.asking(client)
    joined = prepare(place)
    shown.stage("reading files")
    pairs = Pairs.gather(job.references, job.candidates, joined)
    try:
        recipe = job.recipe(pairs)
        plan = draft(job.inputs, recipe, job.draws, signatures_of(recipe), min(job.explained, len(pairs)))
        if not restart and (before := folder.finished(place, plan)):
            return before
        check_ready(recipe)
        check_reader(recipe, client)
        with Journal(place / JOURNAL, plan.fingerprint, restart=restart) as journal:
            work(pairs, recipe, journal, engine, jobs, client, shown)
            shown.stage("adding up")
            summary = conclude(place, pairs, recipe, journal, plan)
            write_json(place / manifest.NAME, finished(plan, place, monotonic() - start))
            journal.remove()
        return summary
    finally:
        pairs.close()
        joined.unlink(missing_ok=True)


def prepare(place: Path) -> Path:
    """Make the folder; the file in it that will hold the join."""
    joined = place / "pairs.sqlite.part"
    try:
        place.mkdir(parents=True, exist_ok=True)
        joined.unlink(missing_ok=True)
        joined.touch(mode=0o600)
    except OSError as error:
        raise BadInput(f"Cannot write into {place}: {error.strerror}. Choose another with -o.") from None
    return joined


def work(
    pairs: Pairs,
    recipe: Recipe,
    journal: Journal,
    engine: Engine,
    jobs: int,
    client: "Client | None",
    meter: Meter,
) -> None:
    """Every pair, then every patient, that the journal does not hold yet."""
    for unit in units(pairs, recipe, engine, jobs, client, journal.done, meter):
        journal.add(unit)
        meter.advance()


def units(
    pairs: Pairs,
    recipe: Recipe,
    engine: Engine,
    jobs: int,
    client: "Client | None" = None,
    done: Mapping[str, int] = MappingProxyType({"report": 0, "patient": 0}),
    meter: Meter | None = None,
) -> Iterator[Finished]:
    """All units of work in order, but for the first `done` of each kind."""
    shown, skip = meter or Meter(), dict(done)
    build = (recipe, fitted(recipe, pairs))
    measures = list(measures_of(recipe).values())
    if client is not None:
        engine, jobs = asking(client)
    shown.expect("pairs", len(pairs), skip["report"])
    stream = engine(Scorer, build, pairs.after(skip["report"]), jobs)
    yield from (unit for _, unit in with_trained(stream, measures, recipe))
    if any(m.unit == "patient" for m in measures):
        shown.expect("patients", len(pairs.patients()), skip["patient"])
        rest = islice(visits(pairs), skip["patient"], None)
        yield from (unit for _, unit in engine(Scorer, build, rest, jobs))


def asking(client: "Client") -> tuple[Engine, int]:
    """Threads that share one client: the work is waiting for answers."""

    def engine(
        build: Build, arguments: tuple[Any, ...], items: Iterable[Any], jobs: int
    ) -> Iterator[tuple[Any, Any]]:
        return in_threads(build(*arguments, client), items, jobs)

    return engine, client.settings.concurrency


def visits(pairs: Pairs) -> Iterator[Visits]:
    for number, (patient, _) in enumerate(pairs.patients()):
        yield Visits(number, patient, tuple(pairs.of_patient(patient)))


def conclude(place: Path, pairs: Pairs, recipe: Recipe, journal: Journal, plan: Manifest) -> Summary:
    """All files but the manifest, from what the journal holds."""
    seen = write_rows(journal, place, pairs.systems, recipe)
    board = add_up(place / folder.RESULTS, recipe)
    summary = summarised(board, pairs, seen, recipe, plan.signatures, plan.draws)
    write_json(place / folder.SUMMARY, summary)
    if not recipe.explain:
        explain(place, pairs, replace(recipe, explain=True), worst(board, plan.explained))
    return summary


def explain(place: Path, pairs: Pairs, recipe: Recipe, places: list[int]) -> None:
    """Score the chosen pairs once more, this time keeping what the scores are made of."""
    scorer = Scorer(recipe, fitted(recipe, pairs))
    chosen: Iterable[Pair | Visits] = pairs.chosen(places)
    if any(m.unit == "patient" for m in scorer.measures):
        chosen = chain(chosen, islice(visits(pairs), len(places)))
    with whole(place / folder.DETAILS) as file:
        for item in chosen:
            file.write(msgspec.json.encode(folder.detail(scorer(item))) + b"\n")


def finished(plan: Manifest, place: Path, seconds: float) -> Manifest:
    outputs = {name: hashed(place / name) for name in (folder.RESULTS, folder.SUMMARY)}
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return replace(plan, outputs=outputs, created=created, seconds=round(seconds, 3))
