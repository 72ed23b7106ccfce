"""`overread build`: data sets made from a corpus; what belongs together is one file, named after its first verb."""

import typer

from overread.cli.build import clear, codes, examples, longitudinal, sample, srr, statistics

app = typer.Typer(name="build", no_args_is_help=True)


@app.callback()
def build() -> None:
    """Build data sets from a corpus.

    overread build srr corpus.csv -o data/
    overread build examples gold.jsonl --reports reports.csv -o bank.jsonl
    """


for command in (
    longitudinal.build_longitudinal, srr.build_srr, examples.build_examples, clear.build_clear,
    clear.build_clear_review, sample.build_sample, statistics.build_statistics, statistics.build_graphs,
    examples.build_inputs, examples.build_english, codes.build_codes, codes.build_vocabulary,
):  # fmt: skip
    app.command(command.__name__.removeprefix("build_").replace("_", "-"))(command)
