"""`overread tags write` and `rewrite`: matched sentences, and reports as atomic sentences, as files."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overread.cli.terminal import options
from overread.cli.terminal.llm_options import LlmOptions
from overread.cli.terminal.options import By, option
from overread.cli.terminal.output import json_lines, sink, tell
from overread.cli.terminal.own_views import own_views
from overread.cli.terminal.stopping import FAILED, stoppable
from overread.cli.terminal.verbs import verb
from overread.cli.terminal.voice import note, wrote
from overread.errors import BadInput
from overread.runner.limits import shortened
from overread.whole import write_whole

if TYPE_CHECKING:
    from overread.llm import Failure
    from overread.runner.views import Unread


@verb("tags write")
def write(
    reference: Path,
    candidate: Path | None = None,
    output: Path | None = None,
    system: str | None = None,
    by: By = "network",
    match_by: Annotated[str | None, option(callback=options.known_reader)] = None,
    indent: bool = False,
    candidate_id: str | None = None,
    candidate_text: str | None = None,
    encoding: str | None = None,
    lexicon: Path | None = None,
    *,
    columns: dict[str, str] | None,
    llm: LlmOptions,
) -> None:
    """Write which sentences of two reports match, and how: one record per pair, with the paper's field names.

    `overread tags score` gives the file the same scores as `overread score` gives the reports. Exit codes: 0
    success, 1 a language model failed on some pairs (listed, not written), 2 bad input.

        overread tags write references.csv ours.csv -o tags.jsonl

        overread tags write overread-results --system ours -o tags.jsonl
    """
    from overread.cli.terminal.progress import meter_for
    from overread.runner.datasets.tag_records import matched, system_of
    from overread.runner.files import Wanted, sources_named
    from overread.runner.run.pairs import Pairs
    from overread.systems.radsem.tag_file import written
    from overread.systems.radsem.tags import Tags

    if candidate is None and not reference.is_file():
        write_of_run(reference, system, output, indent)
        return
    files = [candidate] if candidate is not None else []
    wanted = Wanted(reference, files, (), columns, candidate_id, candidate_text, encoding)
    readers = (by, match_by or by)
    references, systems = sources_named(wanted)
    name = system_of(list(systems), system)
    candidates = {name: systems[name]}
    for role, source in {"reference": references, **candidates}.items():
        note(f"{role}: {source.table.describe()}")
    failed: list[Failure | Unread] = []
    count = 0
    with stoppable(), ExitStack() as stack:
        write = stack.enter_context(sink(output, partial(written, indent=indent)))
        client = stack.enter_context(llm.client()) if "llm" in readers else None
        meter = stack.enter_context(meter_for(bar=client is None))
        pairs = Pairs.gather(references, candidates)
        meter.expect("pairs", len(pairs), 0)
        for outcome in matched(pairs, readers, client, lexicon):
            meter.advance()
            if isinstance(outcome, Tags):
                write(outcome)
                count += 1
            else:
                failed.append(outcome)
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


def write_of_run(place: Path, system: str | None, output: Path | None, indent: bool) -> None:
    """The records behind the RadSEM scores of a finished run, without reading a report again."""
    from overread.runner.datasets.tag_records import system_of
    from overread.runner.run.folder import MANIFEST, Results
    from overread.systems.radsem.detail import tags_of
    from overread.systems.radsem.tag_file import written

    if not (place / MANIFEST).exists():
        raise BadInput(
            f"{place} is no folder of a finished run; name one, or a file of candidates after the references."
        )
    run = Results(place)
    name = system_of(list(run.summary.accounts), system)
    count = 0
    with sink(output, partial(written, indent=indent)) as write:
        for one in run.details():
            found = one.candidates[name].opened().get("radsem") if one.unit == "report" else None
            if found is not None:
                write(tags_of(found, one.id))
                count += 1
        if not count:
            raise BadInput(f"{place} holds no RadSEM score; run `overread score` with --metric radsem.")
    missing = run.summary.reports - count
    why = f"; {missing} pairs are not explained in this run (see --explained), or failed" if missing else ""
    note(f"{count} records of {name}{why}")
    if output:
        wrote(output, then=[f"overread tags score {output}"])


@verb("tags rewrite")
def rewrite(
    reports: Path,
    output: Path,
    by: By = "network",
    encoding: str | None = None,
    *,
    columns: dict[str, str] | None,
    llm: LlmOptions,
) -> None:
    """Write each report as rewritten by RadSEM's first stage: name, Examined_Area, Examined_Type,
    rewritten_report.

    The released matching step reads these files, and so does every command here.

        overread tags rewrite reports.csv -o rewritten.jsonl
    """
    from overread.formats import load
    from overread.systems.radsem.tags import rewritten

    known = list(load(reports, columns, encoding=encoding))
    views = own_views(by, "radsem", known, llm)
    lines = [rewritten(views[one.id]) for one in known if one.id in views]
    write_whole(output, json_lines(lines))
    note(f"{len(lines)} of {len(known)} reports")
    wrote(output)
