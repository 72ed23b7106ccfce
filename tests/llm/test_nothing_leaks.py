"""A server that echoes the key, floods, lies about tokens or answers from a tampered cache gets nowhere."""

import gzip
import json
import sqlite3
import zlib
from contextlib import suppress

import pytest
from msgspec import defstruct
from tests.llm.conftest import PROMPT, Act, Loopback, Note, item, note

from overread.errors import AskFailed
from overread.llm import Answer, Client, Failure, ask_many
from overread.llm.outcome import UnusableError, read_answer
from overread.llm.privacy import is_loopback
from overread.llm.server import LARGEST
from overread.llm.settings import Secret

KEY = "sk-very-private-0123456789"


def error(**fields):
    return Act(status=400, raw=json.dumps({"error": fields}).encode())


@pytest.mark.parametrize("place", ["message", "code", "type", "param"])
def test_a_key_in_any_field_of_an_error_is_not_shown(server: Loopback, settings, place):
    """The key looks like a code: short, letters and hyphens."""
    server.behave = lambda a: error(**{"message": "no", place: KEY})
    with Client(settings(api_key=Secret(KEY), attempts=1)) as client:
        (outcome,) = ask_many(client, PROMPT, [item(1)], Note)
    assert isinstance(outcome, Failure)
    assert KEY not in outcome.reason
    assert "HTTP 400" in outcome.reason


def test_known_codes_are_shown(server: Loopback, settings):
    server.behave = lambda a: error(code="context_length_exceeded", type="weather_in_the_report")
    with Client(settings(attempts=1)) as client:
        (outcome,) = ask_many(client, PROMPT, [item(1)], Note)
    assert "context_length_exceeded" in outcome.reason
    assert "weather" not in outcome.reason


def test_a_key_in_an_answer_is_taken_out_of_it(server: Loopback, settings, tmp_path):
    """Also where the server writes it with JSON's escapes."""
    free = defstruct("Note", [("study", int), ("status", str)], frozen=True, forbid_unknown_fields=True)
    told = json.dumps({"study": 1, "status": KEY})
    escaped = json.dumps({"choices": [{"message": {"content": told}}]}).replace("sk-", "\\u0073k\\u002d")
    server.behave = lambda a: Act(raw=escaped.encode())
    with Client(settings(api_key=Secret(KEY))) as client:
        (outcome,) = ask_many(client, PROMPT, [item(1)], free)
    assert isinstance(outcome, Answer)
    assert outcome.value.status == "<hidden>"
    assert KEY.encode() not in b"".join(p.read_bytes() for p in tmp_path.iterdir())


BOMB = gzip.compress(b" " * 40_000_000)


@pytest.mark.parametrize(
    "act",
    [
        Act(raw=b" " * (LARGEST + 1_000)),
        Act(raw=BOMB, headers={"Content-Encoding": "gzip"}),
        Act(raw=zlib.compress(b" " * 40_000_000), headers={"Content-Encoding": "deflate"}),
        Act(raw=BOMB, headers={"Content-Encoding": "gzip"}, status=500),
        Act(raw=b"x" * 100, headers={"Content-Encoding": "br"}),
        Act(raw=b"x" * 100, headers={"Content-Encoding": "gzip"}),
    ],
    ids=["plain", "gzip bomb", "deflate bomb", "bomb as error", "unasked encoding", "no gzip at all"],
)
def test_a_flood_fails_its_item_and_no_other(server: Loopback, settings, act):
    server.behave = lambda a: act if a.study == 1 else Act(note(a.study))
    with Client(settings(attempts=1)) as client:
        outcomes = ask_many(client, PROMPT, [item(1), item(2)], Note)
    assert isinstance(outcomes[0], Failure)
    assert outcomes[0].kind == "transport"
    assert isinstance(outcomes[1], Answer)


