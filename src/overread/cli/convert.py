"""`overread convert`: reports and findings from one format to another."""

from pathlib import Path
from typing import Annotated

from overread.cli.terminal.columns import takes_columns
from overread.cli.terminal.options import Encoding, LexiconFile, Quiet, Share, argument, option

NAMED = 10
"""How many of the reports that were left out are named on the terminal."""


@takes_columns
def convert(
    source: Annotated[
        Path,
        argument(
            "FHIR (Bundle, NDJSON, folder), OMOP NOTE, DICOM SR, brat, CoNLL, BioC, Label Studio, Prodigy, or any "
            "table, text file or folder that `overread read` takes.",
            metavar="IN",
        ),
    ],
    output: Annotated[
        Path,
        argument(
            "Output; the format follows from the file extension, or from --to. - is standard output.",
            metavar="OUT",
        ),
    ],
    to_format: Annotated[
        str | None,
        option(
            "fhir, omop, dicom-sr, brat, conll, bioc, label-studio, prodigy, overread (JSON lines) or table (CSV, "
            "TSV, Parquet).",
            "--to",
        ),
    ] = None,
    from_format: Annotated[str | None, option("Input format, if not detected.", "--from")] = None,
    again: Annotated[
        bool, option("Replace existing annotations by overread's own reading.", "--read-again")
    ] = False,
    codes: Annotated[
        Path | None,
        option(
            "Mapping from overread's concepts to your codes (FHIR, DICOM SR) and concept ids (OMOP): CSV or "
            "TSV; `starter` for the one that is included (ICD-10-CM).",
        ),
    ] = None,
    conditions: Annotated[
        bool, option("FHIR: also write positive findings of the impression as Conditions.", "--conditions")
    ] = False,
    code_system: Annotated[bool, option("FHIR: include the local code systems.", "--code-system")] = False,
    keep_resources: Annotated[
        bool,
        option(
            "FHIR to FHIR: write only new resources, referring to the existing reports and patients.",
            "--keep-resources",
        ),
    ] = False,
    first_date: Annotated[
        str | None, option("OMOP: date of day 0 if no date is known (default 1970-01-01).")
    ] = None,
    strict: Annotated[
        bool, option("Stop at a report that cannot be read instead of skipping it.", "--strict")
    ] = False,
    encoding: Encoding = None,
    lexicon: LexiconFile = None,
    share: Share = False,
    quiet: Quiet = False,
    *,
    columns: dict[str, str] | None,
) -> None:
    """Convert reports and findings between clinical and annotation formats.

    Existing annotations are kept; reports without annotations are read by overread first.

        overread convert reports.csv reports.fhir.json
        overread convert export.ndjson tasks.labelstudio.json
        overread convert annotated/ train.conll
    """
    from overread.cli.terminal.voice import hushed, note, wrote
    from overread.lexicon.lexicon import with_user_rows
    from overread.runner.convert import convert as moved
    from overread.whole import share as shared

    shared(share)
    options: dict[str, object] = {
        "codes": codes, "conditions": conditions, "code_system": code_system, "first_date": first_date,
        "keep_resources": keep_resources,
    }  # fmt: skip
    done = moved(
        source, output, from_format=from_format, to_format=to_format, columns=columns, encoding=encoding,
        again=again, words=with_user_rows(lexicon) if lexicon else None, strict=strict, options=options,
    )  # fmt: skip
    with hushed(quiet):
        for problem in done.left_out[:NAMED]:
            note(problem)
        note(done.told())
        wrote(output)
