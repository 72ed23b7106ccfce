"""Invented patients read by rules, and a chat server for the reader by language model."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from overread.llm import Client, Settings
from overread.reader import read
from overread.report import parse
from overread.systems.lunguage.by_rules import view
from overread.systems.lunguage.follow import follow
from overread.systems.lunguage.timeline import StudyView, Timeline


def timeline(*studies: tuple[float, str], gap: float = 90.0) -> Timeline:
    """A patient from (day, text) pairs."""
    views = [
        StudyView(str(n), day, view(read(parse(text, f"r{n}")))) for n, (day, text) in enumerate(studies, 1)
    ]
    return follow("p", views, gap)


@pytest.fixture
def patient() -> Callable[..., Timeline]:
    return timeline


@pytest.fixture
def courses() -> Callable[..., dict[str, list[tuple[str, int]]]]:
    """Group name → (study, episode) of its members in order."""

    def of(*studies: tuple[float, str], gap: float = 90.0) -> dict[str, list[tuple[str, int]]]:
        found: dict[str, list[tuple[str, int]]] = {}
        for o in timeline(*studies, gap=gap).observations:
            found.setdefault(o.entity_group, []).append((o.study, o.temporal_group))
        return found

    return of


spec = importlib.util.spec_from_file_location(
    "loopback_server", Path(__file__).parents[2] / "llm" / "conftest.py"
)
loopback = importlib.util.module_from_spec(spec)
spec.loader.exec_module(loopback)


@pytest.fixture
def server():
    """The misbehaving chat server of the language model tests."""
    one = loopback.Loopback()
    yield one
    one.close()


@pytest.fixture
def act():
    """What the server does about a request."""
    return loopback.Act


@pytest.fixture
def client(server, tmp_path):
    settings = Settings(
        base_url=server.url,
        model=("small",),
        wait=0.01,
        attempts=2,
        cache_file=str(tmp_path / "answers.sqlite"),
    )
    with Client(settings) as one:
        yield one
