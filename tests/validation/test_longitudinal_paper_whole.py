"""Longitudinal paper: TEM, recall of detection by trend, what one query takes, Figure 3 drawn, CheXbert as labeller."""

import json
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.as_typed import app
from tests.llm.conftest import Loopback
from typer.testing import CliRunner

from overread.reader import read
from overread.report import parse
from overread.systems.longitudinal.by_rules import view
from overread.systems.longitudinal.schema import ComparedSentence, LongitudinalReport
from overread.systems.longitudinal.score import changes_said, micro_f1, tem
from overread.systems.tables import lookup
from overread.validation.longitudinal import progression
from overread.validation.longitudinal.agreement import (
    GoldItem,
    GoldReport,
    GoldSentence,
    agreement,
    compare,
    render,
)
from overread.validation.longitudinal.progression import findings_alone
from overread.validation.longitudinal.progression import generator_figures as generators

WORDS_OF_CHANGE = lookup("longitudinal", "temporal")


def seen(text):
    return view(read(parse(f"FINDINGS: {text}", "a")))


class TestTem:
    def test_words_of_change_in_comparing_sentences_alone(self):
        assert changes_said(seen("The effusion has increased. The heart is enlarged.")) == {"increas"}

    def test_another_word_for_the_same_course_costs(self):
        """What the paper holds against it: nodule.increased and nodule.worsened are two expressions."""
        one, two = seen("The effusion has increased."), seen("The effusion has worsened.")
        assert tem(one, one).value == 1
        assert tem(one, two).value == 0

    def test_another_disease_with_the_same_word_does_not(self):
        assert tem(seen("The effusion has increased."), seen("The pneumothorax has increased.")).value == 1

    def test_no_comparison_no_score(self):
        assert tem(seen("Clear lungs."), seen("Clear lungs.")).value is None

    @given(
        one=st.frozensets(st.sampled_from(sorted(WORDS_OF_CHANGE))),
        two=st.frozensets(st.sampled_from(sorted(WORDS_OF_CHANGE))),
    )
    def test_by_hand(self, one, two):
        sides = [
            LongitudinalReport("a", (ComparedSentence("findings", 0, 1, " ".join(sorted(words)), True),))
            for words in (one, two)
        ]
        first, second = ({WORDS_OF_CHANGE[word] for word in words} for words in (one, two))
        found = tem(*sides)
        total = len(first) + len(second)
        assert found.value == (pytest.approx(2 * len(first & second) / total) if total else None)
        assert micro_f1(found.counts) == found.value


GOLD = GoldReport(
    "g",
    (
        GoldSentence("The left effusion has decreased.", True, (GoldItem("pleural effusion", "improved"),)),
        GoldSentence("The right opacity is larger.", True, (GoldItem("lung opacity", "worsened"),)),
        GoldSentence("New edema.", True, (GoldItem("pulmonary edema/hazy opacity", "worsened"),)),
        GoldSentence("The lungs are clear.", False),
    ),
)


def test_recall_of_detection_by_trend():
    start = len("FINDINGS: ")
    said = []
    for n, sentence in enumerate(GOLD.sentences):
        said.append(ComparedSentence("findings", start, start + len(sentence.text), sentence.text, n < 2))
        start += len(sentence.text) + 1
    found = agreement([compare(GOLD, LongitudinalReport("g", tuple(said)))])
    assert found.detected == {"improved": (1, 1), "no change": (0, 0), "worsened": (1, 2)}
    line = next(line for line in render(found).splitlines() if line.startswith("  worsened"))
    assert line.split() == ["worsened", "1", "2", "1", "50.0"]


@pytest.fixture
def gold(tmp_path):
    sentences = [
        {
            "text": s.text,
            "longitudinal": s.longitudinal,
            "items": [{"disease": i.disease, "progression": i.progression} for i in s.items],
        }
        for s in GOLD.sentences
    ]
    (tmp_path / "gold.jsonl").write_text(json.dumps({"id": "g", "sentences": sentences}) + "\n")
    return tmp_path / "gold.jsonl"


def test_figure_3_is_drawn(gold, tmp_path):
    done = CliRunner().invoke(
        app, ["validate", "longitudinal", str(gold), "--picture", str(tmp_path / "f.svg")]
    )
    assert done.exit_code == 0, done.output
    text = (tmp_path / "f.svg").read_text()
    ElementTree.fromstring(text)
    for words in ("Does a sentence compare?", "Progression: worsened", "published: Llama-3.3-70B", "94.0"):
        assert words in text


def test_every_kind_of_query_says_what_one_takes(gold, tmp_path, monkeypatch):
    from tests.llm.stand_in import good

    monkeypatch.setenv("OVERREAD_CACHE_FILE", str(tmp_path / "answers.sqlite"))
    server = Loopback()
    server.behave = good
    words = ["validate", "longitudinal", str(gold), "--by", "llm", "--base-url", server.url, "--model", "m"]
    done = CliRunner().invoke(app, words)
    server.close()
    assert done.exit_code == 0, done.output
    table = done.stderr[done.stderr.index("query") :].splitlines()
    assert table[0].split() == ["query", "replies", "s", "each", "tokens", "out", "tokens/s"]
    assert {row.split(",")[0].split("/")[0] for row in table[1:] if "/" in row} == {"longitudinal"}


def test_chexbert_labels_where_it_is_installed(monkeypatch):
    monkeypatch.setattr(
        progression, "chexbert_labels", lambda text: {"Edema"} if "edema" in text.lower() else set()
    )
    pair = parse("FINDINGS: Edema.", "a"), parse("FINDINGS: Clear.", "a")
    assert generators([pair], chexbert=True).diagnosis.f1 == 0
    assert generators([pair[:1] * 2], chexbert=True).diagnosis.f1 == 1


def test_a_labeller_nobody_knows_is_told(tmp_path):
    done = CliRunner().invoke(app, ["validate", "progression", "x", "y", "--diagnosis", "nobody"])
    assert "No labeller is called" in str(done.exception) + done.output


def test_findings_alone_as_the_benchmark_has_them():
    """Section 2.2.1: each sentence in the Findings section is annotated; generators are compared on it."""
    told = parse(
        "FINDINGS: The effusion has increased.\nIMPRESSION: The edema has improved.", "a", patient="p"
    )
    made = parse("The effusion has increased.", "a")
    whole, alone = generators([(told, made)]), generators([(findings_alone(told), findings_alone(made))])
    assert (whole.progression["all"].recall, alone.progression["all"].recall) == (0.5, 1)
    assert findings_alone(told).patient == "p"
    assert alone.text[0].whole == pytest.approx(1)
