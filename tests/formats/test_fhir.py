"""FHIR out is valid by the library's models and comes back as the same view; FHIR in takes what hospitals export."""

import base64
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.formats.made_up import annotated, readings

from overread.errors import BadInput
from overread.formats import load
from overread.formats.annotated import Mark
from overread.formats.codes import read_codes
from overread.formats.fhir import read as read_fhir
from overread.formats.fhir import write
from overread.formats.marking import from_reading, view_of
from overread.lexicon.lexicon import lexicon
from overread.reader import read
from overread.report import parse
from overread.report.span import Span
from overread.runner.convert import convert
from overread.systems.lunguage.by_rules import view

pytest.importorskip("fhir.resources", reason="needs overread[fhir]")

PLAIN = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "So"), include_characters=" "),
    min_size=1,
    max_size=12,
)
NAMES = PLAIN.map(str.strip).filter(bool)


@pytest.fixture(params=["out.json", "out.ndjson"])
def out(request, tmp_path):
    return tmp_path / request.param


def loaded(path):
    return list(read_fhir(path).reports())


def made(out):
    """Every resource that was written."""
    if out.suffix == ".ndjson":
        return [json.loads(line) for line in out.read_text().splitlines()]
    return [entry["resource"] for entry in json.loads(out.read_text())["entry"]]


def test_readings_come_back_as_the_same_view(out):
    wanted = [from_reading(reading, "2024-05-31") for reading in readings()]
    write(wanted, out)
    assert loaded(out) == wanted
    assert [view_of(report) for report in loaded(out)] == [view(reading) for reading in readings()]


@given(made=st.lists(annotated(names=NAMES), min_size=1, max_size=2, unique_by=lambda r: r.id))
def test_anything_comes_back_whole(made):
    made = [
        one if one.day is not None else replace(one, date=None) for one in made
    ]  # a date alone becomes a day
    with TemporaryDirectory() as folder:
        write(made, Path(folder) / "out.json")
        assert loaded(Path(folder) / "out.json") == made


def test_the_whole_bundle_is_valid_by_the_library(tmp_path):
    from fhir.resources.R4B.bundle import Bundle

    out = tmp_path / "a.json"
    write((from_reading(r) for r in readings()), out, conditions=True, code_system=True)
    bundle = Bundle.model_validate_json(out.read_bytes())
    kinds = [entry.resource.get_resource_type() for entry in bundle.entry]
    assert {"CodeSystem", "Patient", "DiagnosticReport", "Observation", "Condition"} == set(kinds)
    urls = {entry.fullUrl for entry in bundle.entry}
    assert len(urls) == len(bundle.entry)


def test_every_reference_leads_somewhere(tmp_path):
    out = tmp_path / "a.json"
    write((from_reading(r) for r in readings()), out, conditions=True)
    text = out.read_text()
    names = {f"{one['resourceType']}/{one['id']}" for one in made(out)}
    assert set(json_values(json.loads(text), "reference")) <= names


def json_values(value, key):
    if isinstance(value, dict):
        yield from ([value[key]] if key in value else [])
        value = list(value.values())
    for one in value if isinstance(value, list) else ():
        yield from json_values(one, key)


def test_an_observation_says_what_the_sentence_says(tmp_path):
    write([from_reading(readings()[0])], tmp_path / "a.json")
    effusion = next(r for r in made(tmp_path / "a.json") if r["resourceType"] == "Observation")
    codes = {c["code"] for c in effusion["code"]["coding"]}
    assert {"pleural-effusion", "OIFM_CDE_000254"} <= codes
    assert effusion["interpretation"][0]["text"] == "present"
    assert effusion["bodySite"]["text"] == "left"
    said = {c["code"]["coding"][0]["code"]: c for c in effusion["component"]}
    assert said["laterality"]["valueCodeableConcept"]["text"] == "left"
    assert said["certainty"]["valueCodeableConcept"]["text"] == "definitive"
    assert said["improved"]["valueString"] == "decreased"
    assert any(e["url"].endswith("rule-trace") for e in effusion["extension"])


def test_evidence_is_what_a_finding_is_derived_from(tmp_path):
    write([from_reading(readings()[0])], tmp_path / "a.json")
    found = {r["code"]["text"]: r for r in made(tmp_path / "a.json") if r["resourceType"] == "Observation"}
    opacity = f"Observation/{found['opacity']['id']}"
    assert found["atelectasis"]["derivedFrom"] == [{"reference": opacity}]


