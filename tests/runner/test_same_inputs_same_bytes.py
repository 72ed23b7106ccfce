"""The same inputs give the same results and summary, byte for byte: again, in another folder, in more processes."""

import os
import subprocess
import sys

import pytest

from overread.runner.run.folder import RESULTS, SUMMARY
from overread.runner.run.run import run
from overread.runner.run.workers import in_order

METRICS = ("lunguage", "lunguage-sequential", "radsem", "clear", "f1-srr", "longitudinal", "bleu-4", "cider")


def written(place):
    return [(place / name).read_bytes() for name in (RESULTS, SUMMARY)]


def test_twice(job, tmp_path):
    run(job(*METRICS), tmp_path / "one")
    run(job(*METRICS), tmp_path / "two")
    assert written(tmp_path / "one") == written(tmp_path / "two")


@pytest.mark.slow
def test_whatever_the_seed_of_hashing(files, tmp_path):
    """A set walked in another order must not change a byte."""
    for seed in ("1", "2"):
        command = [sys.executable, "-c", "from overread.cli.main import main; main()", "score"]
        inputs = [files / "references.jsonl", files / "bad.jsonl"]
        options = ["--no-page", "-q", "--resamples", "20", "-o", tmp_path / seed]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([*command, *inputs, *options], check=True, env=environment, stdout=subprocess.DEVNULL)
    assert written(tmp_path / "1") == written(tmp_path / "2")


VIEWS = """
from overread.report import parse
from overread.runner.views import Views, encode_view
from overread.systems.registry import SYSTEMS, system
text = "Nodules in liver segments S5 S6. Moderate left and small right loculated, free-flowing effusions, likely due "
text += "to pneumonia or edema. Recommend follow-up CT, biopsy or ultrasound if the mild or moderate opacity grows."
views = Views(parse(text, "1"))
print(b"".join(encode_view(views.of(system(name))) for name in SYSTEMS).decode())
"""


def test_views_whatever_the_seed_of_hashing(capfd):
    """Those of this process, whose seed is any, are those of another."""
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    subprocess.run([sys.executable, "-c", VIEWS], check=True, env=environment, timeout=120)
    one = capfd.readouterr().out
    exec(VIEWS, {})
    assert capfd.readouterr().out == one


@pytest.mark.slow
def test_in_two_processes(job, tmp_path):
    run(job(*METRICS), tmp_path / "one")
    run(job(*METRICS), tmp_path / "two", jobs=2)
    assert written(tmp_path / "one") == written(tmp_path / "two")


def test_a_finished_run_is_not_done_again(job, tmp_path):
    def never(*_):
        raise AssertionError("scored again")

    first = run(job("rouge-l"), tmp_path / "out")
    assert run(job("rouge-l"), tmp_path / "out", engine=never) == first


def test_a_finished_run_whose_files_were_changed_is_done_again(job, tmp_path):
    run(job("rouge-l"), tmp_path / "out")
    before = written(tmp_path / "out")
    (tmp_path / "out" / RESULTS).write_text("")
    run(job("rouge-l"), tmp_path / "out")
    assert written(tmp_path / "out") == before


def test_other_settings_are_another_run(job, tmp_path):
    run(job("rouge-l"), tmp_path / "out")
    found = run(job("rouge-l", tokenisation="whitespace"), tmp_path / "out", restart=True)
    assert "words:whitespace" in found.metrics[0].signature


def test_more_pairs_than_are_explained(job, tmp_path):
    """Only the worst are explained; the numbers are the same."""
    from overread.runner.run.folder import Results

    run(job("clear", "rouge-l"), tmp_path / "all")
    run(job("clear", "rouge-l", explained=2), tmp_path / "few")
    assert written(tmp_path / "all") == written(tmp_path / "few")
    details = [d.id for d in Results(tmp_path / "few").details()]
    assert details == ["a-3", "b-1"]  # no candidate, empty candidate


def test_pairs_are_explained_by_the_workers(job, tmp_path, monkeypatch):
    """Two processes write what one does."""
    monkeypatch.setattr("overread.runner.run.run.WORTH_A_POOL", 2)
    asked = []

    def engine(build, arguments, items, jobs):
        asked.append(jobs)
        return in_order(build, arguments, items, jobs)

    for jobs in (1, 2):
        run(job("clear", "rouge-l", explained=2), tmp_path / str(jobs), jobs=jobs, engine=engine)
    assert asked == [1, 1, 2, 2]
    assert len({(tmp_path / str(jobs) / "details.jsonl").read_bytes() for jobs in (1, 2)}) == 1
