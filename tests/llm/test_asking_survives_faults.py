"""Whatever the server does, every item ends as an answer or as a counted failure."""

import asyncio
import itertools
import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.llm.conftest import PROMPT, Act, Ask, Loopback, Note, item, note, obliging

from overread.errors import AskFailed
from overread.llm import Answer, Client, Failure, ask_many


def once(fault: Act):
    """`fault` for the first request about a study, a good reply afterwards."""
    return lambda a: fault if a.nth == 1 else obliging(a)


def in_company(count: int, behave: Callable[[Ask], Act]) -> Callable[[Ask], Act]:
    """After the first, which a client sends alone, `count` requests wait for each other.

    So many are in flight then, however slow the machine is.
    """
    here, numbers = threading.Barrier(count), itertools.count()

    def answer(a: Ask) -> Act:
        if 1 <= next(numbers) <= count:
            here.wait(timeout=60)
        return behave(a)

    return answer


def one(client: Client, number: int = 7, **options):
    return ask_many(client, PROMPT, [item(number)], Note, **options)[0]


def test_a_good_reply_is_an_answer(server: Loopback, client: Client):
    assert one(client) == Answer("r7", Note(7, "normal"), cached=False)
    assert [a.format for a in server.asks] == ["json_schema"]
    assert server.asks[0].body["temperature"] == 0
    assert client.tally.tokens_in == 100


@pytest.mark.parametrize("headers", [{"Retry-After": "1"}, {"retry-after-ms": "1000"}])
def test_too_many_requests_waits_as_long_as_it_is_told(server: Loopback, client: Client, headers):
    server.behave = once(Act(status=429, headers=headers))
    assert isinstance(one(client), Answer)
    first, second = server.asks
    assert second.at - first.at >= 1.0
    assert client.tally.retries == 1


def test_a_wait_beyond_all_patience_is_a_failure_at_once(server: Loopback, client: Client):
    server.behave = lambda a: Act(status=429, headers={"Retry-After": "86400"})
    outcome = one(client)
    assert isinstance(outcome, Failure)
    assert "86400 seconds" in outcome.reason
    assert len(server.asks) == 1


@pytest.mark.parametrize(
    "fault",
    [
        Act(status=500),
        Act(status=503),
        Act(status=408),
        Act(trick="reset"),
        Act(note(7), trick="cut"),
        Act(raw=b'{"choices": [{"mess'),
    ],
    ids=["500", "503", "408", "reset", "body cut", "body no JSON"],
)
def test_a_passing_fault_is_tried_again(server: Loopback, client: Client, fault: Act):
    server.behave = once(fault)
    assert one(client) == Answer("r7", Note(7, "normal"), cached=False)
    assert (client.tally.calls, client.tally.retries, client.tally.repairs) == (2, 1, 0)


def test_a_lasting_fault_is_a_failure_after_the_allowed_tries(server: Loopback, settings):
    server.behave = lambda a: Act(status=500)
    with Client(settings(attempts=3)) as client:
        outcome = one(client)
    assert isinstance(outcome, Failure)
    assert (outcome.item, outcome.stage, outcome.kind) == ("r7", "tests/note", "transport")
    assert "HTTP 500" in outcome.reason
    assert len(server.asks) == 3


def test_a_hanging_server_times_out_and_is_tried_again(server: Loopback, settings):
    server.behave = once(Act(note(7), seconds=900))
    with Client(settings(timeout=1.0, attempts=8)) as client:
        assert isinstance(one(client), Answer)
    assert len(server.asks) >= 2


def test_a_reply_that_drips_in_forever_times_out_as_a_whole(server: Loopback, settings):
    server.behave = lambda a: Act(note(7), trick="drip")
    with Client(settings(timeout=0.3, attempts=2)) as client:
        outcome = one(client)
    assert isinstance(outcome, Failure)
    assert "0.3 seconds" in outcome.reason


