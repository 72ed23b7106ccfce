"""A process of ours: its threads, its memory, and how it is started."""

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext

SELDOM = 50_000
"""New objects after which they are searched: reading a report leaves hardly any behind, and tables stay for good."""


def search_seldom() -> None:
    """For a process that is ours alone, what is here by now never: where it is inherited it stays shared.

    Whoever imports overread decides for himself.
    """
    gc.freeze()
    gc.set_threshold(SELDOM)
    gc.enable()


ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""Arithmetic libraries start a thread per core for matrices far larger than ours; in workers they only wait."""


@contextmanager
def single_threaded() -> Iterator[None]:
    """Processes started here do arithmetic in one thread, unless the user has said otherwise."""
    added = [name for name in ONE_THREAD if name not in os.environ]
    os.environ.update(dict.fromkeys(added, "1"))
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


def one_thread_for_arithmetic() -> None:
    """The same for this process; to be called before numpy is imported."""
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")


MOST_CORES = 8
"""Each process takes some 250 MB."""


def cores() -> int:
    """How many processes work at once where nobody says how many."""
    own = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(MOST_CORES, own)


SERVER = "forkserver"
DEATH_OF_PARENT = 1  # PR_SET_PDEATHSIG of Linux
PRELOADED = ["overread.runner.run.inherited", "__main__"]


@cache
def workers() -> "BaseContext":
    """Forked from a process without threads that has read the tables, so that a worker begins at once.

    Where the system has no such thing each worker is started from nothing. Never forked from here: a child of a process
    with threads may hang.
    """
    import multiprocessing

    if SERVER not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context(SERVER)
    context.set_forkserver_preload(PRELOADED)
    return context


def sent_at_death_of_parent(signal: int) -> None:
    """The signal that Linux sends to this process when its parent is gone; 0 for none."""
    with suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes

        ctypes.CDLL(None).prctl(DEATH_OF_PARENT, signal)


def begin() -> None:
    """Have the server read its tables while this process is busy with something else."""
    if workers().get_start_method() == SERVER:
        from multiprocessing.forkserver import ensure_running

        with single_threaded():
            ensure_running()
