"""Ray and Spark leave the same parts as one process, whoever is killed on the way."""

import importlib.util
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

OVERREAD = str(Path(sys.executable).with_name("overread"))
WORDS = (
    "Small left pleural effusion.",
    "No pneumothorax.",
    "Edema has improved.",
    "Right basal consolidation.",
)
HERE = {
    "ray": importlib.util.find_spec("ray") is not None,
    "spark": importlib.util.find_spec("pyspark") is not None and shutil.which("java") is not None,
}
MARKS = {"ray": b"ray::", "spark": b"pyspark.daemon"}
"""How the processes that work call themselves."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]  # seconds, on a busy machine


@pytest.fixture(params=sorted(HERE))
def engine(request) -> str:
    if not HERE[request.param]:
        pytest.skip(f"{request.param} is not installed")
    return request.param


@pytest.fixture(scope="module")
def pairs(tmp_path_factory) -> Path:
    draw, place = random.Random(5), tmp_path_factory.mktemp("pairs")
    for n in range(12):
        rows = [
            {
                "id": f"{n}-{m}",
                "reference": " ".join(draw.sample(WORDS, 3)),
                "candidate": " ".join(draw.sample(WORDS, 3)),
            }
            for m in range(80)
        ]
        (place / f"{n:02}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return place


def command(pairs: Path, out: Path, *more: str) -> list[str]:
    return [
        OVERREAD,
        "score",
        str(pairs),
        "-m",
        "radsem,clear",
        "--resamples",
        "20",
        "--item-seconds",  # a busy machine is no reason to give up on a report
        "600",
        "--shards",
        str(out),
        *more,
    ]


@pytest.fixture(scope="module")
def expected(pairs, tmp_path_factory) -> dict[str, bytes]:
    out = tmp_path_factory.mktemp("expected") / "out"
    subprocess.run(command(pairs, out), check=True, capture_output=True)
    return left(out)


def left(out: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(out.iterdir()) if p.suffix in (".jsonl", ".json")}


def sorted_lines(found: dict[str, bytes]) -> list[bytes]:
    return sorted(
        line for name, part in found.items() if name != "summary.json" for line in part.splitlines()
    )


def processes() -> dict[int, bytes]:
    found = {}
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                found[int(place.name)] = (place / "cmdline").read_bytes()
            except OSError:
                continue
    return found


def descends(pid: int, ancestor: int) -> bool:
    while pid > 1:
        if pid == ancestor:
            return True
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return False
    return False


def workers(engine: str, driver: int) -> list[int]:
    mark = b"MapWorker" if engine == "ray" else MARKS[engine]
    return [pid for pid, line in processes().items() if mark in line and descends(pid, driver)]


def wait_for_parts(out: Path, process: "subprocess.Popen[bytes]", least: int) -> None:
    for _ in range(18_000):
        if len(list(out.glob("*.done"))) >= least:
            return
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.05)
    raise AssertionError("no part appeared")


def test_the_same_parts_and_summary(engine, pairs, expected, tmp_path):
    done = subprocess.run(
        command(pairs, tmp_path / "out", "--engine", engine, "-j", "2"),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert sorted_lines(left(tmp_path / "out")) == sorted_lines(expected)
    assert left(tmp_path / "out") == expected


def test_a_killed_worker_costs_nothing(engine, pairs, expected, tmp_path):
    out = tmp_path / "out"
    process = subprocess.Popen(
        command(pairs, out, "--engine", engine, "-j", "2"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_for_parts(out, process, 2)
    found = workers(engine, process.pid)
    assert found
    for pid in found if engine == "spark" else found[:1]:
        os.kill(pid, signal.SIGKILL)
    assert process.wait() == 0  # however long that takes: the module's limit ends it
    assert left(out) == expected


def test_a_killed_driver_leaves_what_any_engine_resumes(engine, pairs, expected, tmp_path, wait_until):
    out = tmp_path / "out"
    process = subprocess.Popen(
        command(pairs, out, "--engine", engine, "-j", "2"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_for_parts(out, process, 2)
    found = workers(engine, process.pid)
    process.kill()
    process.wait()
    wait_until(lambda: not set(found) & set(processes()), "workers are still there")
    finished = len(list(out.glob("*.done")))
    assert finished >= 2
    again = command(pairs, out, "--engine", engine, "-j", "2", "--resume")
    done = subprocess.run(again, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert left(out) == expected


def test_frames_and_data_sets_of_your_own(engine, tmp_path):
    reports = [{"id": str(n), "text": WORDS[n % 4]} for n in range(40)]
    code = f"""
import json, pyarrow as pa
from overread.scale import read_batch, on_{engine} as engine
reports = json.loads({json.dumps(json.dumps(reports))})
made = read_batch(pa.Table.from_pylist(reports), "radsem").to_pylist()
expected = sorted((tuple(r.values()) for r in made), key=str)
if "{engine}" == "ray":
    ray = engine.started(2)
    rows = engine.read(ray.data.from_items(reports), "radsem").take_all()
    found = sorted((tuple(r.values()) for r in rows), key=str)
else:
    session = engine.started(2)
    rows = engine.read(session.createDataFrame(reports), "radsem").collect()
    found = sorted(map(tuple, rows), key=str)
assert found == expected, (found[:2], expected[:2])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
