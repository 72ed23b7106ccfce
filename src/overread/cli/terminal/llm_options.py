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
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, get_args

import msgspec
import typer
from msgspec import Struct

from overread.cli.terminal.options import keyword, option, with_flags
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
    flags = [*(_parameter(name, kind) for name, kind in FLAGS.items()), KEY_FILE]
    return with_flags(command, "llm", flags, lambda given: LlmOptions(_settings_given(given)))


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
    shown = option(_help(name), flag, rich_help_panel=PANEL, show_default=False)
    return keyword(name, Annotated[kind, shown], False if kind is bool else None)


KEY_FILE = keyword(
    "key_file",
    Annotated[
        Path | None,
        option(
            "File that holds the API key (keys are never given on the command line).",
            rich_help_panel=PANEL,
            show_default=False,
        ),
    ],
)


def _help(name: str) -> str:
    """A setting's own description, and its default where that is a number."""
    field = FIELDS[name]
    metas = [one for one in get_args(field.type) if isinstance(one, msgspec.Meta)]
    description = next(one.description for one in metas if one.description)
    number = isinstance(field.default, int | float) and not isinstance(field.default, bool)
    return f"{description} (default {field.default:g})" if number else str(description)
