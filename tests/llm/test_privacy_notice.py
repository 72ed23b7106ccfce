"""Before report text leaves the machine a person is told, once, where it goes."""

import io
import sys

import pytest
from tests.llm.conftest import PROMPT, Loopback, Note, item

from overread.errors import AskFailed
from overread.llm import Client, Settings, ask_many, privacy

FAR = "https://llm.example.org/v1"


@pytest.fixture(autouse=True)
def untold(monkeypatch):
    monkeypatch.setattr(privacy, "_told", set())


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def at_terminal(monkeypatch, typed: str) -> Terminal:
    screen = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    monkeypatch.setattr(sys, "stderr", screen)
    return screen


def test_loopback_needs_no_notice(server: Loopback, client: Client, capsys):
    ask_many(client, PROMPT, [item(1)], Note)
    assert capsys.readouterr().err == ""


def test_without_a_terminal_and_without_the_flag_it_is_an_error(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    with pytest.raises(AskFailed, match=r"llm\.example\.org.*--yes-send"):
        Client(Settings(base_url=FAR, model=("m",)))


def test_with_the_flag_the_notice_is_printed_once(capsys, tmp_path):
    settings = Settings(base_url=FAR, model=("m",), yes_send=True, cache_file=str(tmp_path / "a.sqlite"))
    for _ in range(2):
        Client(settings).close()
    said = capsys.readouterr().err
    assert said.count("Report text will be sent to llm.example.org") == 1
    assert "confidential" in said


def test_at_a_terminal_a_yes_is_asked_for(monkeypatch):
    screen = at_terminal(monkeypatch, "y\n")
    privacy.ensure_consent(FAR, agreed=False)
    privacy.ensure_consent(FAR, agreed=False)
    assert screen.getvalue().count("Send? [y/N]") == 1


@pytest.mark.parametrize("typed", ["n\n", "\n", "", "yesterday\n"])
def test_anything_but_yes_is_no(monkeypatch, typed: str):
    at_terminal(monkeypatch, typed)
    with pytest.raises(AskFailed, match="Nothing was sent"):
        privacy.ensure_consent(FAR, agreed=False)


@pytest.mark.parametrize(
    ("url", "stays"),
    [
        ("http://localhost:8080/v1", True),
        ("http://LOCALHOST/v1", True),
        ("http://127.0.0.1:11434/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://0.0.0.0:8080/v1", False),
        ("http://10.0.0.3/v1", False),
        ("http://localhost.evil.org/v1", False),
        ("http://127.0.0.1.evil.org/v1", False),
    ],
)
def test_what_counts_as_this_machine(url: str, stays: bool):
    assert privacy.is_loopback(url) is stays


def test_a_proxy_in_the_environment_does_not_see_loopback_traffic(server: Loopback, settings, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with Client(settings(attempts=1)) as client:
        ask_many(client, PROMPT, [item(1)], Note)
    assert len(server.asks) == 1
