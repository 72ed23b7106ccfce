"""Structuring against gold: counts by hand, files, and the command."""

import json

import pytest
import typer
from typer.testing import CliRunner

from overread.cli.validate.structuring import validate_structuring
from overread.errors import BadInput
from overread.stats.agreement import Counts
from overread.validation.annotated import AnnotatedSentence, load_gold
from overread.validation.lunguage.structuring import (
    GoldFinding,
    GoldObservation,
    GoldPatient,
    GoldReport,
    compare_patients,
    compare_reports,
)


def finding(entity, status="positive", sentence=None, **attributes):
    place = AnnotatedSentence(sentence) if sentence else None
    return GoldFinding(entity, status, category="PF", attributes=attributes, sentence=place, id=entity)


def report(*findings):
    return GoldReport(id="r", findings=list(findings))


def test_identical_reports_agree_on_everything():
    one = report(finding("effusion", severity=["small"]), finding("edema", "negative"))
    found = compare_reports(one, one)
    assert (found.entities, found.relations) == (Counts(2), Counts(7))
    assert (found.triplets, found.values) == (Counts(7), Counts(1))


def test_every_level_by_hand():
    """Gold: small left effusion, no edema. Ours: left effusions denied, a nodule."""
    gold = report(finding("effusion", severity=["small"], location=["left"]), finding("edema", "negative"))
    ours = report(
        finding("effusions", "negative", location=["left"]), finding("nodule", morphology=["round"])
    )
    found = compare_reports(gold, ours)
    assert found.entities == Counts(1, 1, 1)
    assert found.relations == Counts(4, 4, 1 + 3)
    assert found.triplets == Counts(3, 1 + 4, 1 + 1 + 3)
    assert found.values == Counts(1, 1, 1)


def test_as_written_by_hand():
    """Nothing is paired beforehand: `effusions` is another entity, and a word more is another value."""
    gold = report(finding("Effusion", severity=["small"], location=["left", "base"]), finding("edema"))
    ours = report(finding("effusion", severity=["very small"], location=["left"]), finding("edemas"))
    found = compare_reports(gold, ours)
    assert found.written_pairs == Counts(
        5, 3, 3
    )  # five of the effusion; category, status, certainty of the other
    assert found.written_triplets == Counts(4, 1 + 3, 2 + 3)
    plain = report(GoldFinding("Effusion", "positive"))
    assert compare_reports(plain, report(finding("effusion"))).written_triplets == Counts(2)


def test_associate_links_are_counted_too():
    one, two = GoldFinding("opacity", "positive", id="a", associate=["b"]), finding("pneumonia")
    gold = report(one, GoldFinding("pneumonia", "positive", id="b"))
    assert compare_reports(gold, gold).associate == Counts(1)
    assert compare_reports(gold, report(finding("opacity"), two)).associate == Counts(0, 0, 1)


def test_fuzzy_values():
    gold, near, far = (
        report(finding("opacity", location=[w])) for w in ("right lung base", "right lung bases", "apex")
    )
    assert compare_reports(gold, near).values == Counts(1)
    assert compare_reports(gold, far).values == Counts(0, 1, 1)


def test_the_same_word_in_another_sentence_is_another_finding():
    gold = report(finding("effusion", sentence="No effusion."))
    other = report(finding("effusion", sentence="Small effusion."))
    assert compare_reports(gold, other).entities == Counts(0, 1, 1)
    assert compare_reports(gold, report(finding("effusion", sentence=" no  Effusion. "))).entities == Counts(
        1
    )


def test_evidence_links_follow_the_pairs():
    gold = report(
        GoldFinding("opacity", "positive", id="a"),
        GoldFinding("pneumonia", "positive", id="b", evidence=["a"]),
    )
    ours = report(
        GoldFinding("pneumonia", "positive", id="x", evidence=["y"]),
        GoldFinding("opacity", "positive", id="y"),
    )
    assert compare_reports(gold, ours).evidence == Counts(1)


def patient(*rows):
    return GoldPatient(
        "p", [GoldObservation(study, entity, group, episode) for study, entity, group, episode in rows]
    )


