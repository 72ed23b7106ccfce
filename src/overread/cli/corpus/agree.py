"""`overread corpus agree`: how far two annotations agree."""

from typing import Annotated

import typer

from overread.cli.terminal.notation import First, Second, both
from overread.cli.terminal.options import Quiet


def agree(
    first: First,
    second: Second,
    json: Annotated[bool, typer.Option("--json", help="Print the counts and F1 as one JSON object.")] = False,
    quiet: Quiet = False,
) -> None:
    """Compare two annotations of the same reports: F1 with counts, A taken as right.

    Mentions are matched one to one within a sentence by overlapping words; an accepted alternative (/-) counts as the
    mention it stands under. Status, certainty and category are those of matched mentions.

        overread corpus agree corpus/test corpus/second
    """
    from overread.corpus.agree import MEASURES, agreement
    from overread.corpus.pairing import compare_reports

    found = agreement(compare_reports(*both(first, second, quiet)))
    if json:
        from msgspec.json import encode

        told = {name: {"f1": t.f1, "same": t.same, "a": t.first, "b": t.second} for name, t in found.items()}
        typer.echo(encode(told).decode())
        return
    typer.echo(f"{'':<24}{'F1':>7}{'same':>9}{'A':>9}{'B':>9}")
    for name, tally in found.items():
        score = "–" if tally.f1 is None else f"{tally.f1:.3f}"
        typer.echo(
            f"{name:<24}{score:>7}{tally.same:>9,}{tally.first:>9,}{tally.second:>9,}  {MEASURES[name]}"
        )
