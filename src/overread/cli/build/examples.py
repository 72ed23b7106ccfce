"""`overread build examples`, `inputs`, `english`, `sample`: what models are given; reports drawn step by step."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import to_builtins
from msgspec.json import Decoder, encode

from overread.cli.terminal.llm_options import LlmOptions
from overread.cli.terminal.options import Columns, OutputFolder, argument, existing, verb
from overread.cli.terminal.output import json_lines, sink
from overread.cli.terminal.voice import FAILED, note, voice, wrote
from overread.errors import BadInput
from overread.formats import load
from overread.reader import read
from overread.report import Report
from overread.runner.datasets.corpora import (
    SPLIT_NAMES,
    Drop,
    choose_reports,
    read_ids,
    read_splits,
    studies_between,
    without_body,
)
from overread.runner.datasets.generator_inputs import inputs, layout
from overread.runner.view_files import json_lines as decoded_lines
from overread.runner.view_files import load_view_file, views_kind
from overread.sources import patients
from overread.systems.banks import MAKERS, JsonObject, of_timeline
from overread.systems.clear.by_rules import view
from overread.validation.clear.files import id_of, rows_of, squeezed
from overread.validation.translation import by_llm, translated
from overread.whole import make_folder, write, write_whole


@verb("build examples")
def build_examples(
    gold: Path,
    output: Path,
    reports: Path | None = None,
) -> None:
    """Build a file of few-shot examples for `--examples`, one line per prompt.

    A report is never shown with itself, a near duplicate, or a report of the same patient as an example.

        overread build examples gold.jsonl --reports reports.csv -o bank.jsonl
    """
    made: Counter[str] = Counter()
    with sink(output, lambda line: encode(line) + b"\n") as write:
        for line in examples_of(gold, load(reports) if reports else None):
            made[line["stage"]] += 1
            write(line)
    note("".join(f"{stage:<28}{count:>6}\n" for stage, count in made.items()) + f"→ {output}")


def examples_of(gold: Path, reports: Iterable[Report] | None = None) -> Iterator[JsonObject]:
    """The examples of every line, in order; a view without a text is an error that says what to give."""
    kind = views_kind(gold)
    if kind is None:
        raise BadInput(
            f"{gold} holds no views: give lines of `overread read` or `follow`, or an annotation table."
        )
    known = {report.id: report for report in reports or ()}
    decode = Decoder(dict[str, Any]).decode
    lines: Iterable[Any] = decoded_lines(gold, decode, lambda error: "not a JSON object.")
    if kind == "table":
        table, kind = load_view_file(str(gold)), "lunguage"
        known = {report.id: report for report in table.reports}
        lines = map(to_builtins, table.views.values())
    for line in lines:
        if kind == "timeline":
            made, patient = of_timeline(line), line["patient"]
        else:
            report = known.get(str(line["id"]))
            text = report.text if report else line.pop("text", None)
            if text is None:
                raise BadInput(
                    f"Report {line['id']!r} of {gold} has no text: say where the reports are with --reports."
                )
            made, patient = MAKERS[kind](text, line), report.patient if report else line.get("patient")
        yield from ({**one, "patient": one.get("patient") or patient} for one in made)


@verb("build inputs")
def build_inputs(
    reports: Annotated[Path, argument(callback=existing)],
    output: Path,
    generator: str,
    columns: Columns,
    cascade: Path | None = None,
    layouts: Path | None = None,
) -> None:
    """Write what each study of a corpus gives to a report generator beside the images (LUNGUAGE, appendix E).

    A line has the study's id, the id of the study before, the images wanted, and the generator's text fields. The
    wordings are ours; your generator's own go into a file for --layouts.

        overread build inputs reports.csv --for maira-2 -o inputs.jsonl

        overread build inputs reports.csv --for maira-2 --cascade written-so-far.jsonl -o inputs.jsonl
    """
    wanted = layout(generator, layouts)
    written = {one.id: one for one in load(cascade)} if cascade else None
    found = list(inputs(patients(columns.load(reports)), wanted, written))
    write(output, json_lines(found))
    prior = sum(one.prior is not None for one in found)
    note(f"{len(found)} studies, {prior} with one before")
    wrote(output)


@verb("build english")
def build_english(
    reports: Annotated[Path, argument(callback=existing)],
    output: Path,
    columns: Columns,
    llm: LlmOptions,
    translations: Path | None = None,
) -> None:
    """Write reports in another language as English reports without identifiers (RadSEM, section 4.1).

    A translation that lost a measurement or is not in English is refused, and named with the reason; the exit code
    is then 1. Names, dates, numbers and places of work that are still there are cut out and counted; this is no
    substitute for de-identifying a corpus.

        overread build english berichte.csv --translations english.csv -o reports.jsonl

        overread build english berichte.csv --base-url http://localhost:8080/v1 --model MODEL -o reports.jsonl
    """
    source = list(columns.load(reports))
    if translations is not None:
        found = translated(source, {one.id: one.text for one in load(translations)})
    else:
        with llm.client(len(source)) as client:
            found = by_llm(client, source)
    write(output, json_lines(found.reports))
    for id, why in found.refused.items():
        note(f"{id}: {why}")
    left = f"{len(found.refused)} refused, {found.cut} identifiers cut out"
    note(f"{len(found.reports)} of {len(found.reports) + len(found.refused)} reports; {left}")
    wrote(output)
    if found.refused:
        raise typer.Exit(FAILED)


@verb("build sample")
def build_sample(
    reports: Path,
    output: OutputFolder,
    columns: Columns,
    take: int | None = None,
    pilot: int = 0,
    without: list[Path] | None = None,
    labels: Path | None = None,
    abnormal: bool = False,
    splits: Path | None = None,
    of: str = "validate,test",
    studies: str | None = None,
    patients: int | None = None,
    draw: int = 0,
) -> None:
    """Sample the reports of a data set and report what was excluded at each step.

    Reports without findings and impression are always excluded. Writes sample.jsonl, pilot.jsonl if
    requested, and steps.tsv. The same corpus and seed give the same reports.

        overread build sample corpus.csv --labels labels.csv --pilot 20 --take 550 -o curated/

        overread build sample corpus.csv --splits split.csv --without curated.txt --pilot 5 --take 100 -o bench/

        overread build sample corpus.csv --studies 1-15 --patients 230 -o cohort/
    """
    found = choose_reports(
        columns.load(reports),
        drops(without, labels, abnormal, splits, of),
        studies_between(studies) if studies else None,
        patients,
        pilot,
        take,
        draw,
    )
    make_folder(output)
    write_whole(output / "sample.jsonl", report_lines(found.sample))
    if pilot:
        write_whole(output / "pilot.jsonl", report_lines(found.pilot))
    steps = "".join(f"{step}\t{count}\n" for step, count in found.steps.items())
    write_whole(output / "steps.tsv", steps.encode())
    if not voice.quiet:
        typer.echo("".join(f"{step:<52}{count:>9,}\n" for step, count in found.steps.items()), nl=False)
        wrote(output)


def drops(
    without: list[Path] | None, labels: Path | None, abnormal: bool, splits: Path | None, of: str
) -> dict[str, Drop]:
    """What is left out, in order."""
    found: dict[str, Drop] = {"with findings or an impression": without_body}
    if splits:
        wanted = {SPLIT_NAMES.get(part.strip(), part.strip()) for part in of.split(",")}
        parts = read_splits(splits)
        found[f"in {of.replace(',', ' or ')}"] = lambda one: parts.get(one.patient or "") not in wanted
    if labels:
        normal = no_finding(labels)
        found["not labelled No Finding"] = lambda one: one.id in normal or one.id.lstrip("s") in normal
    if abnormal:
        found["with a positive condition"] = lambda one: not view(read(one)).positive()
    if without:
        known = frozenset[str]().union(*map(read_ids, without))
        found["not left out by name"] = lambda one: one.id in known
    return found


def no_finding(path: Path) -> frozenset[str]:
    """Ids of studies whose column No Finding is 1."""
    found = set()
    for line, row in rows_of(path):
        column = next((name for name in row if squeezed(name) == "nofinding"), None)
        if column is None:
            raise BadInput(f"{path}, line {line}: no column No Finding.")
        if str(row[column]).strip() in ("1", "1.0"):
            found.add(id_of(row, path, line))
    return frozenset(found)


def report_lines(reports: list[Report]) -> bytes:
    """Reports as JSON lines that every command loads."""
    rows = [
        {"id": one.id, "text": one.text, "patient": one.patient, "study": one.study, "day": one.day}
        for one in reports
    ]
    return json_lines({name: value for name, value in row.items() if value is not None} for row in rows)
