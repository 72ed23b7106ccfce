"""The `overread` command, put together of all verbs; those that belong together stand in the file of the first."""

import os
import sys
from collections.abc import Callable
from copy import copy
from importlib import import_module
from inspect import signature
from pkgutil import walk_packages
from types import FunctionType
from typing import Any

import typer

from overread import cli
from overread.cli.terminal.options import described
from overread.cli.terminal.stopping import exit_status
from overread.cli.terminal.voice import warnings_as_notes
from overread.errors import OverreadError
from overread.runner.run.process import leave_unsearched, one_thread_for_arithmetic, search_seldom


def verbs() -> dict[str, Callable[..., Any]]:
    """Name → function of every verb, in the order of the table of options."""
    names = (one.name for one in walk_packages(cli.__path__, f"{cli.__name__}."))
    modules = [import_module(name) for name in names if ".terminal." not in name]
    functions = [one for module in modules for one in vars(module).values() if isinstance(one, FunctionType)]
    found = {vars(one)["verb"]: one for one in functions if "verb" in vars(one)}
    order = [*(verb for verb, _ in described()), *found]
    return {name: found[name] for name in order if name in found}


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
        groups[name].callback(invoke_without_command=alone)(found[name])
        app.add_typer(groups[name], name=name)
    for name, function in found.items():
        group, _, own = name.rpartition(" ")
        if name not in groups:
            groups[group].command(own)(function)
    return app


def root(version: bool = typer.Option(False, "--version", help="Show the version and exit.")) -> None:
    if version:
        from overread.version import __version__

        typer.echo(f"overread {__version__}")
        raise typer.Exit


app = put_together(verbs())


def command(verb: str = "") -> Any:
    """The whole command: every verb with the options that all of them take.

    Where a verb is asked for it is made without the others, which take ten times as long to make; commands of other
    packages are looked for where none of ours has the name.
    """
    from typer.main import get_command

    from overread.cli.terminal.help import everywhere, laid_out
    from overread.cli.terminal.others import add_commands_of_others

    made = copy(app)
    made.registered_commands = [one for one in app.registered_commands if one.name == verb]
    made.registered_groups = [one for one in app.registered_groups if one.name == verb]
    if not (made.registered_commands or made.registered_groups):
        made.registered_commands = [*app.registered_commands]
        made.registered_groups = [*app.registered_groups]
        add_commands_of_others(made)
    return laid_out(everywhere(get_command(made)))


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
            command(*sys.argv[1:2])()
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
        leave_unsearched()


def unexpected(error: Exception) -> str:
    from overread.runner.limits import describe

    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror} ({error.filename or 'a file'}). Nothing was finished."
    if isinstance(error, MemoryError):
        return "There is not enough memory. Use fewer --jobs or smaller files."
    return f"This should not happen: {describe(error)}. Please report it; OVERREAD_DEBUG=1 shows where."
