"""What a finding comes to is one rule: formats that say so say the same, and none makes a result of a question."""

import csv
import json
from datetime import datetime

import pytest

from overread.formats import bioc, conll, fhir, omop
from overread.formats.annotated import ASSERTIONS, Detail, Mark, Step, assertion
from overread.formats.marking import from_reading
from overread.reader import read
from overread.report import parse
from overread.report.span import Span

TEXT = (
    "INDICATION: Rule out pneumonia. Brain metastasis?\n"
    "FINDINGS: The lungs are clear. The heart is normal in size. Possible pneumonia at the right base. No "
    "pneumothorax. Left effusion has resolved. Lungs are hyperinflated. Status post CABG. Small nodule.\n"
    "IMPRESSION: Pneumonia is possible."
)


@pytest.fixture(scope="module")
def report():
    return from_reading(read(parse(TEXT, "a", patient="p")))


def said(report):
    return {(mark.section, mark.spans[0].of(report.text)): assertion(mark) for mark in report.marks}


def test_words_become_what_the_patient_has(report):
    found = said(report)
    assert found["indication", "pneumonia"] == found["indication", "Brain metastasis"] == "indication"
    assert found["findings", "lungs"] == found["findings", "heart"] == "normal"
    assert found["findings", "pneumonia"] == "possible"
    assert found["findings", "pneumothorax"] == "absent"
    assert found["findings", "effusion"] == "resolved"
    assert found["findings", "Lungs"] == "abnormal"
    assert found["findings", "CABG"] == "past"
    assert found["findings", "nodule"] == "present"


CLEAR, SIDE = Detail("morphology", "clear"), Detail("location", "left")
DENIED = (Step(Span(0, 2), "CU0001", "denied"),)


@pytest.mark.parametrize(
    ("mark", "wanted"),
    [
        ({"concept": "lungs", "status": "negative"}, "normal"),
        ({"concept": "lungs", "status": "negative", "details": (CLEAR,), "trace": DENIED}, "normal"),
        ({"concept": "gallbladder", "status": "negative", "trace": DENIED}, "absent"),
        ({"concept": "heart", "certainty": "tentative"}, "indeterminate"),
        ({"concept": "heart", "details": (SIDE,)}, "present"),
        ({"status": "negative", "certainty": "tentative"}, "unlikely"),
        ({"status": "negative", "section": "indication"}, "indication"),
        ({"concept": "a word of the user's", "status": "negative"}, "absent"),
    ],
)
def test_the_rule(mark, wanted):
    assert assertion(Mark("f", "x", (Span(0, 1),), **mark)) == wanted
    assert wanted in ASSERTIONS


def test_formats_hold_the_same(report, tmp_path):
    wanted = [assertion(mark) for mark in report.marks]
    omop.write([report], tmp_path / "note_nlp.csv", when=datetime(2024, 1, 1))
    with (tmp_path / "note_nlp.csv").open() as file:
        rows = list(csv.DictReader(file))
    told = [dict(pair.split("=") for pair in row["term_modifiers"].split(","))["assertion"] for row in rows]
    assert told == wanted
    exists = {"present", "abnormal", "normal", "past"}
    assert [row["term_exists"] == "Y" for row in rows] == [one in exists for one in wanted]

    bioc.write([report], tmp_path / "a.bioc.json")
    passages = json.loads((tmp_path / "a.bioc.json").read_text())["documents"][0]["passages"]
    findings = [a["infons"] for p in passages for a in p["annotations"] if a["infons"]["type"] == "finding"]
    assert [infons["assertion"] for infons in findings] == wanted

    conll.write([report], tmp_path / "a.conll")
    cells = [line.split("\t") for line in (tmp_path / "a.conll").read_text().splitlines() if "\t" in line]
    assert [cell[4] for cell in cells if cell[3] == "B-finding"] == wanted


def observations(path):
    resources = [entry["resource"] for entry in json.loads(path.read_text())["entry"]]
    found = [one for one in resources if one["resourceType"] == "Observation"]
    report = next(one for one in resources if one["resourceType"] == "DiagnosticReport")
    listed = {one["reference"] for one in report["result"]}
    return found, [one for one in found if f"Observation/{one['id']}" in listed], resources


def test_fhir_holds_the_same_and_lists_no_question_among_the_results(report, tmp_path):
    pytest.importorskip("fhir.resources", reason="needs overread[fhir]")
    fhir.write([report], tmp_path / "a.json", conditions=True)
    every, results, resources = observations(tmp_path / "a.json")
    by_result = {"POS": "present", "A": "abnormal", "NEG": "absent", "N": "normal", "IND": "possible"}
    for mark, one in zip(report.marks, every, strict=True):
        what = assertion(mark)
        if what == "indication":
            assert one not in results
            assert not {"interpretation", "valueCodeableConcept", "valueString"} & set(one)
            assert one["category"][0]["coding"][0]["code"] == "indication"
            continue
        assert one in results
        assert one["valueCodeableConcept"]["text"] == what
        code = one["interpretation"][0]["coding"][0]["code"] if "interpretation" in one else None
        assert by_result.get(code) in {what, *({"absent"} if what == "resolved" else ())} or what == "past"
    (condition,) = [one for one in resources if one["resourceType"] == "Condition"]
    assert condition["verificationStatus"]["coding"][0]["code"] == "provisional"


def test_the_words_of_omop_stand_at_their_offset(tmp_path):
    text = "FINDINGS: The cardiac and mediastinal contours are normal. Right and left effusions."
    omop.write([from_reading(read(parse(text, "1")))], tmp_path / "note_nlp.csv", when=datetime(2024, 1, 1))
    with (tmp_path / "note_nlp.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert rows
    assert all(text[int(row["offset"]) :].startswith(row["lexical_variant"]) for row in rows)
