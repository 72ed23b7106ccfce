"""`overread corpus agree` and `diff`: two annotations of the same reports."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overread.cli.terminal.options import argument
from overread.cli.terminal.output import print_json
from overread.cli.terminal.verbs import verb
from overread.cli.terminal.voice import note

if TYPE_CHECKING:
    from overread.corpus.records import Annotated as Report


@verb("corpus agree")
def agree(
    first: Annotated[Path, argument(metavar="A")],
    second: Annotated[Path | None, argument(metavar="B")] = None,
    json: bool = False,
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
    from overread.corpus.agree import MEASURES, agreement, compare_reports

    pair = with_reading(first) if second is None else both(first, second)
    found = agreement(compare_reports(*pair))
    if second is None and (gold := layered.beside(first)):
        found |= layered.compared(gold)
    what = MEASURES | layered.MEASURES
    if json:
        counts = {name: (int(c.tp), int(c.tp + c.fn), int(c.tp + c.fp)) for name, c in found.items()}
        print_json(
            {name: {"f1": found[name].f1, "same": n, "a": a, "b": b} for name, (n, a, b) in counts.items()}
        )
        return
    typer.echo(f"{'':<24}{'F1':>7}{'same':>9}{'A':>9}{'B':>9}")
    for name, c in found.items():
        score = "–" if c.f1 is None else f"{c.f1:.3f}"
        sizes = "".join(f"{size:>9,.0f}" for size in (c.tp, c.tp + c.fn, c.tp + c.fp))
        typer.echo(f"{name:<24}{score:>7}{sizes}  {what[name]}")


def annotated(path: Path) -> "list[Report]":
    """What the notation files there hold, with a bar."""
    from overread.cli.terminal.progress import watched
    from overread.corpus.files import load, notation_files

    return [report for _, report in load(watched(notation_files([path]), "notation files"))]


def with_reading(first: Path) -> "tuple[list[Report], list[Report]]":
    """An annotation, and what overread reads in the same reports."""
    from overread.corpus.reading import as_comparable, as_read

    reports = annotated(first)
    return list(map(as_comparable, reports)), list(as_read(reports))


@verb("corpus diff")
def diff(
    first: Annotated[Path, argument(metavar="A")],
    second: Annotated[Path, argument(metavar="B")],
) -> None:
    """Print every sentence on which two annotations differ, both versions in notation; exit code 1 if any.

    Common lines come first, then those only in A (<) and only in B (>). Tags and the order of lines do not
    matter: links are compared by their targets.

        overread corpus diff corpus/blind/first/tA-1.txt corpus/blind/second/tA-1.txt
    """
    from overread.corpus.agree import differences

    number = 0
    for block in differences(*both(first, second)):
        typer.echo(block)
        number += 1
    note(f"{number:,} sentences differ")
    raise typer.Exit(1 if number else 0)


def both(first: Path, second: Path) -> "tuple[list[Report], list[Report]]":
    """Two annotations; what only one of them has is said, and not compared."""
    one, other = map(annotated, (first, second))
    for path, mine, theirs in ((first, one, other), (second, other, one)):
        known = {report.id for report in theirs}
        if alone := [report.id for report in mine if report.id not in known]:
            more = ", …" if len(alone) > 5 else ""
            note(f"{len(alone)} reports stand in {path} alone: {', '.join(alone[:5])}{more}")
    return one, other
