"""`overread tags`: which sentences match, as a file to look at, mend by hand and score again."""

import typer

from overread.cli.tags import score, write

app = typer.Typer(
    name="tags",
    help="RadSEM's matched sentences as files: write, check and rescore them.\n\n"
    "overread tags write references.csv ours.csv -o tags.jsonl\n"
    "overread tags score tags.jsonl",
    no_args_is_help=True,
)

for command in (write.write, score.check, score.score, write.rewrite, score.curves):
    app.command()(command)
