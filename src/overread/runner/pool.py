"""The same work on many items, in order: here, or in several processes of this machine."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

from overread.errors import OverreadError

Item = TypeVar("Item")
Result = TypeVar("Result")
Build = Callable[..., Callable[[Any], Any]]

AHEAD = 4
"""Chunks in flight per worker: enough to keep it busy, few enough for flat memory."""

CHUNK = 8
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
    context = get_context("spawn")  # a forked child of a process with threads may hang
    with ProcessPoolExecutor(jobs, context, _start, (build, arguments)) as pool:
        yield from _drained(pool, _chunk, items, jobs)


def in_threads(
    work: Callable[[Item], Result], items: Iterable[Item], threads: int
) -> Iterator[tuple[Item, Result]]:
    """The same with threads: for work that waits for an answer."""
    with ThreadPoolExecutor(threads) as pool:
        yield from _drained(pool, lambda chunk: [work(item) for item in chunk], items, threads, size=1)


def _drained(
    pool: Executor,
    work: Callable[[list[Any]], list[Any]],
    items: Iterable[Item],
    jobs: int,
    size: int = CHUNK,
) -> Iterator[tuple[Item, Any]]:
    waiting: deque[tuple[list[Item], Future[list[Any]]]] = deque()
    source = iter(items)
    try:
        while True:
            while len(waiting) < jobs * AHEAD and (chunk := list(islice(source, size))):
                waiting.append((chunk, pool.submit(work, chunk)))
            if not waiting:
                return
            chunk, future = waiting.popleft()
            yield from zip(chunk, future.result(), strict=True)
    except BrokenProcessPool as error:
        raise OverreadError(
            "A worker process died, most likely for want of memory. What is finished is kept: "
            "run the same command again, with fewer --jobs."
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _start(build: Build, arguments: tuple[Any, ...]) -> None:
    global _work
    _work = build(*arguments)


def _chunk(items: list[Any]) -> list[Any]:
    assert _work is not None
    return [_work(item) for item in items]
