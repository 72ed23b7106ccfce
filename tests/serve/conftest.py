"""Real servers on loopback, in processes of their own."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

OVERREAD = str(Path(sys.executable).with_name("overread"))


class Server:
    def __init__(self, process: subprocess.Popen[bytes], log: Path, url: str, key: str | None) -> None:
        self.process, self.log, self.url = process, log, url
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.client = httpx.Client(base_url=url, headers=headers, timeout=200)

    def post(self, path: str, body: object) -> httpx.Response:
        return self.client.post(path, json=body)


@contextmanager
def running(folder: Path, *options: str, key: str | None = None) -> Iterator[Server]:
    log = folder / f"serve-{time.monotonic_ns()}.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [OVERREAD, "serve", "--port", "0", *options],
            stderr=file,
            env={**os.environ, "COLUMNS": "100"},
        )
    try:
        url = wait_for_url(process, log)
        server = Server(process, log, url, key)
        wait_until_warm(server)
        yield server
        server.client.close()
    finally:
        process.kill()
        process.wait()


def wait_for_url(process: "subprocess.Popen[bytes]", log: Path) -> str:
    for _ in range(1800):
        if found := re.search(r"http://\S+", log.read_text()):
            return found[0]
        assert process.poll() is None, log.read_text()
        time.sleep(0.1)
    raise AssertionError("the server never said where it listens")


def wait_until_warm(server: Server) -> None:
    for _ in range(1800):
        try:
            answer = server.client.get("/health")
            assert answer.status_code != 500, answer.text
            if answer.status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise AssertionError(server.log.read_text())


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server"), "--workers", "2", "--max-characters", "5000") as found:
        yield found


@pytest.fixture
def start(tmp_path: Path):
    """Start a server with these options: `with start("--workers", "1") as server`."""
    return lambda *options, key=None: running(tmp_path, *options, key=key)
