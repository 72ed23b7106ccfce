"""Two runs at once, other settings, damaged journals, full disks, killed parents: nothing finished is lost."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.as_typed import overread

from overread.errors import BadInput, OverreadError
from overread.runner.limits import Limits
from overread.runner.meter import Meter
from overread.runner.run.folder import DETAILS, JOURNAL, LOCK, MANIFEST, OUTPUTS, RESULTS, SUMMARY, Results
from overread.runner.run.run import gathered, run
from overread.runner.run.workers import in_order
from overread.whole import whole

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and limits of POSIX")
METRICS = ("clear", "rouge-l", "lunguage-sequential")
UNITS = ["a-1", "a-2", "a-3", "b-1", "b-2", "c-1", "a", "b", "c"]


class Engine:
    """Stops after so many units; remembers what it did, and may make some of them fail."""

    def __init__(self, stop_after=None, failing=()):
        self.stop_after, self.failing, self.done = stop_after, failing, []

    def __call__(self, *arguments):
        for item, unit in in_order(*arguments):
            if len(self.done) == self.stop_after:
                raise KeyboardInterrupt
            self.done.append(unit.id)
            yield item, self.broken(unit) if unit.id in self.failing else unit

    def broken(self, unit):
        from msgspec.structs import replace

        rows = tuple(replace(row, value=None, why=None, failed="the server is away") for row in unit.rows)
        return replace(unit, rows=rows)


class Told(Meter):
    def __init__(self):
        self.words = []

    def tell(self, text):
        self.words.append(text)


def written(place):
    return [(place / name).read_bytes() for name in OUTPUTS]


@pytest.fixture
def stopped(job, tmp_path):
    """A run that was stopped after seven of nine units, and what it would have written."""
    run(job(*METRICS), tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        run(job(*METRICS), tmp_path / "out", engine=Engine(7))
    return tmp_path / "out"


class TestLock:
    def test_a_second_run_says_who_holds_the_folder(self, job, tmp_path):
        def again(*arguments):
            with pytest.raises(BadInput, match=rf"in use by another run \(process {os.getpid()}, since 20"):
                run(job("rouge-l"), tmp_path / "out")
            yield from in_order(*arguments)

        run(job("rouge-l"), tmp_path / "out", engine=again)
        assert not (tmp_path / "out" / LOCK).exists()

    def test_the_lock_of_a_dead_process_is_taken_over(self, job, tmp_path):
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / LOCK).write_text('{"pid": 999999, "host": "here", "since": "long ago"}')
        assert run(job("rouge-l"), tmp_path / "out")


class TestNeverWrittenOver:
    def test_by_other_metrics(self, job, tmp_path):
        run(job("rouge-l"), tmp_path / "out")
        before = written(tmp_path / "out")
        with pytest.raises(BadInput, match=r"with other metrics \(rouge-l\).*-o.*--restart"):
            run(job("bleu-1"), tmp_path / "out")
        assert written(tmp_path / "out") == before

    def test_by_other_inputs_or_draws(self, job, files, tmp_path):
        from overread.runner.results.summary import Draws

        run(job("rouge-l"), tmp_path / "out")
        with pytest.raises(BadInput, match="other settings"):
            run(job("rouge-l", tokenisation="whitespace"), tmp_path / "out")
        one = job("rouge-l")
        from msgspec.structs import replace

        with pytest.raises(BadInput, match="other settings"):
            run(replace(one, draws=Draws(resamples=7)), tmp_path / "out")
        lines = (files / "bad.jsonl").read_text().splitlines()
        (files / "bad.jsonl").write_text("\n".join(lines[1:]))
        with pytest.raises(BadInput, match="of other inputs"):
            run(job("rouge-l"), tmp_path / "out")

    def test_from_python(self, tmp_path):
        from overread import score

        score(["Clear."], ["Clear."], ["rouge-l"], output=tmp_path / "out")
        with pytest.raises(BadInput, match="--restart"):
            score(["Clear."], ["Edema."], ["rouge-l"], output=tmp_path / "out")
        found = score(["Clear."], ["Edema."], ["rouge-l"], output=tmp_path / "out", restart=True)
        assert found["rouge-l"] == 0

    def test_results_of_unknown_origin(self, job, tmp_path):
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / RESULTS).write_text("mine")
        with pytest.raises(BadInput, match="without a manifest"):
            run(job("rouge-l"), tmp_path / "out")
        assert (tmp_path / "out" / RESULTS).read_text() == "mine"


def drop(lines):
    return lines[:3] + lines[4:]


def double(lines):
    return [*lines[:4], lines[3], *lines[4:]]


def edit(lines):
    return [*lines[:3], lines[3].replace(b"rouge", b"rogue"), *lines[4:]]


def flip(lines):
    changed = bytearray(lines[3])
    changed[len(changed) // 2] ^= 1
    return [*lines[:3], bytes(changed), *lines[4:]]


def cut_inside(lines):
    return [*lines[:3], lines[3][: len(lines[3]) // 2], *lines[4:]]


def empty_lines(lines):
    return [*lines[:3], b"\n", b"   \n", *lines[3:]]


def binary(lines):
    return [*lines[:3], bytes(range(256)) + b"\n", *lines[3:]]


def cut_last(lines):
    return [*lines[:-1], lines[-1][:-20]]


@pytest.mark.parametrize(
    ("damage", "word", "again"),
    [
        (drop, None, 1),
        (double, None, 0),
        (edit, "1 damaged, from line 4 on", 1),
        (flip, "1 damaged, from line 4 on", 1),
        (cut_inside, "1 damaged", 2),
        (empty_lines, "2 damaged", 0),
        (binary, "damaged", 0),
        (cut_last, None, 1),
    ],
)
def test_damage_to_the_journal_is_found_and_only_that_is_done_again(stopped, job, damage, word, again):
    journal = stopped / JOURNAL
    journal.write_bytes(b"".join(damage(journal.read_bytes().splitlines(keepends=True))))
    second, told = Engine(), Told()
    run(job(*METRICS), stopped, engine=second, meter=told)
    assert len(second.done) == 2 + again
    assert written(stopped) == written(stopped.parent / "whole")
    if word is None:
        assert told.words == []
    else:
        assert word in told.words[0]


def test_a_line_of_another_run_is_no_line_of_this_one(stopped, job, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        run(job("rouge-l"), tmp_path / "other", engine=Engine(3))
    ours = (stopped / JOURNAL).read_bytes().splitlines(keepends=True)
    theirs = (tmp_path / "other" / JOURNAL).read_bytes().splitlines(keepends=True)
    (stopped / JOURNAL).write_bytes(b"".join([*ours[:2], theirs[2], *ours[3:]]))
    run(job(*METRICS), stopped)
    assert written(stopped) == written(tmp_path / "whole")


class TestHashes:
    @pytest.mark.parametrize("name", [*OUTPUTS, MANIFEST])
    def test_what_is_read_again_must_be_as_the_run_left_it(self, job, tmp_path, name):
        from overread.pages.build import write_page
        from overread.runner.results.compare import compare

        run(job("rouge-l"), tmp_path / "out")
        path = tmp_path / "out" / name
        old, new = ('"resamples": 50', '"resamples": 51') if name == MANIFEST else ("a", "b")
        path.write_text(path.read_text().replace(old, new, 1))
        for reader in (Results, write_page, lambda place: compare([place])):
            with pytest.raises(BadInput, match=rf"{name} is not as the run left it.*--restart"):
                reader(tmp_path / "out")

    def test_a_missing_file_is_named(self, job, tmp_path):
        run(job("rouge-l"), tmp_path / "out")
        (tmp_path / "out" / DETAILS).unlink()
        with pytest.raises(BadInput, match=r"There is no .*details.jsonl"):
            Results(tmp_path / "out")


class TestFailuresAreAskedAgain:
    def test_by_the_same_command(self, job, tmp_path):
        run(job(*METRICS), tmp_path / "whole")
        found = run(job(*METRICS), tmp_path / "out", engine=Engine(failing=("a-2", "c")))
        assert sum(one.failed for m in found.metrics for one in m.systems.values()) == 6
        second = Engine()
        run(job(*METRICS), tmp_path / "out", engine=second)
        assert second.done == ["a-2", "c"]
        assert written(tmp_path / "out") == written(tmp_path / "whole")
        assert not (tmp_path / "out" / JOURNAL).exists()

    def test_unless_they_are_to_be_kept(self, job, tmp_path):
        first = run(job(*METRICS), tmp_path / "out", engine=Engine(failing=("a-2",)))
        second = Engine()
        assert run(job(*METRICS), tmp_path / "out", engine=second, keep_failures=True) == first
        assert second.done == []

    def test_in_a_run_that_was_stopped(self, job, tmp_path):
        with pytest.raises(KeyboardInterrupt):
            run(job(*METRICS), tmp_path / "out", engine=Engine(4, failing=("a-2",)))
        second = Engine()
        run(job(*METRICS), tmp_path / "out", engine=second)
        assert second.done == ["a-2", "b-2", "c-1", "a", "b", "c"]


class TestLimits:
    def test_an_item_past_its_time_fails_and_the_run_goes_on(self, job, tmp_path, monkeypatch):
        from overread.runner.run import scorer

        waited_out = []

        def slow(self, m, reference, candidate):
            if reference.report.id == "a-2":
                time.sleep(60)
                waited_out.append(m)
            return fast(self, m, reference, candidate)

        fast = scorer.Scorer.score
        run(job("clear", "rouge-l"), tmp_path / "warm")  # so that the others are far from the limit
        monkeypatch.setattr(scorer.Scorer, "score", slow)
        found = run(job("clear", "rouge-l"), tmp_path / "out", limits=Limits(seconds=2))
        assert not waited_out
        (reason,) = found.metrics[0].systems["good"].failures
        assert reason == "it took longer than --item-seconds 2"
        assert found.metrics[1].systems["good"].failed == 1
        assert found.metrics[1].systems["good"].scored == 5

    def test_a_report_past_the_size_fails(self, job, tmp_path):
        found = run(job(*METRICS), tmp_path / "out", limits=Limits(characters=60))
        for m in found.metrics:
            assert m.systems["good"].failed
            assert any("more than --max-characters 60" in reason for reason in m.systems["good"].failures)
        assert found.metrics[0].systems["good"].scored

    def test_a_larger_limit_asks_again(self, job, tmp_path):
        run(job("rouge-l"), tmp_path / "whole")
        run(job("rouge-l"), tmp_path / "out", limits=Limits(characters=60))
        run(job("rouge-l"), tmp_path / "out")
        assert (tmp_path / "out" / RESULTS).read_bytes() == (tmp_path / "whole" / RESULTS).read_bytes()


COMMAND = [sys.executable, "-c", "from overread.cli.main import main; main()"]
MANY = 80


@pytest.fixture
def many(tmp_path):
    """Files that take a while."""
    rows = [
        {
            "id": str(n),
            "report": f"FINDINGS: Small left effusion of {n} mm. The heart is enlarged in {n} ways.",
        }
        for n in range(MANY)
    ]
    for name in ("refs", "ours"):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return [
        "score", str(tmp_path / "refs.jsonl"), str(tmp_path / "ours.jsonl"), "--no-page", "--resamples", "10",
        "-m", "radsem,clear,rouge-l", "-o", str(tmp_path / "out"),
    ]  # fmt: skip


def alive(pids):
    return [pid for pid in pids if Path(f"/proc/{pid}").exists() and "Z" not in state(pid)]


def state(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "Z"


@POSIX
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGKILL, -9), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.slow)]
)
def test_workers_end_with_their_parent(many, tmp_path, number, code, workers_of, wait_until):
    child = subprocess.Popen([*COMMAND, *many, "-j", "2"], stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    journal = tmp_path / "out" / JOURNAL
    wait_until(lambda: journal.exists() and journal.stat().st_size > 2_000)  # a few are done, most are not
    workers = workers_of(child.pid)
    assert workers
    child.send_signal(number)
    _, told = child.communicate(timeout=120)
    assert child.returncode == code
    assert (b"Stopped. What is finished is kept" in told) == (number != signal.SIGKILL)
    wait_until(lambda: not alive(workers), "workers are still there")
    left = {p.name for p in (tmp_path / "out").iterdir()}
    assert not {name for name in left if name.endswith(".part")}
    assert overread(*many).returncode == 0
    assert len((tmp_path / "out" / RESULTS).read_text().splitlines()) == MANY * 3


SMALL_DISK = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
from overread.cli.main import main
main()
"""


