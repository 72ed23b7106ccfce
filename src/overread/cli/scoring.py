"""A scoring run at the terminal: files in, progress, a table and exit codes out."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from msgspec import Struct, to_builtins

from overread.cli.stopping import STOPPED
from overread.cli.voice import note, wrote
from overread.errors import BadInput, UnknownName
from overread.report import SECTION_NAMES, SectionName
from overread.runner.citation import citation
from overread.runner.folder import failures
from overread.runner.job import Job
from overread.runner.limits import Limits
from overread.runner.meter import Meter
from overread.runner.run import run
from overread.runner.summary import Draws, Ranking, Summary
from overread.runner.view_files import source_of_views
from overread.runner.whole import share
from overread.sources import Source, are_text_files, load, load_pairs, side_by_side

if TYPE_CHECKING:
    from overread.cli.llm_options import LlmOptions

FAILED, INTERRUPTED = 1, STOPPED + 2


OF_A_PATIENT = ("patient", "study", "day", "date")


class Wanted(Struct, frozen=True):
    """The files as named on the command line."""

    reference: Path
    candidates: list[Path]
    names: list[str]
    columns: dict[str, str]
    candidate_columns: dict[str, str]
    encoding: str | None
    by_line: bool | None = None
    """Of text files: is each line a report? None: found out."""

    @classmethod
    def named(
        cls,
        reference: Path,
        candidates: list[Path],
        names: list[str],
        columns: dict[str, str] | None,
        candidate_id: str | None,
        candidate_text: str | None,
        encoding: str | None,
        by_line: bool | None = None,
    ) -> "Wanted":
        """Candidates have the references' columns but for the patient's, and for those named for them."""
        given = columns or {}
        shared = {role: name for role, name in given.items() if role not in OF_A_PATIENT}
        own = {"id": candidate_id, "text": candidate_text}
        theirs = {role: name for role, name in own.items() if name is not None}
        return cls(reference, candidates, names, given, {**shared, **theirs}, encoding, by_line)


def job_of(
    wanted: Wanted,
    *,
    metrics: list[str] | None = None,
    by: str = "rules",
    lexicon: Path | None = None,
    words: str | None = None,
    sections: str = "findings,impression",
    explained: int,
    draws: Draws,
    definitions: str = "wide",
    labels: str = "rules",
    encoder: str = "embedded",
    models: Path | None = None,
    weights: Path | None = None,
    context: bool = True,
) -> Job:
    """The run that was asked for."""
    references, candidates = sources_of(wanted)
    return Job(
        references,
        candidates,
        tuple(metrics) if metrics else None,
        by,
        lexicon=str(lexicon) if lexicon else None,
        tokenisation=words,
        sections=sections_of(sections),
        explained=explained,
        draws=draws,
        definitions=definitions,
        labels=labels,
        encoder=encoder,
        models=str(models) if models else None,
        error_weights=str(weights) if weights else None,
        context=context,
    )


def sections_of(written: str) -> tuple[SectionName, ...]:
    """
    >>> sections_of("findings, impression"), sections_of("all")
    (('findings', 'impression'), ())
    """
    if written.strip() == "all":
        return ()
    named = [part.strip() for part in written.split(",") if part.strip()]
    for part in named:
        if part not in SECTION_NAMES:
            raise UnknownName("section", part, (*SECTION_NAMES, "all"))
    return tuple(name for name in SECTION_NAMES if name in named)


def sources_of(wanted: Wanted) -> tuple[Source, dict[str, Source]]:
    """References and systems; one file alone is a table of pairs."""
    if not wanted.candidates:
        return pairs_of(wanted)
    names = system_names(wanted)
    paths = [wanted.reference, *wanted.candidates]
    if are_text_files(paths):
        first, *rest = side_by_side(paths, wanted.encoding, wanted.by_line)
        return first, dict(zip(names, rest, strict=True))
    references = source_of_views(wanted.reference) or load(
        wanted.reference, wanted.columns, encoding=wanted.encoding, side="reference"
    )
    return references, {
        name: candidate_of(path, wanted) for name, path in zip(names, wanted.candidates, strict=True)
    }


def candidate_of(path: Path, wanted: Wanted) -> Source:
    """One system's file; what is wrong with it is told with the flags that are for candidates."""
    return source_of_views(path) or load(
        path, wanted.candidate_columns, encoding=wanted.encoding, side="candidate"
    )


def system_names(wanted: Wanted) -> list[str]:
    """What the systems are called: as the user says, else as their files."""
    names = wanted.names or [path.stem for path in wanted.candidates]
    if len(names) != len(wanted.candidates):
        raise BadInput(
            f"{len(wanted.candidates)} candidates but {len(names)} names; give --name once for each."
        )
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"Two candidates are called {twice!r}; tell them apart with --name, once for each.")
    return names


