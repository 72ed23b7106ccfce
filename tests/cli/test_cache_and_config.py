"""`overread cache`, `overread config`, and the options that every verb with `--by llm` takes."""

import time
from pathlib import Path
from typing import Annotated

import pytest
import typer
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.cli.terminal.llm_options import LlmOptions
from overread.cli.terminal.options import verb as decorated
from overread.errors import BadInput
from overread.llm import resolve
from overread.llm.cache import Cache

KEY = "sk-very-private-0123456789"
run = CliRunner().invoke


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Path:
    """No settings but ours."""
    for name in ("OVERREAD_BASE_URL", "OVERREAD_MODEL", "OVERREAD_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "config.toml").write_text("[llm]\ntimeout = 33\n")
    monkeypatch.setenv("OVERREAD_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("OVERREAD_CACHE_FILE", str(tmp_path / "answers.sqlite"))
    return tmp_path


def fill(home: Path, monkeypatch) -> Cache:
    cache = Cache(home / "answers.sqlite")
    now = time.time()
    for age_days, model in ((40, "old"), (2, "new"), (1, "new")):
        monkeypatch.setattr(time, "time", lambda age=age_days: now - age * 86400)
        cache.put(f"k{age_days}", "http://localhost/v1", model, "radsem/atoms", b"x" * 1000)
    monkeypatch.undo()
    return cache


def cached(home: Path, *arguments: str):
    return run(app, ["cache", *arguments], env={"OVERREAD_CACHE_FILE": str(home / "answers.sqlite")})


def test_no_cache_yet(home):
    result = cached(home)
    assert result.exit_code == 0
    assert "No answers are kept yet" in result.output
    assert not (home / "answers.sqlite").exists()
    assert "0 answers removed" in cached(home, "prune", "--older-than", "1d").output
    assert "nothing to remove" in cached(home, "clear", "--yes").output


def test_show_says_where_how_many_and_how_much(home, monkeypatch):
    fill(home, monkeypatch)
    shown = cached(home).output
    assert str(home / "answers.sqlite") in shown
    assert "3 answers" in shown
    assert "radsem/atoms  new  2 answers" in shown


def test_prune_by_age(home, monkeypatch):
    cache = fill(home, monkeypatch)
    assert "1 answers removed" in cached(home, "prune", "--older-than", "30d").output
    assert [share.model for share in cache.shares()] == ["new"]


def test_prune_by_size_and_model(home, monkeypatch):
    cache = fill(home, monkeypatch)
    assert "2 answers removed" in cached(home, "prune", "--max-size", "1kB").output
    assert "1 answers removed" in cached(home, "prune", "--model", "new").output
    assert cache.shares() == []


@pytest.mark.parametrize("arguments", [[], ["--older-than", "soon"], ["--max-size", "lots"]])
def test_prune_wants_to_know_what(home, arguments):
    result = cached(home, "prune", *arguments)
    assert isinstance(result.exception, BadInput)


def test_clear_asks_first(home, monkeypatch):
    cache = fill(home, monkeypatch)
    environment = {"OVERREAD_CACHE_FILE": str(home / "answers.sqlite")}
    assert run(app, ["cache", "clear"], input="n\n", env=environment).exit_code == 1
    assert len(cache.shares()) == 2
    assert "3 answers removed" in cached(home, "clear", "--yes").output


def test_config_shows_values_and_origins_but_no_key(home, monkeypatch):
    monkeypatch.setenv("OVERREAD_API_KEY", KEY)
    monkeypatch.setenv("OVERREAD_MODEL", "tiny")
    shown = run(app, ["config"]).output
    lines = {line.split()[0]: line for line in shown.splitlines() if line.strip()}
    assert "tiny" in lines["model"]
    assert "OVERREAD_MODEL" in lines["model"]
    assert str(home / "config.toml") in lines["timeout"]
    assert lines["concurrency"].split() == ["concurrency", "8", "default"]
    assert "set (hidden)" in lines["api_key"]
    assert KEY not in shown


def test_config_warns_of_a_file_that_others_can_read(home):
    (home / "config.toml").chmod(0o644)
    assert "other users can read it" in run(app, ["config"]).output
    (home / "config.toml").chmod(0o600)
    assert "other users can read it" not in run(app, ["config"]).output


def reading(seen: list[LlmOptions]) -> typer.Typer:
    app = typer.Typer()

    @app.command()
    @decorated("read")
    def read(
        reports: Path, *, by: Annotated[str, typer.Option(help="Who reads.")] = "rules", llm: LlmOptions
    ) -> None:
        """Read reports."""
        seen.append(llm)

    return app


def given(*arguments: str) -> LlmOptions:
    seen: list[LlmOptions] = []
    result = run(reading(seen), ["reports.csv", *arguments])
    assert result.exit_code == 0, result.output
    return seen[0]


def test_every_option_reaches_its_setting(home):
    (home / "key").write_text(f"{KEY}\n")
    options = given(
        "--by", "llm", "--base-url", "http://localhost:1/v1", "--model", "a", "--model", "b",
        "--temperature", "0.5", "--seed", "4", "--reply-tokens", "900", "--timeout", "9",
        "--concurrency", "3",
        "--max-calls", "10", "--max-tokens", "1000", "--agree", "2", "--examples", "bank.jsonl",
        "--shots", "5", "--no-cache", "--yes-send", "--key-file", str(home / "key"),
    )  # fmt: skip
    found = resolve(options.given)
    settings = found.settings
    assert (settings.base_url, settings.model, settings.temperature) == (
        "http://localhost:1/v1",
        ("a", "b"),
        0.5,
    )
    assert (settings.seed, settings.reply_tokens, settings.timeout, settings.concurrency) == (4, 900, 9.0, 3)
    assert (settings.max_calls, settings.max_tokens, settings.agree) == (10, 1000, 2)
    assert (settings.examples, settings.shots, settings.cache, settings.yes_send) == (
        "bank.jsonl",
        5,
        False,
        True,
    )
    assert settings.api_key is not None
    assert settings.api_key.reveal() == KEY
    assert found.origins["api_key"] == "--key-file"
    assert KEY not in repr(options)


def test_options_not_given_leave_the_other_sources_in_force():
    options = given()
    assert options.given == {}
    assert resolve(options.given).settings.timeout == 33


def test_the_help_of_a_verb_has_one_panel_for_them():
    shown = run(reading([]), ["--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).output
    assert "Language model (--by llm)" in shown
    assert "Timeout per request in seconds. (default 120)" in shown
    assert "--no-cache" in shown


def test_options_that_cannot_be_used_are_named():
    with pytest.raises(BadInput, match="temperature from --temperature"):
        resolve(given("--temperature", "hot").given)
