"""A chat server on loopback that misbehaves on demand, and a small question to put to it."""

import json
import re
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

import pytest
from msgspec import Struct

from overread.llm import Client, Item, Settings
from overread.llm.prompt import Prompt, parse_prompt


class Note(Struct, frozen=True, forbid_unknown_fields=True):
    """What the test question asks for."""

    study: int
    status: Literal["normal", "abnormal"]


PROMPT = parse_prompt(
    "---\ninputs: [report]\noutput: Note\n---\nGive study number and status.\n\n{{report}}\n",
    "tests/note",
)


def item(number: int, text: str = "Lungs are clear.") -> Item:
    return Item(f"r{number}", {"report": f"Study {number}. {text}"})


def note(number: int, status: str = "normal") -> str:
    return json.dumps({"study": number, "status": status})


@dataclass
class Ask:
    """One request as the server saw it."""

    body: dict[str, Any]
    headers: dict[str, str]
    nth: int
    """1 for the first request about this study, 2 for the next, …"""

    at: float = field(default_factory=time.monotonic)

    @property
    def text(self) -> str:
        return "\n".join(message["content"] for message in self.body["messages"])

    @cached_property
    def study(self) -> int:
        found = re.search(r"Study (\d+)", self.text)
        return int(found[1]) if found else -1

    @property
    def format(self) -> str:
        return self.body.get("response_format", {}).get("type", "none")

    @property
    def is_repair(self) -> bool:
        return len(self.body["messages"]) > 2


@dataclass
class Act:
    """What the server does about it."""

    text: str | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    """Sent in place of a completion."""

    choices: list[Any] | None = None
    finish: str = "stop"
    usage: bool = True
    seconds: float = 0.0
    """Waited before the reply."""

    trick: Literal["reset", "drip", "cut"] | None = None


def obliging(ask: Ask) -> Act:
    return Act(note(ask.study))


class _QuietServer(ThreadingHTTPServer):
    request_queue_size = 128

    def handle_error(self, *args: Any) -> None:
        """Clients that hang up are what the tests are about."""


class Loopback:
    """The server: `behave` decides what happens to each request, `asks` remembers them."""

    def __init__(self) -> None:
        self.behave: Callable[[Ask], Act] = obliging
        self.asks: list[Ask] = []
        self._counts: Counter[int] = Counter()
        self.in_flight = self.most_in_flight = 0
        self._lock = threading.Lock()
        self._http = _QuietServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True
        self._stopping = threading.Event()
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def close(self) -> None:
        self._stopping.set()
        self._http.shutdown()
        self._http.server_close()

    def nap(self, seconds: float) -> None:
        self._stopping.wait(seconds)

    def note_ask(self, body: dict[str, Any], headers: dict[str, str]) -> Ask:
        ask = Ask(body, headers, nth=1)
        with self._lock:
            self._counts[ask.study] += 1
            ask.nth = self._counts[ask.study]
            self.asks.append(ask)
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
        return ask

    def done(self) -> None:
        with self._lock:
            self.in_flight -= 1


def _handler(server: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 30

        def log_message(self, *args: Any) -> None:
            """Quiet."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            ask = server.note_ask(body, {k.lower(): v for k, v in self.headers.items()})
            try:
                act = server.behave(ask)
                server.nap(act.seconds)
            finally:
                server.done()
            try:
                self._play(act)
            except OSError:
                self.close_connection = True

        def _play(self, act: Act) -> None:
            content = act.raw if act.raw is not None else json.dumps(_completion(act)).encode()
            if act.trick == "reset":
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                self.connection.close()
                return
            self.send_response(act.status)
            for name, value in act.headers.items():
                self.send_header(name, value)
            if "Content-Type" not in act.headers:
                self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if act.trick == "cut":
                self.wfile.write(content[: len(content) // 2])
                self.close_connection = True
            elif act.trick == "drip":
                for byte in content:
                    self.wfile.write(bytes([byte]))
                    server.nap(0.5)
            else:
                self.wfile.write(content)

    return Handler


def _completion(act: Act) -> dict[str, Any]:
    if act.status != 200:
        return {"error": {"message": act.text or "", "code": None, "type": None}}
    message = {"role": "assistant", "content": act.text}
    choices = act.choices
    if choices is None:
        choices = [{"index": 0, "message": message, "finish_reason": act.finish}]
    completion: dict[str, Any] = {"id": "c", "object": "chat.completion", "model": "m", "choices": choices}
    if act.usage:
        completion["usage"] = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    return completion


@pytest.fixture
def server() -> Iterator[Loopback]:
    loopback = Loopback()
    yield loopback
    loopback.close()


@pytest.fixture
def settings(server: Loopback, tmp_path: Any) -> Callable[..., Settings]:
    """Settings for the loopback server, quick to retry; keywords change them."""

    def make(**changes: Any) -> Settings:
        usual = {
            "base_url": server.url,
            "model": ("small",),
            "wait": 0.01,
            "timeout": 30.0,
            "cache_file": str(tmp_path / "answers.sqlite"),
        }
        return Settings(**{**usual, **changes})

    return make


@pytest.fixture
def client(settings: Callable[..., Settings]) -> Iterator[Client]:
    with Client(settings()) as one:
        yield one


@pytest.fixture
def prompt() -> Prompt:
    return PROMPT
