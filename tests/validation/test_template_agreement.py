"""Structured findings against people's: figures by hand, files, and the command."""

import json
import os
from pathlib import Path

import pytest
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.errors import BadInput
from overread.reader import read
from overread.report import parse
from overread.stats.agreement import Counts
from overread.systems.srrg.by_rules import view
from overread.validation.annotated import lines_by_id
from overread.validation.srrg.template import (
    SHAPE,
    GoldReport,
    HeaderCounts,
    View,
    agreement,
    compare,
    render,
)

LUNGS, PLEURA, HEART = "Lungs and Airways", "Pleura", "Cardiovascular"
GOLD = {
    LUNGS: ["Clear lungs"],
    PLEURA: ["No effusion", "No pneumothorax"],
    HEART: ["Normal heart size"],
    "Other": [],
}
OURS = {
    LUNGS: ["Clear lungs bilaterally"],  # 2 words in order of 2 and 3
    PLEURA: ["No pneumothorax", "No effusion"],  # 2 of 4 and 4
    "Abdominal": ["Normal spleen"],
    "Other": [" "],
}


def test_every_header_by_hand():
    assert compare(GOLD, OURS) == {
        LUNGS: HeaderCounts(Counts(1), 4 / 5),
        PLEURA: HeaderCounts(Counts(1), 4 / 8),
        HEART: HeaderCounts(Counts(0, 0, 1), 0.0),
        "Abdominal": HeaderCounts(Counts(0, 1, 0), 0.0),
    }


def test_the_figures_by_hand():
    """Two headers of three on each side; ROUGE-L .8, .5, 0 and 0."""
    found = agreement([compare(GOLD, OURS)])
    assert found.all.found.f1 == pytest.approx(2 / 3)
    assert found.all.rouge_l == pytest.approx(1.3 / 4)
    assert list(found.headers) == [LUNGS, PLEURA, HEART, "Abdominal"]
    assert found.headers[PLEURA].rouge_l == 0.5
    assert found.headers[HEART].found.recall == 0.0


def test_the_mean_is_over_headers_not_over_reports():
    """Four headers of one report have 1.3 together, the one of the other has 1."""
    found = agreement([compare(GOLD, OURS), compare({PLEURA: ["Clear"]}, {PLEURA: ["Clear"]})])
    assert found.all.rouge_l == pytest.approx(2.3 / 5)
    assert found.headers[PLEURA].rouge_l == pytest.approx(0.75)
    assert found.rouge_l_interval.low == pytest.approx(1.3 / 4)
    assert found.rouge_l_interval.high == 1.0
    assert found.f1_interval.low == pytest.approx(2 / 3)


def test_number_and_small_words_are_passed_over():
    one, other = {PLEURA: ["Effusions in the right pleura"]}, {PLEURA: ["effusion seen, right pleura."]}
    assert compare(one, other)[PLEURA].rouge_l == 1.0


def test_nobody_writes_anything():
    found = agreement([compare({}, {"Other": []})])
    assert (found.all.found.f1, found.all.rouge_l, found.f1_interval, found.rouge_l_interval) == (None,) * 4
    assert "–" in render(found)


# ---- files
TEXT = "FINDINGS: The lungs are clear. No pleural effusion. The heart is enlarged."
SECRET = "Mrs Example has a nodule."


def gold_file(folder, *lines, name="gold.jsonl"):
    path = folder / name
    path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ({"id": "a", "structured": {"findings": {PLEURA: SECRET}}}, r"line 2: `\$\.structured\.findings"),
        ({"id": "a", "structured": {"impression": [SECRET]}}, r"line 2: `\$\.structured`"),
        ({"id": "a", "text": SECRET}, "line 2"),
        (f'{{"id": "{SECRET}', "line 2: the line"),
        (
            {"id": "a", "structured": {"findings": {SECRET: ["x"]}}},
            r"line 2: `\$\.structured` .* by header: Lungs",
        ),
        ({"id": "r1", "structured": {"findings": {}}}, "line 2: 'r1' stands twice"),
    ],
)
def test_lines_that_cannot_be_used_are_named_and_not_quoted(tmp_path, line, where):
    path = gold_file(tmp_path, {"id": "r1", "structured": {"findings": GOLD}}, line)
    with pytest.raises(BadInput, match=where) as error:
        lines_by_id(path, GoldReport, SHAPE)
    assert "Example" not in str(error.value)


def test_a_view_may_have_headers_of_its_own_and_they_count_as_invented(tmp_path):
    path = gold_file(tmp_path, {"id": "a", "structured": {"findings": {"Brain": ["Normal"]}}})
    found = agreement([compare({}, lines_by_id(path, View, SHAPE)["a"].structured.findings)])
    assert found.headers["Brain"].found.precision == 0.0


# ---- the command
def run(*words):
    return CliRunner().invoke(
        app, ["validate", "template", *map(str, words)], catch_exceptions=False, standalone_mode=False
    )


def figures(*words):
    return json.loads(run(*words, "--json").stdout)


def test_our_reader_against_people(tmp_path):
    """What the rules write, and a header that they do not."""
    ours = view(read(parse(TEXT, ""))).structured.findings
    people = {**ours, "Abdominal": ["Normal spleen"]}
    path = gold_file(tmp_path, {"id": "r1", "text": TEXT, "structured": {"findings": people}})
    found = figures(path)["all"]
    assert found["found"]["precision"] == 1.0
    assert found["found"]["recall"] == found["rouge_l"] == pytest.approx(len(ours) / (len(ours) + 1))
    assert "all headers" in run(path).stdout


def test_views_made_elsewhere_and_texts_of_another_file(tmp_path):
    rows = [{"id": id, "structured": {"findings": GOLD, "impression": ["x"]}} for id in ("r1", "r2")]
    path = gold_file(tmp_path, *rows)
    views = gold_file(tmp_path, {**rows[0], "utterances": []}, name="views.jsonl")
    assert figures(path, "--views", views)["all"]["rouge_l"] == 1.0
    assert "1 gold reports without a view" in run(path, "--views", views).stdout
    texts = [{"id": id, "report": TEXT} for id in ("r1", "r2")]
    found = figures(path, "--reports", gold_file(tmp_path, *texts, name="reports.jsonl"))
    assert found["reports"] == 2
    with pytest.raises(BadInput, match="no text to read"):
        run(path)


# ---- development data, where there is any
def test_rules_on_development_reports():
    folder = os.environ.get("OVERREAD_DATA")
    if not folder:
        pytest.skip("OVERREAD_DATA is not set: no annotated reports to measure on")
    gold = lines_by_id(Path(folder) / "gold_dev.jsonl", GoldReport, SHAPE).values()
    views = (view(read(one.report())).structured.findings for one in gold)
    found = agreement([compare(one.structured.findings, ours) for one, ours in zip(gold, views, strict=True)])
    assert found.all.found.f1 >= 0.97
    assert found.all.rouge_l >= 0.90
