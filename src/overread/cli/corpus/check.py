"""`overread corpus check`, `build` and `stats`: notation files sound, in other formats, and counted."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.options import OutputFolder, argument
from overread.cli.terminal.output import print_json
from overread.cli.terminal.verbs import verb
from overread.cli.terminal.voice import note, wrote
from overread.whole import make_folder, write_whole


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
    from overread.cli.terminal.progress import watched
    from overread.corpus.files import check_files, files_beside, folded_sentences, notation_files
    from overread.corpus.layers import layers
    from overread.corpus.rankings import rankings

    texts = frozenset(one for path in foreign or () for one in folded_sentences(path))
    reports, complaints = check_files(watched(notation_files(files), "notation files"), texts)
    by_id = {report.id: report for report in reports}
    ranked = [rankings(path) for path in files_beside(files, ".rank")]
    layered = [layers(path, by_id) for path in files_beside(files, ".layers")]
    complaints += [one for _, wrong in (*ranked, *layered) for one in wrong]
    for one in complaints:
        typer.echo(one)
    sentences = [sentence for report in reports for sentence in report.sentences if sentence.section]
    mentions = sum(len(sentence.mentions) for sentence in sentences)
    held = f"{len(reports):,} reports, {len(sentences):,} sentences, {mentions:,} mentions"
    also = {
        "rankings": [len(some) for some, _ in ranked],
        "reports with layers": [len(some) for some, _ in layered],
    }
    held += "".join(f", {sum(sizes):,} {name}" for name, sizes in also.items() if sizes)
    note(f"{held}, {len(complaints):,} complaints")
    raise typer.Exit(1 if complaints else 0)


@verb("corpus build")
def build(
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
    from overread.cli.terminal.progress import watched
    from overread.corpus.build import known_format, line_of, write_corpus
    from overread.corpus.files import files_beside, load, notation_files, sound
    from overread.corpus.layers import gold
    from overread.corpus.rankings import rankings

    known_format(to)
    reports = list(load(watched(notation_files(files), "notation files")))
    lines = [line_of(split, report) for split, report in reports]
    ranked = [one for path in files_beside(files, ".rank") for one in sound(path, *rankings(path))]
    layered = gold(files_beside(files, ".layers"), [report for _, report in reports], lines)
    beside: dict[str, Sequence[object]] = {"rankings": ranked, "layers": layered} if to == "jsonl" else {}
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
    from overread.cli.terminal.progress import watched
    from overread.corpus.build import line_of
    from overread.corpus.files import load, notation_files
    from overread.corpus.stats import count, text_of

    reports = load(watched(notation_files(files), "notation files"))
    counts = count(line_of(split, report) for split, report in reports)
    if json:
        print_json(counts)
    else:
        typer.echo(text_of(counts), nl=False)
    if pictures is not None:
        from overread.corpus.stats import pictures as drawn

        make_folder(pictures)
        for name, picture in drawn(counts).items():
            write_whole(pictures / name, picture.encode())
        wrote(pictures)
