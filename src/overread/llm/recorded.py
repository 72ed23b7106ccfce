"""Replies recorded beforehand, in place of a server: for tests and for trying a prompt without a model."""

from collections.abc import Callable

from overread.llm.budget import Usage
from overread.llm.client import Client
from overread.llm.endpoint import Reply, Request
from overread.llm.settings import Settings


class Recorded:
    """Answers each request with what `reply` returns for it; `requests` keeps them in order."""

    name = "recorded"

    def __init__(self, reply: Callable[[Request], str]) -> None:
        self._reply = reply
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        return Reply(text=self._reply(request), usage=Usage(0, 0))

    async def close(self) -> None:
        """Nothing to close."""


def recorded_client(reply: Callable[[Request], str], *models: str) -> Client:
    """A client that asks nobody and keeps nothing on disk.

    `request.prompt` and `request.item` tell what is asked about.
    """
    settings = Settings(model=models or ("recorded",), cache=False, concurrency=1)
    return Client(settings, endpoint=Recorded(reply))
