"""What options and arguments are made of; their help stands in `cli/options.tsv`."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any

import typer

from overread.errors import BadInput, UnknownName
from overread.runner.limits import ITEM_SECONDS as ITEM_SECONDS
from overread.runner.limits import MAX_CHARACTERS as MAX_CHARACTERS
from overread.whole import a_folder, share

READERS = ("network", "llm")
WRITERS = ("rules", "llm")
MANY = "Many reports"


def option(help: str | None = None, *names: str, **more: Any) -> Any:
    """An option of a verb: what it is for, and its names where the parameter's own is not enough."""
    return typer.Option(*names, help=help, **more)


def argument(help: str | None = None, **more: Any) -> Any:
    """An argument of a verb: what it is."""
    return typer.Argument(help=help, **more)


def keyword(name: str, annotation: Any, default: Any = None) -> Parameter:
    """An option as the parameter of a verb."""
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def with_flags(
    command: Callable[..., Any],
    name: str,
    flags: Iterable[Parameter],
    gathered: Callable[[dict[str, Any]], Any],
) -> Callable[..., Any]:
    """The command with more flags than it names; it receives what is gathered of them as its argument `name`."""
    signature = inspect.signature(command, eval_str=True)
    own = [one for key, one in signature.parameters.items() if key != name]
    taken = {one.name for one in own}  # a command may have a flag of such a name, with more to say
    more = [one for one in flags if one.name not in taken]

    @wraps(command)
    def wrapped(**values: Any) -> Any:
        given = {one.name: values.pop(one.name) for one in more}
        return command(**values, **{name: gathered(given)})

    parameters = [one.replace(kind=Parameter.KEYWORD_ONLY) for one in (*own, *more)]
    wrapped.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {one.name: one.annotation for one in parameters}
    return wrapped


def known_reader(name: str | None) -> str | None:
    """A reader by name; a name that nobody has is said before any file is opened."""
    return one_of(READERS, "reader", name)


def known_writer(name: str | None) -> str | None:
    """Who changes reports on purpose: rules or a language model."""
    return one_of(WRITERS, "writer", name)


def one_of(known: Sequence[str], kind: str, name: str | None) -> str | None:
    if name is not None and name not in known:
        raise UnknownName(kind, name, known)
    return name


def existing(path: Path) -> Path:
    """A file or folder to read: that it is missing is said before any option that is missing too."""
    if not path.exists():
        raise BadInput(f"There is no file or folder {path}.")
    return path


def share_outputs(given: bool) -> bool:
    share(given)
    return given


By = Annotated[str, option(callback=known_reader)]
"""Who reads."""

OutputFolder = Annotated[Path, option(callback=a_folder)]
"""A folder to write."""

Share = Annotated[bool, option(callback=share_outputs)]
"""Has been seen to when the verb begins."""

AtLeastOne = Annotated[int, option(min=1)]
Shards = Annotated[Path | None, option(metavar="DIR", rich_help_panel=MANY)]
Resume = Annotated[bool, option(rich_help_panel=MANY)]
ShareOf = Annotated[str | None, option(metavar="I/N", rich_help_panel=MANY)]
Engine = Annotated[str, option(rich_help_panel=MANY)]


def metrics_option(default: Sequence[str]) -> Any:
    """Metrics by name; the help says which are asked about otherwise."""
    return option(
        "Metric by name (`overread score --list`); comma-separated or repeated. "
        f"Default: {', '.join(default)}.",
        "--metric",
        "--metrics",
        "-m",
    )


def check_shards(shards: Path | None, resume: bool, share: str | None, engine: str, jobs: int = 1) -> None:
    """Options that mean nothing alone are a mistake, not a wish to be ignored."""
    if shards is None and (resume or share or engine != "local" or jobs > 1):
        raise BadInput("--resume, --shard, --engine and --jobs go with --shards DIR.")


def check_judge(check: bool, by: str) -> None:
    """A check is of what overread itself read."""
    if check and by == "llm":
        raise BadInput(
            "--check holds overread's own reading against its second question; leave --by llm out."
        )
