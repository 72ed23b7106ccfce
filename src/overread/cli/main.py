"""The `overread` command, put together of all verbs; those that belong together stand in the file of the first.

Commands of other packages are found by their entry points. One is expected: `overread review`, which without its
package says how to install it.
"""

import ast
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import typer
from typer.main import get_command

from overread.cli.terminal.help import finished
from overread.cli.terminal.options import option_descriptions
from overread.cli.terminal.voice import STOPPED, warnings_as_notes
from overread.errors import BrokenPlugin, MissingExtra, OverreadError
from overread.plugins import Plugin, plugins
from overread.runner.limits import describe
from overread.runner.run.process import one_thread_for_arithmetic, search_seldom
from overread.version import __version__

HERE = Path(__file__).parent
REVIEW = "Let people correct readings, rate candidates and compare systems blindly (a package of its own)."


class Place(NamedTuple):
    """Where a verb stands, and what it says of itself."""

    module: str
    function: str
    about: str

    def loaded(self) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(import_module(self.module), self.function)
        return found


def unasked() -> None:
    """In place of a verb that is listed, and not loaded."""


@cache
def places() -> dict[str, Place]:
    """Every verb, in the order of the table of options; their files are read for it and not run."""
    found: dict[str, Place] = {}
    for path in sorted(HERE.rglob("*.py")):
        module = ".".join(("overread", "cli", *path.relative_to(HERE).with_suffix("").parts)).removesuffix(
            ".__init__"
        )
        for one in ast.parse(path.read_text("utf-8")).body:
            if isinstance(one, ast.FunctionDef):
                about = ast.get_docstring(one) or ""
                found |= {
                    name: Place(module, one.name, about) for name in map(verb_of, one.decorator_list) if name
                }
    order = [*(verb for verb, _ in option_descriptions()), *found]
    return {name: found[name] for name in order if name in found}


def verb_of(decorator: ast.expr) -> str:
    """The name in `@verb("read")`; nothing of any other decorator."""
    match decorator:
        case ast.Call(ast.Name("verb"), [ast.Constant(str(name))]):
            return name
    return ""


def put_together(found: dict[str, Callable[..., Any]]) -> typer.Typer:
    """The command of these verbs; one that others begin with is their group."""
    app = typer.Typer(
        help="A second reader for radiology reports: read, follow and score them finding by finding, offline.",
        no_args_is_help=True,
        add_completion=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True)(root)
    groups = {"": app}
    for name in {name.rpartition(" ")[0]: None for name in found if " " in name}:
        alone = bool(signature(found[name]).parameters)
        groups[name] = typer.Typer(no_args_is_help=not alone)
        groups[name].callback(invoke_without_command=alone, help=places()[name].about)(found[name])
        app.add_typer(groups[name], name=name)
    for name, function in found.items():
        group, _, own = name.rpartition(" ")
        if name not in groups:
            groups[group].command(own, help=places()[name].about)(function)
    return app


def root(version: bool = typer.Option(False, "--version", help="Show the version and exit.")) -> None:
    if version:
        typer.echo(f"overread {__version__}")
        raise typer.Exit


def command(verb: str = "") -> Any:
    """The whole command: every verb with the options that all of them take.

    Where a verb is asked for it is made without the others. Where none of ours has the name all are listed and none is
    loaded, with the commands of other packages.
    """
    known = places()
    first, ours = verb.partition(" ")[0], verb in known
    app = put_together(
        {
            name: place.loaded() if not verb or f"{verb} ".startswith(f"{name} ") else unasked
            for name, place in known.items()
            if not ours or name.partition(" ")[0] == first
        }
    )
    if not ours:
        add_commands_of_others(app)
    return finished(get_command(app))


def words_typed() -> list[str]:
    """What follows `overread`, also where a shell asks how it goes on."""
    begun = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
    return begun.split()[1:] if "_OVERREAD_COMPLETE" in os.environ else sys.argv[1:]


def verb_typed(words: Sequence[str]) -> str:
    """The verb that these words begin with; what is none of ours as it was typed.

    >>> verb_typed(["validate", "laws", "reports.csv"]), verb_typed(["read", "a.csv"]), verb_typed(["--version"])
    ('validate laws', 'read', '--help')
    """
    named = [word for word in words if not word.startswith("-")][:2]
    both = " ".join(named)
    return both if both in places() else named[0] if named else "--help"


def add_commands_of_others(app: typer.Typer) -> None:
    """Every command that another package brings under a name of its own; one that does not load says so when run."""
    own = {one.name for one in app.registered_commands} | {one.name for one in app.registered_groups}
    found = plugins("overread.commands")
    for name, plugin in found.items():
        if name not in own:
            try:
                app.add_typer(plugin.load(checked_app), name=name)
            except BrokenPlugin as error:
                refuse(app, name, f"Brought by the package {plugin.package}, which is broken.", error)
    if "review" not in found:
        refuse(
            app, "review", REVIEW, MissingExtra("overread-review", "review", ". ./packages/overread-review")
        )


def checked_app(plugin: Plugin, found: object) -> typer.Typer:
    if not isinstance(found, typer.Typer):
        raise plugin.broken(f"{plugin.entry.value} is no typer.Typer")
    return found


def refuse(app: typer.Typer, name: str, about: str, error: OverreadError) -> None:
    """A command that takes whatever it is given and only says why it cannot run."""

    def refused() -> None:
        raise error

    anything = {"ignore_unknown_options": True, "allow_extra_args": True}
    app.command(name, help=f"{about}\n\n{error}", context_settings=anything)(refused)


SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def exit_status() -> Iterator[None]:
    """Let signals stop what is done here, and leave with a status that tells the truth."""
    caught: list[int] = []
    before: dict[int, Any] = {}

    def stop(number: int, frame: FrameType | None) -> None:
        """Once: whoever is in a hurry may send a second one, which ends the process at once."""
        caught.append(number)
        for one in SIGNALS:
            signal.signal(one, signal.SIG_DFL)
        raise KeyboardInterrupt

    with suppress(ValueError):  # not the main thread: signals are somebody else's
        for one in SIGNALS:
            if signal.getsignal(one) is not signal.SIG_IGN:  # nohup means it
                before[one] = signal.signal(one, stop)
    try:
        yield
    except (SystemExit, KeyboardInterrupt):
        if caught:
            sys.exit(STOPPED + caught[0])
        raise
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def main() -> None:
    """Run the command. Exit status: 0 done, 1 done but some items failed, 2 not done, over 128 stopped.

    An error a user can mend is one line on standard error. Any other is our fault: one line too, which never quotes
    a report; OVERREAD_DEBUG=1 shows where it happened.
    """
    one_thread_for_arithmetic()
    search_seldom()
    warnings_as_notes()
    try:
        with exit_status():
            command(verb_typed(words_typed()))()
    except OverreadError as error:
        print(f"overread: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
    except Exception as error:
        if os.environ.get("OVERREAD_DEBUG"):
            raise
        print(f"overread: {unexpected(error)}", file=sys.stderr)
        sys.exit(2)
    finally:
        gc.freeze()  # or all tables would be searched once more before they go


def unexpected(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror} ({error.filename or 'a file'}). Nothing was finished."
    if isinstance(error, MemoryError):
        return "There is not enough memory. Use fewer --jobs or smaller files."
    return f"This should not happen: {describe(error)}. Please report it; OVERREAD_DEBUG=1 shows where."
