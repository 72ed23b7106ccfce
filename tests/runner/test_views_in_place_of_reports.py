"""`score` takes views and timelines made before: LUNGUAGE's table, the lines of read and follow, of every system."""

import json

import pytest

import overread
from overread.errors import BadInput, UnknownName
from overread.reader import read
from overread.report import parse
from overread.runner.timelines import follow_by_rules
from overread.sources import load_source, patients
from overread.systems.registry import system

TEXTS = [
    "FINDINGS: Small left pleural effusion. No pneumothorax. The heart is enlarged.",
    "FINDINGS: The left pleural effusion has increased. No pneumothorax. Stable cardiomegaly.",
]
OWN = {
    "lunguage": "lunguage",
    "radsem": "radsem",
    "clear": "clear",
    "srrg": "f1-srr",
    "longitudinal": "longitudinal",
}


@pytest.fixture
def reports(tmp_path):
    path = tmp_path / "reports.jsonl"
    rows = [
        {"id": f"r{n}", "patient": "p", "study": n, "day": 7 * n, "text": text}
        for n, text in enumerate(TEXTS, 1)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def written(path, views):
    import msgspec

    path.write_bytes(b"".join(msgspec.json.encode(view) + b"\n" for view in views))
    return str(path)


@pytest.mark.parametrize("name", OWN)
def test_views_score_as_the_reports_they_were_read_from(name, reports, tmp_path):
    views = [system(name).by_rules(read(report)) for report in load_source(reports)]
    file = written(tmp_path / "views.jsonl", views)
    metric = OWN[name]
    want = overread.score(str(reports), str(reports), [metric]).values(metric)
    assert overread.score(file, str(reports), [metric]).values(metric) == want
    assert overread.score(str(reports), file, [metric]).values(metric) == want


def test_timelines_stand_for_patients_and_for_their_studies(reports, tmp_path):
    file = written(tmp_path / "timelines.jsonl", follow_by_rules(patients(load_source(reports)), 90.0, None))
    found = overread.score(file, str(reports), ["lunguage", "lunguage-sequential"])
    assert found["lunguage-sequential"] == pytest.approx(1.0)
    assert found["lunguage"] == pytest.approx(1.0)


def test_views_alone_cannot_serve_another_system(reports, tmp_path):
    file = written(
        tmp_path / "views.jsonl", [system("clear").by_rules(read(r)) for r in load_source(reports)]
    )
    with pytest.raises(BadInput, match="holds clear views and no reports; radsem needs the reports"):
        overread.score(file, str(reports), ["radsem"])
    served = overread.score(file, str(reports), resamples=10)
    assert {one.family for one in served.summary.metrics} == {"clear"}


def test_the_annotation_table_serves_every_metric(tmp_path):
    table = tmp_path / "annotations.csv"
    table.write_text(
        "study_id,section,sent_idx,sent,ent_idx,ent,cat,dx_status,dx_certainty,location\n"
        "s1,find,0,Left effusion.,0,effusion,PF,positive,definitive,Left\n"
    )
    found = overread.score(str(table), {"s1": "FINDINGS: Left effusion."}, ["lunguage", "radsem", "bleu-1"])
    assert found["lunguage"] == pytest.approx(1.0)
    assert found["radsem"] == 1


def test_a_broken_line_is_named(reports, tmp_path):
    file = tmp_path / "views.jsonl"
    file.write_text('{"id": "r1", "findings": [{"entity": 3}]}\n')
    with pytest.raises(BadInput, match=r"line 1: not a view"):
        overread.score(str(file), str(reports), ["lunguage"])


def test_the_encoder_is_chosen_and_signed():
    one, other = {"a": "FINDINGS: Effusion."}, {"a": "FINDINGS: Pleural fluid."}
    with pytest.raises(UnknownName, match="encoder"):
        overread.score(one, other, ["lunguage"], encoder="zorgle")
    usual = overread.score(one, other, ["lunguage"], resamples=5)
    twice = overread.score(one, other, ["lunguage"], encoder="embedded+embedded", resamples=5)
    assert twice["lunguage"] == pytest.approx(usual["lunguage"], abs=1e-6)
    assert "encoder:embedded+embedded" in twice.ranking("lunguage").signature


def test_a_patient_with_one_study_is_scored_by_phrases(reports):
    from overread.systems.lunguage.by_rules import view
    from overread.systems.lunguage.follow import follow
    from overread.systems.lunguage.schema import StudyView
    from overread.systems.lunguage.score import score_reports, score_timelines

    sides = [view(read(parse(text, "r"))) for text in TEXTS]
    alone = [follow("p", [StudyView("1", 0.0, side)]) for side in sides]
    assert score_timelines(*alone).value == pytest.approx(score_reports(*sides).value)
