"""`overread tags`: which sentences match, as a file to look at, mend by hand and score again."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.columns import takes_columns
from overread.cli.llm_options import LlmOptions, takes_llm_options
from overread.cli.options import By, CandidateId, CandidateText, Encoding, LexiconFile, Quiet

app = typer.Typer(
    name="tags",
    help="RadSEM's matched sentences as files: write them, check them, score them again.",
    no_args_is_help=True,
)
TagFile = Annotated[Path, typer.Argument(help="A tag file, as `overread tags write` makes it.")]
Unlisted = Annotated[
    bool,
    typer.Option(
        "--unlisted",
        help="Take records without ref_sentences and gen_sentences; then a lost sentence goes unnoticed.",
    ),
]


@app.command("write")
@takes_llm_options
@takes_columns
def write(
    reference: Annotated[
        Path,
        typer.Argument(
            help="Reference reports, a table of pairs (columns `reference` and `candidate`), or the folder of a "
            "finished run of `overread score`."
        ),
    ],
    candidate: Annotated[
        Path | None, typer.Argument(help="Candidate reports; not with a table of pairs or a run.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Tag file to write; standard output otherwise.")
    ] = None,
    system: Annotated[
        str | None,
        typer.Option("--system", help="Whose reports, where a run or a table holds several systems."),
    ] = None,
    by: By = "rules",
    match_by: Annotated[
        str | None, typer.Option("--match-by", help="Who matches: rules or llm; as --by when not given.")
    ] = None,
    indent: Annotated[
        bool, typer.Option("--indent", help="Records over several lines, easier to edit by hand.")
    ] = False,
    candidate_id: CandidateId = None,
    candidate_text: CandidateText = None,
    encoding: Encoding = None,
    lexicon: LexiconFile = None,
    quiet: Quiet = False,
    *,
    columns: dict[str, str] | None,
    llm: LlmOptions,
) -> None:
    """Write which sentences of two reports match, and how: one record per pair, in the field names of the paper.

    The scores of the file, as `overread tags score` gives them, are those of `overread score` on the same reports.
    Exit codes: 0 all went well, 1 a language model failed on some pairs (named, not written), 2 wrong input.

        overread tags write references.csv ours.csv -o tags.jsonl

        overread tags write overread-results --system ours -o tags.jsonl
    """
    from overread.cli.scoring import Wanted
    from overread.cli.tagging import write_of_reports, write_of_run

    if candidate is None and not reference.is_file():
        write_of_run(reference, system, output, indent, quiet)
        return
    files = [candidate] if candidate is not None else []
    wanted = Wanted.named(reference, files, [], columns, candidate_id, candidate_text, encoding)
    write_of_reports(wanted, system, (by, match_by or by), llm, lexicon, output, indent, quiet)


@app.command("check")
def check(tags: TagFile, unlisted: Unlisted = False) -> None:
    """Say whether every record of a tag file is sound; each fault is named with its line and kind.

    Kinds: syntax (no JSON), field (missing, unknown or empty), label (not one of its words, or against the class of
    its pair), class (one pair in two classes), name (used twice), lost sentence (neither paired nor unmatched),
    unknown sentence (not of that report), tagged twice, listed twice. Exit code 1 when there is a fault.

        overread tags check tags.jsonl
    """
    from overread.cli.tag_scores import tell_faults
    from overread.systems.radsem.tag_file import examined

    sound, faults = examined(tags, listed=not unlisted)
    tell_faults(tags, len(sound), faults)
    raise typer.Exit(1 if faults else 0)


@app.command("score")
def score(
    tags: TagFile,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            "-m",
            help="radsem (default), radsem-alt, radsem-as-published (0 where neither report has a finding), "
            "radsem-alt-as-published; several by comma or by repeating.",
        ),
    ] = None,
    alt: Annotated[bool, typer.Option("--alt", help="The same as --metric radsem-alt.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="Write one JSON line per record and metric, with what it was made of."
        ),
    ] = None,
    unlisted: Unlisted = False,
    draw_seed: Annotated[int, typer.Option("--draw-seed", help="Seed of the interval.")] = 0,
    resamples: Annotated[int, typer.Option(min=1, help="Bootstrap resamples of the records.")] = 1000,
    json: Annotated[bool, typer.Option("--json", help="Print the lines instead of a table.")] = False,
) -> None:
    """Score a tag file. A file with any fault is refused whole: every fault is listed, nothing is scored, exit code 2.

    overread tags score tags.jsonl

    overread tags score tags.jsonl --metric radsem,radsem-alt -o scores.jsonl
    """
    from overread.cli.tag_scores import metrics_of, score_file, show

    names = metrics_of(metric, alt)
    found = score_file(tags, names, output, not unlisted)
    show(found, names, tags, json, resamples, draw_seed)