def test_the_starter_brings_codes_of_known_concepts(tmp_path):
    starter = read_codes(Path("starter"))
    assert {name for name in starter.codings if ":" not in name} <= {row.concept for row in lexicon().rows}
    assert {name.removeprefix("term:") for name in starter.terms} <= {row.form for row in lexicon().rows}
    write([from_reading(readings()[0])], tmp_path / "a.json", codes=Path("starter"))
    title = "Pleural effusion, not elsewhere classified"
    coding = f'{{"system":"http://hl7.org/fhir/sid/icd-10-cm","code":"J90","display":"{title}"}}'
    assert coding in (tmp_path / "a.json").read_text()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("There is hemoptysis.", "R04.2"),
        ("Dry cough.", "R05.9"),
        ("Hemorrhagic stroke.", "I62.9"),
        ("Hodgkin's disease.", "C81.90"),
        ("Bilateral chylothoraces.", "J94.0"),
        ("Small pericardial effusion.", "I31.39"),
        ("Pericardial thickening.", None),
        ("Lumbar lordosis.", "M40.50"),
        ("Gouty tophi.", "M1A.9XX1"),
    ],
)
def test_a_narrower_wording_does_not_take_the_code_of_its_concept(text, code):
    starter = read_codes(Path("starter"))
    [mark] = from_reading(read(parse(text))).marks
    assert [one.code for one in starter.coding(starter.name_of(mark))] == ([code] if code else [])


def test_a_mark_without_a_reading_is_coded_by_its_words():
    starter = read_codes(Path("starter"))
    mark = Mark("a", "Hemoptysis", (Span(0, 10),), concept="cough")
    assert starter.name_of(mark) == "term:hemoptysis"


def test_a_users_codes_stand_beside_ours(tmp_path):
    codes = tmp_path / "codes.csv"
    codes.write_text(
        "concept,system,code,display\npleural-effusion,SNOMED,1234,Effusion\nreport,LOINC,5-1,Chest\n"
    )
    write([from_reading(readings()[0])], tmp_path / "a.json", codes=codes)
    text = (tmp_path / "a.json").read_text()
    assert '{"system":"http://snomed.info/sct","code":"1234","display":"Effusion"}' in text
    assert '{"system":"http://loinc.org","code":"5-1","display":"Chest"}' in text


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("system,code\na,b\n", "its columns may be concept"),
        ("concept,system,code\npneumonia,nowhere,7\n", "line 2: the system must be a URL or one of SNOMED"),
        ("concept,concept_id\npneumonia,x\n", "line 2: concept_id must be a whole number"),
        ("concept,concept_id\n,7\n", "line 2: the concept is missing"),
    ],
)
def test_a_bad_map_is_named_by_line(tmp_path, content, told):
    (tmp_path / "codes.csv").write_text(content)
    with pytest.raises(BadInput, match=r"codes\.csv") as caught:
        write([], tmp_path / "a.json", codes=tmp_path / "codes.csv")
    assert told in str(caught.value)


def report(id="a", text="FINDINGS: Clear lungs.", kind="text/plain", **more):
    form = {"contentType": kind, "data": base64.b64encode(text.encode()).decode()}
    return {
        "resourceType": "DiagnosticReport",
        "id": id,
        "status": "final",
        "code": {"text": "x"},
        "presentedForm": [form],
        **more,
    }


def bundle(path, *resources):
    path.write_text(
        json.dumps(
            {"resourceType": "Bundle", "type": "searchset", "entry": [{"resource": r} for r in resources]}
        )
    )
    return path


def test_reports_of_a_hospital_have_patient_study_and_days(tmp_path):
    dated = {"subject": {"reference": "Patient/7"}, "imagingStudy": [{"reference": "ImagingStudy/s1"}]}
    path = bundle(
        tmp_path / "b.json",
        {"resourceType": "Patient", "id": "7"},
        report("late", effectiveDateTime="2024-06-02T08:00:00+02:00", **dated),
        report("first", effectiveDateTime="2024-05-31", **dated),
        report("vague", effectiveDateTime="2024", **dated),
    )
    late, first, vague = load(path)
    assert (late.patient, late.study, first.day, vague.day) == ("7", "s1", 0.0, None)
    assert late.day == pytest.approx(2.25)
    assert late.text == "FINDINGS: Clear lungs."


