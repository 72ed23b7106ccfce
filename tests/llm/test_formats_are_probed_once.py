"""The schema goes as `response_format` where the server takes it, and in words where it does not."""

import pytest
from tests.llm.conftest import PROMPT, Act, Ask, Loopback, Note, item, note, obliging

from overread.llm import Answer, Client, Failure, ask_many

ITEMS = [item(n) for n in range(6)]


def refusing(*formats: str):
    return lambda a: Act(status=400) if a.format in formats else obliging(a)


def in_words(ask: Ask) -> bool:
    return '"additionalProperties": false' in ask.body["messages"][0]["content"]


def test_the_schema_that_is_sent_is_closed(server: Loopback, client: Client):
    ask_many(client, PROMPT, ITEMS[:1], Note)
    shape = server.asks[0].body["response_format"]["json_schema"]
    assert shape["strict"] is True
    assert shape["schema"]["required"] == ["study", "status"]
    assert shape["schema"]["additionalProperties"] is False
    assert not in_words(server.asks[0])


@pytest.mark.parametrize(
    ("refused", "used", "calls"),
    [(["json_schema"], "json_object", 7), (["json_schema", "json_object"], "none", 8)],
)
def test_a_refused_format_is_found_out_once(server: Loopback, client: Client, refused, used, calls):
    server.behave = refusing(*refused)
    assert all(isinstance(o, Answer) for o in ask_many(client, PROMPT, ITEMS, Note))
    assert len(server.asks) == calls
    assert [a.format for a in server.asks].count(used) == len(ITEMS)
    assert all(in_words(a) for a in server.asks if a.format == used)


def test_a_server_that_ignores_the_schema_is_shown_it_in_words(server: Loopback, client: Client):
    server.behave = lambda a: obliging(a) if in_words(a) else Act("The study looks normal to me.")
    assert all(isinstance(o, Answer) for o in ask_many(client, PROMPT, ITEMS, Note))
    assert client.tally.repairs == 1
    assert [a.format for a in server.asks] == ["json_schema"] + ["json_object"] * 6


def test_a_reply_cut_off_says_nothing_about_the_format(server: Loopback, client: Client):
    server.behave = lambda a: obliging(a) if a.is_repair or a.study else Act(note(0)[:-4], finish="length")
    ask_many(client, PROMPT, ITEMS, Note)
    assert {a.format for a in server.asks} == {"json_schema"}


def test_a_request_refused_in_every_format_is_its_own_fault(server: Loopback, client: Client):
    long_one = item(99)
    server.behave = lambda a: Act(status=400) if a.study == 99 else obliging(a)
    outcomes = ask_many(client, PROMPT, [long_one, *ITEMS], Note)
    assert isinstance(outcomes[0], Failure)
    assert outcomes[0].kind == "rejected"
    assert all(isinstance(o, Answer) for o in outcomes[1:])
    assert {a.format for a in server.asks if a.study != 99} == {"json_schema"}


def test_a_later_refusal_costs_one_call(server: Loopback, client: Client):
    ask_many(client, PROMPT, ITEMS[:1], Note)
    server.behave = lambda a: Act(
        status=400,
        raw=b'{"error": {"code": "context_length_exceeded", "message": "Study 1. Lungs are clear."}}',
    )
    (outcome,) = ask_many(client, PROMPT, ITEMS[1:2], Note)
    assert isinstance(outcome, Failure)
    assert outcome.reason == "The server refused the request: HTTP 400, context_length_exceeded."
    assert len(server.asks) == 2
