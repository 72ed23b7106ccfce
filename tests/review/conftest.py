"""A review on a database of its own: SQLite always, PostgreSQL where its binaries are installed."""

import time

import pytest

pytest.importorskip("fastapi", reason="the extra `review` is not installed")

from tests.review.house import Browserless, postgres_url

from overread.review.site import passwords
from overread.review.store.connect import Store


@pytest.fixture(autouse=True, scope="session")
def quick_hashing():
    """Argon2 at its least, so that tests with many accounts stay short; its own test uses the real setting."""
    from argon2 import PasswordHasher

    real = passwords.HASHER
    passwords.HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    yield real
    passwords.HASHER = real


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    """The URL of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'review.sqlite'}"
    return postgres_url(f"t{time.time_ns()}")


@pytest.fixture
def store(database):
    opened = Store(database)
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def sqlite_store(tmp_path):
    opened = Store(f"sqlite:///{tmp_path / 'review.sqlite'}")
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def visitor():
    """Make visitors of a running site."""
    made = []

    def make(address, login=None):
        one = Browserless(address)
        made.append(one)
        if login:
            assert one.sign_in(login).status_code == 303
        return one

    yield make
    for one in made:
        one.client.close()
