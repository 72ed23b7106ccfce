"""Finished runs side by side: the same numbers as one run of all of them, and no false neighbours."""

import pytest

from overread.errors import BadInput
from overread.pages.build import write_page
from overread.runner.results.compare import compare, merge
from overread.runner.run.folder import Results
from overread.runner.run.job import Job
from overread.runner.run.run import run
from overread.runner.settings import Settings
from overread.sources import load_source

METRICS = ("rouge-l", "bleu-2", "clear")


@pytest.fixture
def alone(job, files, tmp_path):
    """Run one system into a folder of its own."""

    def make(name, folder, references="references.jsonl", metrics=METRICS):
        both = job(*metrics)
        one = Job(
            load_source(files / references),
            {name: load_source(files / f"{name}.jsonl")},
            Settings(tuple(metrics)),
            draws=both.draws,
        )
        run(one, tmp_path / folder)
        return tmp_path / folder

    return make


def test_two_runs_equal_one(alone, job, tmp_path):
    together = run(job(*METRICS), tmp_path / "both")
    found = compare([alone("good", "one"), alone("bad", "two")])
    assert found == together.metrics


def test_one_name_twice_is_told_apart_by_folder(alone):
    (ranking,) = compare([alone("good", "one"), alone("good", "two")], ["clear"])
    assert list(ranking.systems) == ["one/good", "two/good"]
    assert ranking.differences[0].difference == 0


def test_other_references_do_not_compare(alone, files):
    lines = (files / "references.jsonl").read_text().splitlines(keepends=True)
    (files / "fewer.jsonl").write_text("".join(lines[:-1]))
    with pytest.raises(BadInput, match="different references"):
        compare([alone("good", "one"), alone("bad", "two", references="fewer.jsonl")])


def test_only_shared_metrics_with_the_same_settings(alone, tmp_path):
    one, two = alone("good", "one", metrics=("rouge-l",)), alone("bad", "two")
    assert [ranking.name for ranking in compare([one, two])] == ["rouge-l"]
    with pytest.raises(BadInput, match="Not every run has clear"):
        compare([one, two], ["clear"])


def test_other_settings_do_not_compare(alone, files, tmp_path):
    other = Job(
        load_source(files / "references.jsonl"),
        {"bad": load_source(files / "bad.jsonl")},
        Settings(("rouge-l",), tokenisation="whitespace"),
    )
    run(other, tmp_path / "two")
    with pytest.raises(BadInput, match="different settings"):
        compare([alone("good", "one"), tmp_path / "two"])


def test_a_folder_without_a_finished_run(tmp_path):
    with pytest.raises(BadInput, match="has finished"):
        compare([tmp_path])


def test_two_runs_become_one_folder_that_has_a_page(alone, tmp_path):
    """Rows, standings and explained cases of both; the page opens, and the folder compares further."""
    runs = [alone("good", "one"), alone("bad", "two")]
    first, second = map(Results, runs)
    place = merge(runs, tmp_path / "together")
    found = Results(place)
    systems = list(found.summary.accounts)
    assert len(systems) == len(first.summary.accounts) + len(second.summary.accounts)
    assert len(list(found.rows())) == len(list(first.rows())) + len(list(second.rows()))
    assert found.summary.metrics == compare(runs)
    for detail in found.details():
        assert set(detail.candidates) == set(systems)
    text = write_page(place).read_text(encoding="utf-8")
    assert all(system in text for system in systems)
    assert compare([place]) == found.summary.metrics
    with pytest.raises(BadInput, match="holds results already"):
        merge(runs, place)
