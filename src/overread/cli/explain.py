"""`overread explain`: how a sentence is read, and which rows and rules decided."""

from typing import Annotated

import typer

from overread.cli.terminal.options import LexiconFile


def explain(
    sentence: Annotated[
        str, typer.Argument(help="A sentence or a whole report in quotes; - reads standard input.")
    ],
    section: Annotated[str, typer.Option(help="Section of a sentence without heading.")] = "findings",
    lexicon: LexiconFile = None,
    json: Annotated[bool, typer.Option("--json", help="Print the complete reading as JSON.")] = False,
) -> None:
    """Show how a sentence is read: findings, attributes, negation and uncertainty, with the words, lexicon
    rows and probabilities behind them.

    overread explain "No new focal consolidation; small left effusion has decreased."
    """
    import sys

    from overread.errors import UnknownName
    from overread.reader import read
    from overread.report import SECTION_NAMES, from_sections, parse
    from overread.runner.views import lexicon_of

    if section not in SECTION_NAMES:
        raise UnknownName("section", section, SECTION_NAMES)
    text = sys.stdin.read() if sentence == "-" else sentence
    report = parse(text)
    if not report.headed and section != "findings":
        report = from_sections({section: text})
    words = lexicon_of(str(lexicon) if lexicon else None)
    reading = read(report, words)
    if json:
        from msgspec.json import encode

        from overread.runner.explained import explained

        typer.echo(encode(explained(reading, words)).decode())
    else:
        from rich.console import Console

        from overread.runner.explained_tree import trees

        console = Console()
        for tree in trees(reading, words):
            console.print(tree)
        if not reading.sentences:
            console.print("Nothing to read: the text holds no sentence.")
