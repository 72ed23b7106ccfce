"""`overread errors`: what is wrong with a report, line by line."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.columns import takes_columns
from overread.cli.options import (
    CandidateId,
    CandidateText,
    Encoding,
    ErrorWeights,
    LexiconFile,
    NoJudge,
    PatientContext,
    Quiet,
)

SIDE = "a table (CSV, TSV, JSONL, Parquet), a text file, a folder, or the report itself in quotes."


@takes_columns
def errors(
    reference: Annotated[str, typer.Argument(help=f"The reference: {SIDE}")],
    candidate: Annotated[str, typer.Argument(help=f"The candidate: {SIDE}")],
    context: PatientContext = True,
    weights: ErrorWeights = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write one JSON line per pair here.")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="JSON lines on standard output instead of tables.")
    ] = False,
    candidate_id: CandidateId = None,
    candidate_text: CandidateText = None,
    encoding: Encoding = None,
    lexicon: LexiconFile = None,
    no_judge: NoJudge = False,
    quiet: Quiet = False,
    *,
    columns: dict[str, str] | None,
) -> None:
    """List every error of a candidate report: kind, words on both sides, significance, what would mend it.

    Exit codes: 0 no error found, 1 errors found, 2 the input or a setting is wrong.

        overread errors "Large right pneumothorax." "Small left pneumothorax."
        overread errors references.csv ours.csv -o errors.jsonl
    """
    from overread.cli.listing_errors import found_in, tell
    from overread.cli.scoring import Wanted

    wanted = Wanted.named(
        Path(reference), [Path(candidate)], [], columns, candidate_id, candidate_text, encoding
    )
    found = found_in(reference, candidate, wanted, context, weights, lexicon)
    wrong = tell(found, output, json, quiet)
    raise typer.Exit(1 if wrong else 0)
