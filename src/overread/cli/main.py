"""The `overread` command. Verbs that belong together stand in one file, named after the first of them."""

import os
import sys
from copy import copy
from typing import Any

import typer

from overread.cli import (
    bench,
    build,
    compare,
    config,
    convert,
    corpus,
    demo,
    errors,
    explain,
    follow,
    lint,
    models,
    read,
    score,
    serve,
    tags,
    train,
    validate,
)
from overread.cli.terminal.stopping import exit_status
from overread.cli.terminal.voice import warnings_as_notes
from overread.errors import OverreadError
from overread.runner.run.process import leave_unsearched, one_thread_for_arithmetic, search_seldom

app = typer.Typer(
    help="A second reader for radiology reports: read, follow and score them finding by finding, offline.",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("read")(read.read)
app.command("follow")(follow.follow)
app.command("score")(score.score)
app.command("errors")(errors.errors)
app.command("compare")(compare.compare)
app.command("history")(compare.history)
app.command("convert")(convert.convert)
app.command("demo")(demo.demo)
app.add_typer(tags.app, name="tags")
app.add_typer(validate.app, name="validate")
app.command("bench")(bench.bench)
app.command("explain")(explain.explain)
app.command("judge")(explain.judge)
app.command("lexicon")(explain.lexicon)
app.command("lint")(lint.lint)
app.add_typer(build.app, name="build")
app.add_typer(corpus.app, name="corpus")
app.add_typer(train.app, name="train")
app.add_typer(models.app, name="models")
app.add_typer(config.cached, name="cache")
app.add_typer(config.batches, name="batch")
app.command("serve")(serve.serve)
app.command("mcp")(serve.mcp)
app.command("config")(config.config)


@app.callback(invoke_without_command=True)
def root(version: bool = typer.Option(False, "--version", help="Show the version and exit.")) -> None:
    if version:
        from overread.version import __version__

        typer.echo(f"overread {__version__}")
        raise typer.Exit


def command(verb: str = "") -> Any:
    """The whole command: every verb with the options that all of them take.

    Where a verb is asked for it is made without the others, which take ten times as long to make; commands of other
    packages are looked for where none of ours has the name.
    """
    from typer.main import get_command

    from overread.cli.terminal.help import everywhere, laid_out
    from overread.cli.terminal.others import add_commands_of_others

    commands = [one for one in app.registered_commands if one.name == verb]
    groups = [one for one in app.registered_groups if one.name == verb]
    made = copy(app)
    if commands or groups:
        made.registered_commands, made.registered_groups = commands, groups
    else:
        made.registered_commands, made.registered_groups = (
            [*app.registered_commands],
            [*app.registered_groups],
        )
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
