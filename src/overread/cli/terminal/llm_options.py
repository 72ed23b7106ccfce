"""One set of options for every verb that can ask a language model.

    @verb("read")
    def read(reports: Path, by: By = "network", *, llm: LlmOptions) -> None:
        if by == "llm":
            with llm.client() as client:
                …

Flags and help texts are rows of `cli/options.tsv`; the settings they set are `overread.llm.settings.Settings`.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from inspect import Parameter
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import typer
from msgspec import Struct

from overread.cli.terminal.options import OF_MODELS, flags_of
from overread.cli.terminal.voice import meter_for, warn
from overread.errors import AskFailed, BadInput
from overread.llm.settings import FIELDS, Secret, resolve

if TYPE_CHECKING:
    from overread.llm.client import Client
    from overread.report import Report

Gold = TypeVar("Gold")
PANEL = "Language model (--by llm)"
KINDS: dict[str, Any] = {
    **dict.fromkeys(
        ("seed", "reply_tokens", "concurrency", "max_calls", "max_tokens", "agree", "shots"), int | None
    ),
    **dict.fromkeys(("timeout", "max_cost"), float | None),
    **dict.fromkeys(("cues", "cues_as_written", "three_labels", "whole_report", "one_disease"), bool | None),
    **dict.fromkeys(("estimate", "cache", "yes_send"), bool | None),
    **dict.fromkeys(("examples", "clear_terms", "batch", "key_file"), Path | None),
    "model": list[str] | None,
}
"""Of the flags that take no text. Settings without a row in the table are set by environment or config file."""


class LlmOptions(Struct, frozen=True):
    """The flags as given; settings are resolved only when a model is to be asked."""

    given: Mapping[str, Any]

    @staticmethod
    def flags() -> "Iterator[Parameter]":
        """A flag per setting; its help ends with the default where that is a number."""
        for flag in flags_of(OF_MODELS, PANEL, KINDS):
            default = FIELDS[flag.name].default if flag.name in FIELDS else None
            if isinstance(default, int | float) and not isinstance(default, bool):
                get_args(flag.annotation)[1].help += f" (default {default:g})"
            yield flag

    @classmethod
    def of_flags(cls, flags: dict[str, Any]) -> "LlmOptions":
        """The flags that were given, as settings."""
        key_file = flags.pop("key_file")
        given = {
            name: str(value) if isinstance(value, Path) else value
            for name, value in flags.items()
            if value not in (None, [])
        }
        return cls(given if key_file is None else {**given, "api_key": read_key(key_file)})

    @property
    def estimating(self) -> bool:
        return bool(self.given.get("estimate"))

    @contextmanager
    def client(self, items: int | None = None, kind: str = "report") -> "Iterator[Client]":
        """A client with a progress bar; prints the run's summary, also when the run is stopped.

        Where it is known how many `items` are read, the summary ends with time, tokens and cost of one.
        """
        from overread.llm.batch_folder import Waiting
        from overread.llm.budget import each, queries, summary
        from overread.llm.client import Client

        settings = resolve(self.given).settings
        start = monotonic()
        with Client(settings) as client:
            try:
                with meter_for() as client.meter:
                    yield client
                client.check_waiting()
            except Waiting as waiting:
                if settings.estimate:
                    typer.echo(str(waiting))
                    raise typer.Exit from None
                raise
            except KeyboardInterrupt:
                kept = "What was answered is kept; run the same command again to resume."
                print(f"Stopped. {kept if settings.cache else ''}", file=sys.stderr)
                raise
            finally:
                told = [] if client.unanswered else [summary(client.tally)]
                if items and told:
                    told.append(each(kind, client.tally, items, monotonic() - start))
                if client.tally.queries:
                    told.append(queries(client.tally))
                print("\n".join(told), end="\n" if told else "", file=sys.stderr)


def reading_by(by: str, llm: LlmOptions, items: int | None = None) -> "AbstractContextManager[Client | None]":
    """A client where a language model is to read, None where rules are."""
    return llm.client(items) if by == "llm" else nullcontext()


def read_key(path: Path) -> Secret:
    try:
        return Secret(path.read_text("utf-8").strip())
    except (OSError, UnicodeDecodeError):
        raise BadInput(f"Cannot read the key file {path}. It must hold the key and nothing else.") from None


def own_views(by: str, name: str, reports: "Sequence[Report]", llm: LlmOptions) -> dict[str, Any]:
    """The views of a system by id, by overread or by a model; reports that could not be read are left out."""
    from overread.llm import Failure
    from overread.reader import read
    from overread.runner.limits import unfailed
    from overread.runner.views import views_by_llm
    from overread.systems.registry import system

    found = system(name)
    with reading_by(by, llm, len(reports)) as client:
        if client is None:
            return dict(
                unfailed(reports, lambda one: (one.id, found.by_rules(read(one))), lambda one: one.id, warn)
            )
        answers = views_by_llm(found)(client, reports)
    outcomes = {one.id: one for one in answers if not isinstance(one, Failure)}
    if not outcomes:
        raise AskFailed("The model answered nothing that can be used; the lines above say why.")
    return outcomes


def paired(gold: Mapping[str, Gold], found: Mapping[str, Any]) -> list[tuple[Gold, Any]]:
    """(gold, view) of every report that has both."""
    pairs = [(one, found[id]) for id, one in gold.items() if id in found]
    if not pairs:
        raise BadInput("No report of the gold file has a view: the ids of the two files must be the same.")
    return pairs
