"""Overload, killed workers, endless items, strangers, and being told to stop: nothing is lost and nothing leaks."""

import asyncio
import json
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY

import httpx
import pytest
from tests.cli.as_typed import overread as typed
from tests.serve.conftest import wait_until_warm

import overread
from overread.serve.settings import ServerSettings, key_owner, new_key
from overread.serve.start import listening

EFFUSION = "FINDINGS: Small left pleural effusion. No pneumothorax."
BATCH = {"references": [EFFUSION] * 8, "candidates": [EFFUSION + f" Old rib fracture {n}." for n in range(8)]}


MANY = {side: [f"{text} Nodule of {n} mm." for n in range(60) for text in BATCH[side]] for side in BATCH}


def patiently(server, body) -> tuple[httpx.Response, int]:
    """Ask until there is room, as Retry-After says; how often it was refused."""
    refused = 0
    with httpx.Client(base_url=server.url, timeout=200) as client:
        while (answer := client.post("/rewards", json=body)).status_code == 429:
            assert int(answer.headers["Retry-After"]) >= 1
            refused += 1
            time.sleep(0.2)
    return answer, refused


def test_overload_is_refused_at_once_and_nothing_accepted_is_lost(start):
    expected = overread.rewards(BATCH["references"], BATCH["candidates"])
    with start("--workers", "1", "--queue", "16") as server, ThreadPoolExecutor(12) as pool:
        found = list(pool.map(lambda _: patiently(server, BATCH), range(15)))
        assert all(answer.json()["rewards"] == expected for answer, _ in found)
        assert sum(refused for _, refused in found) > 0
        assert server.client.get("/health").json()["in_queue"] == 0
        told = server.client.get("/telemetry").text
        assert 'route="/rewards",status="200"} 15' in told


def test_a_killed_worker_is_replaced_and_its_work_done_again(start, workers_of, wait_until):
    with start("--workers", "2") as server, ThreadPoolExecutor(8) as pool:
        expected = overread.rewards(BATCH["references"], BATCH["candidates"])
        asked = [pool.submit(patiently, server, BATCH) for _ in range(40)]
        for _ in range(3):
            wait_until(lambda: server.client.get("/health").json()["in_queue"])
            wait_until(lambda: len(workers_of(server.process.pid)) == 2)
            os.kill(workers_of(server.process.pid)[0], signal.SIGKILL)
        assert all(one.result()[0].json()["rewards"] == expected for one in asked)
        told = server.client.get("/telemetry").text
        assert "overread_workers_replaced_total 0" not in told


def test_an_item_that_takes_too_long_fails_alone(start):
    long = " ".join(
        f"There is a {n} mm nodule in the right lung, possibly new or unchanged." for n in range(10_000)
    )
    with start("--workers", "1", "--item-seconds", "2", "--max-characters", "2000000") as server:
        server.post("/read", {"text": EFFUSION, "as": ["lunguage"]})
        reports = [{"id": "a", "text": EFFUSION}, {"id": "b", "text": long}, {"id": "c", "text": EFFUSION}]
        found = server.post("/read", {"reports": reports, "as": ["lunguage"]}).json()["reports"]
        assert "longer than --item-seconds 2" in found[1]["failed"]
        assert all("views" in found[n] for n in (0, 2))


def test_a_request_has_an_end_while_a_worker_is_inside_a_text(start, wait_until):
    """The worker has a long time for an item, the request has not: the worker is ended, the server goes on."""
    long = " ".join(
        f"There is a {n} mm nodule in the right lung, possibly new or unchanged." for n in range(10_000)
    )
    limits = ("--item-seconds", "600", "--request-seconds", "2", "--max-characters", "2000000")
    with start("--workers", "1", *limits) as server:
        reports = [{"id": str(n), "text": long} for n in range(12)]
        found = server.post("/read", {"reports": reports, "as": ["lunguage"]}).json()["reports"]
        assert len(found) == 12
        assert all("longer than --request-seconds 2" in one["failed"] for one in found)
        single = server.post("/read", {"text": long, "as": ["lunguage"]})
        assert "longer than --request-seconds 2" in single.text
        wait_until_warm(server)
        assert server.client.get("/health").json()["in_queue"] == 0
        assert "overread_workers_replaced_total 0" not in server.client.get("/telemetry").text
        again = {"text": EFFUSION, "as": ["lunguage"]}
        wait_until(lambda: "views" in server.post("/read", again).json(), "the server does not go on")


def test_term_answers_what_is_in_flight_and_leaves_with_0(start, workers_of, wait_until):
    with start("--workers", "1", "--drain-seconds", "1200") as server, ThreadPoolExecutor(1) as pool:
        workers = workers_of(server.process.pid)
        asked = pool.submit(patiently, server, MANY)
        wait_until(lambda: server.client.get("/health").json()["in_queue"])
        assert not asked.done()
        server.process.send_signal(signal.SIGTERM)
        assert len(asked.result()[0].json()["rewards"]) == 480
        assert server.process.wait(120) == 0
        assert not any(alive(pid) for pid in workers)


def test_what_is_not_answered_in_time_after_term_is_told_so(start, wait_until):
    with start("--workers", "1", "--drain-seconds", "1") as server, ThreadPoolExecutor(1) as pool:
        asked = pool.submit(patiently, server, MANY)
        wait_until(lambda: server.client.get("/health").json()["in_queue"])
        server.process.send_signal(signal.SIGTERM)
        answer, _ = asked.result()
        assert answer.status_code == 503
        assert "stopping" in answer.json()["error"]
        assert server.process.wait(120) == 0


