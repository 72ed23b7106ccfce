"""`overread tags`: written from reports or from a run, edited, checked, scored; the same scores as the run's."""

import json

import pytest
from tests.cli.as_typed import app
from tests.llm.conftest import Act, server
from typer.testing import CliRunner

from overread.errors import BadInput, UnknownName
from overread.systems.radsem.tag_file import BadTags

__all__ = ["server"]
REFERENCES = {
    "a": "FINDINGS: Nodule in the left lung. The heart is enlarged. Old rib fracture. No effusion.",
    "b": "FINDINGS: Multiple cysts in the liver. The spleen is normal. Stone in the gallbladder.",
    "c": "FINDINGS: Thank you.",
    "d": "FINDINGS: No fracture. Nodules in both lungs. The liver is enlarged.",
}
CANDIDATES = {
    "a": "FINDINGS: Small nodule in the left lung at the apex. Heart size is normal. Healed rib fracture. No effusion.",
    "b": "FINDINGS: Liver cyst. Spleen unremarkable. Stones in the gallbladder and the right kidney.",
    "c": "FINDINGS: Thank you.",
    "d": "FINDINGS: Nodule in the left upper lobe. Nodule in the left lower lobe. No fracture. Small liver.",
}
METRICS = ("radsem", "radsem-alt", "radsem-as-published", "radsem-alt-as-published")


def run(*words, **settings):
    return CliRunner(**settings).invoke(app, [str(word) for word in words])


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def files(tmp_path):
    for name, texts in (("references", REFERENCES), ("ours", CANDIDATES)):
        rows = ({"id": id, "text": text} for id, text in texts.items())
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path / "references.jsonl", tmp_path / "ours.jsonl"


@pytest.fixture
def tags(files, tmp_path):
    path = tmp_path / "tags.jsonl"
    found = run("tags", "write", *files, "-o", path)
    assert found.exit_code == 0, found.output
    return path


def scores(path, tmp_path):
    found = run("tags", "score", path, "-m", ",".join(METRICS), "-o", tmp_path / "scores.jsonl")
    assert found.exit_code == 0, found.output
    return {(row["id"], row["metric"]): row for row in lines(tmp_path / "scores.jsonl")}


def test_the_scores_of_written_tags_are_those_of_the_run(files, tags, tmp_path):
    found = run("score", *files, "-m", ",".join(METRICS), "-o", tmp_path / "run", "--no-page")
    assert found.exit_code == 0, found.output
    mine = scores(tags, tmp_path)
    rows = lines(tmp_path / "run" / "results.jsonl")
    assert len(rows) == len(mine) == 16
    for row in rows:
        again = mine[row["id"], row["metric"]]
        for field in ("value", "precision", "recall", "counts", "why"):
            assert again.get(field) == row.get(field), (row["id"], row["metric"], field)
    assert {mine["c", name]["value"] for name in METRICS} == {None, 0.0}


def test_tags_of_a_run_are_those_of_its_reports(files, tags, tmp_path):
    run("score", *files, "-m", "radsem", "-o", tmp_path / "run", "--no-page")
    found = run("tags", "write", tmp_path / "run", "-o", tmp_path / "again.jsonl")
    assert found.exit_code == 0, found.output
    assert (tmp_path / "again.jsonl").read_bytes() == tags.read_bytes()


def test_a_run_of_several_systems_needs_a_name(files, tags, tmp_path):
    run("score", files[0], *files, "-m", "radsem", "-o", tmp_path / "run", "--no-page")
    with pytest.raises(BadInput, match="choose one with --system: references, ours"):
        raise run("tags", "write", tmp_path / "run").exception
    assert isinstance(run("tags", "write", tmp_path / "run", "--system", "our").exception, UnknownName)
    found = run("tags", "write", tmp_path / "run", "--system", "ours", "-o", tmp_path / "again.jsonl")
    assert found.exit_code == 0, found.output
    assert (tmp_path / "again.jsonl").read_bytes() == tags.read_bytes()


def test_a_run_without_radsem_and_a_folder_that_is_no_run_are_said_so(files, tmp_path):
    run("score", *files, "-m", "bleu-1", "-o", tmp_path / "run", "--no-page")
    with pytest.raises(BadInput, match="holds no RadSEM score"):
        raise run("tags", "write", tmp_path / "run", "-o", tmp_path / "none.jsonl").exception
    assert not (tmp_path / "none.jsonl").exists()
    with pytest.raises(BadInput, match="no folder of a finished run"):
        raise run("tags", "write", tmp_path).exception


def test_a_table_of_pairs_gives_the_same_tags(tags, tmp_path):
    table = tmp_path / "pairs.jsonl"
    rows = ({"id": id, "reference": REFERENCES[id], "candidate": CANDIDATES[id]} for id in REFERENCES)
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = run("tags", "write", table, "-o", tmp_path / "again.jsonl")
    assert found.exit_code == 0, found.output
    assert (tmp_path / "again.jsonl").read_bytes() == tags.read_bytes()


