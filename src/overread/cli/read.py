"""`overread read`: a view per report."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.options import By, Encoding, LexiconFile, Mapping, Quiet


def read(
    reports: Annotated[Path, typer.Argument(help="A table (CSV, TSV, JSONL, Parquet), a text file, or a folder of reports.")],
    system: Annotated[str, typer.Option("--as", help="View: lunguage, radsem, clear, srrg or longitudinal.")] = "lunguage",
    by: By = "rules",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write one JSON line per report here.")] = None,
    column: Mapping = None,
    encoding: Encoding = None,
    lexicon: LexiconFile = None,
    quiet: Quiet = False,
) -> None:
    """Read reports and write one view per report.

    Without -o a handful of reports is shown as tables in a terminal; otherwise JSON lines go to standard output.

        overread read reports.csv --as clear -o clear.jsonl
    """
    from overread.cli.reading import reader_for, run
    from overread.cli.options import mapping_of
    from overread.sources import load
    from overread.systems.registry import system as named

    source = load(reports, mapping_of(column), encoding=encoding)
    chosen = named(system)
    run(source, chosen, reader_for(chosen, by, lexicon), output, quiet)
