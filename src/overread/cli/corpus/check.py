"""`overread corpus check`: what must be corrected in notation files."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.notation import NotationFiles, watched_files
from overread.cli.terminal.options import Quiet


def check(
    files: NotationFiles,
    foreign: Annotated[
        list[Path] | None,
        typer.Option(
            help="Third-party text (a text file; may be repeated): none of its long sentences may occur "
            "in the corpus."
        ),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Check notation files; errors are listed by line, with exit code 1.

    Finds quoted words that are not in their sentence, dangling links, unknown letters, sentences without
    annotation, and duplicate reports or sentences of eight words or more. Rankings (*.rank) and layers
    (*.layers) are checked as well.

        overread corpus check corpus/

        overread corpus check corpus/train/mine.txt corpus/
    """
    from overread.cli.terminal.voice import hushed, note
    from overread.corpus.files import check_files, files_beside, folded_sentences, notation_files
    from overread.corpus.layers import layers
    from overread.corpus.rankings import rankings

    texts = frozenset(one for path in foreign or () for one in folded_sentences(path))
    reports, complaints = check_files(watched_files(notation_files(files), quiet), texts)
    by_id = {report.id: report for report in reports}
    ranked = [rankings(path) for path in files_beside(files, ".rank")]
    layered = [layers(path, by_id) for path in files_beside(files, ".layers")]
    complaints += [one for _, wrong in (*ranked, *layered) for one in wrong]
    for one in complaints:
        typer.echo(one)
    sentences = [sentence for report in reports for sentence in report.sentences if sentence.section]
    mentions = sum(len(sentence.mentions) for sentence in sentences)
    with hushed(quiet):
        held = f"{len(reports):,} reports, {len(sentences):,} sentences, {mentions:,} mentions"
        also = {
            "rankings": [len(some) for some, _ in ranked],
            "reports with layers": [len(some) for some, _ in layered],
        }
        held += "".join(f", {sum(sizes):,} {name}" for name, sizes in also.items() if sizes)
        note(f"{held}, {len(complaints):,} complaints")
    raise typer.Exit(1 if complaints else 0)
