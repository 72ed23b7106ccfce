"""The `overread` command: one file per verb, each imported only for its help and its run."""

import sys
from importlib import import_module

import typer

from overread.cli import (
    build,
    build_srr,
    cache,
    compare,
    config,
    demo,
    errors,
    explain,
    follow,
    lexicon,
    lint,
    read,
    score,
    serve,
    tags,
    train,
    validate,
)
from overread.errors import OverreadError

app = typer.Typer(
    help="A second reader for radiology reports: structure, follow and score them, by rules or by language model.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("read")(read.read)
app.command("follow")(follow.follow)
app.command("score")(score.score)
app.command("errors")(errors.errors)
app.command("compare")(compare.compare)
app.command("demo")(demo.demo)
app.add_typer(tags.app)
app.add_typer(validate.app)
app.command("explain")(explain.explain)
app.command("lexicon")(lexicon.lexicon)
app.command("lint")(lint.lint)
build.app.command("srr")(build_srr.build_srr)
app.add_typer(build.app)
app.add_typer(train.app)
app.add_typer(cache.app)
app.command("serve")(serve.serve)
app.command("config")(config.config)
for beside in (
    "overread.review.commands",
):  # packages on this line bring their own verbs, and are not imported here
    app.add_typer(import_module(beside).app)


@app.callback(invoke_without_command=True)
def root(version: bool = typer.Option(False, "--version", help="Print the version and leave.")) -> None:
    if version:
        from overread.version import __version__

        typer.echo(f"overread {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command; an error a user can mend is one line on stderr and exit code 2."""
    try:
        app()
    except OverreadError as error:
        print(f"overread: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
