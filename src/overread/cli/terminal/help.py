"""How every verb looks: the options that all take, and `--help` laid out."""

import os
import re
from functools import cache, partial
from itertools import chain
from textwrap import dedent, indent
from typing import Annotated, Any

import typer
from typer.main import get_command

from overread.cli.terminal.options import option
from overread.cli.terminal.voice import as_json, voice

TASKS = {
    "Score reports": ("demo", "score", "errors", "compare", "history"),
    "Read reports": ("read", "follow", "explain", "lexicon", "judge", "lint", "convert"),
    "Test metrics and readers": ("bench", "validate", "tags"),
    "Work with people": ("review",),
    "Serve": ("serve", "mcp"),
    "Build data and models": ("build", "corpus", "train", "models"),
    "Language models": ("config", "cache", "batch"),
}


def as_written(paragraph: str) -> str:
    """Examples are not filled: `\\b` says so."""
    if re.match(r"\s*(overread |\{)", paragraph):
        return "\b\n" + indent(dedent(paragraph.strip("\n")), "    ")
    return paragraph


def by_topic(command: Any, context: Any, formatter: Any) -> None:
    """Arguments, options under their topics, then the commands of a group."""
    topics: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    for one in command.get_params(context):
        if (record := one.get_help_record(context)) is not None:
            panel = getattr(one, "rich_help_panel", None) or "Options"
            topics.setdefault("Arguments" if one.param_type_name == "argument" else panel, []).append(record)
    for topic, records in topics.items():
        if records:
            with formatter.section(topic):
                formatter.write_dl(records)
    if getattr(command, "commands", None):
        list_commands(command, context, formatter)


def list_commands(command: Any, context: Any, formatter: Any) -> None:
    """Under tasks where every command has one, else in one list."""
    shown = {name: command.get_command(context, name) for name in command.list_commands(context)}
    known = set(chain(*TASKS.values()))
    tasks = TASKS if known <= set(shown) else {}
    rest = tuple(name for name in shown if not tasks or name not in known)
    for task, names in {**tasks, "Other commands" if tasks else "Commands": rest}.items():
        if names:
            with formatter.section(task):
                formatter.write_dl([(name, shown[name].short_help) for name in names])


SERVERS = ("serve", "start", "review")
"""These run until they are stopped: there is no result to print as JSON."""


def finished(command: Any, name: str = "") -> Any:
    """The command and all below it, with the options they lack, and with help that can be read."""
    children = getattr(command, "commands", {})
    for child_name, child in children.items():
        finished(child, child_name)
    if name and (not children or command.invoke_without_command):
        have = {option for one in command.params for option in one.opts}
        lacking = [one for one in options() if not have & set(one.opts)]
        command.params += [one for one in lacking if one.opts != ["--json"] or name not in SERVERS]
        if "--json" not in have:
            command.callback = as_json(command.callback)
    paragraphs = (command.help or "").split("\n\n")
    command.short_help = " ".join(paragraphs[0].split())
    command.help = "\n\n".join(as_written(one) for one in paragraphs)
    command.format_options = partial(by_topic, command)
    return command


@cache
def options() -> list[Any]:
    """The options, as typer makes them of a verb that has nothing else."""
    alone = typer.Typer(add_completion=False)
    alone.command()(verb)
    return [one for one in get_command(alone).params if one.opts[0] != "--help"]


def heard_flag(asked: typer.CallbackParam, given: bool) -> bool:
    """Of colour rich and every program that knows the convention look at the environment."""
    if given and asked.name == "no_color":
        os.environ["NO_COLOR"] = "1"
        os.environ.pop("FORCE_COLOR", None)
    elif given:
        setattr(voice, str(asked.name), True)
    return given


for_all = partial(option, callback=heard_flag, is_eager=True, expose_value=False)


def verb(
    quiet: Annotated[
        bool, for_all("No progress bar and no notes on standard error.", "--quiet", "-q")
    ] = False,
    json: Annotated[bool, for_all("Print messages and output files as one JSON object.", "--json")] = False,
    no_color: Annotated[bool, for_all("No colour in the terminal.", "--no-color")] = False,
) -> None:
    """Nothing but the options."""
