"""`overread tags`: which sentences match, as a file to look at, mend by hand and score again."""

import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Column

from overread.cli.terminal import options
from overread.cli.terminal.leaderboard import grid
from overread.cli.terminal.llm_options import LlmOptions, own_views
from overread.cli.terminal.options import AtLeastOne, By, Columns, option, verb
from overread.cli.terminal.output import file_or_json, json_lines, print_json, save, sink, tell
from overread.cli.terminal.voice import FAILED, meter_for, note, stoppable, wrote
from overread.errors import BadInput
from overread.llm import Failure
from overread.pages.words import score as in_digits
from overread.runner.datasets.tag_records import matched as matched_tags
from overread.runner.datasets.tag_records import system_of
from overread.runner.files import Wanted, sources_named
from overread.runner.limits import shortened
from overread.runner.run.folder import MANIFEST, Results
from overread.runner.run.pairs import Pairs
from overread.runner.views import Unread
from overread.stats.bootstrap import mean_interval
from overread.systems.base import Score
from overread.systems.radsem.published import published
from overread.systems.radsem.tag_file import Scored, examined, metrics_of, scored, written
from overread.systems.radsem.tags import Tags, rewritten, tags_of
from overread.validation.radsem_curves import f1_curves
from overread.whole import write, write_whole


@verb("tags")
def tags() -> None:
    """RadSEM's matched sentences as files: write, check and rescore them.

    overread tags write references.csv ours.csv -o tags.jsonl
    overread tags score tags.jsonl
    """


FEW_RECORDS = 20
"""So many records or fewer are shown one by one; of more the mean with its interval."""


@verb("tags score")
def score_tags(
    tags: Path,
    metric: list[str] | None = None,
    alt: bool = False,
    output: Path | None = None,
    unlisted: bool = False,
    alpha: float | None = None,
    part_whole: str | None = None,
    details: str | None = None,
    adjustment: float | None = None,
    draw_seed: int = 0,
    resamples: AtLeastOne = 1000,
    json: bool = False,
) -> None:
    """Score a tag file. If a file has errors, all of them are listed, nothing is scored, and the exit code is
    2.

    overread tags score tags.jsonl

    overread tags score tags.jsonl --metric radsem,radsem-alt -o scores.jsonl
    """
    names = metrics_of(metric, alt)
    given = (alpha, part_whole, details, adjustment)
    constants = published().constants.changed(*given) if any(one is not None for one in given) else None
    output, json = file_or_json(output, json)
    found = scored(tags, names, not unlisted, constants)
    if output is not None:
        write(output, json_lines(one.line() for one in found))
        note(f"{len(found)} lines")
        wrote(output)
    if json:
        for one in found:
            print_json(one.line())
        return

    console = Console(width=None if sys.stdout.isatty() else 100)
    records = len(found) // len(names)
    if records <= FEW_RECORDS:
        console.print(scores_one_by_one(found))
    console.print(mean_scores(found, names, tags, resamples, draw_seed))
    for name in names:
        why = Counter(one.score.why for one in found if one.metric == name and one.score.value is None)
        for reason, count in why.items():
            note(f"{name}: {count} of {records} undefined: {reason}.")


def scores_one_by_one(found: Sequence[Scored]) -> Any:
    """A row per record and metric, with the counts of both classes."""
    classes = ("abnormal", "normal")
    rows = (
        (one.id, one.metric, *map(in_digits, (one.score.value, one.score.precision, one.score.recall)),
         *(class_cell(one.score, name) for name in classes))
        for one in found
    )  # fmt: skip
    words = [Column(name, overflow="fold") for name in ("record", "metric")]
    caption = "abnormal, normal: matched credit − missed + invented"
    return grid(words, ("score", "P", "R", *classes), rows, caption=caption, caption_justify="left")


