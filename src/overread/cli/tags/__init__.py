"""`overread tags`: which sentences match, as a file to look at, mend by hand and score again."""

import typer

from overread.cli.tags.check import check
from overread.cli.tags.curves import curves
from overread.cli.tags.rewrite import rewrite
from overread.cli.tags.score import score
from overread.cli.tags.write import write

app = typer.Typer(
    name="tags",
    help="RadSEM's matched sentences as files: write, check and rescore them.\n\n"
    "overread tags write references.csv ours.csv -o tags.jsonl\n"
    "overread tags score tags.jsonl",
    no_args_is_help=True,
)

app.command("write")(write)
app.command("check")(check)
app.command("score")(score)
app.command("rewrite")(rewrite)
app.command("curves")(curves)
