"""`overread corpus diff`: where two annotations differ."""

import typer

from overread.cli.terminal.notation import First, Second, both
from overread.cli.terminal.options import Quiet


def diff(first: First, second: Second, quiet: Quiet = False) -> None:
    """Print every sentence that two annotations see differently, both versions in notation; exit code 1 if any.

    Lines that both have come first, then those of A alone (<) and of B alone (>). Tags and the order of lines make no
    difference: links are compared by what they lead to.

        overread corpus diff corpus/blind/first/tA-1.txt corpus/blind/second/tA-1.txt
    """
    from overread.cli.terminal.voice import hushed, note
    from overread.corpus.diff import differences

    number = 0
    for block in differences(*both(first, second, quiet)):
        typer.echo(block)
        number += 1
    with hushed(quiet):
        note(f"{number:,} sentences differ")
    raise typer.Exit(1 if number else 0)
