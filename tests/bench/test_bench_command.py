"""`overread bench`: what it writes, and what it says."""

import json

import msgspec

from overread.bench.run import Bench
from overread.bench.sets import CANARY


def test_it_writes_figures_tables_page_and_submissions(bench, tmp_path):
    done = bench("--set", "rankings", "--set", "laws", "--sample", 8, "-m", "rouge-l,bleu-4")
    assert done.exit_code == 0, done.output
    out = tmp_path / "out"
    assert {path.name for path in out.iterdir()} == {
        "bench.json", "bench.md", "bench.tex", "bench.html", "submissions", "values.jsonl",
    }  # fmt: skip
    found = msgspec.json.decode((out / "bench.json").read_bytes(), type=Bench)
    assert found.canary == CANARY
    assert found.metrics.asked.sample == 8
    assert "ROUGE-L" in done.stdout
    assert "\\begin{tabular}" in (out / "bench.tex").read_text()
    sent = json.loads((out / "submissions" / "rouge-l.json").read_text())
    assert {"name", "version", "url", "settings", "sets", "figures", "canary"} <= sent.keys()
    assert sent["sets"] == found.metrics.asked.hashes


def test_values_hold_no_text(bench, tmp_path):
    bench("--set", "rankings", "-m", "rouge-l")
    assert "effusion" not in (tmp_path / "out" / "values.jsonl").read_text()


def test_what_is_not_installed_is_said_and_left_out(bench, result):
    done = bench("--set", "rankings", "-m", "rouge-l,green")
    assert "GREEN: not installed (pip install green-score); left out." in done.stderr
    assert [one["metric"]["name"] for one in result()["metrics"]["standings"]] == ["rouge-l"]


def test_systems_read_both_sides_and_are_timed(bench, result, timed_alone):
    assert bench("--set", "rankings", "-m", "overread,rouge-l").exit_code == 0
    first = {one["metric"]["name"]: one for one in result()["metrics"]["standings"]}
    assert first["overread"]["seconds"] > first["rouge-l"]["seconds"] > 0
    assert first["overread"]["sets"]["rankings"]["right"] > first["rouge-l"]["sets"]["rankings"]["right"]


def test_the_private_part_stands_apart_and_shows_no_case(bench, result, corpus, tmp_path, monkeypatch):
    hidden = tmp_path / "hidden" / "rankings"
    hidden.mkdir(parents=True)
    text = (corpus / "rankings" / "s.rank").read_text()
    (hidden / "h.rank").write_text(text.replace("s-00", "h-00").replace("pleural effusion", "hydrothorax"))
    monkeypatch.setenv("OVERREAD_BENCH_PRIVATE", str(hidden.parent))
    assert bench("--set", "rankings", "-m", "rouge-l").exit_code == 0
    found = result()["metrics"]
    assert found["private_asked"]["sets"] == {"rankings": 2}
    assert found["private_asked"]["hash"] != found["asked"]["hash"]
    assert found["private"][0]["worst"] == []
    for name in ("bench.json", "bench.html", "bench.md"):
        assert "hydrothorax" not in (tmp_path / "out" / name).read_text()


def test_without_a_corpus_it_says_where_to_get_one(tmp_path, monkeypatch):
    from tests.cli.as_typed import app
    from typer.testing import CliRunner

    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["bench"])
    assert "There is no folder corpus" in str(done.exception)


def test_a_set_that_is_none_is_named(bench):
    assert "No set is called 'ranking'. Did you mean 'rankings'?" in str(bench("--set", "ranking").exception)


def test_names_for_nobody_are_refused(bench):
    assert "--name and --lower speak of one metric" in str(bench("-m", "rouge-l", "--name", "x").exception)


def test_sets_can_be_frozen(bench, corpus):
    assert bench("--write-sets", corpus / "bench" / "metrics.jsonl").exit_code == 0
    assert CANARY in (corpus / "bench" / "metrics.jsonl").read_text()


def test_a_line_that_was_cut_is_asked_again_and_a_damaged_file_is_named(bench, tmp_path):
    assert bench("--set", "rankings", "-m", "rouge-l").exit_code == 0
    values = tmp_path / "out" / "values.jsonl"
    whole = values.read_bytes()
    values.write_bytes(whole + b'{"pair": "00')
    assert bench("--set", "rankings", "-m", "rouge-l").exit_code == 0
    assert values.read_bytes() == whole
    values.write_bytes(b"not a line\n" + whole)
    assert "is damaged" in str(bench("--set", "rankings", "-m", "rouge-l").exception)


def test_a_private_folder_never_takes_public_groups(corpus, tmp_path):
    from overread.bench.sets import held_out_groups

    beside = tmp_path / "training" / "meaning"
    beside.mkdir(parents=True)
    (corpus / "meaning" / "groups.jsonl.gz").rename(beside / "groups.jsonl.gz")
    (tmp_path / "private").mkdir()
    assert held_out_groups(tmp_path / "private") == []
    assert len(held_out_groups(corpus)) == 6
