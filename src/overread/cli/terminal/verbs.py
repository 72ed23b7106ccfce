"""What makes a function a verb: the help and flags of its parameters, which stand in `cli/options.tsv`."""

import inspect
from collections.abc import Callable
from copy import copy
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, NamedTuple, get_args, get_origin

from typer.models import ArgumentInfo, OptionInfo, ParameterInfo

from overread.cli.terminal.llm_options import takes_llm_options
from overread.cli.terminal.options import keyword, option, with_flags

EVERY_VERB = "*"
"""In place of a verb: what a parameter is wherever a verb has no row of its own for it."""


class Described(NamedTuple):
    """A row of the table but for its first two columns, verb and parameter."""

    flags: str
    """Of an option, joined by comma; nothing where `--name` is all. `argument` for an argument that has a default."""

    help: str


@cache
def described() -> dict[tuple[str, str], Described]:
    """(verb, parameter) → what stands in the table."""
    text = files("overread.cli").joinpath("options.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    return {(verb, parameter): Described(*rest) for verb, parameter, *rest in rows}


def verb(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function the verb of this name, such as `validate clear`.

    A parameter without a default is an argument, any other an option, unless the table says otherwise. `columns` and
    `llm` stand for all flags that are gathered in them.
    """

    def made(command: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(command, eval_str=True)
        parameters = [with_help(name, one) for one in signature.parameters.values()]
        command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {one.name: one.annotation for one in parameters}
        if "columns" in signature.parameters:
            command = takes_columns(command)
        return takes_llm_options(command) if "llm" in signature.parameters else command

    return made


TABLE_COLUMNS = ("id", "text", "findings", "impression", "indication", "patient", "study", "day", "date")
OF_COLUMNS = "columns"
"""In place of a verb: what the flags are that name a column each."""


def takes_columns(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command a flag per column; it receives those named as its argument `columns`, None for none."""
    panel = Annotated[str | None, option(rich_help_panel="Columns of the input files")]
    flags = [with_help(OF_COLUMNS, keyword(role, panel)) for role in TABLE_COLUMNS]
    return with_flags(command, "columns", flags, named_columns)


def named_columns(given: dict[str, str | None]) -> dict[str, str] | None:
    return {role: name for role, name in given.items() if name is not None} or None


def with_help(verb: str, parameter: inspect.Parameter) -> inspect.Parameter:
    """The parameter as typer wants it; one that says all by itself, or is none of a user's, stays as it is."""
    annotation = parameter.annotation
    kind, *more = get_args(annotation) if get_origin(annotation) is Annotated else (annotation,)
    own: ParameterInfo | None = next((one for one in more if isinstance(one, ParameterInfo)), None)
    row = described().get((verb, parameter.name)) or described().get((EVERY_VERB, parameter.name))
    if row is None or (own is not None and own.help):
        return parameter
    required = parameter.default is inspect.Parameter.empty
    flags = [flag for flag in row.flags.split(", ") if flag.startswith("-")]
    if row.flags == "argument" or (required and not flags):
        told: ParameterInfo = copy(own) if own is not None else ArgumentInfo()
    else:
        told = copy(own) if own is not None else OptionInfo()
        told.param_decls = flags or [f"--{parameter.name.replace('_', '-')}"]
    told.default, told.help = ..., row.help
    return parameter.replace(annotation=Annotated[kind, told])