def test_a_bulk_export_is_a_folder_of_ndjson(tmp_path):
    lines = [
        report("a", "Clear."),
        report("b", "<p>No effusion.</p><p>Clear.</p>", "text/html; charset=utf-8"),
    ]
    (tmp_path / "DiagnosticReport.ndjson").write_text("".join(json.dumps(one) + "\n" for one in lines))
    (tmp_path / "Patient.ndjson").write_text('{"resourceType": "Patient", "id": "p"}\n')
    assert [r.text for r in load(tmp_path)] == ["Clear.", "No effusion.\nClear."]


def test_text_may_be_in_a_binary_the_narrative_or_the_conclusion(tmp_path):
    outside = report("a") | {"presentedForm": [{"contentType": "text/plain", "url": "Binary/t"}]}
    binary = {
        "resourceType": "Binary",
        "id": "t",
        "contentType": "text/plain",
        "data": base64.b64encode(b"Clear.").decode(),
    }
    told = {k: v for k, v in report("b").items() if k != "presentedForm"}
    path = bundle(
        tmp_path / "b.json", outside, binary,
        told | {"text": {"status": "generated", "div": "<div>Normal <b>heart</b>.</div>"}},
        told | {"id": "c", "conclusion": "Pneumonia."},
    )  # fmt: skip
    assert [r.text for r in load(path)] == ["Clear.", "Normal heart.", "IMPRESSION: Pneumonia."]


def test_reports_of_the_laboratory_and_void_ones_are_left_out_and_counted(tmp_path):
    lab = report("l", category=[{"coding": [{"code": "LAB"}]}])
    path = bundle(tmp_path / "b.json", lab, report("v", status="entered-in-error"), report("a"))
    source = load(path)
    assert [r.id for r in source] == ["a"]
    assert "2 reports void or not of imaging left out" in source.table.describe()


