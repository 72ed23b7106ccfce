"""A server beside the plain library on the same pairs in the same run, latency under load, and a soak.

    python benchmarks/serving.py                      # throughput and latencies, a few minutes
    python benchmarks/serving.py --soak 600           # ten minutes under eight clients, memory every few seconds

Pairs are invented (benchmarks/invented.py). Both sides work with two processes; rounds alternate, and the ratio of the
medians is what counts. Only loopback is asked.
"""

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import invented
import memory_drawing

from overread.runner.run.workers import Crew
from overread.trainers.reward import Rewarder

WORKERS = 2
BATCH = 64
Pairs = list[tuple[str, str]]


def pairs(count: int, seed: int) -> Pairs:
    return [(row["reference"], row["candidate"]) for row in invented.rows(count, seed, pairs=True)]


class Library:
    """What a process does without a server: a batch of pairs in, rewards out."""

    def __init__(self, metric: str) -> None:
        self.rewarder = Rewarder(metric)

    def __call__(self, batch: Pairs) -> list[float | None]:
        return [self.rewarder(one, two).value for one, two in batch]


@contextmanager
def server(*options: str) -> Iterator[tuple[str, int]]:
    log = Path(tempfile.mkstemp()[1])
    command = [str(Path(sys.executable).with_name("overread")), "serve", "--port", "0", *options]
    process = subprocess.Popen(command, stderr=log.open("wb"))
    try:
        while not (found := re.search(r"http://\S+", log.read_text())):
            time.sleep(0.1)
        while httpx.get(found[0] + "/health").status_code != 200:
            time.sleep(0.2)
        yield found[0], process.pid
    finally:
        process.terminate()
        process.wait(60)


def cut(found: Pairs) -> list[Pairs]:
    return [found[n : n + BATCH] for n in range(0, len(found), BATCH)]


def ask(client: httpx.Client, batch: Pairs, metric: str) -> list[float | None]:
    body = {"references": [p[0] for p in batch], "candidates": [p[1] for p in batch], "metric": metric}
    while (answer := client.post("/rewards", json=body)).status_code == 429:
        time.sleep(float(answer.headers["Retry-After"]))
    return list(answer.raise_for_status().json()["rewards"])


def served(url: str, found: Pairs, metric: str) -> tuple[float, list[Any]]:
    with httpx.Client(base_url=url, timeout=600) as client, ThreadPoolExecutor(4) as pool:
        start = time.perf_counter()
        got = [one for batch in pool.map(lambda b: ask(client, b, metric), cut(found)) for one in batch]
        return len(found) / (time.perf_counter() - start), got


def plainly(crew: Crew, found: Pairs) -> tuple[float, list[Any]]:
    start = time.perf_counter()
    got = [one for future in [crew.submit(b) for b in cut(found)] for one in future.result()]
    return len(found) / (time.perf_counter() - start), got


def below(pid: int) -> list[int]:
    """A process and all below it."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    children = [int(c) for task in tasks for c in (task / "children").read_text().split()]
    return [pid, *(one for child in children for one in below(child))]


def processor(pids: list[int]) -> float:
    """Seconds these processes have worked; other work on the machine does not show here."""
    stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(one[11]) + int(one[12]) for one in stats) / os.sysconf("SC_CLK_TCK")


def throughput(url: str, pid: int, metric: str, rounds: int, count: int) -> None:
    with Crew(Library, (metric,), WORKERS) as crew:
        crew.submit(pairs(8, 99)).result()
        rates: dict[str, list[float]] = {"library": [], "server": []}
        processes = [one.process.pid or 0 for one in crew.processes if one], below(pid)
        before = [processor(pids) for pids in processes]
        for n in range(rounds):
            found = pairs(count, n)
            one, first = plainly(crew, found)
            two, second = served(url, found, metric)
            assert first == second, "a server must say what the library says"
            rates["library"].append(one)
            rates["server"].append(two)
        own, theirs = (processor(pids) - was for pids, was in zip(processes, before, strict=True))
    ratios = [two / one for one, two in zip(rates["library"], rates["server"], strict=True)]
    one, two = (statistics.median(found) for found in rates.values())
    print(
        f"{metric}: library {one:.0f} pairs/s, server {two:.0f} pairs/s with {WORKERS} processes each; "
        f"ratio {statistics.median(ratios):.2f} (rounds {', '.join(f'{r:.2f}' for r in ratios)}); "
        f"processor time a pair {1000 * own / rounds / count:.2f} and {1000 * theirs / rounds / count:.2f} ms, "
        f"ratio {own / theirs:.2f}"
    )


def latencies(url: str, clients: int, requests: int) -> None:
    """One pair a request, each client on a connection of its own, asking again as soon as it is answered."""
    found = pairs(requests, clients)
    took: list[float] = []
    todo, lock = iter(found), threading.Lock()

    def work() -> None:
        with httpx.Client(base_url=url, timeout=600) as client:
            while True:
                with lock:
                    pair = next(todo, None)
                if pair is None:
                    return
                start = time.perf_counter()
                ask(client, [pair], "radsem")
                took.append(time.perf_counter() - start)

    start = time.perf_counter()
    threads = [threading.Thread(target=work) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rate = requests / (time.perf_counter() - start)
    p50, p95 = (1000 * statistics.quantiles(took, n=100)[q] for q in (49, 94))
    print(
        f"{clients:>3} clients: p50 {p50:6.1f} ms, p95 {p95:6.1f} ms, {rate:5.0f} requests/s, all {len(took)} answered"
    )


def memory(pid: int) -> float:
    """Megabytes of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def soak(url: str, pid: int, seconds: float, drawing: Path | None) -> None:
    """Eight clients, every pair new; memory of the server and its readers every five seconds."""
    end, asked = time.monotonic() + seconds, [0]
    seen: list[tuple[int, float]] = []

    def work(seed: int) -> None:
        draw = random.Random(seed)
        with httpx.Client(base_url=url, timeout=600) as client:
            while time.monotonic() < end:
                ask(client, pairs(8, draw.randrange(10**9)), draw.choice(("radsem", "clear", "lunguage")))
                asked[0] += 8

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        seen.append((asked[0], sum(map(memory, below(pid)))))
        time.sleep(5)
    if drawing:
        drawing.write_text(memory_drawing.picture(seen, "pairs rewarded"))
    for name, column in (("MB", 1), ("pairs", 0)):
        shown = ", ".join(f"{mean:.0f}" for mean in tenths([row[column] for row in seen]))
        print(f"soak of {seconds:.0f} s: {name} by tenth: {shown}; at the end {seen[-1][column]:.0f}")


def tenths(values: list[float]) -> list[float]:
    """The mean of each tenth.

    >>> tenths(list(range(20)))[:3]
    [0.5, 2.5, 4.5]
    """
    cuts = [round(n * len(values) / 10) for n in range(11)]
    return [statistics.mean(values[a:b]) for a, b in pairwise(cuts) if b > a]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--metric", nargs="*", default=["radsem", "clear"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=512)
    parser.add_argument("--requests", type=int, default=400)
    parser.add_argument("--soak", type=float, default=0, help="seconds; instead of the rest")
    parser.add_argument("--draw", type=Path, help="picture of the soak's memory")
    asked = parser.parse_args()
    with server("--workers", str(WORKERS)) as (url, pid):
        if asked.soak:
            soak(url, pid, asked.soak, asked.draw)
            return
        for metric in asked.metric:
            throughput(url, pid, metric, asked.rounds, asked.pairs)
        for clients in (1, 8, 64):
            latencies(url, clients, asked.requests)


if __name__ == "__main__":
    main()
