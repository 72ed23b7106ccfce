"""Opening the database: engine, transactions, tables."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, OperationalError
from sqlalchemy.orm import Session

from overread.errors import BadInput
from overread_review.store.tables import Base

WAIT = 30
"""Seconds a write waits for another before it is given up."""

WRITES = "overread_writes"
"""Option of a connection that is going to write."""


class Store:
    """The database of one review folder."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = open_engine(url)
        sqlite = self.engine.dialect.name == "sqlite"
        self.turn: AbstractContextManager[object] = Lock() if sqlite else nullcontext()
        """SQLite lets one write at a time and lets the others poll, so that some starve; here they stand in line."""

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session whose changes are thrown away."""
        with Session(self.engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One transaction: all of it is on disk when the block ends, or none of it."""
        with self.turn, Session(self.engine, expire_on_commit=False) as session, session.begin():
            session.connection(execution_options={WRITES: True})
            yield session

    @contextmanager
    def tables(self) -> Iterator[Connection]:
        """One transaction over the tables of this version of overread, made where the database has none."""
        with self.engine.execution_options(**{WRITES: True}).begin() as connection:
            make_tables(connection)
            yield connection

    def close(self) -> None:
        self.engine.dispose()


def open_store(url: str) -> Store:
    """The database of a URL, with its tables."""
    store = Store(url)
    with store.tables():
        return store


def make_tables(connection: Connection) -> None:
    """Our tables, unless they are there; those of another version are refused."""
    found, wanted = inspect(connection), Base.metadata.tables
    there = {
        name: {one["name"] for one in found.get_columns(name)} for name in wanted if found.has_table(name)
    }
    if not there:
        Base.metadata.create_all(connection)
    elif there != {name: set(table.columns.keys()) for name, table in wanted.items()}:
        raise BadInput(
            "This review was made by another version of overread. Export its studies with that version, and import "
            "them into a new folder."
        )


def open_engine(url: str) -> Engine:
    """The engine of a URL; messages of the database never carry values, which may be report text."""
    try:
        place = make_url(url)
    except ArgumentError:
        raise BadInput(
            "The database must be a URL such as postgresql://user@host/name, or left out for SQLite in the folder."
        ) from None
    if place.drivername in ("postgresql", "postgres"):
        place = place.set(drivername="postgresql+psycopg")
    if place.get_backend_name() == "sqlite":
        return sqlite_engine(place)
    engine = create_engine(place, hide_parameters=True, pool_size=20, max_overflow=30, pool_pre_ping=True)
    reachable(engine)
    return engine


def sqlite_engine(place: Any) -> Engine:
    engine = create_engine(
        place, hide_parameters=True, pool_size=20, max_overflow=30,
        connect_args={"timeout": WAIT, "check_same_thread": False},
    )  # fmt: skip

    @event.listens_for(engine, "connect")
    def settings(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions are begun in `writing`, not by the driver
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "cache_size=-16000"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        # a writer takes the lock at once: one that began as a reader could fail halfway
        writes = connection.get_execution_options().get(WRITES)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def reachable(engine: Engine) -> None:
    try:
        engine.connect().close()
    except OperationalError as error:
        reason = str(error.orig).strip().splitlines()[0]
        raise BadInput(
            f"The database cannot be reached ({reason}). Is it running, and is the URL right?"
        ) from None
