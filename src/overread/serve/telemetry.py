"""Counts and times for Prometheus; never a word of a report."""

import resource
from collections import Counter
from time import time

from msgspec import Struct, field

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
