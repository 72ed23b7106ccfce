"""The loopback chat server of the tests for language models, for this system's questions."""

from tests.llm.conftest import client, server, settings

__all__ = ["client", "server", "settings"]