def test_workers_do_not_outlive_a_server_that_is_killed(start, workers_of, wait_until):
    with start("--workers", "2") as server:
        workers = workers_of(server.process.pid)
        assert len(workers) == 2
        server.process.kill()
        server.process.wait()
        wait_until(lambda: not any(map(alive, workers)), "workers are still there")


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # before, or while it is read
        return False


def test_no_word_of_a_report_is_logged(server):
    secret = "FINDINGS: Zebrastripe opacity near the quokkalobe."
    server.post("/read", {"text": secret})
    server.post("/score", {"reference": secret, "candidate": secret})
    server.post("/score", {"reference": secret, "candidate": [secret]})
    server.client.post("/read", content=secret.encode(), headers={"Content-Type": "application/json"})
    server.client.get("/quokkalobe")
    said = server.log.read_text()
    assert "POST /score 200" in said
    assert "uokkalobe" not in said
    assert "ebrastripe" not in said
    assert "uokkalobe" not in server.client.get("/telemetry").text


def test_strangers_are_turned_away(server):
    assert server.client.get("/metrics", headers={"Host": "evil.example"}).status_code == 403
    assert (
        server.client.post("/read", content=b"{}", headers={"Content-Type": "text/plain"}).status_code == 415
    )


def test_giants_are_turned_away_and_a_key_is_needed_where_keys_are_kept_until_withdrawn(tmp_path, start):
    file = tmp_path / "keys"
    made = typed("serve", "--keys", file, "--new-key", "ward7")
    assert made.returncode == 0, made.stderr
    key = made.stdout.strip()
    assert key not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    with start("--workers", "1", "--max-megabytes", "0.01", "--keys", str(file), key=key) as server:
        assert server.post("/read", {"text": "x" * 20_000}).status_code == 413
        said = answers_to_what_never_ends(server)
        assert "answer" in json.loads(said[0])
        assert "longer than" in json.loads(said[-1])["failed"]
        assert server.post("/explain", {"text": "No edema."}).status_code == 200
        assert httpx.get(server.url + "/metrics").status_code == 401
        assert httpx.get(server.url + "/metrics", headers={"X-API-Key": key}).status_code == 200
        assert httpx.get(server.url + "/health").status_code == 200
        file.write_text("")
        assert server.post("/explain", {"text": "No edema."}).status_code == 401


def answers_to_what_never_ends(small) -> list[str]:
    """A body without a length is refused; of lines those before the limit are answered."""

    def endless():
        yield b'{"text": "' + b"x" * 20_000

    headers = {"Content-Type": "application/json"}
    assert small.client.post("/read", content=endless(), headers=headers).status_code == 413
    lines = b'{"id": "a", "text": "Edema."}\n' + b"x" * 20_000
    headers = {"Content-Type": "application/x-ndjson"}
    return small.client.post("/read", content=lines, headers=headers).text.splitlines()


def test_keys_say_what_is_wrong_with_their_file(tmp_path):
    file = tmp_path / "keys"
    with pytest.raises(overread.OverreadError, match="--new-key NAME"):
        ServerSettings(keys=file)
    key = new_key(file, "a")
    assert key_owner(file, key) == "a"
    assert key_owner(file, key + "x") is None
    with pytest.raises(overread.OverreadError, match="already"):
        new_key(file, "a")
    file.write_text("a 1234\n")
    with pytest.raises(overread.OverreadError, match="line 1"):
        ServerSettings(keys=file)


def test_other_machines_are_not_served_without_keys():
    told = typed("serve", "--host", "0.0.0.0")
    assert told.returncode == 2
    assert "--keys" in told.stderr


def test_a_taken_port_is_one_line(server):
    port = server.url.rpartition(":")[2]
    told = typed("serve", "--port", port)
    assert told.returncode == 2
    assert told.stderr.count("\n") == 1
    assert "Choose another --port" in told.stderr


def test_the_body_of_an_answer_does_not_wait_until_its_head_is_confirmed():
    """A system that confirms late (Nagle's algorithm on our side) would cost 40 ms an answer."""

    async def accepted() -> int:
        socket = listening(ServerSettings(port=0, quiet=True))
        talking: asyncio.Future[asyncio.StreamWriter] = asyncio.get_running_loop().create_future()
        async with await asyncio.start_server(lambda _, writer: talking.set_result(writer), sock=socket):
            _, own = await asyncio.open_connection(*socket.getsockname())
            theirs = await talking
            found = theirs.get_extra_info("socket").getsockopt(IPPROTO_TCP, TCP_NODELAY)
            theirs.close()
            own.close()
        return found

    assert asyncio.run(accepted()) != 0


def test_a_client_that_leaves_frees_its_room(server, wait_until):
    body = json.dumps({"id": "a", "text": EFFUSION, "as": ["radsem"]}) + "\n"
    stop = threading.Event()

    def lines():
        yield body.encode()
        stop.wait(0.5)
        raise ConnectionError("gone")

    with pytest.raises(ConnectionError):
        server.client.post("/read", content=lines(), headers={"Content-Type": "application/x-ndjson"})
    wait_until(lambda: server.client.get("/health").json()["in_queue"] == 0, "room is still taken")
