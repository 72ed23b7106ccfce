"""How worker processes are started."""

import multiprocessing
from functools import cache
from multiprocessing.context import BaseContext

from overread.runner.threads import single_threaded

SERVER = "forkserver"
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


def begin() -> None:
    """Have the server read its tables while this process is busy with something else."""
    if workers().get_start_method() == SERVER:
        from multiprocessing.forkserver import ensure_running

        with single_threaded():
            ensure_running()
