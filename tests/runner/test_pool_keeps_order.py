"""Work in processes and threads comes back in the order of the items, and no more is in flight than needed."""

import os
import sys
import time

import pytest

from overread.runner.pool import AHEAD, in_order, in_threads
from overread.runner.starting import workers


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
    return lambda _: "overread.runner.inherited" in sys.modules


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
