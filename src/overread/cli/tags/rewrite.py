"""`overread tags rewrite`: reports as atomic sentences, in the record of the RadSEM paper."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.columns import takes_columns
from overread.cli.terminal.llm_options import LlmOptions, takes_llm_options
from overread.cli.terminal.options import By, Encoding, Quiet, argument, option


@takes_llm_options
@takes_columns
def rewrite(
    reports: Annotated[Path, argument("A table (CSV, TSV, JSONL, Parquet, Excel), or a folder of reports.")],
    output: Annotated[Path, option("File to write, one JSON line per report.", "-o", "--output")],
    by: By = "network",
    encoding: Encoding = None,
    quiet: Quiet = False,
    *,
    columns: dict[str, str] | None,
    llm: LlmOptions,
) -> None:
    """Write each report as rewritten by RadSEM's first stage: name, Examined_Area, Examined_Type,
    rewritten_report.

    The released matching step reads these files, and so does every command here.

        overread tags rewrite reports.csv -o rewritten.jsonl
    """
    from msgspec.json import encode

    from overread.cli.terminal.own_views import own_views
    from overread.cli.terminal.voice import wrote
    from overread.formats import load
    from overread.systems.radsem.tags import rewritten
    from overread.whole import write_whole

    known = list(load(reports, columns, encoding=encoding))
    views = own_views(by, "radsem", known, llm)
    lines = [encode(rewritten(views[one.id])) + b"\n" for one in known if one.id in views]
    write_whole(output, b"".join(lines))
    if not quiet:
        typer.echo(f"{len(lines)} of {len(known)} reports", err=True)
        wrote(output)
