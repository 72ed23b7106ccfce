"""What a user sees of a run."""

import io

import pytest
from rich.console import Console
from tests.llm.conftest import PROMPT, Act, Loopback, Note, item, obliging

from overread.cli.terminal.llm_options import LlmOptions
from overread.cli.terminal.voice import meter_for
from overread.llm import Client, ask_many
from overread.llm.budget import queries, summary
from overread.llm.settings import Price
from overread.runner.meter import ProgressBar


def test_the_bar_shows_failures_tokens_and_cost(server: Loopback, settings):
    server.behave = lambda a: Act("no") if a.study == 3 else obliging(a)
    screen = io.StringIO()
    prices = {"small": Price(input=1000.0, output=0.0)}
    shown_on = ProgressBar()
    shown_on.bar.live.console = Console(file=screen, force_terminal=True, width=160)
    with shown_on as bar, Client(settings(prices=prices), meter=bar) as client:
        for _ in range(2):
            ask_many(client, PROMPT, [item(n) for n in range(5)], Note)
        bar.bar.refresh()
    shown = screen.getvalue()
    assert "tests/note" in shown
    assert "10/10" in shown
    assert "2 failed · 880 tokens · cost 0.8000" in shown


def test_without_a_terminal_there_is_no_bar(server: Loopback, settings, capsys):
    with meter_for() as bar, Client(settings(), meter=bar) as client:
        ask_many(client, PROMPT, [item(1)], Note)
    assert capsys.readouterr() == ("", "")


def given(settings) -> LlmOptions:
    usual = settings()
    return LlmOptions({"base_url": usual.base_url, "model": ["small"], "cache_file": usual.cache_file})


def test_a_verb_gets_a_client_and_its_user_a_summary(server: Loopback, settings, monkeypatch, capsys):
    monkeypatch.setenv("OVERREAD_CONFIG", "/dev/null")
    with given(settings).client() as client:
        ask_many(client, PROMPT, [item(1)], Note)
    assert capsys.readouterr().err == f"{summary(client.tally)}\n{queries(client.tally)}\n"


def test_a_stopped_verb_says_how_to_go_on(server: Loopback, settings, monkeypatch, capsys):
    monkeypatch.setenv("OVERREAD_CONFIG", "/dev/null")

    def verb() -> None:
        with given(settings).client() as client:
            ask_many(client, PROMPT, [item(1)], Note)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verb()
    said = capsys.readouterr().err
    assert said.startswith(
        "Stopped. What was answered is kept; run the same command again to resume.\n1 asked"
    )


def test_the_summary_says_what_came_of_it(server: Loopback, settings):
    server.behave = lambda a: Act(status=500) if a.nth == 1 else obliging(a)
    with Client(settings()) as client:
        for _ in range(2):
            ask_many(client, PROMPT, [item(1), item(2)], Note)
    assert summary(client.tally) == (
        "4 asked: 4 answered (2 from the cache), 0 failed.\n"
        "4 calls (2 retries, 0 repairs); 200 tokens in, 20 out."
    )
