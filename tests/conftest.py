"""Settings of all tests: no deadline for properties, rules alone unless a test is about the judge, shipped words."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from overread.lexicon.lexicon import adopt

settings.register_profile("overread", deadline=None)
settings.load_profile("overread")

OFF = "OVERREAD_NO_JUDGE"
os.environ[OFF] = "1"  # for fixtures of a whole module, which are made before those below


@pytest.fixture(autouse=True)
def _rules_alone(request, monkeypatch):
    """Most tests say what rules do; those in `tests/judge` and those marked `judge` let the judge speak."""
    if "judge" in request.path.parts or request.node.get_closest_marker("judge"):
        monkeypatch.delenv(OFF, raising=False)
    else:
        monkeypatch.setenv(OFF, "1")


@pytest.fixture(autouse=True)
def _shipped_words():
    """A user's rows that a test adopts are gone with it."""
    yield
    adopt(None)


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
