"""Processes of ours, and the same work on many items, in order: here, in threads, or in several of them."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import islice
from math import inf
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, TypeVar

from msgspec import Struct

from overread.errors import OverreadError
from overread.runner.limits import describe
from overread.runner.run.process import begin, sent_at_death_of_parent, single_threaded, workers

Build = Callable[..., Callable[[Any], Any]]


class Overdue(OverreadError):
    """An item that took longer than it may."""


class Died(OverreadError):
    """An item on which one process after another died."""


class Broken(OverreadError):
    """An item that could not be worked on; the message never quotes a report."""


class Errand(Struct):
    item: Any
    seconds: float
    """How long the work may take."""

    until: float
    """When nobody waits for it any more, by the clock `monotonic`."""

    future: Future[Any]

    @property
    def left(self) -> float:
        """Seconds that it may take from now on."""
        return min(self.seconds, max(0.0, self.until - monotonic()))


class Process:
    """One worker process, as the parent sees it."""

    def __init__(self, build: Build, arguments: tuple[Any, ...]) -> None:
        context: Any = workers()
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(
            target=work_until_parent_ends, args=(theirs, build, arguments, dict(os.environ)), daemon=True
        )
        self.process.start()
        theirs.close()

    def ask(self, item: Any, seconds: float) -> Any:
        self.pipe.send(item)
        return self.receive(seconds)

    def receive(self, seconds: float = inf) -> Any:
        if not self.pipe.poll(None if seconds == inf else seconds):
            raise Overdue(f"It took more than {seconds:g} seconds.")
        well, answer = self.pipe.recv()
        if not well:
            raise Broken(answer)
        return answer

    def end(self) -> None:
        self.pipe.close()
        self.process.kill()
        self.process.join()


class Crew:
    """So many processes, each keeping what `build(*arguments)` made; work goes to whoever is free.

    >>> from functools import partial
    >>> with Crew(partial, (abs,), 1) as crew:
    ...     crew.submit(-3).result()
    3
    """

    def __init__(self, build: Build, arguments: tuple[Any, ...], size: int, tries: int = 3) -> None:
        self.build, self.arguments, self.tries = build, arguments, tries
        self.waiting: SimpleQueue[Errand | None] = SimpleQueue()
        self.lock = Lock()
        self.replaced = 0
        """Processes that died or were ended for overstaying."""

        self.broken: OverreadError | None = None
        """Why no process can be had; everything that is asked fails with it."""

        self.up = [Event() for _ in range(size)]
        self.processes: list[Process | None] = [None] * size
        self.threads = [Thread(target=self.attend, args=(n,), daemon=True) for n in range(size)]

    def start(self) -> "Crew":
        try:
            begin()
            for thread in self.threads:
                thread.start()
        except BaseException:  # stopped meanwhile: no process is left that nobody attends
            self.abandon()
            raise
        return self

    @property
    def ready(self) -> bool:
        """Has every process built what it needs?"""
        return self.broken is None and all(event.is_set() for event in self.up)

    def submit(self, item: Any, seconds: float = inf, until: float = inf) -> Future[Any]:
        """Have it done; a process that takes longer than so many seconds, or is still at it `until` then, is ended."""
        task = Errand(item, seconds, until, Future())
        self.waiting.put(task)
        return task.future

    def attend(self, n: int) -> None:
        """What the thread of one process does: hand it work until there is no more."""
        process = self.started(n)
        while (task := self.waiting.get()) is not None:
            if not task.future.set_running_or_notify_cancel():
                continue
            if self.broken is not None:
                task.future.set_exception(self.broken)
            elif task.left == 0.0:
                task.future.set_exception(Overdue("Its time was over before anybody was free."))
            else:
                process = self.settle(n, process, task)
        process.end()

    def settle(self, n: int, process: Process, task: Errand) -> Process:
        """Have a task done; the process that is there afterwards."""
        for _ in range(self.tries):
            try:
                task.future.set_result(process.ask(task.item, task.left))
            except Overdue as error:
                task.future.set_exception(error)
                process = self.replacement(n, process)
            except Broken as error:
                task.future.set_exception(error)
            except (EOFError, OSError):  # it was killed or ran out of memory
                if self.broken is None:
                    process = self.replacement(n, process)
                    continue
                task.future.set_exception(self.broken)
            return process
        task.future.set_exception(Died(f"{self.tries} worker processes died on it, one after another."))
        return process

    def replacement(self, n: int, process: Process) -> Process:
        process.end()
        with self.lock:
            self.replaced += 1
        return self.started(n)

    def started(self, n: int) -> Process:
        """A new process that has built what it needs; it is started anew if it dies on the way."""
        self.up[n].clear()
        for _ in range(self.tries):
            process = self.processes[n] = Process(self.build, self.arguments)
            try:
                process.receive()
            except (EOFError, OSError):
                process.end()
                continue
            except Broken as error:
                self.broken = error
                return process
            self.up[n].set()
            return process
        self.broken = Died("Worker processes die while they start; is there enough memory?")
        return process

    def close(self) -> None:
        """Finish what is waiting, then end the processes."""
        begun = [thread for thread in self.threads if thread.ident is not None]
        for _ in begun:
            self.waiting.put(None)
        for thread in begun:
            thread.join()

    def abandon(self) -> None:
        """End at once: nobody will use what is half done."""
        self.broken = Died("It was stopped.")
        for process in self.processes:
            if process is not None:
                process.process.kill()
        self.close()

    def __enter__(self) -> "Crew":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()


def work_until_parent_ends(
    pipe: Connection, build: Build, arguments: tuple[Any, ...], environment: dict[str, str]
) -> None:
    """What a worker process does until its parent is gone; that the parent was killed is no news to anybody.

    Stopping politely is the parent's business.
    """
    for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(sign, signal.SIG_IGN)
    sent_at_death_of_parent(signal.SIGKILL)  # not on other systems: there the pipe of the parent has to do
    parent = parent_process()
    if parent is not None:
        Thread(target=end_with, args=(parent.sentinel,), daemon=True).start()
    os.environ.clear()  # inherited from a server that may have been there before a setting was changed
    os.environ.update(environment)
    with suppress(EOFError, OSError):
        well, made = tried(lambda: build(*arguments))
        pipe.send((well, None if well else made))
        while well:
            item = pipe.recv()
            pipe.send(tried(partial(made, item)))


def tried(work: Callable[[], Any]) -> tuple[bool, Any]:
    """Whether it went well, and what came of it, or in a few words what went wrong."""
    try:
        return True, work()
    except Exception as error:
        return False, describe(error)


def end_with(sentinel: Any) -> None:
    """Die when the process that started this one does, even if it is killed."""
    wait([sentinel])
    os._exit(1)


Given = TypeVar("Given")
Result = TypeVar("Result")

AHEAD = 8
"""Chunks in flight per worker: enough to keep it busy, few enough for flat memory."""

ITEMS_AT_ONCE = 4
"""Items sent together: few, as at the end the others wait for the last chunk."""

WORTH_A_POOL = 200
"""Pairs below which starting processes takes longer than the work."""


def in_order(
    build: Build, arguments: tuple[Any, ...], items: Iterable[Given], jobs: int = 1
) -> Iterator[tuple[Given, Any]]:
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
    with single_threaded():
        try:
            crew.start()
            yield from _drained(crew.submit, items, jobs * AHEAD, ITEMS_AT_ONCE)
            crew.close()
        except Died as error:
            raise OverreadError(
                "Worker processes died again and again, most likely for want of memory. What is finished is kept: "
                "run the same command again, with fewer --jobs."
            ) from error
        finally:
            crew.abandon()


def in_threads(
    work: Callable[[Given], Result], items: Iterable[Given], threads: int
) -> Iterator[tuple[Given, Result]]:
    """The same with threads: for work that waits for an answer."""
    pool = ThreadPoolExecutor(threads)
    try:
        yield from _drained(
            lambda chunk: pool.submit(lambda: [work(i) for i in chunk]), items, threads * AHEAD, 1
        )
    finally:
        pool.shutdown(cancel_futures=True)


def batches(items: Iterable[Given], size: int) -> Iterator[list[Given]]:
    """So many at a time, as they come.

    >>> list(batches("abc", 2))
    [['a', 'b'], ['c']]
    """
    source = iter(items)
    while batch := list(islice(source, size)):
        yield batch


def _drained(
    submit: Callable[[list[Given]], Future[list[Any]]], items: Iterable[Given], ahead: int, size: int
) -> Iterator[tuple[Given, Any]]:
    """The answers in order, with no more than `ahead` chunks of `size` items given out."""
    waiting: deque[tuple[list[Given], Future[list[Any]]]] = deque()
    chunks = batches(items, size)
    while True:
        for chunk in islice(chunks, ahead - len(waiting)):
            waiting.append((chunk, submit(chunk)))
        if not waiting:
            return
        chunk, future = waiting.popleft()
        yield from zip(chunk, future.result(), strict=True)


def _by_chunks(build: Build, arguments: tuple[Any, ...]) -> Callable[[list[Any]], list[Any]]:
    work = build(*arguments)
    return lambda items: [work(item) for item in items]
