"""The loopback chat server of the tests for language models, and reports read as atoms."""

import pytest
from tests.llm.conftest import client, server, settings

from overread.reader import read
from overread.report import parse
from overread.systems.radsem.by_rules import view

__all__ = ["client", "server", "settings"]


@pytest.fixture(scope="session")
def atoms():
    """Text → its atoms."""
    return lambda text: view(read(parse(text, "r")))


@pytest.fixture(scope="session")
def said(atoms):
    """Text → its sentences with their class, abnormal ones marked."""
    return lambda text: [f"{'! ' if a.normality == 'abnormal' else ''}{a.text}" for a in atoms(text).atoms]
