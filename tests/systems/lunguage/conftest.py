"""Invented patients read by rules."""

from collections.abc import Callable

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.lunguage.by_rules import view
from overread.systems.lunguage.follow import follow
from overread.systems.lunguage.schema import StudyView, Timeline


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
