"""`overread build clear`: data to fine-tune a model on the CLEAR questions."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.columns import takes_columns
from overread.cli.terminal.options import Encoding, Quiet

SEARCH = """\
option\tvalues\tbest, Llama3.1-8B\tbest, Qwen2.5-7B
learning rate\t3e-6 to 3e-5 by 2e-6\t7e-6\t9e-6
epochs\t2, 3, 4, 5\t4\t5
gradient accumulation\t1, 2, 4\t1\t1
folds\t5\t\t
"""
"""The options of the CLEAR paper's search and what it found (Table 7, Appendix D)."""


@takes_columns
def build_clear(
    reports: Annotated[Path, typer.Argument(help="The reports.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder to write; made if it is not there.")],
    gold: Annotated[
        Path | None,
        typer.Option(
            help="Checked tables (lines of `overread read --as clear`); read by rules if not given."
        ),
    ] = None,
    shares: Annotated[
        str, typer.Option(help="Patients (else reports) in train, validate and test, in per cent.")
    ] = "80,10,10",
    draw: Annotated[int, typer.Option(help="Another number, another draw of patients.")] = 0,
    encoding: Encoding = None,
    quiet: Quiet = False,
    *,
    columns: dict[str, str] | None,
) -> None:
    """Write prompts and right answers as chat lines, split by patient, and the options of the paper's search.

    A line is {"messages": [system, user, assistant], "stage", "id"}: the very words `--by llm` sends, so that a model
    trained on them serves `--by llm` as it is.

        overread build clear reports.csv --gold experts.jsonl -o tuning/
    """
    from msgspec.json import encode

    from overread.cli.terminal.voice import note
    from overread.report import Report
    from overread.runner.failure import each
    from overread.runner.splits import percentages
    from overread.sources import load
    from overread.systems.clear.tuning import Chat, chats
    from overread.systems.srrg.corpus import split_of
    from overread.validation.clear_files import load_views

    tables = load_views(gold) if gold else None

    def asked(report: Report) -> tuple[Report, list[Chat]]:
        table = tables.get(report.id) if tables is not None else None
        return report, list(chats(report, table, tables is None))

    parts = {str(split): share for split, share in percentages(shares).items()}
    output.mkdir(parents=True, exist_ok=True)
    counts = dict.fromkeys(parts, 0)
    files = {name: (output / f"{name}.jsonl").open("wb") for name in parts}
    try:
        for report, lines in each(load(reports, columns, encoding=encoding), asked, lambda r: r.id, note):
            split = split_of(report.patient or report.id, parts, draw)
            files[split].writelines(encode(line) + b"\n" for line in lines)
            counts[split] += len(lines)
    finally:
        for file in files.values():
            file.close()
    (output / "search.tsv").write_text(SEARCH, "utf-8")
    if not quiet:
        note("  ".join(f"{name} {count}" for name, count in counts.items()) + f" → {output}")
