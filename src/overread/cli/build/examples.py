"""`overread build examples`, `inputs` and `english`: what models are given."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from msgspec.json import encode

from overread.cli.terminal.llm_options import LlmOptions
from overread.cli.terminal.options import Columns, argument, existing, verb
from overread.cli.terminal.output import json_lines, sink
from overread.cli.terminal.stopping import FAILED
from overread.cli.terminal.voice import note, wrote
from overread.formats import load
from overread.runner.datasets.examples import examples_of
from overread.runner.datasets.generator_inputs import inputs, layout
from overread.sources import patients
from overread.validation.translation import by_llm, translated
from overread.whole import write


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
