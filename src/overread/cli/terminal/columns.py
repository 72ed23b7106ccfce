"""One set of options for every verb that reads tables: which column holds what."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

from overread.cli.terminal.options import option

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
    signature = inspect.signature(command, eval_str=True)
    own = [one for name, one in signature.parameters.items() if name != "columns"]
    flags = [
        inspect.Parameter(
            role,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=Annotated[str | None, option(text, f"--{role}", rich_help_panel=PANEL)],
            default=None,
        )
        for role, text in COLUMNS.items()
    ]

    @wraps(command)
    def wrapped(**values: Any) -> Any:
        given = {role: name for role in COLUMNS if (name := values.pop(role)) is not None}
        return command(**values, columns=given or None)

    parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in (*own, *flags)]
    wrapped.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {one.name: one.annotation for one in parameters}
    return wrapped