def test_a_packed_reply_was_not_asked_for(server: Loopback, client: Client):
    reply = json.dumps({"choices": [{"message": {"content": note(3)}}]}).encode()
    server.behave = lambda a: Act(raw=gzip.compress(reply), headers={"Content-Encoding": "gzip"})
    (outcome,) = ask_many(client, PROMPT, [item(3)], Note)
    assert outcome.kind == "transport"
    assert "an encoding that was not asked for (gzip)" in outcome.reason


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": -5, "completion_tokens": 1},
        {"prompt_tokens": 10**15, "completion_tokens": 1},
        {"prompt_tokens": "many", "completion_tokens": 1},
        {"prompt_tokens": 1.5, "completion_tokens": None},
        {},
        [],
        "none",
    ],
    ids=str,
)
def test_impossible_counts_are_unknown(server: Loopback, client: Client, usage):
    reply = {"choices": [{"message": {"content": note(1)}}], "usage": usage}
    server.behave = lambda a: Act(raw=json.dumps(reply).encode())
    (outcome,) = ask_many(client, PROMPT, [item(1)], Note)
    assert isinstance(outcome, Answer)
    assert client.tally.estimated
    assert 0 < client.tally.tokens < 10_000


@pytest.mark.parametrize("stored", [b'{"study": 1, "status": "fine"}', b"{", b'{"study": "\xff"}', b"[]"])
def test_a_tampered_cache_is_asked_again(server: Loopback, settings, tmp_path, stored):
    with Client(settings()) as client:
        ask_many(client, PROMPT, [item(1)], Note)
    with sqlite3.connect(tmp_path / "answers.sqlite") as database:
        database.execute("UPDATE answers SET answer = ?", (stored,))
    with Client(settings()) as client:
        (outcome,) = ask_many(client, PROMPT, [item(1)], Note)
    assert outcome == Answer("r1", Note(1, "normal"), cached=False)
    assert len(server.asks) == 2


@pytest.mark.parametrize(
    ("url", "stays"),
    [
        ("http://127.0.0.1:8080/v1", True),
        ("http://127.8.8.8/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://models.localhost/v1", False),
        ("http://localhost.localhost/v1", False),
        ("http://localhost.example.org/v1", False),
        ("http://127.0.0.1.example.org/v1", False),
        ("http://10.0.0.1/v1", False),
        ("http://0.0.0.0/v1", False),
    ],
)
def test_only_loopback_addresses_stay_on_the_machine(url, stays):
    assert is_loopback(url) == stays


def test_localhost_is_trusted_only_where_it_means_this_machine(monkeypatch):
    def elsewhere(*_):
        return [(2, 1, 6, "", ("127.0.0.1", 0)), (2, 1, 6, "", ("192.0.2.7", 0))]

    assert is_loopback("http://localhost:1/v1")
    monkeypatch.setattr("overread.llm.privacy.socket.getaddrinfo", elsewhere)
    assert not is_loopback("http://localhost:1/v1")


NASTY = {
    "open objects": lambda n: '{"a":' * n,
    "many answers": lambda n: '{"study": 1, "status": "normal"}' * n,
    "different answers": lambda n: "".join(f'{{"study": {m}, "status": "normal"}}' for m in range(n)),
    "braces": lambda n: "{" * 5 * n,
    "braces and quotes": lambda n: '{"' * 2 * n,
    "spaces": lambda n: "{" + " " * 5 * n,
    "a long number": lambda n: '{"study": ' + "9" * 5 * n + "}",
    "thinking": lambda n: "<think>" * n + "</think>" * n,
    "brackets": lambda n: "[" * 5 * n + "{}",
    "objects in prose": lambda n: '{"x" 1} and ' * n,
}


@pytest.mark.parametrize("name", NASTY)
def test_replies_are_read_in_linear_time(name, growth):
    """Ten times the reply takes at most thirty times as long."""

    def work(reply):
        with suppress(UnusableError):
            read_answer(reply, Note)

    assert growth(work, NASTY[name](2_000), NASTY[name](20_000), 30) < 30


def test_no_endpoint_no_call(settings):
    with pytest.raises(AskFailed, match="No endpoint is set"):
        Client(settings(base_url=None))
