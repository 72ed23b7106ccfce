"""Options that every verb takes: --quiet, --json, --no-color. A verb that has its own keeps it."""

import os
from functools import cache
from typing import Annotated, Any

import typer
from typer.main import get_command

from overread.cli.terminal.options import option
from overread.cli.terminal.voice import as_json, voice

SERVERS = ("serve", "start", "review")
"""These run until they are stopped: there is no result to print as JSON."""


def everywhere(command: Any, name: str = "") -> Any:
    """The command and all below it, with the options they lack."""
    children = getattr(command, "commands", {})
    for child_name, child in children.items():
        everywhere(child, child_name)
    if name and (not children or command.invoke_without_command):
        have = {option for one in command.params for option in one.opts}
        command.params += [option for option in shared(name) if not have & set(option.opts)]
        if "--json" not in have:
            command.callback = as_json(command.callback)
    return command


def shared(name: str) -> list[Any]:
    return [one for one in options() if one.opts[0] != "--json" or name not in SERVERS]


@cache
def options() -> list[Any]:
    """The options, as typer makes them of a verb that has nothing else."""
    alone = typer.Typer(add_completion=False)
    alone.command()(verb)
    return [one for one in get_command(alone).params if one.opts[0] != "--help"]


def hush(given: bool) -> bool:
    voice.quiet = voice.quiet or given
    return given


def in_json(given: bool) -> bool:
    voice.json = voice.json or given
    return given


def without_colour(given: bool) -> bool:
    """What rich and every program that knows the convention look at."""
    if given:
        os.environ["NO_COLOR"] = "1"
        os.environ.pop("FORCE_COLOR", None)
    return given


EAGER = {"is_eager": True, "expose_value": False}


def verb(
    quiet: Annotated[
        bool,
        option("No progress bar and no notes on standard error.", "--quiet", "-q", callback=hush, **EAGER),
    ] = False,
    json: Annotated[
        bool,
        option("Print messages and output files as one JSON object.", "--json", callback=in_json, **EAGER),
    ] = False,
    no_color: Annotated[
        bool, option("No colour in the terminal.", "--no-color", callback=without_colour, **EAGER)
    ] = False,
) -> None:
    """Nothing but the options."""
