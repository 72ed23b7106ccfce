"""`overread corpus`: the open corpus of invented, annotated reports; one file per verb."""

import typer

from overread.cli.corpus.agree import agree
from overread.cli.corpus.build import build
from overread.cli.corpus.check import check
from overread.cli.corpus.diff import diff
from overread.cli.corpus.stats import stats

app = typer.Typer(
    name="corpus",
    help="The open corpus of invented, annotated reports: check, build and count it, compare annotations.\n\n"
    "overread corpus check corpus/\n"
    "overread corpus build corpus/ -o built/",
    no_args_is_help=True,
)

app.command("check")(check)
app.command("build")(build)
app.command("stats")(stats)
app.command("agree")(agree)
app.command("diff")(diff)
