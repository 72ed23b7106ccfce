"""Commands of other packages, found where no verb of ours has the name; `review` without its package."""

import sys
from importlib.metadata import EntryPoint

import pytest
import typer

from overread.cli import main as module
from overread.cli.main import command, main
from overread.plugins import Plugin

greeting = typer.Typer(help="Greet somebody.")


@greeting.command("hello")
def hello(name: str) -> None:
    """Say it."""
    typer.echo(f"Hello, {name}")


@greeting.command("goodbye")
def goodbye() -> None:
    """Say that."""


@pytest.fixture
def brought(monkeypatch):
    """Name the commands that other packages bring: name → where they stand."""
    monkeypatch.setitem(sys.modules, "greeter", sys.modules[__name__])

    def bring(**entries):
        found = {
            name: Plugin(EntryPoint(name, place, "overread.commands")) for name, place in entries.items()
        }
        monkeypatch.setattr(module, "plugins", lambda group: found)
        monkeypatch.setattr(module, "command", command)  # that of the tests remembers what it has made

    return bring


@pytest.fixture
def typed(monkeypatch, capsys):
    def run(*words):
        monkeypatch.setattr(sys, "argv", ["overread", *words])
        with pytest.raises(SystemExit) as left:
            main()
        seen = capsys.readouterr()
        return left.value.code or 0, seen.out, seen.err

    return run


@pytest.mark.parametrize(
    "words", [(), ("my-study", "--port", "80"), ("study", "my-study", "--blank"), ("--demo",)]
)
def test_review_without_its_package_says_what_to_install(brought, typed, words):
    brought()
    code, out, err = typed("review", *words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "pip install 'overread[review]'" in err
    assert "pip install . ./packages/overread-review" in err


def test_help_names_review_in_its_place_without_its_package(brought, typed):
    brought()
    code, out, _ = typed("--help")
    assert code == 0
    assert "Work with people:\n  review  Let people correct readings" in out
    assert "pip install" in typed("review", "--help")[1]


def test_a_command_of_another_package_runs_and_is_listed_after_ours(brought, typed):
    brought(greet="greeter:greeting")
    assert typed("greet", "hello", "Ada") == (0, "Hello, Ada\n", "")
    assert typed("--help")[1].rstrip().endswith("Other commands:\n  greet  Greet somebody.")


@pytest.mark.parametrize("place", ["no_such_module:app", "greeter:hello"])
def test_a_broken_one_stops_nobody_else(brought, typed, place):
    brought(greet=place)
    assert typed("--help")[0] == 0
    code, _, err = typed("greet", "hello", "--loud")
    assert code == 2
    assert "registers 'greet' under overread.commands, but" in err


def test_ours_cannot_be_replaced(brought):
    brought(score="greeter:greeting", validate="greeter:greeting")
    assert set(command().commands["score"].params) != set()
    assert "hello" not in command().commands["validate"].commands


@pytest.mark.parametrize("verb", ["score", "validate"])
def test_other_packages_are_not_looked_for_where_the_verb_is_ours(monkeypatch, verb):
    monkeypatch.setattr(module, "plugins", None)
    assert list(command(verb).commands) == [verb]
