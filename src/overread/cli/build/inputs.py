"""`overread build inputs`: what report generators are given beside their images."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.columns import takes_columns
from overread.cli.terminal.options import Encoding, Quiet, existing


@takes_columns
def build_inputs(
    reports: Annotated[
        Path,
        typer.Argument(
            callback=existing, help="Reports with patients and the order or dates of their studies."
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="File to write, a JSON line per study.")],
    generator: Annotated[
        str,
        typer.Option(
            "--for", help="maira-2, medversa, libra, medgemma, lingshu, image-alone, or one of --layouts."
        ),
    ],
    cascade: Annotated[
        Path | None,
        typer.Option(
            help="Reports the generator wrote for earlier studies, with the same ids: the prior report has its "
            "findings instead of the radiologist's."
        ),
    ] = None,
    layouts: Annotated[
        Path | None, typer.Option(help="Inputs of generators of your own, or in your words (TOML).")
    ] = None,
    encoding: Encoding = None,
    quiet: Quiet = False,
    *,
    columns: dict[str, str] | None,
) -> None:
    """Write what each study of a corpus gives to a report generator beside the images (LUNGUAGE, appendix E).

    A line has the study's id, the id of the study before, the images wanted, and the generator's text fields. The
    wordings are ours; your generator's own go into a file for --layouts.

        overread build inputs reports.csv --for maira-2 -o inputs.jsonl

        overread build inputs reports.csv --for maira-2 --cascade written-so-far.jsonl -o inputs.jsonl
    """
    import msgspec

    from overread.cli.terminal.voice import wrote
    from overread.formats import load
    from overread.runner.datasets.generator_inputs import inputs, layout
    from overread.sources import patients
    from overread.whole import write

    wanted = layout(generator, layouts)
    written = {one.id: one for one in load(cascade)} if cascade else None
    found = list(inputs(patients(load(reports, columns, encoding=encoding)), wanted, written))
    write(output, b"".join(msgspec.json.encode(one) + b"\n" for one in found))
    if not quiet:
        prior = sum(one.prior is not None for one in found)
        typer.echo(f"{len(found)} studies, {prior} with one before", err=True)
        wrote(output)
