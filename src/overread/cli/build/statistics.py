"""`overread build statistics`, `graphs`, `codes` and `vocabulary`: a corpus and the lexicon, counted."""

import csv
import re
from collections.abc import Mapping, Sequence
from io import StringIO
from itertools import chain
from pathlib import Path

import msgspec
import typer

from overread.cli.terminal.options import AtLeastOne, OutputFolder, verb
from overread.cli.terminal.output import save, write_tsv
from overread.cli.terminal.voice import note, warn, wrote
from overread.cli.validate.structuring import write_rows
from overread.errors import BadInput, UnknownName
from overread.formats import graph
from overread.formats.codes import Candidate, candidates, forms_like, forms_of, names_in
from overread.runner.views import lexicon_of, views_in
from overread.systems.lunguage.taxonomy import term_counts, vocabulary
from overread.validation.clear.files import rows_of
from overread.validation.lunguage import corpus as question
from overread.validation.shown import Amount, bars
from overread.whole import make_folder, write, write_whole


@verb("build statistics")
def build_statistics(
    corpus: Path,
    output: Path | None = None,
    picture: Path | None = None,
    json: bool = False,
) -> None:
    """Count studies per patient, sections, entities and all eighteen relations of a corpus.

    overread build statistics reports.csv --picture statistics.svg
    """
    found = question.corpus(*views_in(corpus, "lunguage", tell=warn))
    if output:
        write_tsv(output, question.rows(found))
    if picture:
        save(picture, question.corpus_bars(found))
    if json:
        typer.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
    elif not output:
        typer.echo(question.render(found), nl=False)


@verb("build graphs")
def build_graphs(
    corpus: Path,
    output: OutputFolder,
    only: list[str] | None = None,
) -> None:
    """Write knowledge graphs of entities, attributes and links, as GraphML and SVG.

    overread build graphs reports.csv -o graphs/
    """
    views, _ = views_in(corpus, "lunguage", tell=warn)
    for id in only or ():
        if id not in views:
            raise UnknownName("report", id, views)
    make_folder(output)
    chosen = only or list(views)
    for id in chosen:
        name = re.sub(r"[^\w.-]+", "_", id)
        write_whole(output / f"{name}.graphml", graph.graphml(views[id]))
        write_whole(output / f"{name}.svg", graph.graph_picture(views[id]).encode())
    note(f"{len(chosen)} reports")
    wrote(output)


COLUMNS = ("concept", "system", "code", "display")
UNMAPPED = "-"


@verb("build codes")
def build_codes(
    terminology: list[Path],
    output: Path,
    terms: Path | None = None,
    most: AtLeastOne = 5,
    lexicon: Path | None = None,
) -> None:
    """Look our concepts up in your copy of UMLS, RadLex or another terminology: candidates for a person to choose from.

    The file is a map for `convert --codes` once the wrong rows are deleted. Concepts that nothing is called like stay
    in it without a code. With --terms the terms come back with their candidates in a column `codes` (`-`: none).

        overread build codes MRCONSO.RRF -o codes.csv

        overread build codes radlex.csv --terms terms.csv -o terms-with-codes.csv
    """
    names = chain.from_iterable(map(names_in, terminology))
    words = lexicon_of(lexicon)
    if terms is None:
        found = candidates(forms_of(words), names, most)
        write_rows(output, COLUMNS, rows_of_map(found))
    else:
        rows = terms_in(terms)
        found = candidates({row["term"]: forms_like(row["term"], words) for row in rows}, names, most)
        codes = {
            term: " | ".join(f"{one.coding.code} {one.coding.display}" for one in own)
            for term, own in found.items()
        }
        told = [{**row, "codes": codes[row["term"]] or UNMAPPED} for row in rows]
        write_rows(output, tuple(told[0]), told)
    mapped = sum(map(bool, found.values()))
    note(f"{mapped:,} of {len(found):,} have a candidate")
    wrote(output)


def rows_of_map(found: Mapping[str, Sequence[Candidate]]) -> list[dict[str, str]]:
    """A row for each candidate; places without one are left out, concepts without one stay to be seen."""
    rows = []
    for thing, codes in found.items():
        told = [(one.coding.system, one.coding.code, one.coding.display or "") for one in codes]
        rows += [(thing, *one) for one in told or ([] if thing.startswith("location:") else [("", "", "")])]
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def terms_in(path: Path) -> list[dict[str, str]]:
    rows = [{name: str(value or "") for name, value in row.items()} for _, row in rows_of(path)]
    if not rows or any(not row.get("term") for row in rows):
        raise BadInput(f"{path}: every row needs a term.")
    return rows


@verb("build vocabulary")
def build_vocabulary(
    output: OutputFolder,
    picture: Path | None = None,
    lexicon: Path | None = None,
) -> None:
    """The lexicon in the divisions of LUNGUAGE's vocabulary: entities.tsv, attributes.tsv and locations.tsv.

    Each row has a category (of places: an organ system), a subcategory (of places: the path through the body), the
    normalised term and the term as it is written. Every subcategory is counted, as in the paper's Table A.1.

    overread build vocabulary -o vocabulary
    """
    found = vocabulary(lexicon_of(lexicon))
    make_folder(output)
    panels = {}
    typer.echo(f"{'':<12}{'category':<26}{'subcategory':<28}{'normalised':>11}{'written':>9}")
    for name, terms in found.items():
        text = StringIO()
        rows = csv.writer(text, delimiter="\t", lineterminator="\n")
        rows.writerow(["system" if name == "locations" else "category", "subcategory", "normalised", "raw"])
        rows.writerows(terms)
        write_whole(output / f"{name}.tsv", text.getvalue().encode())
        counts = term_counts(name, terms)
        for (category, sub), (normal, raw) in counts.items():
            typer.echo(f"{name:<12}{category:<26}{sub:<28}{normal:>11,}{raw:>9,}")
        panels[name] = {
            " · ".join(filter(None, key)): Amount(raw, f"{raw:,}") for key, (_, raw) in counts.items()
        }
    if picture:
        write(picture, bars("Terms as they are written, by subcategory", panels).encode())
    wrote(output)
