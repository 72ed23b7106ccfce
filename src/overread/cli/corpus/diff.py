"""`overread corpus diff`: where two annotations differ."""

import typer

from overread.cli.terminal.notation import First, Second, both
from overread.cli.terminal.options import Quiet


def diff(first: First, second: Second, quiet: Quiet = False) -> None:
    """Print every sentence on which two annotations differ, both versions in notation; exit code 1 if any.

    Common lines come first, then those only in A (<) and only in B (>). Tags and the order of lines do not
    matter: links are compared by their targets.

        overread corpus diff corpus/blind/first/tA-1.txt corpus/blind/second/tA-1.txt
    """
    from overread.cli.terminal.voice import hushed, note
    from overread.corpus.agree import differences

    number = 0
    for block in differences(*both(first, second, quiet)):
        typer.echo(block)
        number += 1
    with hushed(quiet):
        note(f"{number:,} sentences differ")
    raise typer.Exit(1 if number else 0)
