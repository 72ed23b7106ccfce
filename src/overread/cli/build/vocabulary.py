"""`overread build vocabulary`: the lexicon as tables of categories, normalised and written terms."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.options import LexiconFile, Quiet, option
from overread.whole import a_folder


def build_vocabulary(
    output: Annotated[
        Path, option("Folder to write; made if it is not there.", "-o", "--output", callback=a_folder)
    ],
    picture: Annotated[Path | None, option("Draw the number of terms in each subcategory (SVG).")] = None,
    lexicon: LexiconFile = None,
    quiet: Quiet = False,
) -> None:
    """The lexicon in the divisions of LUNGUAGE's vocabulary: entities.tsv, attributes.tsv and locations.tsv.

    Each row has a category (of places: an organ system), a subcategory (of places: the path through the body), the
    normalised term and the term as it is written. Every subcategory is counted, as in the paper's Table A.1.

    overread build vocabulary -o vocabulary
    """
    import csv
    from io import StringIO

    from overread.cli.terminal.voice import wrote
    from overread.lexicon.lexicon import lexicon as shipped
    from overread.lexicon.lexicon import with_user_rows
    from overread.systems.lunguage.taxonomy import counted, vocabulary
    from overread.validation.drawing import Amount, bars
    from overread.whole import make_folder, write, write_whole

    found = vocabulary(with_user_rows(lexicon) if lexicon else shipped())
    make_folder(output)
    panels = {}
    typer.echo(f"{'':<12}{'category':<26}{'subcategory':<28}{'normalised':>11}{'written':>9}")
    for name, terms in found.items():
        text = StringIO()
        rows = csv.writer(text, delimiter="\t", lineterminator="\n")
        rows.writerow(["system" if name == "locations" else "category", "subcategory", "normalised", "raw"])
        rows.writerows((t.category, t.subcategory, t.normalised, t.raw) for t in terms)
        write_whole(output / f"{name}.tsv", text.getvalue().encode())
        counts = counted(name, terms)
        for (category, sub), (normal, raw) in counts.items():
            typer.echo(f"{name:<12}{category:<26}{sub:<28}{normal:>11,}{raw:>9,}")
        panels[name] = {
            " · ".join(filter(None, key)): Amount(raw, f"{raw:,}") for key, (_, raw) in counts.items()
        }
    if picture:
        write(picture, bars("Terms as they are written, by subcategory", panels).encode())
    if not quiet:
        wrote(output)
