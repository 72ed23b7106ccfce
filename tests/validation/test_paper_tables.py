"""Tables of the papers on invented reports, with figures worked out by hand."""

import json

import pytest
from typer.testing import CliRunner

from overread.cli.main import app
from overread.report import parse
from overread.systems.srrg.corpus import Labelled
from overread.systems.srrg.labels import Label
from overread.validation.progression import compare
from overread.validation.srr import agreed

BETTER = "FINDINGS: The left pleural effusion has decreased. Stable cardiomegaly."
WORSE = "FINDINGS: The left pleural effusion has increased. Stable cardiomegaly."


def test_progression_by_class():
    found = compare([(parse(BETTER, "a"), parse(WORSE, "a"))])
    assert found.progression["no change"].f1 == 1
    assert found.progression["improved"].f1 == 0
    assert found.progression["all"].f1 == pytest.approx(0.5)
    assert found.accuracy == pytest.approx(4 / 6)  # two labels, three decisions each, two of six wrong
    assert found.diagnosis.f1 == 1
    text = {one.metric: one for one in found.text}
    assert text["bleu-1"].longitudinal == pytest.approx(7 / 8, abs=0.1)


def test_labels_exact_match_jaccard_and_classes():
    gold = [
        Labelled("Edema.", [Label("Edema", "Present")]),
        Labelled(
            "Edema and effusion.", [Label("Edema", "Present"), Label("Simple pleural effusion", "Present")]
        ),
    ]
    told = [[Label("Edema", "Present")], [Label("Edema", "Absent")]]
    found = agreed(gold, told)
    assert found["leaves"].exact == 0.5
    assert found["leaves"].jaccard == pytest.approx(0.75)
    assert found["leaves"].averages["micro"].f1 == pytest.approx(4 / 5)
    assert found["leaves-statuses"].averages["micro"].f1 == pytest.approx(2 / 5)
    assert found["CheXbert's 14 classes"].averages["micro"].recall == pytest.approx(2 / 5)


def test_chats_to_tune_on_are_what_a_model_is_asked(tmp_path):
    reports = tmp_path / "reports.jsonl"
    reports.write_text(json.dumps({"id": "r", "text": "FINDINGS: Small left pleural effusion."}) + "\n")
    done = CliRunner().invoke(app, ["build", "clear", str(reports), "-o", str(tmp_path / "out"), "-q"])
    assert done.exit_code == 0, done.output
    lines = [
        json.loads(line)
        for split in ("train", "validate", "test")
        for line in (tmp_path / "out" / f"{split}.jsonl").read_text().splitlines()
    ]
    assert {line["stage"] for line in lines} >= {"clear/presence", "clear/severity", "clear/location"}
    severity = next(line for line in lines if line["stage"] == "clear/severity")
    assert [m["role"] for m in severity["messages"]] == ["system", "user", "assistant"]
    assert json.loads(severity["messages"][2]["content"]) == {"answer": "mild"}
    assert "learning rate" in (tmp_path / "out" / "search.tsv").read_text()


def test_the_judge_compares_phrases():
    from overread.encoders import load
    from overread.errors import BadInput

    table = load("judge").alike(["small left effusion", "left pleural effusion small", "rib fracture"])
    assert table[0, 1] > table[0, 2]
    assert table[2, 2] == 1
    with pytest.raises(BadInput, match="alone"):
        load("judge+embedded")


def test_every_organ_and_both_alignments():
    from overread.reader import read
    from overread.systems.srrg.by_rules import view
    from overread.validation.organs import organs

    one = view(read(parse("FINDINGS: Small left pleural effusion. The heart is enlarged.", "a")))
    two = view(read(parse("FINDINGS: Small left pleural effusion. The heart is normal in size.", "a")))
    found = organs([(one, two)])
    assert found.headers["Pleura"].f1 == 1
    assert found.headers["Cardiovascular"].f1 < 1
    assert found.texts["findings, aligned, rouge-l"] == pytest.approx(
        found.texts["findings, unaligned, rouge-l"]
    )
    assert found.texts["impression, aligned, rouge-l"] is None


def test_a_candidate_is_asked_about_each_disease_of_the_reference():
    """A reference's opacity is a candidate's consolidation; another trend stays wrong, silence stays silence."""
    texts = [
        (
            "Increased right opacity compared with the prior.",
            "The right consolidation is larger than before.",
        ),
        ("The effusion has decreased.", "The effusion has increased."),
        ("The nodule has grown.", "The heart is stable."),
    ]
    pairs = [tuple(parse(f"FINDINGS: {t}", str(n)) for t in pair) for n, pair in enumerate(texts)]
    found = compare(pairs)
    assert found.progression["all"].recall == 0
    assert found.asked["all"].recall == pytest.approx(1 / 3)
    assert found.asked["all"].precision == pytest.approx(1 / 2)