GOLD = patient(
    ("1", "effusion", "e", 1), ("2", "effusion", "e", 1), ("3", "effusion", "e", 2), ("3", "nodule", "n", 1)
)


def test_groups_by_hand():
    """Three effusions together are three pairs; ours splits one off and calls two episodes one."""
    ours = patient(
        (1, "effusion", "a", 1), (2, "effusion", "b", 1), (3, "effusion", "a", 1), (3, "nodule", "n", 1)
    )
    found = compare_patients(GOLD, ours)
    assert found.observations == Counts(4)
    assert found.entity_groups == Counts(1, 0, 2)
    assert found.temporal_groups == Counts(0, 1, 1)


def test_groups_against_themselves():
    found = compare_patients(GOLD, GOLD)
    assert (found.entity_groups.f1, found.temporal_groups.f1) == (1, 1)


def write(path, *lines):
    path.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    return path


def run(*arguments):
    app = typer.Typer()
    app.command()(validate_structuring)
    return CliRunner().invoke(app, [str(a) for a in arguments])


TEXT = "FINDINGS: Small left pleural effusion. No pneumothorax."
LINE = {
    "id": "r1",
    "text": TEXT,
    "findings": [
        {"entity": "pleural effusion", "category": "PF", "status": "positive", "certainty": "definitive",
         "attributes": {"location": ["left"], "severity": ["Small"]},
         "sentence": {"text": "Small left pleural effusion."}},
        {"entity": "pneumothorax", "cat": "PF", "status": "negative", "i": 1},
    ],
    "sentences": [{"i": 1, "section": "findings", "text": "No pneumothorax."}],
}  # fmt: skip
STUDIES = [
    {"study": 1, "day": 0, "text": TEXT},
    {"study": 2, "day": 4, "text": "FINDINGS: Left effusion resolved."},
]
PERSON = {
    "patient": "p1",
    "studies": STUDIES,
    "observations": [
        {
            "study": 1,
            "entity": "pleural effusion",
            "location": "left",
            "entity_group": "effusion",
            "temporal_group": 1,
        },
        {
            "study": 2,
            "entity": "effusion",
            "location": ["left"],
            "entity_group": "effusion",
            "temporal_group": 1,
        },
    ],
}


def test_the_command_reads_the_gold_file_itself(tmp_path):
    result = run(write(tmp_path / "gold.jsonl", LINE, PERSON))
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == "1 reports, 1 patients compared"
    for name, published in (("entity-relation pairs", "0.94"), ("temporal groups", "0.87")):
        (row,) = [line for line in lines if line.startswith(name)]
        assert row.split()[-4:] == ["1.000", "1.000", "1.000", published]
    assert "entities from 0.70" in result.output


def test_the_command_judges_views_made_elsewhere(tmp_path):
    wrong = {**LINE, "findings": [{**LINE["findings"][0], "status": "negative"}]}
    gold = write(tmp_path / "gold.jsonl", LINE)
    result = run(gold, "--views", write(tmp_path / "views.jsonl", wrong), "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["entities"] == {"tp": 1, "fp": 0, "fn": 1}


def test_a_gold_line_without_a_view_is_told(tmp_path):
    gold = write(tmp_path / "gold.jsonl", LINE, {**LINE, "id": "r2"})
    result = run(gold, "--views", write(tmp_path / "views.jsonl", LINE))
    assert "1 of the gold file without a view" in result.output


@pytest.mark.parametrize("line", ['{"id": 3}', "no json", '{"id": "r", "findings": [{"entity": 1}]}'])
def test_a_bad_line_is_named_not_quoted(tmp_path, line):
    file = tmp_path / "gold.jsonl"
    file.write_text(line, "utf-8")
    with pytest.raises(BadInput, match="line 1"):
        load_gold(file)


def test_twice_the_same_id(tmp_path):
    with pytest.raises(BadInput, match="stands twice"):
        load_gold(write(tmp_path / "gold.jsonl", LINE, LINE))
