"""Messages that no assistant should send to `overread mcp`: after each it still answers, and quotes no report."""

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from drills.outcome import Outcome

OVERREAD = str(Path(sys.executable).with_name("overread"))
PATIENCE = 120.0
SECRET = "quokkalobe"
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "drill", "version": "1"},
}


def message(method: str, params: Any = None, **fields: Any) -> bytes:
    made = {"jsonrpc": "2.0", "id": 7, "method": method, **fields}
    return json.dumps(made if params is None else {**made, "params": params}).encode()


def call(tool: Any, **given: Any) -> bytes:
    return message("tools/call", {"name": tool, "arguments": given})


def resource(uri: Any) -> bytes:
    return message("resources/read", {"uri": uri})


HUGE = "x" * 10_000_000
TRICKS: dict[str, bytes] = {
    "no JSON": b"hello",
    "nothing": b"",
    "blanks": b"   \t ",
    "half a message": message("ping")[:20],
    "two messages on a line": message("ping") + message("ping"),
    "not UTF-8": b'{"jsonrpc": "2.0", "id": 7, "method": "\xff\xfe"}',
    "null characters": b"\x00" * 100,
    "half a character": b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "read_report", '
    b'"arguments": {"text": "\\ud800"}}}',
    "a number": b"5",
    "null": b"null",
    "a string": b'"ping"',
    "an empty list": b"[]",
    "a batch": b"[" + b",".join([message("ping")] * 50) + b"]",
    "lists in lists": b"[" * 100_000,
    "objects in objects": b'{"a":' * 100_000,
    "no version": b'{"id": 7, "method": "ping"}',
    "another version": message("ping", jsonrpc="1.0"),
    "no method": b'{"jsonrpc": "2.0", "id": 7}',
    "a method that is none": message("nothing/here"),
    "a method that is a list": b'{"jsonrpc": "2.0", "id": 7, "method": ["ping"]}',
    "a method of ten million letters": message(HUGE),
    "an id that is an object": message("ping", id={}),
    "an id that is a fraction": message("ping", id=1.5),
    "an id past every bound": message("ping", id=10**400),
    "an id of ten million letters": message("ping", id=HUGE),
    "parameters that are a list": message("ping", [1, 2]),
    "an answer nobody asked for": b'{"jsonrpc": "2.0", "id": 99, "result": {}}',
    "an error nobody asked for": b'{"jsonrpc": "2.0", "id": 99, "error": {"code": 1, "message": "x"}}',
    "hello again": message("initialize", HELLO),
    "hello from another century": message("initialize", {**HELLO, "protocolVersion": "1900-01-01"}),
    "a cancelled request": message("notifications/cancelled", {"requestId": 12345}),
    "progress of nothing": message("notifications/progress", {"progressToken": 1, "progress": 1e308}),
    "a tool that is none": call("rm -rf"),
    "a tool without a name": call(None),
    "no arguments": message("tools/call", {"name": "read_report"}),
    "arguments that are a list": message("tools/call", {"name": "read_report", "arguments": [1]}),
    "a text that is a number": call("read_report", text=5),
    "a text that is missing": call("read_report", system="radsem"),
    "a text of ten million letters": call("read_report", text=HUGE),
    "a text of ten million words": call("explain", text="no effusion or " * 700_000),
    "a text of control characters": call("read_report", text="".join(map(chr, range(32))) * 100),
    "a system that is none": call("read_report", text="Clear.", system=SECRET),
    "a system that is a path": call("read_report", text="Clear.", system="../../etc/passwd"),
    "labels of a folder": call("read_report", text="Clear.", system="srrg", labels="/etc"),
    "metrics that are none": call("score_pair", reference="Clear.", candidate="Clear.", metrics=["x"] * 10_000),
    "metrics that are an object": call("score_pair", reference="Clear.", candidate="Clear.", metrics={"a": 1}),
    "a pair of giants": call("list_errors", reference=HUGE, candidate=HUGE),
    "studies that are none": call("follow_patient", studies=[None, 5, "x"]),
    "a million studies": call("follow_patient", studies=[{}] * 1_000_000),
    "studies of a thousand fields": call("follow_patient", studies=[{str(n): n for n in range(1_000)}]),
    "an unknown argument": call("read_report", text="Clear.", path="/etc/passwd"),
    "a resource that is none": resource("overread://nothing"),
    "a resource above": resource("overread://formulas/../../../etc/passwd"),
    "a resource above, written otherwise": resource("overread://formulas/%2e%2e%2f%2e%2e%2fetc%2fpasswd"),
    "a file": resource("file:///etc/passwd"),
    "a page": resource("http://127.0.0.1:1/"),
    "a resource that is a number": resource(5),
    "a resource of ten million letters": resource(f"overread://lexicon/{HUGE}"),
    "a term of control characters": resource("overread://lexicon/%00%0a%1b"),
    "a prompt that is none": message("prompts/get", {"name": "x"}),
    "a level that is none": message("logging/setLevel", {"level": "x"}),
    "a report in the wrong place": call("read_report", text=[f"Opacity of the {SECRET}."]),
}  # fmt: skip


class Server:
    """`overread mcp` as a process, spoken to line by line."""

    def __init__(self) -> None:
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the process runs)
        self.process = subprocess.Popen(
            [OVERREAD, "mcp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            env=dict(os.environ),
        )
        self.lines: queue.Queue[bytes] = queue.Queue()
        self.asked = 0
        threading.Thread(target=self.listen, daemon=True).start()
        self.say(message("initialize", HELLO, id="hello"))
        self.answer("hello")
        self.say(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')

    def listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)

    def say(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def answer(self, id: str) -> list[bytes]:
        """What it says until it has answered the request of this name; queue.Empty where it does not."""
        said = []
        while True:
            said.append(self.lines.get(timeout=PATIENCE))
            if json.loads(said[-1]).get("id") == id:
                return said

    def trouble(self, line: bytes) -> str | None:
        """What goes wrong when it is told this, and then asked whether it is there."""
        self.asked += 1
        try:
            self.say(line)
            self.say(message("ping", id=f"drill-{self.asked}"))
            said = self.answer(f"drill-{self.asked}")
        except queue.Empty:
            return "no answer any more"
        except (OSError, ValueError, AttributeError) as error:
            return type(error).__name__
        if self.process.poll() is not None:
            return f"it left with {self.process.returncode}"
        return (
            "the report is quoted"
            if any(f"Opacity of the {SECRET}".encode() in one for one in said)
            else None
        )

    def end(self) -> str | None:
        """It leaves when nobody speaks to it any more; what it wrote besides holds no report and no traceback."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "it did not leave"
        self.log.seek(0)
        told = self.log.read().decode(errors="replace")
        return next((f"its log has {bad!r}" for bad in ("Opacity of the", "Traceback") if bad in told), None)


def messages() -> Outcome:
    outcome = Outcome("malformed and huge messages to the MCP server")
    server = Server()
    for name, line in TRICKS.items():
        trouble = server.trouble(line)
        outcome.count(trouble and f"{name}: {trouble}")
        if trouble is not None:
            server.end()
            server = Server()
    outcome.count(server.end())
    return outcome
