"""`overread build`: data sets made from a corpus, one file per kind."""

import typer

from overread.cli.terminal.verbs import add

app = typer.Typer(name="build", no_args_is_help=True)


@app.callback()
def build() -> None:
    """Build data sets from a corpus.

    overread build srr corpus.csv -o data/
    overread build examples gold.jsonl --reports reports.csv -o bank.jsonl
    """


add(
    app, "longitudinal", "srr", "examples", "clear", "clear-review", "sample", "statistics", "graphs",
    "inputs", "english", "codes", "vocabulary",
)  # fmt: skip