@pytest.mark.parametrize(
    "text",
    [
        f"Here you are:\n```json\n{note(7)}\n```\nAnything else?",
        f"<think>maybe {note(8)}? no</think>{note(7)}",
        f"The set {{a, b}} is small. {note(7)}",
    ],
    ids=["fence", "thinking", "prose"],
)
def test_words_around_the_answer_are_passed_over(server: Loopback, client: Client, text: str):
    server.behave = lambda a: Act(text)
    assert one(client) == Answer("r7", Note(7, "normal"), cached=False)
    assert client.tally.calls == 1


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (Act('{"study": 7, "sta'), "no complete JSON object"),
        (Act('{"study": 7, "sta', finish="length"), "cut off"),
        (Act('{"study": "seven", "status": "normal"}'), "Expected `int`"),
        (Act(note(7) + note(8)), "holds different answers"),
        (Act('{"study": 7, "status": "normal", "more": 1}'), "unknown field"),
        (Act(""), "empty"),
        (Act(choices=[]), "empty"),
        (Act(choices=[{"index": 0}]), "empty"),
    ],
    ids=[
        "truncated",
        "length",
        "wrong type",
        "two answers",
        "unknown field",
        "no text",
        "no choice",
        "no message",
    ],
)
def test_a_bad_reply_gets_one_repair_turn_that_shows_what_is_wrong(
    server: Loopback, client: Client, bad, said
):
    server.behave = lambda a: obliging(a) if a.is_repair else bad
    assert one(client) == Answer("r7", Note(7, "normal"), cached=False)
    first, second = server.asks
    assert said in second.body["messages"][-1]["content"]
    assert second.body["messages"][1] == first.body["messages"][1]
    assert client.tally.repairs == 1


def test_wrong_twice_is_a_failure_row_without_the_models_words(server: Loopback, client: Client):
    server.behave = lambda a: Act(note(7, status="left basal haze"))
    outcome = one(client)
    assert isinstance(outcome, Failure)
    assert outcome.kind == "unusable"
    assert "$.status" in outcome.reason
    assert "haze" not in outcome.reason
    assert len(server.asks) == 2
    assert client.failures == [outcome]


@pytest.mark.parametrize(
    "act",
    [
        Act(None, finish="content_filter"),
        Act(choices=[{"message": {"content": None, "refusal": "I cannot."}, "finish_reason": "stop"}]),
    ],
)
def test_a_refusal_is_a_failure_without_a_second_call(server: Loopback, client: Client, act: Act):
    server.behave = lambda a: act
    outcome = one(client)
    assert isinstance(outcome, Failure)
    assert outcome.kind == "refused"
    assert len(server.asks) == 1


def test_a_check_of_the_reader_leads_to_repair(server: Loopback, client: Client):
    server.behave = lambda a: Act(note(7, "abnormal" if a.is_repair else "normal"))
    outcome = one(client, check=lambda i, v: ["status must be abnormal"] if v.status == "normal" else [])
    assert outcome == Answer("r7", Note(7, "abnormal"), cached=False)
    assert "status must be abnormal" in server.asks[1].text


def test_a_check_that_stays_unhappy_is_a_failure(server: Loopback, client: Client):
    outcome = one(client, check=lambda i, v: [f'{i.id} quotes "the patient fell", which is not there'])
    assert isinstance(outcome, Failure)
    assert outcome.reason == "Not usable after one repair: r7 quotes …, which is not there"
    assert len(server.asks) == 2


def test_a_bug_in_a_check_is_not_hidden(client: Client):
    def broken(item, value):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        one(client, check=broken)


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (Act(status=401), "did not accept the key"),
        (Act(status=404), "no such model or path"),
        (Act(status=307, headers={"Location": "http://127.0.0.1:9/v1"}), "no such model or path"),
        (Act(status=429, raw=b'{"error": {"code": "insufficient_quota", "message": ""}}'), "quota"),
    ],
    ids=["401", "404", "redirect", "quota"],
)
def test_what_no_item_can_survive_stops_the_run(server: Loopback, client: Client, act: Act, said: str):
    server.behave = lambda a: act
    with pytest.raises(AskFailed, match=said):
        ask_many(client, PROMPT, [item(n) for n in range(50)], Note)
    assert len(server.asks) <= 8


def test_nobody_there(settings):
    nobody = settings(base_url="http://127.0.0.1:9/v1", attempts=2)
    with Client(nobody) as client, pytest.raises(AskFailed, match="Is the server running"):
        one(client)


def test_a_page_in_place_of_a_completion_names_the_base_url(server: Loopback, client: Client):
    server.behave = lambda a: Act(raw=b'{"hello": "world"}')
    outcome = one(client)
    assert isinstance(outcome, Failure)
    assert "base URL" in outcome.reason


def test_replies_without_counts_are_estimated_and_said_to_be(server: Loopback, client: Client):
    server.behave = lambda a: Act(note(7), usage=False)
    one(client)
    assert client.tally.estimated
    assert client.tally.tokens_in > 10


