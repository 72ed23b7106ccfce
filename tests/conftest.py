"""Settings of all tests: no deadline for properties, rules alone unless a test is about the judge, shipped words."""

import os

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
