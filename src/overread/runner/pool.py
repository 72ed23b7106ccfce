"""The same work on many items, in order: here, or in several processes of this machine."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import parent_process
from multiprocessing.connection import wait
from typing import Any, TypeVar

from overread.errors import OverreadError
from overread.runner.starting import workers
from overread.runner.threads import single_threaded

Item = TypeVar("Item")
Result = TypeVar("Result")
Build = Callable[..., Callable[[Any], Any]]

AHEAD = 4
"""Chunks in flight per worker: enough to keep it busy, few enough for flat memory."""

CHUNK = 8
DEATH_OF_PARENT = 1  # PR_SET_PDEATHSIG of Linux
_work: Callable[[Any], Any] | None = None  # in a worker process only: the function it was started for


def in_order(
    build: Build, arguments: tuple[Any, ...], items: Iterable[Item], jobs: int = 1
) -> Iterator[tuple[Item, Any]]:
    """Each item with `build(*arguments)(item)`, in the order of the items whatever finishes first.

    `build` is called once per process: it makes what can be used again but not sent.

    >>> list(in_order(lambda: abs, (), [-1, -2]))
    [(-1, 1), (-2, 2)]
    """
    if jobs == 1:
        work = build(*arguments)
        for item in items:
            yield item, work(item)
        return
    pool = ProcessPoolExecutor(jobs, workers(), _start, (build, arguments, dict(os.environ)))
    with single_threaded():
        yield from _drained(pool, _chunk, items, jobs, stop=lambda: _end(pool))


def in_threads(
    work: Callable[[Item], Result], items: Iterable[Item], threads: int
) -> Iterator[tuple[Item, Result]]:
    """The same with threads: for work that waits for an answer."""
    pool = ThreadPoolExecutor(threads)
    yield from _drained(pool, lambda chunk: [work(item) for item in chunk], items, threads, size=1)


def _drained(
    pool: Executor,
    work: Callable[[list[Any]], list[Any]],
    items: Iterable[Item],
    jobs: int,
    size: int = CHUNK,
    stop: Callable[[], None] = lambda: None,
) -> Iterator[tuple[Item, Any]]:
    waiting: deque[tuple[list[Item], Future[list[Any]]]] = deque()
    source = iter(items)
    whole = False
    try:
        while True:
            while len(waiting) < jobs * AHEAD and (chunk := list(islice(source, size))):
                waiting.append((chunk, pool.submit(work, chunk)))
            if not waiting:
                whole = True
                return
            chunk, future = waiting.popleft()
            yield from zip(chunk, future.result(), strict=True)
    except BrokenProcessPool as error:
        raise OverreadError(
            "A worker process died, most likely for want of memory. What is finished is kept: "
            "run the same command again, with fewer --jobs."
        ) from error
    finally:
        if not whole:
            stop()
        pool.shutdown(cancel_futures=True)


def _end(pool: ProcessPoolExecutor) -> None:
    """Whoever stops a run does not wait for what is half done: nobody will use it."""
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.kill()


def _start(build: Build, arguments: tuple[Any, ...], environment: dict[str, str]) -> None:
    global _work
    end_with_parent()
    os.environ.clear()  # inherited from a server that may have been there before a setting was changed
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends its workers
    _work = build(*arguments)


def end_with_parent() -> None:
    """Die when the process that started this one does, even if it is killed: by the kernel, or by watching a pipe."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(DEATH_OF_PARENT, signal.SIGKILL)
    except (ImportError, OSError, AttributeError, TypeError):
        pass  # not Linux: the pipe below has to do
    above = parent_process()
    if above is not None:
        threading.Thread(target=_watch, args=(above.sentinel,), daemon=True).start()


def _watch(sentinel: Any) -> None:
    wait([sentinel])
    os._exit(1)


def _chunk(items: list[Any]) -> list[Any]:
    assert _work is not None
    return [_work(item) for item in items]
