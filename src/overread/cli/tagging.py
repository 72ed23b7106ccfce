"""Tag files written at the terminal: from two files of reports, or from a finished run."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from overread.cli.reading import sink, tell
from overread.cli.scoring import FAILED, Wanted, meter_for, shortened, sources_of, stoppable
from overread.cli.voice import note, wrote
from overread.errors import BadInput, UnknownName
from overread.runner.pairs import Pair, Pairs
from overread.systems.radsem.schema import Atoms
from overread.systems.radsem.tag_file import written
from overread.systems.radsem.tags import Tags

if TYPE_CHECKING:
    from overread.cli.llm_options import LlmOptions
    from overread.llm import Client, Failure

BATCH = 64
"""Pairs asked about at once, so that a long run writes as it goes."""

READERS = ("rules", "llm")
Views = tuple[Atoms, Atoms]


def write_of_reports(
    wanted: Wanted,
    system: str | None,
    by: tuple[str, str],
    llm: "LlmOptions",
    lexicon: Path | None,
    output: Path | None,
    indent: bool,
    quiet: bool,
) -> None:
    """Read both sides, match, write as we go; what a language model could not do is told and never made up."""
    for who in by:
        if who not in READERS:
            raise UnknownName("reader", who, READERS)
    references, systems = sources_of(wanted)
    name = system_of(list(systems), system)
    candidates = {name: systems[name]}
    if not quiet:
        for role, source in {"reference": references, **candidates}.items():
            note(f"{role}: {source.table.describe()}")
    failed: list[Failure] = []
    count = 0
    with stoppable(), ExitStack() as stack:
        client = stack.enter_context(llm.client()) if "llm" in by else None
        meter = stack.enter_context(meter_for(quiet or client is not None))
        write = stack.enter_context(sink(output, partial(written, indent=indent)))
        pairs = Pairs.gather(references, candidates)
        meter.expect("pairs", len(pairs), 0)
        for outcome in matched(pairs, by, client, lexicon):
            meter.advance()
            if isinstance(outcome, Tags):
                write(outcome)
                count += 1
            else:
                failed.append(outcome)
    if not quiet:
        (account,) = pairs.accounts.values()
        if account.missing:
            note(f"No candidate for {shortened(account.missing)}; matched with empty reports.")
        if account.extra:
            note(f"No reference for {shortened(account.extra)}; not written.")
        note(f"{count} records")
        if output:
            wrote(output, then=[f"overread tags check {output}", f"overread tags score {output}"])
    if failed:
        tell(failed, output, "pairs have no record")
        raise typer.Exit(FAILED)


def matched(
    pairs: Iterable[Pair], by: tuple[str, str], client: "Client | None", lexicon: Path | None
) -> Iterator["Tags | Failure"]:
    """A record, or a failure, per pair, in order."""
    remaining = iter(pairs)
    while batch := list(islice(remaining, BATCH)):
        read = viewed(batch, by[0], client, lexicon)
        yield from tagged(read, by[1], client)


def viewed(
    batch: Sequence[Pair], by: str, client: "Client | None", lexicon: Path | None
) -> list["Views | Failure"]:
    """Both views of each pair; the failure of the one that could not be read."""
    sides = [[pair.reference for pair in batch], [next(iter(pair.candidates.values())) for pair in batch]]
    if by == "llm":
        from overread.systems.radsem.by_llm import views

        assert client is not None
        read = [views(client, reports) for reports in sides]
    else:
        from overread.reader import read as read_report
        from overread.runner.views import words_of
        from overread.systems.radsem.by_rules import view

        words = words_of(str(lexicon) if lexicon else None)
        read = [[view(read_report(report, words)) for report in reports] for reports in sides]
    return [joined(one, two) for one, two in zip(*read, strict=True)]


def joined(one: "Atoms | Failure", two: "Atoms | Failure") -> "Views | Failure":
    if not isinstance(one, Atoms):
        return one
    return (one, two) if isinstance(two, Atoms) else two


def tagged(read: Sequence["Views | Failure"], by: str, client: "Client | None") -> Iterator["Tags | Failure"]:
    """The views matched; a failure stays what it is."""
    views = [one for one in read if isinstance(one, tuple)]
    if by == "llm":
        from overread.systems.radsem.match_by_llm import tags

        assert client is not None
        found: Iterator[Tags | Failure] = iter(tags(client, views))
    else:
        from overread.systems.radsem.match import match

        found = (match(*one) for one in views)
    return (next(found) if isinstance(one, tuple) else one for one in read)


def write_of_run(place: Path, system: str | None, output: Path | None, indent: bool, quiet: bool) -> None:
    """The records behind the RadSEM scores of a finished run, without reading a report again."""
    from overread.runner.folder import Results
    from overread.runner.manifest import NAME
    from overread.systems.radsem.detail import tags_of

    if not (place / NAME).exists():
        raise BadInput(
            f"{place} is no folder of a finished run; name one, or a file of candidates after the references."
        )
    run = Results(place)
    name = system_of(list(run.summary.accounts), system)
    count = 0
    with sink(output, partial(written, indent=indent)) as write:
        for one in run.details():
            found = one.candidates[name].scores.get("radsem") if one.unit == "report" else None
            if found is not None:
                write(tags_of(found, one.id))
                count += 1
        if not count:
            raise BadInput(f"{place} holds no RadSEM score; run `overread score` with --metric radsem.")
    if not quiet:
        missing = run.summary.reports - count
        why = (
            f"; {missing} pairs are not explained in this run (see --explained), or failed" if missing else ""
        )
        note(f"{count} records of {name}{why}")
        if output:
            wrote(output, then=[f"overread tags score {output}"])


def system_of(known: Sequence[str], wanted: str | None) -> str:
    """The system asked for; the only one where there is one."""
    if wanted is not None and wanted not in known:
        raise UnknownName("system", wanted, known)
    if wanted is None and len(known) > 1:
        raise BadInput(f"There are {len(known)} systems; choose one with --system: {', '.join(known)}.")
    return wanted or known[0]
