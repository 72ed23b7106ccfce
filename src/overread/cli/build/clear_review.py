"""`overread build clear-review`: two models' attributes, mixed and dealt to two experts."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.options import OutputFolder, Quiet


def build_clear_review(
    labels: Annotated[
        Path,
        typer.Argument(help="Experts' labels: study id and 13 conditions as 1, 0 or -1, or in five levels."),
    ],
    one: Annotated[
        Path, typer.Argument(help="A model's tables: lines of `overread read --as clear`, or reports.")
    ],
    two: Annotated[Path, typer.Argument(help="Another model's tables of the same studies.")],
    output: OutputFolder,
    draw: Annotated[int, typer.Option(help="Random seed of the assignment.")] = 0,
    quiet: Quiet = False,
) -> None:
    """Build sheets for rating attributes as in the CLEAR paper: every study in both sets, one model in each.

    Writes set-1.csv and set-2.csv, one for each expert, with empty columns rating (correct, partially correct,
    incorrect) and revision, and key.csv, which says whose answers they are. When they are filled in:
    `overread validate clear-attributes FOLDER`.

        overread build clear-review voted.csv gpt.jsonl llama.jsonl -o review/
    """
    from overread.cli.terminal.voice import wrote
    from overread.errors import BadInput
    from overread.validation.clear.files import load_experts, load_views
    from overread.validation.clear.review import KEY, SHEET, as_csv, mixed
    from overread.whole import make_folder, write_whole

    if one.stem == two.stem:
        raise BadInput(f"{one} and {two} have one name; call the files as the models are called.")
    models = {path.stem: load_views(path) for path in (one, two)}
    first, second, key = mixed(load_experts(labels), models, draw)
    make_folder(output)
    for name, columns, rows in (("set-1", SHEET, first), ("set-2", SHEET, second), ("key", KEY, key)):
        write_whole(output / f"{name}.csv", as_csv(columns, rows))
    if not quiet:
        typer.echo(f"set-1 {len(first)} answers, set-2 {len(second)} answers", err=True)
        wrote(output, then=[f"overread validate clear-attributes {output}"])
