"""`overread validate`: is a metric right? One question each."""

import typer

from overread.cli.terminal.verbs import add

app = typer.Typer(
    name="validate",
    help="Evaluate readings and metrics against people, papers and stress tests.\n\n"
    "overread validate injected references.jsonl --metric overread,rouge-l\n"
    "overread validate gaming references.jsonl --metric overread,rouge-l",
    no_args_is_help=True,
)

add(
    app, "structuring", "clear", "clear-attributes", "sentences", "template", "longitudinal", "ssree",
    "rewrites", "trend-flips", "experts", "injected", "gaming", "laws", "progression", "srr", "organs",
    "ranks", "encoders", "readers", "search",
)  # fmt: skip
