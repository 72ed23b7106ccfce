"""The loopback chat server of the language model tests, for the prompts of every system."""

import importlib.util
from pathlib import Path

import pytest

from overread.llm import Client, Settings

spec = importlib.util.spec_from_file_location(
    "loopback_server", Path(__file__).parents[1] / "llm" / "conftest.py"
)
loopback = importlib.util.module_from_spec(spec)
spec.loader.exec_module(loopback)


@pytest.fixture
def server():
    one = loopback.Loopback()
    yield one
    one.close()


@pytest.fixture
def act():
    """What the server does about a request."""
    return loopback.Act


@pytest.fixture
def settings_of(server, tmp_path):
    """Settings for this server, with changes."""
    usual = {"wait": 0.01, "attempts": 2, "shots": 0, "cache_file": str(tmp_path / "answers.sqlite")}

    def made(**changes):
        return Settings(base_url=server.url, model=("small",), **usual | changes)

    return made


@pytest.fixture
def client(settings_of):
    with Client(settings_of()) as one:
        yield one
