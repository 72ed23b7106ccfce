"""A house for review tests: people, studies, a running site."""

import re
import socket
import threading
import time
from contextlib import contextmanager

import httpx
import uvicorn
from sqlalchemy import select

from overread_review.site import sessions
from overread_review.site.app import make_app
from overread_review.store.tables import Person, now
from overread_review.work.assign import assign
from overread_review.work.studies import Dealing, NewItem, create_study, join

PASSWORD = "correct horse battery"
REPORT = "FINDINGS: Small left pleural effusion, unchanged. No pneumothorax. The heart is enlarged."


def person(store, login, admin=False):
    with store.writing() as session:
        made = Person(
            login=login,
            name=login.title(),
            password=sessions.hash_password(PASSWORD),
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
            session, f"A {kind} study", kind, items or report_items(), settings=Dealing(**settings)
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
    from overread_review.store.tables import Assignment

    with store.reading() as session:
        return list(
            session.scalars(
                select(Assignment).where(Assignment.person == person).order_by(Assignment.position)
            )
        )


def invited(curator, address, study, login, role="reader"):
    link = re.search(
        r'value="(http[^"]+/invite/[^"]+)"', curator.post(f"/studies/{study}/invite", role=role).text
    )[1]
    path = link.removeprefix(address)
    guest = Browserless(address)
    data = {"csrf": guest.csrf(path), "login": login, "name": login.title(), "password": PASSWORD}
    assert guest.client.post(path, data=data).status_code == 303
    guest.token = guest.csrf("/me")
    assert Browserless(address).client.get(path).status_code == 404  # works once
    return guest


def work_of(reader, study):
    path = reader.client.get(f"/studies/{study}/next").headers["location"]
    return f"/api{path}" if path.startswith("/work") else None
