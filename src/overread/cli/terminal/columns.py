"""One set of options for every verb that reads tables: which column holds what."""

from collections.abc import Callable
from typing import Annotated, Any

from overread.cli.terminal.options import keyword, option, with_flags

PANEL = "Columns of the input files"
COLUMNS = {
    "id": "Column with the report id, if not detected.",
    "text": "Column with the whole report.",
    "findings": "Column with the findings section.",
    "impression": "Column with the impression section.",
    "indication": "Column with the indication or history.",
    "patient": "Column with the patient id.",
    "study": "Column with the study number or id.",
    "day": "Column with the day number, counted from any start.",
    "date": "Column with the date (ISO or YYYYMMDD).",
}


def takes_columns(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command a flag per column; it receives those named as its argument `columns`, None for none."""
    flags = [
        keyword(role, Annotated[str | None, option(text, f"--{role}", rich_help_panel=PANEL)])
        for role, text in COLUMNS.items()
    ]
    return with_flags(command, "columns", flags, named_columns)


def named_columns(given: dict[str, str | None]) -> dict[str, str] | None:
    return {role: name for role, name in given.items() if name is not None} or None
