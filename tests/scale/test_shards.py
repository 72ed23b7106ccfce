"""Any number of reports, piece by piece: the same bytes however the work was cut, spread or interrupted."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli import as_typed

from overread.runner.measures import DEFAULT
from overread.scale import read_batch, score_batch
from overread.scale.pieces import Piece, cut_files, piece_lines, piece_rows

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
OVERREAD = str(Path(sys.executable).with_name("overread"))
WORDS = ("Small left pleural effusion.", "No pneumothorax.", "The heart is normal in size.", "Edema has improved.",
         "Right lower lobe consolidation.", "Lungs are clear.", "No acute disease.", "Old rib fracture.")  # fmt: skip


EACH = 25
"""Reports of each of six files."""


def texts(count: int, seed: int = 0) -> list[str]:
    draw = random.Random(seed)
    return [f"FINDINGS: {' '.join(draw.sample(WORDS, 3))} Nodule of {n % 30 + 1} mm." for n in range(count)]


def write_lines(path: Path, rows: list[dict]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def overread(*arguments: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = as_typed.overread(*arguments)
    assert done.returncode == code, done.stderr
    return done


def parts(place: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(place.glob("part-*")) if p.suffix != ".done"}


@pytest.fixture(scope="module")
def reports(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("reports") / "in"
    for n in range(6):
        write_lines(
            place / f"r{n}.jsonl", [{"id": f"{n}-{m}", "text": t} for m, t in enumerate(texts(EACH, n))]
        )
    return place


@pytest.fixture(scope="module")
def whole(reports, tmp_path_factory) -> dict[str, bytes]:
    """What one process makes of them."""
    place = tmp_path_factory.mktemp("whole") / "out"
    overread("read", reports, "--as", "radsem", "--shards", place)
    return parts(place)


def test_a_batch_is_what_the_command_writes(reports, whole):
    (piece, *_) = cut_files(sorted(reports.iterdir()))
    made = pa.concat_tables(read_batch(pa.Table.from_pylist(rows), "radsem") for rows in piece_rows(piece))
    assert "\n".join(made["view"].to_pylist()) + "\n" == whole["part-00000.jsonl"].decode()


def test_parts_are_what_plain_reading_gives(reports, whole, tmp_path):
    for n, file in enumerate(sorted(reports.iterdir())):
        overread("read", file, "--as", "radsem", "-o", tmp_path / "plain.jsonl")
        assert (tmp_path / "plain.jsonl").read_bytes() == whole[f"part-{n:05}.jsonl"]


def test_every_line_is_in_exactly_one_piece(tmp_path):
    path = write_lines(tmp_path / "a.jsonl", [{"id": str(n), "text": "x" * (n * 7 % 90)} for n in range(500)])
    size = path.stat().st_size
    for step in (1, 13, 100, size // 3, size - 1, size):
        cuts = [
            Piece("p", (str(path),), at, at + step if at + step < size else None)
            for at in range(0, size, step)
        ]
        assert b"".join(line for piece in cuts for line in piece_lines(piece)) == path.read_bytes()


@pytest.mark.parametrize(("start", "stop"), [(0, None), (0, 10), (10, 30), (95, 205), (299, None)])
def test_parquet_rows_are_cut_anywhere(tmp_path, start, stop):
    pq.write_table(pa.table({"id": [str(n) for n in range(300)]}), tmp_path / "a.parquet", row_group_size=100)
    piece = Piece("p", (str(tmp_path / "a.parquet"),), start, stop)
    assert [row["id"] for rows in piece_rows(piece) for row in rows] == [str(n) for n in range(300)][
        start:stop
    ]


def test_parquet_in_parquet_out(tmp_path):
    found = [text if n % 10 == 0 else "" for n, text in enumerate(texts(700))]  # read in no time
    pq.write_table(pa.table({"id": [str(n) for n in range(700)], "text": found}), tmp_path / "a.parquet")
    overread("read", tmp_path / "a.parquet", "--as", "radsem", "--shards", tmp_path / "out", "-j", 2)
    made = pa.concat_tables(pq.read_table(p) for p in sorted((tmp_path / "out").glob("*.parquet")))
    assert len(list((tmp_path / "out").glob("*.parquet"))) == 3
    assert made["id"].to_pylist() == [str(n) for n in range(700)]
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["reports"] == 700


def test_shares_of_an_array_make_the_whole(reports, whole, tmp_path):
    for number in (1, 2, 3):
        overread("read", reports, "--as", "radsem", "--shards", tmp_path / "out", "--shard", f"{number}/3")
    assert parts(tmp_path / "out") == whole
    overread("read", reports, "--as", "radsem", "--shards", tmp_path / "out", "--resume")
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["reports"] == 6 * EACH


def test_resume_does_only_what_is_missing_or_spoilt(reports, whole, tmp_path):
    out = tmp_path / "out"
    overread("read", reports, "--as", "radsem", "--shards", out)
    before = {p.name: p.stat().st_mtime_ns for p in out.glob("part-*.jsonl")}
    (out / "part-00001.done").unlink()
    (out / "part-00002.jsonl").unlink()
    (out / "part-00003.jsonl").write_text("spoilt\n")
    overread("read", reports, "--as", "radsem", "--shards", out, "--resume")
    after = {p.name: p.stat().st_mtime_ns for p in out.glob("part-*.jsonl")}
    assert parts(out) == whole
    assert {name for name in after if after[name] != before[name]} == {
        f"part-0000{n}.jsonl" for n in (1, 2, 3)
    }


def test_a_used_folder_and_other_settings_are_refused(reports, tmp_path):
    out = tmp_path / "out"
    overread("read", reports, "--as", "radsem", "--shards", out)
    assert "--resume" in overread("read", reports, "--as", "radsem", "--shards", out, code=2).stderr
    assert "other" in overread("read", reports, "--as", "clear", "--shards", out, "--resume", code=2).stderr
    assert "--shards" in overread("read", reports, "--resume", code=2).stderr
    assert "1/8" in overread("read", reports, "--shards", out, "--shard", "9/3", code=2).stderr
    assert "local" in overread("read", reports, "--shards", tmp_path / "b", "--engine", "dask", code=2).stderr


def test_a_changed_input_is_read_again(reports, tmp_path):
    mine = tmp_path / "in" / "a.jsonl"
    write_lines(mine, [{"id": "1", "text": "Edema."}])
    overread("read", mine, "--as", "radsem", "--shards", tmp_path / "out")
    before = parts(tmp_path / "out")
    write_lines(mine, [{"id": "2", "text": "Edema."}])
    overread("read", mine, "--as", "radsem", "--shards", tmp_path / "out", "--resume")
    assert parts(tmp_path / "out") != before


def test_a_bad_line_is_named_and_the_other_shards_are_kept(tmp_path):
    write_lines(tmp_path / "in" / "a.jsonl", [{"id": "1", "text": "Edema."}])
    lines = "".join(f'{{"id": "b{n}", "text": "Edema."}}\n' for n in range(150))
    (tmp_path / "in" / "b.jsonl").write_text(lines + "{broken\n")
    told = overread("read", tmp_path / "in", "--shards", tmp_path / "out", "-j", 2, code=2).stderr
    assert "b.jsonl" in told
    assert "line 151" in told
    assert list(parts(tmp_path / "out")) == ["part-00000.jsonl"]


def started(*arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [OVERREAD, *map(str, arguments)], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )


def wait_for_parts(out: Path, process: "subprocess.Popen[bytes]", least: int = 1) -> None:
    for _ in range(1200):
        if len(list(out.glob("*.done"))) >= least or process.poll() is not None:
            return
        time.sleep(0.05)
    raise AssertionError("no part appeared")


def test_a_killed_worker_costs_nothing(reports, whole, tmp_path, workers_of):
    out = tmp_path / "out"
    process = started("read", reports, "--as", "radsem", "--shards", out, "-j", 2)
    wait_for_parts(out, process)
    for pid in workers_of(process.pid)[:1]:
        os.kill(pid, signal.SIGKILL)
    assert process.wait(120) == 0
    assert parts(out) == whole
    assert not list(out.glob(".*.part"))


def test_a_killed_driver_leaves_what_can_be_resumed(reports, whole, tmp_path, workers_of, wait_until):
    out = tmp_path / "out"
    process = started("read", reports, "--as", "radsem", "--shards", out, "-j", 2)
    wait_for_parts(out, process)
    workers = workers_of(process.pid)
    process.kill()
    process.wait()
    assert workers
    wait_until(lambda: all("Z" in state(pid) for pid in workers), "workers are still there")
    overread("read", reports, "--as", "radsem", "--shards", out, "--resume")
    assert parts(out) == whole


def state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "Z"


@pytest.fixture(scope="module")
def pairs(tmp_path_factory) -> list[dict]:
    one, two = texts(24, 1), texts(24, 2)
    two[3], one[5] = "", ""
    return [{"id": f"p{n}", "reference": a, "candidate": b, "patient": f"x{n // 3}"}
            for n, (a, b) in enumerate(zip(one, two, strict=True))]  # fmt: skip


METRICS = ",".join(DEFAULT)


@pytest.fixture(scope="module")
def single(pairs, tmp_path_factory) -> Path:
    """The same pairs scored by one process."""
    place = tmp_path_factory.mktemp("single")
    write_lines(place / "pairs.jsonl", pairs)
    overread(
        "score", place / "pairs.jsonl", "-m", METRICS, "-o", place / "out", "--no-page", "--resamples", 50
    )
    return place / "out"


def as_rows(place: Path) -> bytes:
    return b"".join(content for _, content in sorted(parts(place).items()))


def test_summaries_of_shards_are_equal_to_the_last_digit(pairs, single, tmp_path):
    for n in range(3):
        write_lines(tmp_path / "in" / f"{n}.jsonl", pairs[n * 8 : n * 8 + 8])
    out = tmp_path / "out"
    overread("score", tmp_path / "in", "-m", METRICS, "--shards", out, "-j", 2, "--resamples", 50)
    assert as_rows(out) == (single / "results.jsonl").read_bytes()
    assert (out / "summary.json").read_bytes() == (single / "summary.json").read_bytes()


def test_folders_of_two_sides_are_joined_by_name_and_id(pairs, tmp_path):
    sides = {"ref": "reference", "candidate": "candidate"}
    for side, column in sides.items():
        rows = [{"id": p["id"], "report": p[column]} for p in pairs if side == "ref" or p["id"] != "p7"]
        write_lines(tmp_path / side / "all.jsonl", rows)
        for n in range(3):
            own = [row for row in rows if int(row["id"][1:]) // 8 == n]
            write_lines(tmp_path / f"{side}-cut" / f"{n}.jsonl", own[::-1] if side != "ref" else own)
    overread("score", tmp_path / "ref" / "all.jsonl", tmp_path / "candidate" / "all.jsonl", "--name", "ours",
             "-m", "radsem,clear,rouge-l", "-o", tmp_path / "one", "--no-page", "--resamples", 20)  # fmt: skip
    overread("score", tmp_path / "ref-cut", tmp_path / "candidate-cut", "--name", "ours",
             "-m", "radsem,clear,rouge-l", "--shards", tmp_path / "out", "--resamples", 20)  # fmt: skip
    assert as_rows(tmp_path / "out") == (tmp_path / "one" / "results.jsonl").read_bytes()
    assert (tmp_path / "out" / "summary.json").read_bytes() == (
        tmp_path / "one" / "summary.json"
    ).read_bytes()


def test_score_batch_gives_rows(pairs):
    made = score_batch(pa.Table.from_pylist(pairs[:2]), ["radsem", "rouge-l"])
    assert made["metric"].to_pylist() == ["radsem", "rouge-l"] * 2
    assert made["unit"].to_pylist() == ["report"] * 4


def test_what_needs_more_than_a_pair_is_refused(pairs, tmp_path):
    write_lines(tmp_path / "pairs.jsonl", pairs[:3])
    told = overread(
        "score", tmp_path / "pairs.jsonl", "-m", "cider", "--shards", tmp_path / "out", code=2
    ).stderr
    assert "without --shards" in told
