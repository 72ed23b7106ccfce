"""What options and arguments are made of; their help and flags stand in `cli/options.tsv`."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import cache, partial, wraps
from importlib.resources import files
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args, get_origin

import typer
from typer.models import ArgumentInfo, OptionInfo, ParameterInfo

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


EVERY_VERB = "*"
"""In place of a verb: what a parameter is wherever a verb has no row of its own for it."""


OF_MODELS = "llm"
"""In place of a verb: the flags of a language model."""


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


def with_help(verb: str, parameter: Parameter) -> Parameter:
    """The parameter as typer wants it; one that says all by itself, or is none of a user's, stays as it is."""
    annotation = parameter.annotation
    kind, *more = get_args(annotation) if get_origin(annotation) is Annotated else (annotation,)
    own: ParameterInfo | None = next((one for one in more if isinstance(one, ParameterInfo)), None)
    rows = (described().get((of, parameter.name)) for of in (verb, EVERY_VERB, OF_MODELS))
    row = next(filter(None, rows), None)
    if row is None or (own is not None and own.help):
        return parameter
    flags = [flag for flag in row.flags.split(", ") if flag.startswith("-")]
    is_argument = row.flags == "argument" or (parameter.default is Parameter.empty and not flags)
    told: ParameterInfo = copy(own) or (ArgumentInfo() if is_argument else OptionInfo())
    if not is_argument:
        told.param_decls = flags or [f"--{parameter.name.replace('_', '-')}"]
    told.default, told.help = ..., row.help
    return parameter.replace(annotation=Annotated[kind, told])


def flags_of(group: str, panel: str, kinds: Mapping[str, Any]) -> list[Parameter]:
    """A flag for each row that stands in the table under `group`, of text where no other kind is named."""
    shown = option(rich_help_panel=panel, show_default=False)
    flag = partial(Parameter, kind=Parameter.KEYWORD_ONLY, default=None)
    return [
        with_help(group, flag(name, annotation=Annotated[kinds.get(name, str | None), shown]))
        for verb, name in described()
        if verb == group
    ]


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

    return with_parameters(wrapped, [one.replace(kind=Parameter.KEYWORD_ONLY) for one in (*own, *more)])


def with_parameters(command: Callable[..., Any], parameters: Sequence[Parameter]) -> Callable[..., Any]:
    """The command, which typer now takes to have these parameters."""
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    return command


def one_of(known: Sequence[str], kind: str) -> Callable[[str | None], str | None]:
    """A check of a name; that nobody has it is said before any file is opened."""

    def checked(name: str | None) -> str | None:
        if name is not None and name not in known:
            raise UnknownName(kind, name, known)
        return name

    return checked


known_reader = one_of(READERS, "reader")
known_writer = one_of(WRITERS, "writer")
"""Who changes reports on purpose: rules or a language model."""


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
