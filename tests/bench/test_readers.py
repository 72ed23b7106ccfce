"""Readers on the bench: the annotation itself is right throughout, a misreading is found."""

import json

import pytest
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.bench.readers import run_reader
from overread.corpus import layered


@pytest.fixture
def built(corpus, tmp_path):
    """The test reports as `overread corpus build` writes them."""
    done = CliRunner().invoke(app, ["corpus", "build", str(corpus), "-o", str(tmp_path / "built")])
    assert done.exit_code == 0, done.output
    return tmp_path / "built" / "test.jsonl"


def test_the_annotation_itself_is_right_throughout(corpus, built):
    for name in (corpus / "test", built):
        found = run_reader(str(name), corpus)
        assert found.whole.value == found.sentences.value == 1
        assert found.figures["attributes"].value == 1
        assert found.modalities["chest film"].reports == 2


@pytest.mark.parametrize(
    ("change", "figure"),
    [
        ({"status": "negative"}, "status"),
        ({"certainty": "tentative"}, "certainty"),
        ({"spans": [[0, 3]]}, "entity"),
    ],
)
def test_a_misreading_costs_its_sentence_and_its_report(corpus, built, change, figure):
    first, second = map(json.loads, built.read_text().splitlines())
    first["mentions"][0] |= change
    built.write_text(json.dumps(first) + "\n" + json.dumps(second) + "\n")
    found = run_reader(str(built), corpus)
    assert found.whole.value == 0.5
    assert found.sentences.value == pytest.approx(6 / 7)
    assert found.figures[figure].value < 1


def test_a_function_can_read(corpus, tmp_path, monkeypatch):
    (tmp_path / "own_reader.py").write_text(
        "def read(text):\n"
        "    at = text.find('pneumothorax')\n"
        "    return [{'spans': [[at, at + 12]], 'status': 'negative'}] if at >= 0 else []\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    found = run_reader("own_reader:read", corpus)
    assert 0 < found.figures["entity"].value < 1
    assert found.figures["status"].value == 1


def test_overread_reads_by_itself_and_is_probed(bench, result, corpus):
    rows = [
        {"id": one, "phenomenon": "plain", "text": "No edema.", "facts": [{"what": "edema", "status": one}]}
        for one in ("negative", "positive")
    ]
    (corpus / "probes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = bench("--reader", "overread")
    assert done.exit_code == 0, done.output
    [one] = result()["readers"]
    assert result()["metrics"] is None
    assert one["sentences"]["value"] > 0.5
    assert one["probes"] == {"plain": {"right": 1, "asked": 2}, "all": {"right": 1, "asked": 2}}


def test_layers_are_compared_where_the_corpus_has_them(corpus):
    (corpus / "test" / "s.layers").write_text(
        "# s-102\n"
        "> 1 F There is mild pulmonary edema.\n"
        "A + There is mild pulmonary edema.\n"
        "L Edema +\n"
        "> 2 F There is atelectasis at the left base.\n"
        "A + There is atelectasis at the left base.\n"
        "L Atelectasis +\n"
        "> 3 F No rib fracture is seen.\n"
        "A - No rib fracture is seen.\n"
        "T Lungs and Airways: Mild pulmonary edema. | Atelectasis at the left base.\n"
        "C Edema ++ ; severity=mild\n"
        "C Atelectasis ++ ; location=left base\n"
        "C Fracture --\n"
    )
    found = run_reader("overread", corpus)
    assert set(found.layers) == set(layered.MEASURES)
    assert found.layers["conditions present"].value > 0.5
    assert found.layers["disease and progression"] is None


def test_what_is_no_reader_is_said(bench):
    assert "is no reader" in str(bench("--reader", "nobody").exception)
