"""`overread corpus`: the open corpus of invented, annotated reports."""

import typer

from overread.cli.corpus import agree, check

app = typer.Typer(
    name="corpus",
    help="The open corpus of invented, annotated reports: check, build and count it, compare annotations.\n\n"
    "overread corpus check corpus/\n"
    "overread corpus build corpus/ -o built/",
    no_args_is_help=True,
)

for command in (check.check, check.build, check.stats, agree.agree, agree.diff):
    app.command()(command)
