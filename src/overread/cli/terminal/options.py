"""What makes a function a verb: its name, options and arguments; their help and flags stand in `cli/options.tsv`."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import cache, partial, wraps
from importlib.resources import files
from inspect import Parameter
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_args, get_origin

import typer
from msgspec import Struct
from typer.models import ArgumentInfo, OptionInfo, ParameterInfo

from overread.errors import BadInput, UnknownName
from overread.runner.limits import ITEM_SECONDS as ITEM_SECONDS
from overread.runner.limits import MAX_CHARACTERS as MAX_CHARACTERS
from overread.whole import a_folder, share

if TYPE_CHECKING:
    from overread.sources import Source
    from overread.sources.columns import Side

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
def option_descriptions() -> dict[tuple[str, str], Described]:
    """(verb, parameter) → what stands in the table."""
    text = files("overread.cli").joinpath("options.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    return {(verb, parameter): Described(*rest) for verb, parameter, *rest in rows}


def with_help(verb: str, parameter: Parameter) -> Parameter:
    """The parameter as typer wants it; one that says all by itself, or is none of a user's, stays as it is."""
    annotation = parameter.annotation
    kind, *more = get_args(annotation) if get_origin(annotation) is Annotated else (annotation,)
    own: ParameterInfo | None = next((one for one in more if isinstance(one, ParameterInfo)), None)
    rows = (option_descriptions().get((of, parameter.name)) for of in (verb, EVERY_VERB, OF_MODELS))
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
        for verb, name in option_descriptions()
        if verb == group
    ]


def verb(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function the verb of this name, such as `validate clear`; it is found by the name (`cli/main.py`).

    A parameter without a default is an argument, any other an option, unless the table says otherwise. One of a type
    with flags of its own, such as `Columns`, stands for them and is gathered from them. A verb that others begin with
    is their group; where it takes its context it can be run without them.
    """

    def made(command: Callable[..., Any]) -> Callable[..., Any]:
        parameters = inspect.signature(command, eval_str=True).parameters
        gathered = {
            key: one.annotation for key, one in parameters.items() if hasattr(one.annotation, "of_flags")
        }
        own = [with_help(name, one) for key, one in parameters.items() if key not in gathered]
        flags = {  # but for those that the verb has itself, with more to say
            key: [one for one in kind.flags() if one.name not in parameters] for key, kind in gathered.items()
        }

        @wraps(command)
        def wrapped(*given: Any, **values: Any) -> Any:
            for key, kind in gathered.items():
                values[key] = kind.of_flags({one.name: values.pop(one.name) for one in flags[key]})
            return command(*given, **values)

        every = [*own, *chain(*flags.values())]
        named = [one.replace(kind=Parameter.KEYWORD_ONLY) for one in every]
        wrapped.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]
        wrapped.__annotations__ = {one.name: one.annotation for one in named}
        return wrapped

    return made


class Columns(Struct, frozen=True):
    """What the columns of the input files hold, where a user says so, and how the files are encoded."""

    named: dict[str, str] | None = None
    """Role → name of the column."""
    encoding: str | None = None

    @staticmethod
    def flags() -> list[Parameter]:
        return flags_of("columns", "Input files", {})

    @classmethod
    def of_flags(cls, given: dict[str, str | None]) -> "Columns":
        encoding = given.pop("encoding")
        return cls({role: name for role, name in given.items() if name is not None} or None, encoding)

    def load(self, path: Path, side: "Side" = "either") -> "Source":
        from overread.formats import load

        return load(path, self.named, side=side, encoding=self.encoding)


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
