"""Budgets hold, and Ctrl-C keeps what is finished."""

import os
import signal
import subprocess
import sys
import textwrap
import threading

import pytest
from tests.llm.conftest import PROMPT, Act, Loopback, Note, item, note, obliging

from overread.errors import AskFailed, BadInput
from overread.llm import Answer, Client, Failure, ask_many
from overread.llm import client as asking
from overread.llm.settings import Price

ITEMS = [item(n) for n in range(30)]


def split(outcomes):
    return [o for o in outcomes if isinstance(o, Answer)], [o for o in outcomes if isinstance(o, Failure)]


def test_max_calls_is_exact_and_counts_retries(server: Loopback, settings):
    server.behave = lambda a: Act(status=500) if a.nth == 1 and a.study % 3 == 0 else obliging(a)
    with Client(settings(max_calls=12)) as client:
        good, bad = split(ask_many(client, PROMPT, ITEMS, Note))
    assert len(server.asks) == 12
    assert len(good) + len(bad) == 30
    assert {(f.kind, f.reason) for f in bad} == {("budget", "The budget of 12 calls is spent.")}


def test_the_budget_is_shared_by_stages_and_spares_the_cache(server: Loopback, settings):
    with Client(settings(max_calls=10)) as client:
        first = ask_many(client, PROMPT, ITEMS[:10], Note)
        again, rest = ask_many(client, PROMPT, ITEMS[:10], Note), ask_many(client, PROMPT, ITEMS[10:], Note)
        assert client.tally.cached == 10
    assert [o.value for o in first] == [o.value for o in again]
    assert all(isinstance(o, Failure) for o in rest)


def test_tokens_may_be_passed_only_by_calls_in_flight(server: Loopback, settings):
    with Client(settings(max_tokens=1000, concurrency=2)) as client:
        ask_many(client, PROMPT, ITEMS, Note)
    assert 1000 <= client.tally.tokens <= 1000 + 2 * 110


def test_cost_follows_the_prices(server: Loopback, settings):
    prices = {"small": Price(input=1000.0, output=10_000.0)}
    with Client(settings(prices=prices, max_cost=1.0, concurrency=1)) as client:
        ask_many(client, PROMPT, ITEMS, Note)
        assert client.tally.cost == pytest.approx(1.0)
    assert len(server.asks) == 5


def test_a_cost_limit_without_a_price_is_an_error(settings):
    with pytest.raises(BadInput, match="no price"):
        settings(max_cost=1.0)


def test_closing_a_client_frees_the_threads_that_wait_on_it(server: Loopback, settings, wait_until):
    server.behave = lambda a: Act(note(a.study), seconds=900)
    client = Client(settings(timeout=900))
    seen: list[Exception] = []

    def work():
        try:
            ask_many(client, PROMPT, ITEMS, Note)
        except AskFailed as error:
            seen.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    wait_until(lambda: server.asks)
    client.close()
    thread.join(timeout=120)
    assert len(seen) == 1


def test_after_ctrl_c_nothing_more_is_asked_and_the_client_still_works(
    server: Loopback, settings, monkeypatch, wait_until
):
    def interrupted(*args, **options):
        wait_until(lambda: server.asks)
        raise KeyboardInterrupt

    server.behave = lambda a: Act(note(a.study), seconds=900) if a.study < 29 else obliging(a)
    with Client(settings(concurrency=2, timeout=900)) as client:
        with monkeypatch.context() as patch:
            patch.setattr(asking, "wait", interrupted)
            with pytest.raises(KeyboardInterrupt):
                ask_many(client, PROMPT, ITEMS, Note)
        (outcome,) = ask_many(client, PROMPT, ITEMS[-1:], Note)
        assert isinstance(outcome, Answer)
    *begun, last = [a.study for a in server.asks]
    assert set(begun) <= {0, 1}
    assert last == 29


JOB = """
    import sys
    sys.path.insert(0, {root!r})
    from overread.llm import Client, Settings, ask_many
    from tests.llm.conftest import PROMPT, Note, item
    settings = Settings(base_url={url!r}, model=("small",), cache_file={cache!r}, concurrency=4)
    with Client(settings) as client:
        ask_many(client, PROMPT, [item(n) for n in range(30)], Note)
"""


def test_ctrl_c_stops_at_once_and_keeps_what_is_finished(
    server: Loopback, settings, pytestconfig, wait_until
):
    server.behave = lambda a: Act(note(a.study), seconds=900 if a.study >= 10 else 0)
    source = JOB.format(root=str(pytestconfig.rootpath), url=server.url, cache=settings().cache_file)
    job = subprocess.Popen([sys.executable, "-c", textwrap.dedent(source)], stderr=subprocess.PIPE)
    wait_until(lambda: sum(a.study >= 10 for a in server.asks) >= 4)
    os.kill(job.pid, signal.SIGINT)
    errors = job.communicate(timeout=120)[1]  # the four in flight would have taken a quarter of an hour
    assert b"KeyboardInterrupt" in errors
    server.behave, before = obliging, len(server.asks)
    with Client(settings()) as client:
        outcomes = ask_many(client, PROMPT, ITEMS, Note)
    assert [o.cached for o in outcomes] == [True] * 10 + [False] * 20
    assert len(server.asks) - before == 20
