"""Layers of chest films: read, refused where they are not sound, and held against overread's own views."""

import json
import re

import pytest
from tests.cli.as_typed import app
from tests.corpus.written import ROOT
from typer.testing import CliRunner

from overread.corpus import layered
from overread.corpus.layered import layers
from overread.corpus.notation import parse_notation

GUIDE = (ROOT / "corpus" / "guide.md").read_text("utf-8")
LAYERS = re.search(r"```\n(# w07-001\n> .*?)```", GUIDE, re.DOTALL)[1]
REPORT = """# w07-001
X One view.
~ technique
I Cough.
- cough +
C Film of March.
~ comparison
F The heart is mildly enlarged, as before, and the lungs are clear.
- heart + ; sev=mildly ; mea=enlarged ; noc=as before
- lungs - ; mor=clear
F No effusion or pneumothorax.
- effusion -
- pneumothorax -
P Stable mild cardiomegaly.
- cardiomegaly + ; sev=mild ; noc=stable
"""
WHOLE = LAYERS.replace("# w07-001\n", "# w07-001\n> 1 X One view.\n> 2 I Cough.\n> 3 C Film of March.\n")


@pytest.fixture
def corpus(tmp_path):
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "w.txt").write_text("% modality: XR chest\n" + REPORT)
    (tmp_path / "dev" / "w.layers").write_text(WHOLE)
    return tmp_path


def read(tmp_path, text):
    [report], _ = parse_notation(REPORT, "w.txt")
    path = tmp_path / "w.layers"
    path.write_text(text)
    return layers(path, {report.id: report})


def test_the_example_of_the_guide(tmp_path):
    [one], complaints = read(tmp_path, WHOLE)
    assert complaints == []
    assert [a["normality"] for a in one.atoms] == ["abnormal", "normal", "normal", "normal", "normal"]
    assert one.labels[5] == [{"label": "Cardiomegaly", "status": "Present"}]
    assert one.changes[3] == [{"disease": "enlarged cardiac silhouette", "progression": "no change"}]
    assert one.bullets["Pleura"] == ["No pleural effusion.", "No pneumothorax."]
    assert one.conditions["Edema"] == {"presence": "negative", "level": "likely absent", "mentioned": False}
    assert one.conditions["Cardiomegaly"]["first_occurrence"] == "previous"


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("> 4 F The heart", "> 4 F A heart", "stands otherwise"),
        ("> 4 F", "> 5 F", "a sentence is '> 4"),
        ("A + The heart", "A The heart", "an atom is"),
        (
            "> 6 P Stable mild cardiomegaly.\n",
            "> 6 P Stable mild cardiomegaly.\nA + Big heart.\n",
            "findings",
        ),
        ("L Cardiomegaly +", "L Big heart +", "no label"),
        ("= no change", "= same", "no disease"),
        ("T Pleura:", "T Pleural space:", "no header"),
        ("C Edema (-)", "C Oedema (-)", "13 names"),
        ("change=stable", "change=none", "no answer"),
        ("C Edema (-)", "C Cardiomegaly ++", "stands twice"),
        ("# w07-001", "# w07-002", "no report is called"),
        ("C ", "K ", "not understood"),
    ],
)
def test_what_is_refused(tmp_path, before, after, words):
    _, complaints = read(tmp_path, WHOLE.replace(before, after))
    assert any(words in one.problem for one in complaints)


def test_check_counts_them_and_build_writes_them_as_gold(corpus):
    done = CliRunner().invoke(app, ["corpus", "check", str(corpus)])
    assert "1 reports with layers, 0 complaints" in done.stderr
    done = CliRunner().invoke(app, ["corpus", "build", str(corpus), "-o", str(corpus / "out")])
    assert done.exit_code == 0
    gold = json.loads((corpus / "out" / "layers.jsonl").read_text())
    assert gold["srr"][0] == {"i": 3, "labels": [{"label": "Cardiomegaly", "status": "Present"}]}
    done = CliRunner().invoke(app, ["validate", "sentences", str(corpus / "out" / "layers.jsonl"), "--json"])
    assert json.loads(done.stdout)["sentences"]["support"] == 5


def test_views_are_compared_with_them(corpus):
    found = layered.compared(layered.layers_beside(corpus / "dev"))
    assert found["conditions present"].f1 == found["labels with statuses"].f1 == 1
    assert found["comparing sentences"].f1 == found["disease and progression"].f1 == 1
    shown = CliRunner().invoke(app, ["corpus", "agree", str(corpus / "dev")])
    assert "disease and progression" in shown.stdout
    wrong = WHOLE.replace("L Cardiomegaly +", "L Cardiomegaly -").replace(
        "C Cardiomegaly ++", "C Pneumonia ++"
    )
    (corpus / "dev" / "w.layers").write_text(wrong)
    found = layered.compared(layered.layers_beside(corpus / "dev"))
    assert found["labels"].f1 == 1 > found["labels with statuses"].f1
    assert found["conditions present"].f1 == 0


def test_our_own_are_sound():
    found = [one for split in ("dev", "test") for one in layered.layers_beside(ROOT / "corpus" / split)]
    assert len(found) >= 590
