"""Starting the app: the folder, the first administrator, the port, the browser."""

import logging
import socket
from pathlib import Path

import uvicorn
from sqlalchemy import func, select

from overread.errors import BadInput
from overread_review.place import Place
from overread_review.site.app import make_app
from overread_review.site.images import Images
from overread_review.store.connect import Store
from overread_review.store.tables import Person
from overread_review.work.studies import invite

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def first_invitation(store: Store, hours: float = 24.0) -> str:
    """A link for the first administrator; empty when there is one."""
    with store.writing() as session:
        if session.scalar(select(func.count()).where(Person.admin, Person.password.is_not(None))):
            return ""
        return f"/invite/{invite(session, 'admin', hours=hours)}"


def listen(host: str, port: int) -> socket.socket:
    """A socket of our own, so that the address is known, and taken, before anything is printed."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
    except OSError as error:
        raise BadInput(f"Cannot listen at {host}:{port}: {error.strerror}. Give another --port.") from error
    found.listen(256)
    return found


def address_of(host: str, listening: socket.socket, https: bool = False) -> str:
    """
    >>> address_of("127.0.0.1", listen("127.0.0.1", 0)).startswith("http://127.0.0.1:")
    True
    """
    shown = f"[{host}]" if ":" in host else host
    return f"http{'s' if https else ''}://{shown}:{listening.getsockname()[1]}"


def serve(
    place: Place, store: Store, listening: socket.socket, *, hosts: tuple[str, ...] = (),
    certificate: tuple[Path, Path] | None = None, hint: str = "", images: Images | None = None,
) -> None:  # fmt: skip
    """Answer until stopped; requests are not logged, since addresses could tell who reads what.

    `hint` stands where people sign in.
    """
    logging.basicConfig(format="%(asctime)s %(name)s %(message)s", level=logging.WARNING)
    app = make_app(store, place.secret, hosts=hosts, https=certificate is not None, hint=hint, images=images)
    config = uvicorn.Config(
        app, access_log=False, log_level="warning", server_header=False, timeout_graceful_shutdown=5,
        ssl_certfile=certificate[0] if certificate else None, ssl_keyfile=certificate[1] if certificate else None,
    )  # fmt: skip
    uvicorn.Server(config).run(sockets=[listening])