def pairs_of(wanted: Wanted) -> tuple[Source, dict[str, Source]]:
    """A table with the reference in one column and a candidate in each of the others."""
    first, found = load_pairs(wanted.reference, wanted.columns, encoding=wanted.encoding)
    names = wanted.names or list(found)
    if len(names) != len(found):
        raise BadInput(
            f"{wanted.reference} has {len(found)} columns of candidates but {len(names)} names are given."
        )
    return first, dict(zip(names, found.values(), strict=True))


class Manner(Struct, frozen=True):
    """How to run, apart from what is scored."""

    jobs: int = 1
    restart: bool = False
    keep_failures: bool = False
    limits: Limits = Limits()
    page: bool = True
    json: bool = False
    quiet: bool = False
    share: bool = False
    baseline: str | None = None
    """The system that differences are against; the first where none is named."""

    by_organ: bool = False
    """Also print F1-SRR header by header."""


def run_to_page(
    job: Job, output: Path, llm: "LlmOptions | None" = None, manner: Manner | None = None
) -> Path | None:
    """Run, write the page, print; the path of the page."""
    how = manner or Manner()
    if how.baseline is not None and how.baseline not in job.candidates:
        raise UnknownName("system", how.baseline, job.candidates)
    share(how.share)
    if not how.quiet:
        for role, source in job.inputs.items():
            note(f"{role}: {source.table.describe()}")
    with stoppable(), asked(job, llm) as client, meter_for(how.quiet, bar=job.by != "llm") as meter:
        summary = run(
            job, output, jobs=how.jobs, client=client, meter=meter, restart=how.restart,
            keep_failures=how.keep_failures, limits=how.limits,
        )  # fmt: skip
        written = build(output, meter) if how.page else None
    show(summary, how.json, how.quiet, written or output, how.baseline)
    if how.by_organ:
        from overread.runner.organs import by_organ, render

        typer.echo(render(by_organ(output)), nl=False, err=how.json)
    if failures(summary):
        if not how.quiet and not how.keep_failures:
            note("The same command asks again for what failed; --keep-failures leaves it as it is.")
        raise typer.Exit(FAILED)
    return written


def build(output: Path, meter: Meter) -> Path:
    from overread.pages.build import write_page

    meter.stage("writing the page")
    return write_page(output)


@contextmanager
def stoppable() -> Iterator[None]:
    """A run that is stopped says in one line that what is finished stays."""
    try:
        yield
    except KeyboardInterrupt:
        note("Stopped. What is finished is kept: give the same command again to go on.")
        raise typer.Exit(INTERRUPTED) from None


def asked(job: Job, llm: "LlmOptions | None") -> Any:
    """A client where a language model is to read."""
    return llm.client() if job.by == "llm" and llm is not None else nullcontext()


class Notes(Meter):
    """Says what a person should know, and draws no bar."""

    def tell(self, text: str) -> None:
        note(text)


@contextmanager
def meter_for(quiet: bool, bar: bool = True) -> Iterator[Meter]:
    if quiet or not bar or not sys.stderr.isatty():
        yield Meter() if quiet else Notes()
        return
    from overread.cli.progress import Bar

    with Bar() as shown:
        yield shown


def show(summary: Summary, json: bool, quiet: bool, where: Path, baseline: str | None = None) -> None:
    """The summary as JSON or as a table, and what was odd."""
    if json:
        from msgspec.json import encode

        print(encode(to_builtins(summary)).decode())
    else:
        from overread.cli.leaderboard import leaderboard, printed

        printed(leaderboard(summary.metrics, baseline))
        print(citation(summary.metrics, summary.draws))
    if not quiet:
        for line in oddities(summary):
            note(line)
        wrote(where, then=next_steps(where))


def next_steps(where: Path) -> Iterator[str]:
    """What people do with a finished run."""
    folder = where.parent if where.is_file() else where
    if where.is_file():
        yield f"open {where} in a browser"
    yield f"overread compare {folder} ANOTHER-FOLDER"


def oddities(summary: Summary) -> Iterator[str]:
    """What a reader must know before trusting the table."""
    for system, account in summary.accounts.items():
        if account.missing:
            yield f"{system}: no candidate for {shortened(account.missing)}; scored as empty reports."
        if account.extra:
            yield f"{system}: no reference for {shortened(account.extra)}; not scored."
        empty = summary.notes.get(system, {}).get("empty candidate", 0)
        if empty:
            yield f"{system}: {empty} candidate{'s' if empty > 1 else ''} without text."
    for m in summary.metrics:
        yield from gaps(m)


def gaps(m: Ranking) -> Iterator[str]:
    """Why a metric has fewer values than there are items."""
    for system, one in m.systems.items():
        for reason, count in one.why.items():
            yield f"{m.name}, {system}: {count} of {one.total} undefined: {reason}."
        for reason, count in one.failures.items():
            yield f"{m.name}, {system}: {count} of {one.total} failed: {reason}"


def shortened(ids: tuple[str, ...], most: int = 5) -> str:
    """
    >>> shortened(("a", "b"), most=1)
    '2 ids (a, …)'
    """
    told = ", ".join(ids[:most]) + (", …" if len(ids) > most else "")
    return f"{len(ids)} id{'s' if len(ids) > 1 else ''} ({told})"
