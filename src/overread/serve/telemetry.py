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
        shown = [f'{name}_bucket{{le="{b:g}"}} {n}' for b, n in zip(BOUNDS, self.buckets, strict=True)]
        last = [f'{name}_bucket{{le="+Inf"}} {self.count}', f"{name}_sum {self.total:.6f}"]
        return [*metric_head(name, about, "histogram"), *shown, *last, f"{name}_count {self.count}"]


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
        lines = [
            *gauge("overread_items_in_queue", "Items waiting or being worked on.", busy),
            *gauge("overread_start_time_seconds", "When the server started.", round(self.started)),
            *gauge("overread_memory_peak_bytes", "Of the serving process itself.", peak()),
            *metric_head("overread_workers_replaced_total", "Processes that died or overstayed.", "counter"),
            f"overread_workers_replaced_total {replaced}",
            *metric_head("overread_requests_total", "Requests by route and status.", "counter"),
            *(
                f'overread_requests_total{{route="{route}",status="{status}"}} {n}'
                for (route, status), n in sorted(self.requests.items())
            ),
            *metric_head(
                "overread_items_total", "Reports, pairs and sentences by what came of them.", "counter"
            ),
            *(f'overread_items_total{{state="{state}"}} {n}' for state, n in sorted(self.items.items())),
            *self.request_seconds.lines("overread_request_seconds", "Time to answer a request."),
            *self.item_seconds.lines("overread_item_seconds", "Time a process worked on an item."),
        ]
        return "\n".join(lines) + "\n"


def metric_head(name: str, about: str, kind: str) -> list[str]:
    return [f"# HELP {name} {about}", f"# TYPE {name} {kind}"]


def gauge(name: str, about: str, value: int) -> list[str]:
    return [*metric_head(name, about, "gauge"), f"{name} {value}"]


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
