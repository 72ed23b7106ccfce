"""The cache: a finished job runs again without a call, and processes may share it or die in it."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import textwrap
import threading
import time
from collections import Counter

import pytest
from tests.llm.conftest import PROMPT, Act, Loopback, Note, item, note

from overread.errors import BadInput
from overread.llm import Client, ask_many
from overread.llm.cache import Cache, key_of
from overread.llm.prompt import parse_prompt

ITEMS = [item(n) for n in range(5)]


def entry(key: str, *, model: str = "m", size: int = 10) -> tuple[str, str, str, str, bytes]:
    return key, "http://localhost/v1", model, "tests/note", b"x" * size


def test_a_finished_job_makes_no_call_again(server: Loopback, settings):
    for _ in range(2):
        with Client(settings()) as client:
            outcomes = ask_many(client, PROMPT, ITEMS, Note)
    assert len(server.asks) == 5
    assert all(o.cached for o in outcomes)
    assert [o.value.study for o in outcomes] == list(range(5))


@pytest.mark.parametrize(
    "change",
    [{"model": ("other",)}, {"temperature": 0.7}, {"temperature": None}, {"seed": 3}, {"reply_tokens": 500}],
    ids=["model", "temperature", "server's temperature", "seed", "reply length"],
)
def test_what_decides_an_answer_decides_its_key(server: Loopback, settings, change):
    for changes in ({}, change):
        with Client(settings(**changes)) as client:
            ask_many(client, PROMPT, ITEMS[:1], Note)
    assert len(server.asks) == 2


def test_another_prompt_text_is_another_question(server: Loopback, client: Client):
    other = parse_prompt("---\ninputs: [report]\noutput: Note\n---\nSay it: {{report}}\n", "tests/note")
    ask_many(client, PROMPT, ITEMS[:1], Note)
    ask_many(client, other, ITEMS[:1], Note)
    assert len(server.asks) == 2


def test_how_patiently_one_asks_is_no_part_of_the_key(server: Loopback, settings):
    for changes in ({}, {"timeout": 9.0, "concurrency": 1, "max_calls": 50}):
        with Client(settings(**changes)) as client:
            ask_many(client, PROMPT, ITEMS[:1], Note)
    assert len(server.asks) == 1


def test_failures_are_not_kept(server: Loopback, settings):
    server.behave = lambda a: Act("no")
    for _ in range(2):
        with Client(settings()) as client:
            ask_many(client, PROMPT, ITEMS[:1], Note)
    assert len(server.asks) == 4


def test_a_kept_answer_that_the_reader_no_longer_accepts_is_asked_anew(server: Loopback, client: Client):
    ask_many(client, PROMPT, ITEMS[:1], Note)
    server.behave = lambda a: Act(note(a.study, "abnormal"))
    strict = {"check": lambda i, v: [] if v.status == "abnormal" else ["must be abnormal"]}
    (outcome,) = ask_many(client, PROMPT, ITEMS[:1], Note, **strict)
    assert outcome.value.status == "abnormal"
    assert ask_many(client, PROMPT, ITEMS[:1], Note, **strict)[0].cached


def test_without_cache_nothing_is_written(server: Loopback, settings, tmp_path):
    with Client(settings(cache=False)) as client:
        ask_many(client, PROMPT, ITEMS, Note)
        ask_many(client, PROMPT, ITEMS, Note)
    assert len(server.asks) == 10
    assert list(tmp_path.iterdir()) == []


def test_neither_report_nor_key_is_stored_and_only_the_user_can_read_it(settings, tmp_path):
    with Client(settings()) as client:
        ask_many(client, PROMPT, [item(1, "Zebrawood opacity.")], Note)
    path = tmp_path / "answers.sqlite"
    assert b"Zebrawood" not in path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_prune_by_age_model_and_size(tmp_path, monkeypatch):
    cache = Cache(tmp_path / "a.sqlite")
    for number in range(10):
        monkeypatch.setattr(time, "time", lambda n=number: 1000.0 + n)
        cache.put(*entry(str(number), model="odd" if number % 2 else "even"))
    assert cache.prune(before=1002.0) == 2
    assert cache.prune(before=1004.0, model="odd") == 1
    assert cache.prune(max_bytes=35) == 4
    assert [cache.get(str(n)) is not None for n in range(10)] == [False] * 7 + [True] * 3
    assert sum(share.answers for share in cache.shares()) == 3
    assert cache.clear() == 3
    assert cache.shares() == []


def test_pruning_gives_the_room_back(tmp_path):
    cache = Cache(tmp_path / "a.sqlite")
    for number in range(200):
        cache.put(*entry(str(number), size=10_000))
    full = cache.size()
    cache.clear()
    assert cache.size() < full / 10


def test_a_file_that_is_no_cache_is_said_to_be_none(tmp_path):
    path = tmp_path / "a.sqlite"
    path.write_text("this is not a database, but it is long enough to look like one\n" * 50)
    with pytest.raises(BadInput, match="cannot be used"):
        Cache(path)


def test_a_cache_of_another_version_is_not_touched(tmp_path):
    path = tmp_path / "a.sqlite"
    Cache(path).close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(BadInput, match="another version"):
        Cache(path)


def test_a_new_file_that_somebody_is_writing_to_is_waited_for(tmp_path):
    """In this state SQLite refuses to switch to WAL at once, whatever the busy timeout."""
    writer = sqlite3.connect(tmp_path / "a.sqlite", isolation_level=None, check_same_thread=False)
    writer.execute("BEGIN IMMEDIATE")
    threading.Timer(0.3, writer.execute, ("COMMIT",)).start()
    assert Cache(tmp_path / "a.sqlite").shares() == []


def test_keys_do_not_depend_on_the_order_of_settings():
    assert key_of({"a": 1, "b": 2}) == key_of({"b": 2, "a": 1})


JOB = """
    import sys
    sys.path.insert(0, {root!r})
    from overread.llm import Answer, Client, Settings, ask_many
    from tests.llm.conftest import PROMPT, Note, item
    settings = Settings(base_url={url!r}, model=("small",), cache_file={cache!r}, concurrency=8)
    with Client(settings) as client:
        items = [item(n) for n in range({count})][::{step}]
        outcomes = ask_many(client, PROMPT, items, Note)
        assert all(isinstance(o, Answer) and o.item == f"r{{o.value.study}}" for o in outcomes)