def test_no_more_in_flight_than_allowed_and_order_kept(server: Loopback, settings):
    server.behave = in_company(3, lambda a: Act(note(a.study), seconds=random.uniform(0, 0.03)))
    with Client(settings(concurrency=3)) as client:
        outcomes = ask_many(client, PROMPT, [item(n) for n in range(40)], Note)
    assert [o.value.study for o in outcomes] == list(range(40))
    assert server.most_in_flight == 3


def test_the_limit_is_the_clients_whoever_asks(server: Loopback, settings):
    server.behave = in_company(3, lambda a: Act(note(a.study), seconds=0.01))
    with Client(settings(concurrency=3)) as client, ThreadPoolExecutor(5) as pool:
        outcomes = list(pool.map(lambda n: one(client, n), range(40)))
    assert [o.value.study for o in outcomes] == list(range(40))
    assert server.most_in_flight == 3


def test_the_same_question_is_asked_once(server: Loopback, client: Client):
    server.behave = lambda a: Act(note(a.study), seconds=0.02)
    outcomes = ask_many(client, PROMPT, [item(n % 3) for n in range(30)], Note)
    assert [o.value.study for o in outcomes] == [n % 3 for n in range(30)]
    assert len(server.asks) == 3


def test_no_items_no_calls(server: Loopback, client: Client):
    assert ask_many(client, PROMPT, [], Note) == []
    assert server.asks == []


def test_works_where_a_loop_is_running_already(client: Client):
    async def notebook():
        return one(client)

    assert isinstance(asyncio.run(notebook()), Answer)


FAULTS = {
    "429": Act(status=429, headers={"retry-after-ms": "30"}),
    "500": Act(status=500),
    "reset": Act(trick="reset"),
    "hang": Act(seconds=120),
    "cut": Act('{"study": 1, "sta'),
    "prose": Act("I am not sure about this one."),
    "schema": Act('{"study": "one"}'),
    "empty": Act(choices=[]),
}


def test_two_hundred_items_and_a_fifth_of_all_replies_faulty(server: Loopback, settings):
    """None lost, none twice, none swapped; some faults last and become failures, counted."""
    chance = random.Random(11)
    items = [item(n) for n in range(200)]
    doomed = set(chance.sample(range(200), 10))

    def behave(a: Ask) -> Act:
        if a.study in doomed:
            return FAULTS["schema"]
        return FAULTS[chance.choice(sorted(FAULTS))] if chance.random() < 0.2 else obliging(a)

    server.behave = behave
    with Client(settings(timeout=4.0, concurrency=16)) as client:
        outcomes = ask_many(client, PROMPT, items, Note)
        assert [o.item for o in outcomes] == [i.id for i in items]
        good = [o for o in outcomes if isinstance(o, Answer)]
        bad = [o for o in outcomes if isinstance(o, Failure)]
        assert all(o.item == f"r{o.value.study}" for o in good)
        assert {f"r{n}" for n in doomed} <= {o.item for o in bad}
        assert len(bad) < 40
        assert client.failures == sorted(bad, key=client.failures.index)
        tally = client.tally
        assert (tally.answered, tally.failed, tally.calls) == (len(good), len(bad), len(server.asks))

    server.behave, calls = obliging, len(server.asks)
    with Client(settings()) as client:
        outcomes = ask_many(client, PROMPT, items, Note)
    assert all(isinstance(o, Answer) for o in outcomes)
    assert len(server.asks) - calls == len(bad)


def test_a_server_that_refuses_everything_alike_is_asked_no_further(server: Loopback, client: Client):
    """LiteLLM's proxy without a database answers a wrong key with 400."""
    server.behave = lambda a: Act(status=400)
    with pytest.raises(AskFailed, match=r"refused the first 5 requests alike\..* Check the key"):
        ask_many(client, PROMPT, [item(n) for n in range(200)], Note)
    assert len({a.nth for a in server.asks}) < 200
    assert len(server.asks) < 100


def test_refusals_after_an_answer_are_failures_of_their_own(server: Loopback, client: Client):
    assert isinstance(one(client, 1), Answer)
    server.behave = lambda a: Act(status=400)
    assert all(
        isinstance(found, Failure)
        for found in ask_many(client, PROMPT, [item(n) for n in range(2, 20)], Note)
    )
