"""`overread corpus`: the open corpus of invented, annotated reports; one file per verb."""

import typer

from overread.cli.terminal.verbs import add

app = typer.Typer(
    name="corpus",
    help="The open corpus of invented, annotated reports: check, build and count it, compare annotations.\n\n"
    "overread corpus check corpus/\n"
    "overread corpus build corpus/ -o built/",
    no_args_is_help=True,
)

add(app, "check", "build", "stats", "agree", "diff")