@POSIX
@pytest.mark.parametrize(
    "size", [pytest.param(0, marks=pytest.mark.slow), 4_000, pytest.param(70_000, marks=pytest.mark.slow)]
)
def test_a_full_disk_is_one_line_and_the_run_can_go_on(many, tmp_path, size):
    found = subprocess.run(
        [sys.executable, "-c", SMALL_DISK, str(size), *many, "-q"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 2
    assert len(found.stderr.splitlines()) == 1
    assert "the disk is full. What is finished is kept: free some space" in found.stderr
    assert overread(*many).returncode == 0
    assert len((tmp_path / "out" / RESULTS).read_text().splitlines()) == MANY * 3


def test_a_folder_that_may_not_be_written_is_one_line(job, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.open", refuse)
    with pytest.raises(
        OverreadError, match=r"Cannot write into .*: permission denied\. Choose another folder"
    ):
        run(job("rouge-l"), tmp_path / "out")


def test_a_file_is_there_whole_or_not_at_all(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def half():
        with whole(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        half()
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_random_damage_never_changes_a_result(stopped, job):
    """Bytes changed anywhere: what can be read is right, and the rest is done again."""
    chance = random.Random(11)
    whole_journal = (stopped / JOURNAL).read_bytes()
    expected = written(stopped.parent / "whole")
    for _ in range(6):
        damaged = bytearray(whole_journal)
        for _ in range(3):
            damaged[chance.randrange(200, len(damaged))] = chance.randrange(256)
        (stopped / JOURNAL).write_bytes(damaged)
        run(job(*METRICS), stopped)
        assert written(stopped) == expected
        for name in (*OUTPUTS, MANIFEST):
            (stopped / name).unlink()


def test_summary_and_results_are_the_only_contract(job, tmp_path):
    run(job("rouge-l"), tmp_path / "out")
    assert {p.name for p in (tmp_path / "out").iterdir()} == {RESULTS, SUMMARY, DETAILS, MANIFEST}


def test_a_signal_while_the_reports_are_joined_leaves_no_file(job, tmp_path, monkeypatch):
    def stop(number):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("overread.runner.run.run.os.close", stop)
        with pytest.raises(KeyboardInterrupt):
            gathered(job("rouge-l"), tmp_path, Meter()).__enter__()
    assert not list(tmp_path.glob("*.part*"))