"""


def start(server: Loopback, settings, root, *, step: int = 1, count: int = 150) -> subprocess.Popen[bytes]:
    source = JOB.format(root=str(root), url=server.url, cache=settings().cache_file, step=step, count=count)
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(source)], stderr=subprocess.PIPE)


def test_two_processes_share_one_cache(server: Loopback, settings, pytestconfig):
    """From opposite ends: no lock error, and no call for what the other has stored."""
    server.behave = lambda a: Act(note(a.study), seconds=0.01)
    jobs = [start(server, settings, pytestconfig.rootpath, step=step, count=80) for step in (1, -1)]
    errors = [job.communicate(timeout=200)[1] for job in jobs]
    assert [job.returncode for job in jobs] == [0, 0], errors
    calls = Counter(a.study for a in server.asks)
    assert set(calls) == set(range(80))
    # Both ask about a study only where they meet in the middle, with eight requests in flight each.
    assert max(calls.values()) <= 2
    assert len(server.asks) <= 80 + 16


def test_many_processes_open_a_new_cache_at_once(tmp_path):
    source = f"""
        from pathlib import Path
        from overread.llm.cache import Cache
        cache = Cache(Path({str(tmp_path / "a.sqlite")!r}))
        import os
        for n in range(200):
            cache.put(f"{{os.getpid()}}-{{n}}", "e", "m", "p", b"{{}}")
    """
    command = [sys.executable, "-c", textwrap.dedent(source)]
    jobs = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(3)]
    errors = [job.communicate(timeout=200)[1] for job in jobs]
    assert [job.returncode for job in jobs] == [0] * 3, errors
    assert Cache(tmp_path / "a.sqlite").shares()[0].answers == 600


def test_killed_in_the_middle_the_cache_is_valid_and_the_work_goes_on(
    server: Loopback, settings, pytestconfig, wait_until
):
    server.behave = lambda a: Act(note(a.study), seconds=0.01)
    job = start(server, settings, pytestconfig.rootpath, count=2000)
    wait_until(lambda: len(server.asks) >= 150)
    os.kill(job.pid, signal.SIGKILL)
    job.wait(timeout=120)
    answered = len(server.asks)
    db = sqlite3.connect(settings().cache_file)
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    kept = db.execute("SELECT count(*) FROM answers").fetchone()[0]
    db.close()
    assert kept >= answered - 16
    with Client(settings()) as client:
        outcomes = ask_many(client, PROMPT, [item(n) for n in range(answered)], Note)
        assert sum(o.cached for o in outcomes) == kept
