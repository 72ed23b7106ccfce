"""How `--help` is laid out: whole summaries, commands by task, options by topic, one example a line."""

import re
from functools import partial
from itertools import chain
from textwrap import dedent, indent
from typing import Any

TASKS = {
    "Score reports": ("demo", "score", "errors", "compare", "history"),
    "Read reports": ("read", "follow", "explain", "lexicon", "judge", "lint", "convert"),
    "Test metrics and readers": ("bench", "validate", "tags"),
    "Work with people": ("review",),
    "Serve": ("serve", "mcp"),
    "Build data and models": ("build", "corpus", "train", "models"),
    "Language models": ("config", "cache", "batch"),
}


def laid_out(command: Any) -> Any:
    """The command and all below it, with help that can be read."""
    for child in getattr(command, "commands", {}).values():
        laid_out(child)
    paragraphs = (command.help or "").split("\n\n")
    command.short_help = " ".join(paragraphs[0].split())
    command.help = "\n\n".join(as_written(one) for one in paragraphs)
    command.format_options = partial(by_topic, command)
    return command


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
            topic = "Arguments" if one.param_type_name == "argument" else one_topic(one)
            topics.setdefault(topic, []).append(record)
    for topic, records in topics.items():
        if records:
            with formatter.section(topic):
                formatter.write_dl(records)
    if getattr(command, "commands", None):
        list_commands(command, context, formatter)


def one_topic(option: Any) -> str:
    return getattr(option, "rich_help_panel", None) or "Options"


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
