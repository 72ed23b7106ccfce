"""The queue before the worker processes: it takes what it has room for and refuses the rest at once.

What went through it is counted and timed for Prometheus; never a word of a report.
"""

import asyncio
import resource
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from math import ceil
from time import monotonic, time

from msgspec import Struct, field

from overread.errors import OverreadError
from overread.runner.run.workers import Crew, Died, Overdue, batches
from overread.serve.desk import Task, TaskAnswer
from overread.serve.settings import ServerSettings

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Histogram(Struct):
    """Times in buckets, as Prometheus wants them."""

    buckets: list[int] = field(default_factory=lambda: [0] * len(BOUNDS))
    total: float = 0.0
    count: int = 0

    def add(self, seconds: float) -> None:
        self.count += 1
        self.total += seconds
        for n, bound in enumerate(BOUNDS):
            self.buckets[n] += seconds <= bound

    def lines(self, name: str, about: str) -> list[str]:
        buckets = {f'_bucket{{le="{b:g}"}}': n for b, n in zip(BOUNDS, self.buckets, strict=True)}
        rest = {'_bucket{le="+Inf"}': self.count, "_sum": f"{self.total:.6f}", "_count": self.count}
        return prometheus_lines(name, "histogram", about, buckets | rest)


class Telemetry(Struct):
    """What a server has done since it started."""

    started: float = field(default_factory=time)
    requests: Counter[tuple[str, int]] = field(default_factory=Counter)
    """(route, status) → how many."""

    items: Counter[str] = field(default_factory=Counter)
    request_seconds: Histogram = field(default_factory=Histogram)
    item_seconds: Histogram = field(default_factory=Histogram)

    def request(self, route: str, status: int, seconds: float) -> None:
        self.requests[route, status] += 1
        self.request_seconds.add(seconds)

    def item(self, seconds: float, well: bool) -> None:
        self.items["answered" if well else "failed"] += 1
        self.item_seconds.add(seconds)

    def text(self, busy: int, replaced: int) -> str:
        """The page at /telemetry.

        >>> Telemetry().text(3, 0).splitlines()[2]
        'overread_items_in_queue 3'
        """
        requests = {
            f'{{route="{route}",status="{status}"}}': n
            for (route, status), n in sorted(self.requests.items())
        }
        items = {f'{{state="{state}"}}': n for state, n in sorted(self.items.items())}
        told = (
            ("items_in_queue", "gauge", "Items waiting or being worked on.", busy),
            ("start_time_seconds", "gauge", "When the server started.", round(self.started)),
            ("memory_peak_bytes", "gauge", "Of the serving process itself.", peak()),
            ("workers_replaced_total", "counter", "Processes that died or overstayed.", replaced),
            ("requests_total", "counter", "Requests by route and status.", requests),
            ("items_total", "counter", "Reports, pairs and sentences by what came of them.", items),
        )
        lines = [line for name, *rest in told for line in prometheus_lines(f"overread_{name}", *rest)]
        lines += self.request_seconds.lines("overread_request_seconds", "Time to answer a request.")
        lines += self.item_seconds.lines("overread_item_seconds", "Time a process worked on an item.")
        return "\n".join(lines) + "\n"


def prometheus_lines(name: str, kind: str, about: str, values: object) -> list[str]:
    """A metric as Prometheus reads it: one value, or one for each ending of its name."""
    each = values if isinstance(values, dict) else {"": values}
    told = (f"{name}{ending} {value}" for ending, value in each.items())
    return [f"# HELP {name} {about}", f"# TYPE {name} {kind}", *told]


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


# ---- the queue
TASKS_AT_ONCE = 8
"""Tasks that travel to a process together."""

GRACE = 5.0
"""Seconds a process has beyond its items' own limit before it is ended."""


class Full(OverreadError):
    """There is no room for a request; `wait` seconds from now there may be."""

    def __init__(self, wait: int) -> None:
        super().__init__(f"The server is busy; try again in {wait} s.")
        self.wait = wait


class TooMany(OverreadError):
    """A request that the queue could never hold."""


class Queue(Struct):
    """Items are counted when they come in and when they leave; `busy` never exceeds the room."""

    crew: Crew
    settings: ServerSettings
    telemetry: Telemetry
    busy: int = 0
    pace: float = 0.02
    """Seconds an item takes, lately."""

    def enter(self, items: int) -> None:
        """Take room for so many items, or refuse."""
        room = self.settings.room
        if items > room:
            raise TooMany(f"{items} items are more than this server takes at once; send at most {room}.")
        if self.busy + items > room:
            raise Full(self.wait())
        self.busy += items

    def leave(self, items: int) -> None:
        self.busy -= items

    def wait(self) -> int:
        """How long what is here will take, in whole seconds."""
        return max(1, min(60, ceil(self.busy * self.pace / self.settings.workers)))

    async def do(self, tasks: Sequence[Task]) -> list[TaskAnswer]:
        """All of the tasks, answered in order; each that fails fails alone."""
        self.enter(len(tasks))
        try:
            return await self.entered(tasks)
        finally:
            self.leave(len(tasks))

    async def entered(self, tasks: Sequence[Task]) -> list[TaskAnswer]:
        """The same for tasks that have their room already; those not done in the time of a request fail."""
        until, limit = monotonic() + self.settings.request_seconds, self.settings.max_characters
        size = max(1, min(TASKS_AT_ONCE, ceil(len(tasks) / self.settings.workers)))
        chunks = batches((task for task in tasks if task.characters <= limit), size)
        found = await asyncio.gather(*(self.asked(some, until) for some in chunks))
        answers = chain.from_iterable(found)
        return [next(answers) if task.characters <= limit else too_large(limit) for task in tasks]

    async def asked(self, tasks: Sequence[Task], until: float) -> list[TaskAnswer]:
        """What a process says; where one is lost over several tasks, each is asked again alone.

        When the time of the request is over, what still waits is given up and a process inside a text is ended.
        """
        seconds = self.settings.item_seconds * len(tasks) + GRACE
        found: list[TaskAnswer]
        try:
            async with asyncio.timeout(until - monotonic()):
                found = await asyncio.wrap_future(self.crew.submit(tasks, seconds, until))
        except (TimeoutError, Overdue, Died) as error:
            if monotonic() >= until:
                late = f"The request took longer than --request-seconds {self.settings.request_seconds:g}; "
                found = [TaskAnswer(failed=late + "send fewer items at once.")] * len(tasks)
            elif len(tasks) > 1:
                return [one for task in tasks for one in await self.asked([task], until)]
            else:
                found = [TaskAnswer(failed=str(error))]
        for answer in found:
            self.pace += 0.02 * (answer.seconds - self.pace) if answer.seconds else 0.0
            self.telemetry.item(answer.seconds, answer.failed is None)
        return found


def too_large(limit: int) -> TaskAnswer:
    return TaskAnswer(
        failed=f"The text is longer than {limit:,} characters; a server takes more with --max-characters."
    )
