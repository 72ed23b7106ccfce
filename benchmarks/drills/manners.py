"""Clients without manners: slow, broken, lying or gone. After each, others are answered and no room is held."""

import json
import socket
import struct
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import httpx
from serving import server

from drills.outcome import Outcome

BODY = json.dumps(
    {"references": ["No effusion."] * 4, "candidates": ["Small left effusion."] * 4, "metric": "rouge-l"}
).encode()
HEAD = b"POST /rewards HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
PAUSE = 0.02


def sized(length: int) -> bytes:
    return HEAD + f"Content-Length: {length}\r\n\r\n".encode()


WHOLE = sized(len(BODY)) + BODY
Line = socket.socket


def dripped(line: Line) -> None:
    for n in range(0, len(WHOLE), 3):
        line.sendall(WHOLE[n : n + 3])
        time.sleep(PAUSE)
    assert line.recv(12) == b"HTTP/1.1 200", "a slow client is a client"


def reset(line: Line) -> None:
    """Close without the usual farewell."""
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def sent(*parts: bytes, abrupt: bool = False) -> Callable[[Line], None]:
    """Say this and be gone."""

    def spoken(line: Line) -> None:
        for part in parts:
            line.sendall(part)
            time.sleep(PAUSE)
        if abrupt:
            reset(line)

    return spoken


def deaf(line: Line) -> None:
    """Ask a hundred times on one line and never listen."""
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    line.settimeout(2)
    try:
        for _ in range(100):
            line.sendall(WHOLE)
    except TimeoutError:
        pass


MANNERS: dict[str, Callable[[Line], None]] = {
    "three letters at a time": dripped,
    "nothing at all": sent(),
    "half a line": sent(HEAD[:9]),
    "half a head": sent(HEAD),
    "half a body": sent(sized(len(BODY)), BODY[:20]),
    "half a body, then cut": sent(sized(len(BODY)), BODY[:20], abrupt=True),
    "gone before the answer": sent(WHOLE),
    "cut before the answer": sent(WHOLE, abrupt=True),
    "more than was announced": sent(sized(10) + BODY),
    "less than was announced": sent(sized(10 * len(BODY)) + BODY),
    "a length below nothing": sent(sized(-5) + BODY),
    "a length past every bound": sent(sized(10**30) + BODY),
    "two lengths": sent(HEAD + b"Content-Length: 5\r\nContent-Length: 500\r\n\r\n" + BODY),
    "length and pieces": sent(
        HEAD + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    ),
    "a piece past every bound": sent(HEAD + b"Transfer-Encoding: chunked\r\n\r\nffffffffffff\r\n" + BODY),
    "pieces that never end": sent(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 500),
    "a head of a megabyte": sent(HEAD + b"X-More: " + b"x" * 1_000_000 + b"\r\n\r\n"),
    "ten thousand heads": sent(HEAD + b"X-More: x\r\n" * 10_000 + b"\r\n"),
    "a greeting of TLS": sent(bytes.fromhex("16030100f8010000f40303") + bytes(200)),
    "noise": sent(bytes(range(256)) * 40),
    "another protocol": sent(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    "two requests at once": sent(WHOLE + WHOLE),
    "a request in a request": sent(sized(len(WHOLE)) + WHOLE),
    "deaf": deaf,
}
AT_ONCE = 50
"""Lines that stay open and say nothing while others are served."""


def trouble(url: str, act: Callable[[Line], None]) -> str | None:
    place = urlsplit(url)
    try:
        with socket.create_connection((place.hostname, place.port), timeout=60) as line:
            act(line)
    except (ConnectionError, BrokenPipeError):
        pass  # the server hung up first
    except (AssertionError, OSError) as error:
        return f"{type(error).__name__}: {error}"
    return served(url)


def served(url: str) -> str | None:
    """What is wrong with the server that others find."""
    with httpx.Client(base_url=url, timeout=60) as client:
        answer = client.post("/rewards", content=BODY, headers={"Content-Type": "application/json"})
        if answer.status_code != 200:
            return f"others are answered {answer.status_code}"
        for _ in range(100):
            left = client.get("/health").json()["in_queue"]
            if not left:
                return None
            time.sleep(0.1)
    return f"{left} left in the queue"


def crowd(url: str) -> str | None:
    place = urlsplit(url)
    lines = [socket.create_connection((place.hostname, place.port), timeout=60) for _ in range(AT_ONCE)]
    try:
        for line in lines:
            line.sendall(HEAD)
        return served(url)
    finally:
        for line in lines:
            line.close()


def clients() -> Outcome:
    outcome = Outcome("slow, broken, lying and vanishing clients of the server")
    with server("--workers", "1") as (url, _):
        for name, act in MANNERS.items():
            told = trouble(url, act)
            outcome.count(told and f"{name}: {told}")
        told = crowd(url)
        outcome.count(told and f"{AT_ONCE} that say nothing: {told}")
    return outcome
