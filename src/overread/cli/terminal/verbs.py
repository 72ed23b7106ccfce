"""What makes a function a verb: its name, and the help and flags of its parameters (`cli/options.tsv`)."""

import inspect
from collections.abc import Callable
from typing import Any

from overread.cli.terminal.llm_options import LlmOptions, llm_flags
from overread.cli.terminal.options import flags_of, with_flags, with_help, with_parameters


def verb(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function the verb of this name, such as `validate clear`; it is found by the name (`cli/main.py`).

    A parameter without a default is an argument, any other an option, unless the table says otherwise. `columns` and
    `llm` stand for all flags that are gathered in them. A verb that others begin with is their group; where it takes
    its context it can be run without them.
    """

    def made(command: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(command, eval_str=True)
        command = with_parameters(command, [with_help(name, one) for one in signature.parameters.values()])
        if "columns" in signature.parameters:
            command = with_flags(command, "columns", flags_of("columns", COLUMNS_PANEL, {}), named_columns)
        if "llm" in signature.parameters:
            command = with_flags(command, "llm", llm_flags(), LlmOptions.of_flags)
        vars(command)["verb"] = name
        return command

    return made


COLUMNS_PANEL = "Columns of the input files"


def named_columns(given: dict[str, str | None]) -> dict[str, str] | None:
    return {role: name for role, name in given.items() if name is not None} or None
