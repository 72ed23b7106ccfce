"""`overread corpus`: the open corpus of invented, annotated reports: checked, built, counted, compared."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.options import OutputFolder, argument, verb
from overread.cli.terminal.output import print_json
from overread.cli.terminal.voice import note, watched, wrote
from overread.corpus import layered
from overread.corpus.agree import MEASURES, agreement, compare_reports, differences
from overread.corpus.build import known_format, line_of, write_corpus
from overread.corpus.files import (
    check_files,
    files_beside,
    folded_sentences,
    load_annotated,
    notation_files,
    sound,
)
from overread.corpus.layered import gold, layers
from overread.corpus.rankings import rankings
from overread.corpus.reading import as_comparable, as_read
from overread.corpus.records import Annotated as Report
from overread.corpus.stats import count, text_of
from overread.corpus.stats import pictures as drawn
from overread.whole import make_folder, write_whole


@verb("corpus")
def corpus_commands() -> None:
    """The open corpus of invented, annotated reports: check, build and count it, compare annotations.

    overread corpus check corpus/
    overread corpus build corpus/ -o built/
    """


@verb("corpus check")
def check(
    files: Annotated[list[Path], argument(metavar="FILES...")],
    foreign: list[Path] | None = None,
) -> None:
    """Check notation files; errors are listed by line, with exit code 1.

    Finds quoted words that are not in their sentence, dangling links, unknown letters, sentences without
    annotation, and duplicate reports or sentences of eight words or more. Rankings (*.rank) and layers
    (*.layers) are checked as well.

        overread corpus check corpus/

        overread corpus check corpus/train/mine.txt corpus/
    """
    texts = frozenset(one for path in foreign or () for one in folded_sentences(path))
    reports, complaints = check_files(watched(notation_files(files), "notation files"), texts)
    by_id = {report.id: report for report in reports}
    ranked = [rankings(path) for path in files_beside(files, ".rank")]
    with_layers = [layers(path, by_id) for path in files_beside(files, ".layers")]
    complaints += [one for _, wrong in (*ranked, *with_layers) for one in wrong]
    for one in complaints:
        typer.echo(one)
    sentences = [sentence for report in reports for sentence in report.sentences if sentence.section]
    mentions = sum(len(sentence.mentions) for sentence in sentences)
    held = f"{len(reports):,} reports, {len(sentences):,} sentences, {mentions:,} mentions"
    also = {
        "rankings": [len(some) for some, _ in ranked],
        "reports with layers": [len(some) for some, _ in with_layers],
    }
    held += "".join(f", {sum(sizes):,} {name}" for name, sizes in also.items() if sizes)
    note(f"{held}, {len(complaints):,} complaints")
    raise typer.Exit(1 if complaints else 0)


@verb("corpus build")
def build_corpus(
    files: Annotated[list[Path], argument(metavar="FILES...")],
    output: OutputFolder,
    to: str = "jsonl",
) -> None:
    """Build the corpus from its notation: train, dev and test, according to the folder of each file.

    Lines of jsonl hold the text of a report, its sentences, mentions with attributes, cues and links, all with offsets
    into the text, and the findings as `overread read --as lunguage` writes them. Rankings and layers are written beside
    them; `overread validate sentences` and `overread validate template` take layers.jsonl as gold.

        overread corpus build corpus/ -o built/

        overread corpus build corpus/ --to datasets -o hub/
    """
    known_format(to)
    reports = list(load_annotated(watched(notation_files(files), "notation files")))
    lines = [line_of(split, report) for split, report in reports]
    ranked = [one for path in files_beside(files, ".rank") for one in sound(path, *rankings(path))]
    layers_found = gold(files_beside(files, ".layers"), [report for _, report in reports], lines)
    beside: dict[str, Sequence[object]] = (
        {"rankings": ranked, "layers": layers_found} if to == "jsonl" else {}
    )
    sizes = write_corpus(lines, output, to, {name: rows for name, rows in beside.items() if rows})
    note("  ".join(f"{name} {size:,}" for name, size in sizes.items()))
    wrote(output)


@verb("corpus stats")
def stats(
    files: Annotated[list[Path], argument(metavar="FILES...")],
    pictures: Path | None = None,
    json: bool = False,
) -> None:
    """Count reports, sentences and annotations in each split, and the most frequent nouns, places and cues.

    overread corpus stats corpus/ --pictures pictures/
    """
    reports = load_annotated(watched(notation_files(files), "notation files"))
    counts = count(line_of(split, report) for split, report in reports)
    if json:
        print_json(counts)
    else:
        typer.echo(text_of(counts), nl=False)
    if pictures is not None:
        make_folder(pictures)
        for name, picture in drawn(counts).items():
            write_whole(pictures / name, picture.encode())
        wrote(pictures)


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
    if second is None:
        reports = annotated(first)
        pair = list(map(as_comparable, reports)), list(as_read(reports))
    else:
        pair = both(first, second)
    found = agreement(compare_reports(*pair))
    if second is None and (noted := layered.layers_beside(first)):
        found |= layered.compared(noted)
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


def annotated(path: Path) -> list[Report]:
    """What the notation files there hold, with a bar."""
    return [report for _, report in load_annotated(watched(notation_files([path]), "notation files"))]


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
    number = 0
    for block in differences(*both(first, second)):
        typer.echo(block)
        number += 1
    note(f"{number:,} sentences differ")
    raise typer.Exit(1 if number else 0)


def both(first: Path, second: Path) -> tuple[list[Report], list[Report]]:
    """Two annotations; what only one of them has is said, and not compared."""
    one, other = map(annotated, (first, second))
    for path, mine, theirs in ((first, one, other), (second, other, one)):
        known = {report.id for report in theirs}
        if alone := [report.id for report in mine if report.id not in known]:
            more = ", …" if len(alone) > 5 else ""
            note(f"{len(alone)} reports stand in {path} alone: {', '.join(alone[:5])}{more}")
    return one, other
