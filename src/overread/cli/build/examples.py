"""`overread build examples`: a bank of worked examples from any gold."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.options import Quiet


def build_examples(
    gold: Annotated[
        Path,
        typer.Argument(
            help="Views or timelines that people have checked: lines of `read` and `follow`, a review's gold, or "
            "LUNGUAGE's annotation table."
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="File of examples to write (JSONL).")],
    reports: Annotated[
        Path | None, typer.Option(help="The reports, matched by id, if the gold file contains no text.")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Build a file of few-shot examples for `--examples`, one line per prompt.

    A report is never shown with itself, a near duplicate, or a report of the same patient as an example.

        overread build examples gold.jsonl --reports reports.csv -o bank.jsonl
    """
    from collections import Counter

    from msgspec.json import encode

    from overread.cli.terminal.output import sink
    from overread.cli.terminal.voice import note
    from overread.formats import load
    from overread.runner.datasets.examples import examples_of

    made: Counter[str] = Counter()
    with sink(output, lambda line: encode(line) + b"\n") as write:
        for line in examples_of(gold, load(reports) if reports else None):
            made[line["stage"]] += 1
            write(line)
    if not quiet:
        note("".join(f"{stage:<28}{count:>6}\n" for stage, count in made.items()) + f"→ {output}")
