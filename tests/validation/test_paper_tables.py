"""Tables of the papers on invented reports, with figures worked out by hand."""

import json

import pytest
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.errors import BadInput
from overread.report import parse
from overread.systems.srrg.corpus import Labelled
from overread.systems.srrg.labels import Label
from overread.validation.longitudinal.progression import generator_figures
from overread.validation.srrg.labels import agreement_of_labels, called, measured

BETTER = "FINDINGS: The left pleural effusion has decreased. Stable cardiomegaly."
WORSE = "FINDINGS: The left pleural effusion has increased. Stable cardiomegaly."


def test_progression_by_class():
    found = generator_figures([(parse(BETTER, "a"), parse(WORSE, "a"))])
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
    found = agreement_of_labels(gold, told)
    assert found["leaves"].exact == 0.5
    assert found["leaves"].jaccard == pytest.approx(0.75)
    assert found["leaves"].averages["micro"].f1 == pytest.approx(4 / 5)
    assert found["leaves-statuses"].averages["micro"].f1 == pytest.approx(2 / 5)
    assert found["14 classes, through leaves"].averages["micro"].recall == pytest.approx(2 / 5)


def test_classes_of_lines_and_of_whole_reports_through_leaves_and_uppers():
    """Pneumonia is three classes as a leaf and two as its upper label, Consolidation."""
    gold = [Labelled("Pneumonia.", [Label("Pneumonia", "Present")], report="a")]
    gold += [Labelled("No effusion.", [Label("Simple pleural effusion", "Absent")], report="a")]
    lines = agreement_of_labels(gold, [[Label("Atelectasis", "Present")], []])
    assert lines["14 classes, through leaves"].averages["micro"].precision == pytest.approx(1 / 2)
    assert lines["14 classes, through uppers"].averages["micro"].f1 == 1
    texts = [parse("FINDINGS: Pneumonia. No effusion.", "a"), parse("x", "b")]
    whole = measured(gold, called("rules"), texts)
    assert {name: one.exact for name, one in whole.items() if "whole" in name} == {
        "14 classes of whole reports, through leaves": 1,
        "14 classes of whole reports, through uppers": 1,
    }
    with pytest.raises(BadInput, match="No report has an id"):
        measured(gold, called("rules"), [parse("x", "b")])


def test_chats_to_tune_on_are_what_a_model_is_asked(tmp_path):
    reports = tmp_path / "reports.jsonl"
    reports.write_text(json.dumps({"id": "r", "text": "FINDINGS: Small left pleural effusion."}) + "\n")
    done = CliRunner().invoke(app, ["build", "clear", str(reports), "-o", str(tmp_path / "out")])
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
    from overread.validation.srrg.organs import organs

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
    found = generator_figures(pairs)
    assert found.progression["all"].recall == 0
    assert found.asked["all"].recall == pytest.approx(1 / 3)
    assert found.asked["all"].precision == pytest.approx(1 / 2)


@pytest.fixture
def endpoint(tmp_path, monkeypatch):
    from tests.llm.conftest import Loopback

    monkeypatch.setenv("OVERREAD_CACHE_FILE", str(tmp_path / "answers.sqlite"))
    server = Loopback()
    yield server
    server.close()


class TestLabelsByAModel:
    """`validate srr --by llm`: a model's labels of utterances, by temper."""

    TEXTS = ("Small left pleural effusion.", "No pneumothorax.", "The lungs are clear.")
    GOLD = ("Simple pleural effusion", "Present"), ("Simple pneumothorax", "Absent"), ("No Finding", None)

    def asked(self, endpoint, temper, tmp_path, *more):
        endpoint.behave = temper
        gold = tmp_path / "gold.jsonl"
        rows = [
            {"text": text, "labels": [{"label": name, "status": status} if status else {"label": name}]}
            for text, (name, status) in zip(self.TEXTS, self.GOLD, strict=True)
        ]
        gold.write_text("".join(json.dumps(row) + "\n" for row in rows))
        words = [
            "validate",
            "srr",
            str(gold),
            "--by",
            "llm",
            "--base-url",
            endpoint.url,
            "--model",
            "m",
            *more,
        ]
        return CliRunner().invoke(app, words)

    @pytest.mark.parametrize("temper", ["good", "mediocre"])
    def test_one_line_measures_a_model_with_time_per_utterance(self, temper, endpoint, tmp_path):
        from tests.llm import stand_in

        done = self.asked(endpoint, getattr(stand_in, temper), tmp_path, "--json")
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["leaves-statuses"]["exact"] == 1
        assert "Per utterance: " in done.stderr

    def test_a_model_that_only_talks_is_told(self, endpoint, tmp_path):
        from tests.llm.stand_in import hostile

        done = self.asked(endpoint, hostile, tmp_path)
        assert done.exit_code != 0
        assert "answered nothing that can be used" in str(done.exception) + done.output

    def test_two_who_both_want_to_label_are_refused(self, endpoint, tmp_path):
        done = self.asked(endpoint, None, tmp_path, "--labels", "vote")
        assert "its own labels" in str(done.exception) + done.output


@pytest.mark.parametrize(("temper", "scored"), [("good", True), ("mediocre", True), ("hostile", False)])
def test_a_model_reads_for_the_correlation_with_radiologists(temper, scored, endpoint, tmp_path):
    from tests.llm import stand_in

    endpoint.behave = getattr(stand_in, temper)
    reference = "Cardiomegaly. Left effusion. No edema."
    texts = [reference, "Cardiomegaly. Left effusion.", "Edema. No effusion.", "No edema. No effusion."]
    rows = ["reference,candidate,errors"] + [f"{reference},{text},{n}" for n, text in enumerate(texts)]
    (tmp_path / "pairs.csv").write_text("\n".join(rows) + "\n")
    words = ["validate", "experts", str(tmp_path / "pairs.csv"), "--reference", "reference", "--candidate"]
    words += ["candidate", "--errors", "errors", "-m", "radsem", "--resamples", "20", "--json", "--by", "llm"]
    done = CliRunner().invoke(app, [*words, "--base-url", endpoint.url, "--model", "m"])
    assert done.exit_code == 0, done.output
    assert bool(json.loads(done.stdout)["agreements"]) is scored
    assert "Per report: " in done.stderr