@pytest.mark.parametrize(
    ("resource", "told"),
    [
        (report(kind="application/rtf"), "entry 1 (DiagnosticReport/a): its presentedForm is application/rtf, which"),
        (report(kind="application/pdf"), "its presentedForm is application/pdf, which is not read"),
        (report() | {"presentedForm": [{"contentType": "text/plain", "url": "https://x/y"}]}, "nothing is fetched"),
        (report() | {"presentedForm": [{"contentType": "text/plain", "data": "%%%"}]}, "Form[0].data: not base64"),
        (report() | {"presentedForm": "x"}, "presentedForm: a list was expected here"),
        (report(kind="text/plain; charset=klingon"), "its text is not 'klingon'"),
        ({"resourceType": "DiagnosticReport", "id": "a"}, "it has no text"),
        (report() | {"id": None}, "it has neither id nor identifier"),
        ({"id": "a"}, "entry 1: not a FHIR resource"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named_with_its_place(tmp_path, resource, told):
    path = bundle(tmp_path / "b.json", resource)
    with pytest.raises(BadInput) as caught:
        list(load(path))
    assert str(caught.value).startswith(str(path))
    assert told in str(caught.value)


def test_a_file_without_imaging_says_so(tmp_path):
    path = bundle(tmp_path / "b.json", {"resourceType": "Patient", "id": "p"})
    with pytest.raises(BadInput, match="holds no DiagnosticReport of an imaging department"):
        load(path)


def test_a_broken_line_of_ndjson_is_named(tmp_path):
    path = tmp_path / "b.ndjson"
    path.write_text(json.dumps(report()) + '\n{"resourceType": "Patient"\n')
    with pytest.raises(BadInput, match=r"b\.ndjson, line 2: not the JSON expected here"):
        load(path)


def test_what_the_library_refuses_is_an_error_without_report_text(tmp_path):
    bad = from_reading(readings()[0], "2024-13-77")
    with pytest.raises(BadInput, match=r"DiagnosticReport .* refused at effectiveDateTime") as caught:
        write([bad], tmp_path / "a.json")
    assert "effusion" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


THEIRS = {
    "status": "final",
    "code": {"coding": [{"system": "http://loinc.org", "code": "36643-5"}]},
    "subject": {"reference": "Patient/7"},
    "effectiveDateTime": "2024-05-31",
    "result": [{"reference": "Observation/lab"}],
}


def test_a_hospitals_report_keeps_its_ids_codes_and_status(tmp_path):
    path = bundle(tmp_path / "b.json", report("a", "FINDINGS: Small left effusion. No mass.", **THEIRS))
    for out in ("out.fhir.json", "lines.jsonl", "again.fhir.json"):
        convert(path, tmp_path / out)
        path = tmp_path / out
    for out in ("out.fhir.json", "again.fhir.json"):
        resources = made(tmp_path / out)
        assert [one["resourceType"] for one in resources] == [
            "DiagnosticReport",
            "Observation",
            "Observation",
        ]
        assert {k: resources[0][k] for k in THEIRS if k != "result"} == {
            k: v for k, v in THEIRS.items() if k != "result"
        }
        assert resources[0]["id"] == "a"
        assert resources[0]["result"][0] == {"reference": "Observation/lab"}
        assert len(resources[0]["result"]) == 3
        assert resources[1]["subject"] == {"reference": "Patient/7"}
        assert resources[1]["effectiveDateTime"] == "2024-05-31"
        (back,) = loaded(tmp_path / out)
        assert [mark.entity for mark in back.marks] == ["effusion", "mass"]


def test_only_what_was_found_can_be_posted_beside_the_report(tmp_path):
    text = "INDICATION: Cough. FINDINGS: Small left effusion."
    path = bundle(tmp_path / "b.json", report("a", text, **THEIRS))
    convert(path, tmp_path / "out.ndjson", options={"keep_resources": True})
    written = made(tmp_path / "out.ndjson")
    assert {one["resourceType"] for one in written} == {"Observation"}
    url = "https://overread.invalid/fhir/StructureDefinition/finding-report"
    told = {"url": url, "valueReference": {"reference": "DiagnosticReport/a"}}
    assert all(told in one["extension"] for one in written)
    both = bundle(tmp_path / "both.json", *written, report("a", text, **THEIRS))
    (back,) = loaded(both)
    assert [mark.entity for mark in back.marks] == ["Cough", "effusion"]


def document(id="d", text="FINDINGS: Small left effusion.", **more):
    form = {"contentType": "text/plain", "data": base64.b64encode(text.encode()).decode()}
    return {
        "resourceType": "DocumentReference", "id": id, "status": "current",
        "type": {"coding": [{"system": "http://loinc.org", "code": "18748-4"}]},
        "subject": {"reference": "Patient/7"}, "date": "2024-05-31T10:00:00Z",
        "content": [{"attachment": form}], **more,
    }  # fmt: skip


def test_notes_kept_as_documents_are_read(tmp_path):
    note = {"coding": [{"code": "11506-3", "display": "Progress note"}]}
    repeated = document("r", context={"related": [{"reference": "DiagnosticReport/a"}]})
    path = bundle(tmp_path / "b.json", document(), document("p", type=note), repeated, report("a"))
    source = load(path)
    assert [(one.id, one.patient) for one in source] == [("d", "7"), ("a", None)]
    assert "2 reports void or not of imaging left out" in source.table.describe()
    convert(path, tmp_path / "out.fhir.json")
    first = made(tmp_path / "out.fhir.json")[1]
    assert first["derivedFrom"] == [{"reference": "DocumentReference/d"}]
    assert [mark.entity for mark in loaded(tmp_path / "out.fhir.json")[0].marks] == ["effusion"]


def test_the_media_type_of_us_cores_example_is_read(tmp_path):
    path = bundle(tmp_path / "b.json", report(text="<div>Clear.</div>", kind="application/xhtml"))
    assert [one.text for one in load(path)] == ["Clear."]


@pytest.mark.parametrize("name", ["b.json", "b.ndjson"])
def test_one_report_that_cannot_be_read_stops_nothing(tmp_path, name):
    some = [report("p", kind="application/pdf"), report("a"), report("r", kind="application/rtf")]
    path = tmp_path / name
    if name.endswith(".ndjson"):
        path.write_text("".join(json.dumps(one) + "\n" for one in some))
    else:
        bundle(path, *some)
    done = convert(path, tmp_path / "out.jsonl")
    assert done.reports == 1
    assert "2 left out" in done.told()
    assert "DiagnosticReport/p" in done.left_out[0]
    with pytest.raises(BadInput, match=r"DiagnosticReport/p.* \(--strict\)"):
        convert(path, tmp_path / "strict.jsonl", strict=True)
    assert not (tmp_path / "strict.jsonl").exists()