def class_cell(score: Score, name: str) -> str:
    """
    >>> from overread.systems.base import Score
    >>> counts = {"abnormal_matched": 1.5, "abnormal_missed": 2.0, "abnormal_invented": 0.0}
    >>> class_cell(Score(0.6, counts=counts), "abnormal")
    '1.5 −2 +0'
    """
    matched, missed, invented = (score.counts[f"{name}_{k}"] for k in ("matched", "missed", "invented"))
    return f"{matched:.3g} −{missed:.0f} +{invented:.0f}"


def mean_scores(found: Sequence[Scored], names: Sequence[str], path: Path, resamples: int, seed: int) -> Any:
    rows = []
    for name in names:
        scores = [one.score.value for one in found if one.metric == name]
        values = [value for value in scores if value is not None]
        mean = ["–", "–"]
        if values:
            i = mean_interval(values, resamples=resamples, seed=seed)
            mean = [f"{i.value:.3f}", f"{i.low:.3f} to {i.high:.3f}"]
        rows.append([name, *mean, str(len(scores)), str(len(scores) - len(values))])
    head = ("mean", "95% CI", "records", "undefined")
    return grid(["metric"], head, rows, title=f"\n{path.name}", title_justify="left")


@verb("tags check")
def check_tags(tags: Path, unlisted: bool = False) -> None:
    """Validate every record of a tag file; errors are listed with line and type.

    Kinds: syntax (no JSON), field (missing, unknown or empty), label (not one of its words, or against the class of
    its pair), class (one pair in two classes), name (used twice), lost sentence (neither paired nor unmatched),
    unknown sentence (not of that report), tagged twice, listed twice. Exit code 1 when there is a fault.

        overread tags check tags.jsonl
    """
    sound, faults = examined(tags, listed=not unlisted)
    for fault in faults:
        print(f"{tags.name}, {fault}")
    kinds = Counter(fault.kind for fault in faults)
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    note(f"{len(sound)} sound records, {len(faults)} faults{f' ({told})' if told else ''}")
    raise typer.Exit(1 if faults else 0)


@verb("tags curves")
def curves(output: Path) -> None:
    """Draw the paper's Figure 2: the abnormal F1 when one more finding is matched fully, partially or not at
    all.

    overread tags curves -o figure-2.svg
    """
    save(output, f1_curves())


@verb("tags write")
def write_tags(
    reference: Path,
    columns: Columns,
    llm: LlmOptions,
    candidate: Path | None = None,
    output: Path | None = None,
    system: str | None = None,
    by: By = "network",
    match_by: Annotated[str | None, option(callback=options.known_reader)] = None,
    indent: bool = False,
    candidate_id: str | None = None,
    candidate_text: str | None = None,
    lexicon: Path | None = None,
) -> None:
    """Write which sentences of two reports match, and how: one record per pair, with the paper's field names.

    `overread tags score` gives the file the same scores as `overread score` gives the reports. Exit codes: 0
    success, 1 a language model failed on some pairs (listed, not written), 2 bad input.

        overread tags write references.csv ours.csv -o tags.jsonl

        overread tags write overread-results --system ours -o tags.jsonl
    """
    if candidate is None and not reference.is_file():
        write_of_run(reference, system, output, indent)
        return
    files = [candidate] if candidate is not None else []
    wanted = Wanted(reference, files, (), columns.named, candidate_id, candidate_text, columns.encoding)
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
        for outcome in matched_tags(pairs, readers, client, lexicon):
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
    columns: Columns,
    llm: LlmOptions,
    by: By = "network",
) -> None:
    """Write each report as rewritten by RadSEM's first stage: name, Examined_Area, Examined_Type,
    rewritten_report.

    The released matching step reads these files, and so does every command here.

        overread tags rewrite reports.csv -o rewritten.jsonl
    """
    known = list(columns.load(reports))
    views = own_views(by, "radsem", known, llm)
    lines = [rewritten(views[one.id]) for one in known if one.id in views]
    write_whole(output, json_lines(lines))
    note(f"{len(lines)} of {len(known)} reports")
    wrote(output)
