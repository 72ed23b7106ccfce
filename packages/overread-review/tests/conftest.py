"""A review on a database of its own: SQLite always, PostgreSQL where its binaries are installed."""

import pytest

from house import Browserless
from overread.errors import BadInput
from overread_review.site import sessions
from overread_review.store.connect import open_store
from overread_review.work import suggest


@pytest.fixture(autouse=True, scope="session")
def quick_hashing():
    """Argon2 at its least, so that tests with many accounts stay short; its own test uses the real setting."""
    from argon2 import PasswordHasher

    real = sessions.HASHER
    sessions.HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    yield real
    sessions.HASHER = real


@pytest.fixture(autouse=True, scope="session")
def suggestions_in_this_process():
    """Suggestions by the same commands without a process for each; one test runs them as the review does."""
    from click.testing import CliRunner

    from overread.cli.main import command

    def run(place, *arguments, output="out.jsonl"):
        named = [str(place / one) if one == "run" or one.endswith(".jsonl") else one for one in arguments]
        done = CliRunner().invoke(command(), named)
        if done.exit_code != 0:
            raise BadInput(f"`overread {arguments[0]}` could not make suggestions: {done.output}")
        return list(suggest.lines(place / output))

    real = suggest.run
    suggest.run = run
    yield real
    suggest.run = real


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path, new_postgres):
    """The URL of an empty database."""
    return f"sqlite:///{tmp_path / 'review.sqlite'}" if request.param == "sqlite" else new_postgres()


@pytest.fixture
def store(database):
    opened = open_store(database)
    yield opened
    opened.close()


@pytest.fixture
def sqlite_store(tmp_path):
    opened = open_store(f"sqlite:///{tmp_path / 'review.sqlite'}")
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
