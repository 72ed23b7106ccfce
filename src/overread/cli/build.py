"""`overread build`: data sets made from a corpus."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.columns import takes_columns
from overread.cli.llm_options import LlmOptions, takes_llm_options
from overread.cli.options import By, Encoding, LexiconFile, Quiet

app = typer.Typer(name="build", no_args_is_help=True)


@app.callback()
def build() -> None:
    """Make data sets from a corpus."""


@app.command("longitudinal")
@takes_llm_options
@takes_columns
def build_longitudinal(
    reports: Annotated[
        Path, typer.Argument(help="A corpus with patients and the order or dates of their studies.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder to write; made if it is not there.")],
    by: By = "rules",
    splits: Annotated[
        Path | None,
        typer.Option(help="CSV with a patient column and a split column (train, validate, test)."),
    ] = None,
    shares: Annotated[
        str, typer.Option(help="Patients in train, validate and test, in per cent, without --splits.")
    ] = "80,10,10",
    draw: Annotated[int, typer.Option(help="Another number, another draw of patients.")] = 0,
    with_impression: Annotated[
        bool, typer.Option("--with-impression", help="Annotate the impression too, not the findings alone.")
    ] = False,
    keep_all: Annotated[
        bool, typer.Option("--all", help="Also write follow-up reports in which nothing is compared.")
    ] = False,
    encoding: Encoding = None,
    lexicon: LexiconFile = None,
    quiet: Quiet = False,
    *,
    columns: dict[str, str] | None,
    llm: LlmOptions,
) -> None:
    """Follow-up reports annotated with comparisons, diseases and progressions, split by patient.

    Writes train.jsonl, validate.jsonl and test.jsonl, and statistics.tsv and statistics.svg about them.

        overread build longitudinal corpus.csv -o benchmark/
    """
    from overread.cli.building import annotator, percentages, read_splits, write
    from overread.cli.voice import wrote
    from overread.sources import load, patients
    from overread.systems.longitudinal.benchmark import build
    from overread.systems.longitudinal.schema import SECTIONS
    from overread.systems.longitudinal.statistics import statistics, table

    people = patients(load(reports, columns, encoding=encoding))
    given = read_splits(splits) if splits else None
    sections = SECTIONS if with_impression else SECTIONS[:1]
    with annotator(by, lexicon, llm, sections) as annotate:
        entries = build(people, annotate, given, percentages(shares), draw, sections)
    write(output, entries, keep_all)
    if not quiet:
        typer.echo(table(statistics(entries)), nl=False)
        wrote(output, then=[f"overread validate longitudinal {output / 'test.jsonl'} --views YOUR-VIEWS"])
