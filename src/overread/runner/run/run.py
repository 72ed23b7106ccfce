"""A job → a folder of results: join, score, add up, write; what is finished survives being stopped."""

import errno
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import chain, islice
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from overread.runner.limits import Limits
from overread.runner.measures import measures_of
from overread.runner.meter import Meter
from overread.runner.results.conclusion import Counted, summarised, worst, write_lines
from overread.runner.results.rows import board_of, read_rows
from overread.runner.results.summary import Summary
from overread.runner.run import folder
from overread.runner.run.folder import draft, hashed, locked, write_json
from overread.runner.run.job import Job, check_reader, check_ready, fitted, signatures_of
from overread.runner.run.journal import Journal
from overread.runner.run.pairs import Pair, Pairs
from overread.runner.run.process import begin, cores
from overread.runner.run.scorer import Finished, Scorer, Visits, with_trained
from overread.runner.run.workers import WORTH_A_POOL, Build, in_order, in_threads
from overread.runner.settings import Settings
from overread.whole import CannotWrite, folder_of_a_run, part_of, whole, writing

if TYPE_CHECKING:
    from overread.llm import Client


WorkEngine = Callable[[Build, tuple[Any, ...], Iterable[Any], int], Iterator[tuple[Any, Any]]]
"""Who does the work: this process, a pool, or many machines. Results come in the order of the items."""


class Workforce(Struct, frozen=True):
    """Who does the work, and for how long an item."""

    engine: WorkEngine
    jobs: int
    limits: Limits
    client: "Client | None" = None
    """Threads share it: with a language model the work is waiting for answers."""

    def do(
        self, settings: Settings, pairs: Pairs, items: Iterable[Any], most: int | None = None
    ) -> Iterator[Any]:
        """Each item with its finished unit; `most` bounds the jobs."""
        build = (settings, fitted(settings, pairs), self.limits)
        if self.client is not None:
            return in_threads(Scorer(*build, self.client), items, most or self.client.settings.concurrency)
        return self.engine(Scorer, build, items, most or self.jobs)


def run(
    job: Job,
    place: Path,
    *,
    jobs: int | None = 1,
    engine: WorkEngine = in_order,
    client: "Client | None" = None,
    meter: Meter | None = None,
    restart: bool = False,
    keep_failures: bool = False,
    limits: Limits | None = None,
) -> Summary:
    """Score everything and write results.jsonl, details.jsonl, summary.json and manifest.json into `place`.

    A run that was stopped goes on where it stopped, and what failed is asked again unless failures are to be kept.
    One that is finished is not done again, and one with other inputs or settings is left alone: it has to be
    dropped by `restart`, or this one goes elsewhere. Without a number of `jobs` each core has one, if there
    are pairs enough to be worth it.
    """
    start, shown = monotonic(), meter or Meter()
    if (jobs or 1) > 1 and engine is in_order and client is None:
        begin()
    with folder_of_a_run(place), locked(place), gathered(job, place, shown) as pairs:
        jobs = jobs or (cores() if len(pairs) >= WORTH_A_POOL else 1)
        settings = job.settled(pairs).asking(client)
        plan = draft(job.inputs, settings, job.draws, signatures_of(settings), min(job.explained, len(pairs)))
        before = None if restart else folder.summary_of_finished(place, plan)
        failed, left = before.failed if before else 0, place / folder.JOURNAL
        if before is not None and (keep_failures or not (failed and left.exists())):
            if not failed:  # a run that was killed in its last moment may have left it
                left.unlink(missing_ok=True)
            return before
        check_ready(settings)
        check_reader(settings, client)
        with Journal(
            place / folder.JOURNAL, plan.fingerprint, restart=restart, keep_failures=keep_failures
        ) as journal:
            if journal.damaged:
                shown.tell(
                    f"{journal.path} is not as it was written: {len(journal.damaged)} damaged, from line "
                    f"{journal.damaged[0]} on. What these lines held is scored again."
                )
            force = Workforce(engine, jobs, limits or Limits(), client)
            for unit in units(pairs, settings, force, shown, journal):
                journal.add(unit)
                shown.advance()
            if client is not None:
                client.check_waiting()
            shown.stage("adding up")
            counted = Counted(accounts=pairs.accounts)
            with writing(place):
                # from here on the journal alone vouches for the run
                (place / folder.MANIFEST).unlink(missing_ok=True)
                write_lines(place, journal, settings.explain, counted)
                rows = place / folder.RESULTS
                board = board_of(read_rows(rows), read_rows(rows), measures_of(settings))
                summary = summarised(board, counted, settings, plan.signatures, plan.draws)
                write_json(place / folder.SUMMARY, summary)
                if not settings.explain:
                    shown.stage("explaining")
                    explain_chosen(
                        place, pairs, replace(settings, explain=True), worst(board, plan.explained), force
                    )
                outputs = {name: hashed(place / name) for name in folder.OUTPUTS}
                created, seconds = datetime.now(UTC).isoformat(timespec="seconds"), monotonic() - start
                done = replace(plan, outputs=outputs, created=created, seconds=round(seconds, 3))
                write_json(place / folder.MANIFEST, folder.sealed(done))
                journal.finish()
        return summary


@contextmanager
def gathered(job: Job, place: Path, meter: Meter) -> Iterator[Pairs]:
    """References and candidates, joined on disk in a file that has no name: it is gone however this ends."""
    meter.stage("reading files")
    joined = part_of(place / "pairs.sqlite")
    try:
        with writing(place):
            joined.unlink(missing_ok=True)
            os.close(os.open(joined, os.O_CREAT | os.O_WRONLY, 0o600))
        pairs = Pairs(joined)
        if os.name == "posix":
            joined.unlink()
        with closing(pairs):
            yield pairs.join(job.references, job.candidates)
    except sqlite3.OperationalError as error:
        raise CannotWrite(place, OSError(errno.ENOSPC, str(error))) from None
    finally:
        joined.unlink(missing_ok=True)


def units(
    pairs: Pairs, settings: Settings, force: Workforce, meter: Meter, before: Journal | None = None
) -> Iterator[Finished]:
    """All units of work in order, but for those that were done before."""
    measures = list(measures_of(settings).values())
    meter.expect("pairs", len(pairs), before.count("report") if before else 0)
    missing = pairs.missing_from(partial(before.done, "report")) if before else pairs
    stream = force.do(settings, pairs, missing)
    yield from (unit for _, unit in with_trained(stream, measures, settings))
    if any(m.unit == "patient" for m in measures):
        meter.expect("patients", len(pairs.patients()), before.count("patient") if before else 0)
        rest = (one for one in visits(pairs) if not (before and before.done("patient", one.number)))
        yield from (unit for _, unit in force.do(settings, pairs, rest))


def visits(pairs: Pairs) -> Iterator[Visits]:
    for number, (patient, _) in enumerate(pairs.patients()):
        yield Visits(number, patient, tuple(pairs.of_patient(patient)))


def explain_chosen(
    place: Path, pairs: Pairs, settings: Settings, places: list[int], force: Workforce
) -> None:
    """Score the chosen pairs once more, this time keeping what the scores are made of."""
    chosen: Iterable[Pair | Visits] = pairs.chosen(places)
    if any(m.unit == "patient" for m in measures_of(settings).values()):
        chosen = chain(chosen, islice(visits(pairs), len(places)))
    done = force.do(settings, pairs, chosen, 1 if len(places) < WORTH_A_POOL else None)
    with whole(place / folder.DETAILS) as file:
        for _, unit in done:
            file.write(msgspec.json.encode(unit.detail) + b"\n")
