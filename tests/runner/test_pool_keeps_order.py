"""Work in processes and threads comes back in the order of the items, and no more is in flight than needed."""

import gc
import os
import signal
import sys
import threading
import time

import pytest

from overread.errors import OverreadError
from overread.runner.run.process import SELDOM, workers
from overread.runner.run.run import run
from overread.runner.run.workers import AHEAD, in_order, in_threads


def late_first(delay):
    def work(item):
        time.sleep(delay if item == 0 else 0)
        return item * item

    return work


@pytest.mark.slow
def test_processes():
    assert list(in_order(late_first, (0.3,), range(40), jobs=2)) == [(n, n * n) for n in range(40)]


def setting(name):
    return lambda _: os.environ.get(name)


def tables_read():
    return lambda _: "overread.runner.run.inherited" in sys.modules


@pytest.mark.slow
def test_workers_see_settings_of_now(monkeypatch):
    """The server they are forked from was there before."""
    for value in ("1", "2"):
        monkeypatch.setenv("OVERREAD_SETTING", value)
        assert list(in_order(setting, ("OVERREAD_SETTING",), [0], jobs=2)) == [(0, value)]


@pytest.mark.slow
@pytest.mark.skipif(workers().get_start_method() == "spawn", reason="this system does not fork")
def test_workers_inherit_the_tables():
    assert list(in_order(tables_read, (), [0], jobs=2)) == [(0, True)]


def searched():
    return lambda _: (gc.isenabled(), gc.get_threshold()[0], gc.get_freeze_count() > 10_000)


@pytest.mark.slow
@pytest.mark.skipif(workers().get_start_method() == "spawn", reason="this system does not fork")
def test_workers_search_their_memory_seldom_and_never_what_they_inherit():
    assert list(in_order(searched, (), [0], jobs=2)) == [(0, (True, SELDOM, True))]


LARGE = 200_000_000
"""Bytes of an answer that takes a while to be sent."""


def die_while_answering(flag):
    def work(item):
        if not flag.exists():
            flag.touch()
            threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGKILL)).start()
        return bytes(LARGE)

    return work


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system kills otherwise")
def test_a_worker_that_dies_while_it_answers_is_replaced(tmp_path):
    """Half an answer must not be waited for."""
    [(_, answer)] = in_order(die_while_answering, (tmp_path / "died",), [0], jobs=2)
    assert len(answer) == LARGE


def unable():
    raise OverreadError("The weights are not there.")


def test_workers_that_cannot_begin_say_why():
    with pytest.raises(OverreadError, match="The weights are not there"):
        list(in_order(unable, (), [0], jobs=2))


def dying():
    return lambda _: os._exit(1)


def test_work_that_no_worker_survives_is_told():
    with pytest.raises(OverreadError, match="fewer --jobs"):
        list(in_order(dying, (), [0], jobs=2))


def test_a_run_that_is_left_waits_for_nobody():
    """Who did wait would wait for an hour, past the time that a test may take."""
    stream = in_order(late_first, (3600,), [*range(1, 9), 0], jobs=2)
    assert next(stream) == (1, 1)
    stream.close()


def test_threads():
    assert list(in_threads(late_first(0.2), range(20), 4)) == [(n, n * n) for n in range(20)]


def test_items_are_fetched_as_they_are_needed():
    fetched = []

    def items():
        for n in range(1000):
            fetched.append(n)
            yield n

    stream = in_threads(abs, items(), 2)
    next(stream)
    assert len(fetched) <= 2 * AHEAD + 1
    stream.close()


def test_an_error_in_a_thread_comes_out():
    with pytest.raises(ZeroDivisionError):
        list(in_threads(lambda n: 1 // n, [1, 0], 2))


@pytest.mark.parametrize(("worth_it", "taken"), [(200, 1), (6, 3)])
def test_each_core_works_where_there_are_pairs_enough(job, tmp_path, monkeypatch, worth_it, taken):
    monkeypatch.setattr("overread.runner.run.run.WORTH_A_POOL", worth_it)
    monkeypatch.setattr("overread.runner.run.run.cores", lambda: 3)
    asked = []

    def engine(build, arguments, items, jobs):
        asked.append(jobs)
        return in_order(build, arguments, items)

    run(job("rouge-l"), tmp_path / "out", jobs=None, engine=engine)
    assert asked[0] == taken
