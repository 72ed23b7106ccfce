"""Processes of ours, each behind its own pipe: one that dies or overstays is replaced, and its work done again."""

import os
import signal
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from math import inf
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from msgspec import Struct

from overread.errors import OverreadError
from overread.runner.failure import describe
from overread.runner.starting import begin, sent_at_death_of_parent, workers

Build = Callable[..., Callable[[Any], Any]]


class Overdue(OverreadError):
    """An item that took longer than it may."""


class Died(OverreadError):
    """An item on which one process after another died."""


class Broken(OverreadError):
    """An item that could not be worked on; the message never quotes a report."""


class Task(Struct):
    item: Any
    seconds: float | None
    """How long the work may take; None: as long as it wants."""

    until: float
    """When nobody waits for it any more, by the clock `monotonic`."""

    future: Future[Any]

    @property
    def left(self) -> float | None:
        """Seconds that it may take from now on."""
        if self.until == inf:
            return self.seconds
        rest = max(0.0, self.until - monotonic())
        return rest if self.seconds is None else min(self.seconds, rest)


class Process:
    """One worker process, as the parent sees it."""

    def __init__(self, build: Build, arguments: tuple[Any, ...]) -> None:
        context: Any = workers()
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(
            target=work, args=(theirs, build, arguments, dict(os.environ)), daemon=True
        )
        self.process.start()
        theirs.close()
        self.ready = False

    def wait_until_ready(self) -> None:
        if not self.ready:
            self.receive(None)
            self.ready = True

    def ask(self, item: Any, seconds: float | None) -> Any:
        self.wait_until_ready()
        self.pipe.send(item)
        return self.receive(seconds)

    def receive(self, seconds: float | None) -> Any:
        if not self.pipe.poll(seconds):
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

    >>> with Crew(abs_of, (), 1) as crew:
    ...     crew.submit(-3).result()
    3
    """

    def __init__(self, build: Build, arguments: tuple[Any, ...], size: int, tries: int = 3) -> None:
        self.build, self.arguments, self.tries = build, arguments, tries
        self.waiting: SimpleQueue[Task | None] = SimpleQueue()
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
    def pids(self) -> list[int | None]:
        return [None if p is None else p.process.pid for p in self.processes]

    @property
    def ready(self) -> bool:
        """Has every process built what it needs?"""
        return self.broken is None and all(event.is_set() for event in self.up)

    def submit(self, item: Any, seconds: float | None = None, until: float = inf) -> Future[Any]:
        """Have it done; a process that takes longer than so many seconds, or is still at it `until` then, is ended."""
        task = Task(item, seconds, until, Future())
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

    def settle(self, n: int, process: Process, task: Task) -> Process:
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
                process.wait_until_ready()
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


def work(pipe: Connection, build: Build, arguments: tuple[Any, ...], environment: dict[str, str]) -> None:
    """What a worker process does until its parent is gone; that the parent was killed is no news to anybody."""
    with suppress(EOFError, OSError):
        worked(pipe, build, arguments, environment)


def worked(pipe: Connection, build: Build, arguments: tuple[Any, ...], environment: dict[str, str]) -> None:
    """Stopping politely is the parent's business."""
    for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(sign, signal.SIG_IGN)
    end_with_parent()
    os.environ.clear()  # inherited from a server that may have been there before a setting was changed
    os.environ.update(environment)
    do = attempted(pipe, lambda _: build(*arguments), None, say=lambda _: None)
    while do is not None:
        attempted(pipe, do, pipe.recv())


def attempted(
    pipe: Connection,
    do: Callable[[Any], Any],
    item: Any,
    say: Callable[[Any], Any] = lambda answer: answer,
) -> Any:
    """Send what comes of it, or in a few words what went wrong."""
    try:
        answer = do(item)
    except Exception as error:
        pipe.send((False, describe(error)))
        return None
    pipe.send((True, say(answer)))
    return answer


def end_with_parent() -> None:
    """Die when the process that started this one does, even if it is killed: by the kernel, or by watching a pipe."""
    sent_at_death_of_parent(signal.SIGKILL)  # not on other systems: there the pipe below has to do
    parent = parent_process()
    if parent is not None:
        Thread(target=watch, args=(parent.sentinel,), daemon=True).start()


def watch(sentinel: Any) -> None:
    wait([sentinel])
    os._exit(1)


def abs_of() -> Callable[[Any], Any]:
    """The smallest thing to build, for the example above."""
    return abs