def test_references_without_a_candidate_are_matched_with_nothing(files, tmp_path):
    files[1].write_text(
        files[1].read_text().splitlines()[0] + "\n" + json.dumps({"id": "x", "text": "Clear."})
    )
    found = run("tags", "write", *files, "-o", tmp_path / "tags.jsonl")
    assert "No candidate for 3 ids (b, c, d); matched with empty reports." in found.output
    assert "No reference for 1 id (x); not written." in found.output
    assert lines(tmp_path / "tags.jsonl")[3]["gen_sentences"] == []


def test_an_edited_label_changes_the_score(tags, tmp_path):
    before = scores(tags, tmp_path)["a", "radsem"]["value"]
    tags.write_text(tags.read_text().replace('"part-whole"', '"equivalent"', 1))
    assert scores(tags, tmp_path)["a", "radsem"]["value"] > before


def test_indented_tags_score_the_same(files, tags, tmp_path):
    path = tmp_path / "indented.json"
    assert run("tags", "write", *files, "-o", path, "--indent").exit_code == 0
    assert len(path.read_text().splitlines()) > 50
    assert scores(path, tmp_path) == scores(tags, tmp_path)


def test_every_fault_is_told_and_nothing_is_scored(tags, tmp_path):
    tags.write_text(tags.read_text().replace("part-whole", "part-hole").replace('"Ref"', '"ref"') + "{oops\n")
    checked = run("tags", "check", tags)
    assert checked.exit_code == 1
    told = checked.output
    assert "tags.jsonl, line 1 (a): label: pair 1: anatomical_relationship is 'part-hole'" in told
    assert "sentence_is_from is 'ref'; it must be Ref or Gen" in told
    assert "tags.jsonl, line 5: syntax: no JSON" in told
    out = tmp_path / "none.jsonl"
    refused = run("tags", "score", tags, "-o", out)
    assert refused.exit_code != 0
    assert isinstance(refused.exception, BadTags)
    assert len(refused.exception.faults) == sum("tags.jsonl, line" in line for line in told.splitlines())
    assert not out.exists()


def test_a_sound_file_passes_the_check(tags):
    found = run("tags", "check", tags)
    assert (found.exit_code, found.output.strip()) == (0, "4 sound records, 0 faults")


def test_the_table_tells_records_means_and_what_is_undefined(tags):
    found = run("tags", "score", tags, "--alt")
    assert "radsem-alt" in found.output
    assert "neither report holds a finding sentence" in found.output
    assert json.loads(run("tags", "score", tags, "--json").stdout.splitlines()[0])["detail"]["pairs"]
    assert isinstance(run("tags", "score", tags, "-m", "radsen").exception, UnknownName)


# ---- by language model
ATOMS = {
    "area": ["chest"],
    "type": "-",
    "sentences": [{"number": 1, "text": "Left lung has a nodule.", "normality": "abnormal"}],
}
LINK = {
    "ref": 1,
    "gen": 1,
    "anatomical_relationship": "equivalent",
    "asserted_abnormality_relationship": "equivalent",
    "negated_abnormality_relationship": None,
    "details_of_abnormality_relationship": "partial",
}


def answer(ask):
    if "Study 2" in ask.text:
        return Act(status=400, text="no")
    matched = {"pairs": [LINK]}
    return Act(json.dumps(matched if "Candidate:" in ask.text else ATOMS))


def test_a_model_reads_and_matches_and_the_run_scores_the_same(server, tmp_path, monkeypatch):
    monkeypatch.setenv("OVERREAD_CACHE_FILE", str(tmp_path / "cache.sqlite"))
    monkeypatch.setenv("OVERREAD_ATTEMPTS", "1")
    server.behave = answer
    for name in ("references", "ours"):
        texts = {
            "1": "FINDINGS: Nodule in the left lung.",
            "2": f"FINDINGS: Nodule in the left lung of Study 2, {name}.",
        }
        (tmp_path / f"{name}.jsonl").write_text(
            "".join(json.dumps({"id": id, "text": text}) + "\n" for id, text in texts.items())
        )
    files = (tmp_path / "references.jsonl", tmp_path / "ours.jsonl")
    llm = ("--by", "llm", "--base-url", server.url, "--model", "small")
    path = tmp_path / "tags.jsonl"
    found = run("tags", "write", *files, "-o", path, *llm)
    assert found.exit_code == 1, found.output
    assert [row["name"] for row in lines(path)] == ["1"]
    assert [row["stage"] for row in lines(tmp_path / "tags.failures.jsonl")] == ["radsem/atoms"]
    asked = len(server.asks)
    run("score", *files, "-m", "radsem", "-o", tmp_path / "run", "--no-page", *llm)
    (row,) = [row for row in lines(tmp_path / "run" / "results.jsonl") if row["id"] == "1"]
    assert row["value"] == scores(path, tmp_path)["1", "radsem"]["value"] == pytest.approx(0.9375)
    assert sum("Candidate:" in ask.text for ask in server.asks[asked:]) == 0, "answered from disk"


def test_an_unknown_reader_is_named(files):
    assert isinstance(run("tags", "write", *files, "--match-by", "magic").exception, UnknownName)
