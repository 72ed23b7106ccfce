"""Killed at any moment and started again: the same files, and nothing that was finished is done again."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from overread.errors import BadInput
from overread.runner.run.folder import DETAILS, RESULTS, SUMMARY
from overread.runner.run.folder import JOURNAL as NAME
from overread.runner.run.run import run
from overread.runner.run.workers import in_order

METRICS = ("clear", "rouge-l", "lunguage-sequential")
SLOWLY = """
import sys, time
from pathlib import Path
from overread.runner.run.job import Job
from overread.runner.settings import Settings
from overread.runner.run.workers import in_order
from overread.runner.run.run import run
from overread.runner.results.summary import Draws
from overread.sources import load_source
from overread.runner.run import folder

folder.code_hash = lambda: "the same"  # whoever edits the code meanwhile

def slowly(*arguments):
    for item, unit in in_order(*arguments):
        time.sleep(0.02)
        yield item, unit

folder, out = map(Path, sys.argv[1:])
job = Job(
    load_source(folder / "references.jsonl"),
    {name: load_source(folder / f"{name}.jsonl") for name in ("good", "bad")},
    Settings(("clear", "rouge-l", "lunguage-sequential")),
    draws=Draws(resamples=50, shuffles=50),
)
print("ready", flush=True)
run(job, out, engine=slowly)
"""


def command(folder, out):
    return [sys.executable, "-c", SLOWLY, str(folder), str(out)]


def written(place):
    return [(place / name).read_bytes() for name in (RESULTS, DETAILS, SUMMARY)]


class Counting:
    """An engine that stops after so many units, and remembers what it did."""

    def __init__(self, stop_after=None):
        self.stop_after = stop_after
        self.done = []

    def __call__(self, *arguments):
        for item, unit in in_order(*arguments):
            if len(self.done) == self.stop_after:
                raise KeyboardInterrupt
            self.done.append(unit.id)
            yield item, unit


def test_stopped_after_any_unit(job, tmp_path):
    """Stopped after none, after each one more, and at last not at all."""
    run(job(*METRICS), tmp_path / "whole")
    units = ["a-1", "a-2", "a-3", "b-1", "b-2", "c-1", "a", "b", "c"]
    for stop_after in range(len(units)):
        first, second = Counting(stop_after), Counting()
        parts = tmp_path / str(stop_after)
        with pytest.raises(KeyboardInterrupt):
            run(job(*METRICS), parts, engine=first)
        run(job(*METRICS), parts, engine=second)
        assert first.done + second.done == units
        assert written(parts) == written(tmp_path / "whole")
        assert not (parts / NAME).exists()


@pytest.mark.parametrize("cut", [1, 40, 400])
def test_a_line_that_was_not_written_to_its_end(job, tmp_path, cut):
    run(job(*METRICS), tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        run(job(*METRICS), tmp_path / "parts", engine=Counting(4))
    journal = tmp_path / "parts" / NAME
    os.truncate(journal, journal.stat().st_size - cut)
    second = Counting()
    run(job(*METRICS), tmp_path / "parts", engine=second)
    assert second.done[0] == "b-1"
    assert written(tmp_path / "parts") == written(tmp_path / "whole")


def test_an_unfinished_run_with_other_settings_is_not_thrown_away(job, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        run(job("rouge-l"), tmp_path / "out", engine=Counting(2))
    with pytest.raises(BadInput, match="--restart"):
        run(job("bleu-1"), tmp_path / "out")
    run(job("bleu-1"), tmp_path / "out", restart=True)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL on Windows")
def test_killed_at_random_moments(job, files, tmp_path):
    run(job(*METRICS), tmp_path / "whole")
    moments = random.Random(7)
    for _ in range(2):
        child = subprocess.Popen(command(files, tmp_path / "out"), stdout=subprocess.PIPE)
        child.stdout.readline()
        time.sleep(moments.uniform(0.0, 0.5))
        child.send_signal(signal.SIGKILL)
        child.wait()
    assert subprocess.run(command(files, tmp_path / "out"), stdout=subprocess.DEVNULL, check=True)
    assert written(tmp_path / "out") == written(tmp_path / "whole")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "details.jsonl",
        "manifest.json",
        "results.jsonl",
        "summary.json",
    ]


def test_a_restart_that_is_stopped_leaves_the_finished_files(job, tmp_path):
    """Lines are written while pairs are scored, and take the place of older ones only when all are there."""
    run(job(*METRICS), tmp_path)
    before = written(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        run(job("rouge-l"), tmp_path, engine=Counting(3), restart=True)
    assert written(tmp_path) == before
    assert not list(tmp_path.glob("*.part"))
