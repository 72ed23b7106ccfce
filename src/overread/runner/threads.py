"""How many threads arithmetic may use: one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

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
