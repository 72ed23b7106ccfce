"""One set of options for every verb that can ask a language model.

    @takes_llm_options
    def read(reports: Path, by: Reader = Reader.rules, *, llm: LlmOptions) -> None:
        if by is Reader.llm:
            with llm.client() as client:
                …

Flags, types and help texts are those of `overread.llm.settings.Settings`.
"""

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, get_args

import msgspec
import typer
from msgspec import Struct

from overread.errors import BadInput
from overread.llm.settings import FIELDS, Secret, resolve

if TYPE_CHECKING:
    from overread.llm.client import Client

PANEL = "Language model (--by llm)"
FLAGS: dict[str, Any] = {  # setting -> type of its flag; the others are set by environment or config file
    "base_url": str | None,
    "model": list[str] | None,
    "temperature": str | None,
    "seed": int | None,
    "reply_tokens": int | None,
    "timeout": float | None,
    "concurrency": int | None,
    "max_calls": int | None,
    "max_tokens": int | None,
    "max_cost": float | None,
    "agree": int | None,
    "examples": Path | None,
    "shots": int | None,
    "cues": bool | None,
    "cues_as_written": bool | None,
    "three_labels": bool | None,
    "clear_terms": Path | None,
    "whole_report": bool | None,
    "one_disease": bool | None,
    "segmenter": str | None,
    "batch": Path | None,
    "estimate": bool,
    "cache": bool | None,
    "yes_send": bool,
}


class LlmOptions(Struct, frozen=True):
    """The flags as given; settings are resolved only when a model is to be asked."""

    given: Mapping[str, Any]

    @property
    def estimating(self) -> bool:
        return bool(self.given.get("estimate"))

    @contextmanager
    def client(self, items: int | None = None, kind: str = "report") -> "Iterator[Client]":
        """A client with a progress bar; prints the run's summary, also when the run is stopped.

        Where it is known how many `items` are read, the summary ends with time, tokens and cost of one.
        """
        from overread.llm.batch_folder import Waiting
        from overread.llm.budget import Bar, each, queries, summary
        from overread.llm.client import Client

        settings = resolve(self.given).settings
        start = monotonic()
        with Bar() as bar, Client(settings, meter=bar) as client:
            try:
                yield client
                client.check_waiting()
            except Waiting as waiting:
                if settings.estimate:
                    typer.echo(str(waiting))
                    raise typer.Exit from None
                raise
            except KeyboardInterrupt:
                bar.close()
                kept = "What was answered is kept; run the same command again to resume."
                print(f"Stopped. {kept if settings.cache else ''}", file=sys.stderr)
                raise
            finally:
                bar.close()
                if not client.unanswered:
                    print(summary(client.tally), file=sys.stderr)
                if items and not client.unanswered:
                    print(each(kind, client.tally, items, monotonic() - start), file=sys.stderr)
                if client.tally.queries:
                    print(queries(client.tally), file=sys.stderr)


@contextmanager
def reading_by(
    by: str, llm: LlmOptions, items: int | None = None, kind: str = "report"
) -> "Iterator[Client | None]":
    """A client where a language model is to read, None where rules are."""
    if by != "llm":
        yield None
        return
    with llm.client(items, kind) as client:
        yield client


def takes_llm_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flags below `Language model`; it receives them as its argument `llm`."""
    signature = inspect.signature(command, eval_str=True)
    own = [one for name, one in signature.parameters.items() if name != "llm"]
    taken = {one.name for one in own}  # a command may have a flag of such a name, with more to say
    flags = [_parameter(name, kind) for name, kind in FLAGS.items() if name not in taken] + [_key_file()]

    @wraps(command)
    def wrapped(**values: Any) -> Any:
        given = {one.name: values.pop(one.name) for one in flags}
        return command(**values, llm=LlmOptions(_settings_given(given)))

    parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in (*own, *flags)]
    wrapped.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {one.name: one.annotation for one in parameters}
    return wrapped


def _settings_given(flags: dict[str, Any]) -> dict[str, Any]:
    """The flags that were given, as settings."""
    key_file = flags.pop("key_file")
    given = {name: value for name, value in flags.items() if value is not None and value != []}
    for name in ("yes_send", "estimate"):
        if not given.get(name):
            given.pop(name, None)
    given |= {name: str(given[name]) for name in ("examples", "batch", "clear_terms") if name in given}
    if key_file is not None:
        given["api_key"] = read_key(key_file)
    return given


def read_key(path: Path) -> Secret:
    try:
        return Secret(path.read_text("utf-8").strip())
    except (OSError, UnicodeDecodeError):
        raise BadInput(f"Cannot read the key file {path}. It must hold the key and nothing else.") from None


def _parameter(name: str, kind: Any) -> inspect.Parameter:
    flag = "--" + name.replace("_", "-")
    flag = f"{flag}/--no-{name}" if name in ("cache", "cues") else flag
    default = False if kind is bool else None
    option = typer.Option(flag, help=_help(name), rich_help_panel=PANEL, show_default=False)
    return _keyword(name, Annotated[kind, option], default)


def _key_file() -> inspect.Parameter:
    text = "File that holds the API key (keys are never given on the command line)."
    option = typer.Option("--key-file", help=text, rich_help_panel=PANEL, show_default=False)
    return _keyword("key_file", Annotated[Path | None, option], None)


def _keyword(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def _help(name: str) -> str:
    """A setting's own description, and its default where that is a number."""
    field = FIELDS[name]
    metas = [one for one in get_args(field.type) if isinstance(one, msgspec.Meta)]
    description = next(one.description for one in metas if one.description)
    number = isinstance(field.default, int | float) and not isinstance(field.default, bool)
    return f"{description} (default {field.default:g})" if number else str(description)
