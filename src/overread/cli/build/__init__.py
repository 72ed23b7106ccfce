"""`overread build`: data sets made from a corpus; what belongs together is one file, named after its first verb."""

from overread.cli.terminal.options import verb


@verb("build")
def build() -> None:
    """Build data sets from a corpus.

    overread build srr corpus.csv -o data/
    overread build examples gold.jsonl --reports reports.csv -o bank.jsonl
    """
