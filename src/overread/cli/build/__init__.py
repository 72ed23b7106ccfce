"""`overread build`: data sets made from a corpus, one file per kind."""

import typer

from overread.cli.build.clear import build_clear
from overread.cli.build.clear_review import build_clear_review
from overread.cli.build.codes import build_codes
from overread.cli.build.english import build_english
from overread.cli.build.examples import build_examples
from overread.cli.build.graphs import build_graphs
from overread.cli.build.inputs import build_inputs
from overread.cli.build.longitudinal import build_longitudinal
from overread.cli.build.sample import build_sample
from overread.cli.build.srr import build_srr
from overread.cli.build.statistics import build_statistics
from overread.cli.build.vocabulary import build_vocabulary

app = typer.Typer(name="build", no_args_is_help=True)


@app.callback()
def build() -> None:
    """Build data sets from a corpus.

    overread build srr corpus.csv -o data/
    overread build examples gold.jsonl --reports reports.csv -o bank.jsonl
    """


app.command("longitudinal")(build_longitudinal)
app.command("srr")(build_srr)
app.command("examples")(build_examples)
app.command("clear")(build_clear)
app.command("clear-review")(build_clear_review)
app.command("sample")(build_sample)
app.command("statistics")(build_statistics)
app.command("graphs")(build_graphs)
app.command("inputs")(build_inputs)
app.command("english")(build_english)
app.command("codes")(build_codes)
app.command("vocabulary")(build_vocabulary)
