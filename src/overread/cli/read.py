"""`overread read`: a view per report."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.llm_options import LlmOptions, takes_llm_options
from overread.cli.options import (
    By,
    Date,
    Day,
    Encoding,
    Findings,
    Id,
    Impression,
    Indication,
    LexiconFile,
    Patient,
    Quiet,
    Study,
    Text,
)  # fmt: skip


@takes_llm_options
def read(
    reports: Annotated[
        Path, typer.Argument(help="A table (CSV, TSV, JSONL, Parquet), a text file, or a folder of reports.")
    ],
    system: Annotated[
        str, typer.Option("--as", help="View: lunguage, radsem, clear, srrg or longitudinal.")
    ] = "lunguage",
    by: By = "rules",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write one JSON line per report here.")
    ] = None,
    id: Id = None,
    text: Text = None,
    findings: Findings = None,
    impression: Impression = None,
    indication: Indication = None,
    patient: Patient = None,
    study: Study = None,
    day: Day = None,
    date: Date = None,
    encoding: Encoding = None,
    lexicon: LexiconFile = None,
    quiet: Quiet = False,
    *,
    llm: LlmOptions,
) -> None:
    """Read reports and write one view per report.

    Without -o a handful of reports is shown as tables in a terminal; otherwise JSON lines go to standard output.

        overread read reports.csv --as clear -o clear.jsonl
    """
    from overread.cli.options import columns_of
    from overread.cli.reading import read_by_llm, read_by_rules
    from overread.errors import UnknownName
    from overread.sources import load
    from overread.systems.registry import system as named

    columns = columns_of(id=id, text=text, findings=findings, impression=impression, indication=indication,
                         patient=patient, study=study, day=day, date=date)  # fmt: skip
    source = load(reports, columns, encoding=encoding)
    chosen = named(system)
    if by == "rules":
        read_by_rules(source, chosen, lexicon, output, quiet)
    elif by == "llm":
        read_by_llm(source, chosen, llm, output, quiet)
    else:
        raise UnknownName("reader", by, ("rules", "llm"))
