"""`overread corpus agree`: how far two annotations agree."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overread.cli.terminal.notation import First, both
from overread.cli.terminal.options import Quiet

if TYPE_CHECKING:
    from overread.corpus.records import Annotated as Report


def agree(
    first: First,
    second: Annotated[
        Path | None,
        typer.Argument(
            metavar="B", help="The second annotation of the same reports (default: overread's own reading)."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the counts and F1 as one JSON object.")] = False,
    quiet: Quiet = False,
) -> None:
    """Compare two annotations of the same reports: F1 with counts, A as the reference.

    Mentions are matched one to one within a sentence by overlapping words; an accepted alternative (/-) counts as the
    mention it stands under. Status, certainty and category are those of matched mentions.

    Without B, overread reads the reports of A; if there are layers (*.layers), overread's views are compared
    with them as well.

        overread corpus agree corpus/blind/first corpus/blind/second

        overread corpus agree corpus/test
    """
    from overread.corpus import layered
    from overread.corpus.agree import MEASURES, Tally, agreement, compare_reports

    pair = with_reading(first, quiet) if second is None else both(first, second, quiet)
    found = agreement(compare_reports(*pair))
    gold = layered.beside(first) if second is None else []
    views = layered.compared(gold) if gold else {}
    found |= {n: Tally(int(c.tp), int(c.tp + c.fn), int(c.tp + c.fp)) for n, c in views.items()}
    what = MEASURES | layered.MEASURES
    if json:
        from msgspec.json import encode

        told = {name: {"f1": t.f1, "same": t.same, "a": t.first, "b": t.second} for name, t in found.items()}
        typer.echo(encode(told).decode())
        return
    typer.echo(f"{'':<24}{'F1':>7}{'same':>9}{'A':>9}{'B':>9}")
    for name, tally in found.items():
        score = "–" if tally.f1 is None else f"{tally.f1:.3f}"
        typer.echo(f"{name:<24}{score:>7}{tally.same:>9,}{tally.first:>9,}{tally.second:>9,}  {what[name]}")


def with_reading(first: Path, quiet: bool) -> "tuple[list[Report], list[Report]]":
    """An annotation, and what overread reads in the same reports."""
    from overread.cli.terminal.notation import watched_files
    from overread.corpus.files import load, notation_files
    from overread.corpus.reading import as_comparable, as_read

    reports = [report for _, report in load(watched_files(notation_files([first]), quiet))]
    return list(map(as_comparable, reports)), list(as_read(reports))
