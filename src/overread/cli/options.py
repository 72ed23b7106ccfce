"""Options that several verbs share, each described once."""

from pathlib import Path
from typing import Annotated

import typer

By = Annotated[
    str, typer.Option("--by", help="Who reads: rules (offline, default) or llm (needs an endpoint).")
]
Id = Annotated[str | None, typer.Option("--id", help="Column with the report id, where its name is unusual.")]
Text = Annotated[str | None, typer.Option("--text", help="Column with the whole report.")]
Findings = Annotated[str | None, typer.Option("--findings", help="Column with the findings section.")]
Impression = Annotated[str | None, typer.Option("--impression", help="Column with the impression section.")]
Indication = Annotated[
    str | None, typer.Option("--indication", help="Column with the indication or history.")
]
Patient = Annotated[str | None, typer.Option("--patient", help="Column with the patient id.")]
Study = Annotated[str | None, typer.Option("--study", help="Column with the study number or id.")]
Day = Annotated[str | None, typer.Option("--day", help="Column with the day, counted from any start.")]
Date = Annotated[str | None, typer.Option("--date", help="Column with the date (ISO or YYYYMMDD).")]
Encoding = Annotated[
    str | None, typer.Option("--encoding", help="Text encoding when it is not UTF-8, e.g. latin-1.")
]
LexiconFile = Annotated[
    Path | None, typer.Option("--lexicon", help="Your own lexicon rows (TSV), used on top of ours.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar, no notes on standard error.")]


def columns_of(**named: str | None) -> dict[str, str] | None:
    """The columns a user has named, by role.

    >>> columns_of(id="uid", text=None)
    {'id': 'uid'}
    """
    return {role: name for role, name in named.items() if name is not None} or None
