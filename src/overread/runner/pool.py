"""The same work on many items, in order: here, or in several processes of this machine."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Any, TypeVar

from overread.errors import OverreadError
from overread.runner.crew import Build, Crew, Died
from overread.runner.threads import single_threaded

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 8
"""Chunks in flight per worker: enough to keep it busy, few enough for flat memory."""

CHUNK = 4
"""Items sent together: few, as at the end the others wait for the last chunk."""

WORTH_A_POOL = 200
"""Pairs below which starting processes takes longer than the work."""


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
    crew = Crew(_by_chunks, (build, arguments), jobs)
    whole = False
    with single_threaded():
        try:
            crew.start()
            yield from _drained(crew.submit, items, jobs * AHEAD, CHUNK)
            whole = True
        except Died as error:
            raise OverreadError(
                "Worker processes died again and again, most likely for want of memory. What is finished is kept: "
                "run the same command again, with fewer --jobs."
            ) from error
        finally:
            if whole:
                crew.close()
            else:
                crew.abandon()


def in_threads(
    work: Callable[[Item], Result], items: Iterable[Item], threads: int
) -> Iterator[tuple[Item, Result]]:
    """The same with threads: for work that waits for an answer."""
    pool = ThreadPoolExecutor(threads)
    try:
        yield from _drained(
            lambda chunk: pool.submit(lambda: [work(i) for i in chunk]), items, threads * AHEAD, 1
        )
    finally:
        pool.shutdown(cancel_futures=True)


def _drained(
    submit: Callable[[list[Item]], Future[list[Any]]], items: Iterable[Item], ahead: int, size: int
) -> Iterator[tuple[Item, Any]]:
    """The answers in order, with no more than `ahead` chunks of `size` items given out."""
    waiting: deque[tuple[list[Item], Future[list[Any]]]] = deque()
    source = iter(items)
    while True:
        while len(waiting) < ahead and (chunk := list(islice(source, size))):
            waiting.append((chunk, submit(chunk)))
        if not waiting:
            return
        chunk, future = waiting.popleft()
        yield from zip(chunk, future.result(), strict=True)


def _by_chunks(build: Build, arguments: tuple[Any, ...]) -> Callable[[list[Any]], list[Any]]:
    work = build(*arguments)
    return lambda items: [work(item) for item in items]
