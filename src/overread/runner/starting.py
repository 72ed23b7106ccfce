"""How worker processes are started."""

import multiprocessing
from contextlib import suppress
from functools import cache
from multiprocessing.context import BaseContext

from overread.runner.threads import single_threaded

SERVER = "forkserver"
DEATH_OF_PARENT = 1  # PR_SET_PDEATHSIG of Linux
PRELOADED = ["overread.runner.inherited", "__main__"]


@cache
def workers() -> BaseContext:
    """Forked from a process without threads that has read the tables, so that a worker begins at once.

    Where the system has no such thing each worker is started from nothing. Never forked from here: a child of a process
    with threads may hang.
    """
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
