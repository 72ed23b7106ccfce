"""Structured reports as text: headings, sentences, codes and measurements, and nothing private."""

import subprocess
from shutil import which

import pytest
from msgspec.structs import replace

from overread.errors import BadInput
from overread.formats import load
from overread.formats.annotated import assertion, is_asked
from overread.formats.codes import Codes
from overread.formats.dicom import write
from overread.formats.dicom.writer import group as measured
from overread.formats.marking import from_reading
from overread.reader import read
from overread.report import parse
from overread.sources.encoding import LeftOut

pytest.importorskip("pydicom", reason="needs overread[dicom]")
from pydicom import dcmread
from pydicom.data import get_testdata_file
from pydicom.dataset import Dataset
from tests.formats import sr


def test_headings_and_sentences_make_a_report(tmp_path):
    (report,) = load(sr.saved(tmp_path / "a.dcm", sr.sample()))
    assert report.text == (
        "FINDINGS:\nSmall left pleural effusion.\nNo pneumothorax.\nIMPRESSION:\nLeft effusion."
    )
    assert [section.name for section in report.sections] == ["findings", "impression"]
    assert (report.patient, report.study) == ("p1", "1.2.3")


def test_codes_and_measurements_are_said_in_words(tmp_path):
    nodule = sr.item("CODE", "Finding", ConceptCodeSequence=[sr.code("Nodule")])
    nodule.ContentSequence = [sr.measured("Diameter", "8", "mm")]
    one = sr.document(sr.container("Findings", nodule), sop_class=sr.ENHANCED)
    (report,) = load(sr.saved(tmp_path / "a.dcm", one))
    assert report.text == "FINDINGS:\nFinding: Nodule.\nDiameter: 8 mm."


def test_nothing_private_and_nothing_about_the_observer(tmp_path):
    (report,) = load(sr.saved(tmp_path / "a.dcm", sr.sample(sop_class=sr.COMPREHENSIVE)))
    assert "private" not in report.text
    assert "Invented" not in report.text


def test_a_folder_has_days(tmp_path):
    sr.saved(tmp_path / "b.dcm", sr.sample(day="20240602"))
    sr.saved(tmp_path / "a.dcm", sr.sample(day="20240531"))
    assert [report.day for report in load(tmp_path)] == [0.0, 2.0]


def test_a_file_without_suffix_is_known_by_its_mark(tmp_path):
    (report,) = load(sr.saved(tmp_path / "IM0001", sr.sample()))
    assert report.text.startswith("FINDINGS")


def refused(path):
    with pytest.raises(BadInput) as caught:
        list(load(path))
    assert str(caught.value).startswith(str(path))
    return str(caught.value)


def test_an_image_is_no_report(tmp_path):
    one = sr.sample(sop_class="1.2.840.10008.5.1.4.1.1.1.1")
    assert "not a structured report (1.2.840.10008.5.1.4.1.1.1.1)" in refused(
        sr.saved(tmp_path / "a.dcm", one)
    )


def test_a_file_that_is_no_dicom(tmp_path):
    (tmp_path / "a.dcm").write_bytes(b"hello")
    assert "byte 128: not a DICOM file" in refused(tmp_path / "a.dcm")


def test_a_document_without_text(tmp_path):
    assert "the content tree holds no text" in refused(sr.saved(tmp_path / "a.dcm", sr.document()))


def test_an_item_without_type_is_named_by_its_place(tmp_path):
    broken = sr.text("Clear.")
    del broken.ValueType
    one = sr.document(sr.container("Findings", broken))
    assert "content item 2.1: it has no value type" in refused(sr.saved(tmp_path / "a.dcm", one))


def coded(name, meaning, relation="CONTAINS", value="1", *inside):
    one = sr.item("CODE", name, relation, ConceptCodeSequence=[sr.code(meaning)])
    one.ConceptNameCodeSequence[0].CodeValue = value
    if inside:
        one.ContentSequence = list(inside)
    return one


def group(*items):
    one = sr.container("Measurement Group", *items)
    one.ConceptNameCodeSequence[0].CodeValue = "125007"
    return one


def nodule(*more):
    side = coded("Laterality", "Left", "HAS CONCEPT MOD", "272741003")
    site = coded("Finding Site", "Lung", "HAS CONCEPT MOD", "363698007", side)
    tracking = sr.item("TEXT", "Tracking Identifier", "HAS OBS CONTEXT", TextValue="n1")
    return group(tracking, coded("Finding", "Nodule", "CONTAINS", "121071"), site, *more)


def test_a_measurement_group_is_one_sentence(tmp_path):
    """As highdicom writes TID 1500: site and side are concept modifiers."""
    one = nodule(sr.measured("Diameter", "8", "mm"), coded("Severity", "Mild"))
    denied = nodule(coded("Presence", "Absent"))
    measurements = sr.container("Imaging Measurements", one, denied)
    measurements.ConceptNameCodeSequence[0].CodeValue = "126010"
    (report,) = load(sr.saved(tmp_path / "a.dcm", sr.document(measurements, sop_class=sr.COMPREHENSIVE)))
    assert report.text == "Nodule, left lung, diameter 8 mm, mild.\nNo nodule, left lung."


def test_an_item_by_reference_is_passed_over(tmp_path):
    pointer = Dataset()
    pointer.RelationshipType, pointer.ReferencedContentItemIdentifier = "INFERRED FROM", [1, 2]
    finding = sr.text("Left effusion.")
    finding.ContentSequence = [pointer]
    one = sr.document(sr.container("Findings", finding), sop_class=sr.COMPREHENSIVE)
    (report,) = load(sr.saved(tmp_path / "a.dcm", one))
    assert report.text == "FINDINGS:\nLeft effusion."


def test_a_running_text_stays_one(tmp_path):
    findings = sr.container(
        "Findings", sr.text("A mass of"), sr.measured("Diameter", "3", "cm"), sr.text("was seen.")
    )
    findings.ContinuityOfContent = "CONTINUOUS"
    (report,) = load(sr.saved(tmp_path / "a.dcm", sr.document(findings)))
    assert report.text == "FINDINGS:\nA mass of 3 cm was seen."


def test_one_damaged_file_of_a_folder_stops_nothing(tmp_path):
    sr.saved(tmp_path / "a.dcm", sr.sample())
    (tmp_path / "b.dcm").write_bytes(b"hello")
    with pytest.warns(LeftOut, match=r"b\.dcm, byte 128"):
        assert len(list(load(tmp_path))) == 1


WRITTEN = (
    "INDICATION: Rule out pneumonia.\nFINDINGS: 8 mm nodule in the left upper lobe. Possible pneumonia at the right "
    "base. No pneumothorax. 2.3 x 1.4 cm mass in the right lower lobe. The lungs are clear.\nIMPRESSION: Left effusion."
)


@pytest.fixture
def written(tmp_path):
    report = from_reading(read(parse(WRITTEN, "r1", patient="p1", study="1.2.3.4")), "2024-05-31T10:20:30")
    write([report], tmp_path / "a.dcm")
    return report, tmp_path / "a.dcm"


def meaning(item, field="ConceptNameCodeSequence"):
    return getattr(item, field)[0].CodeMeaning


def groups_of(path):
    (found,) = [one for one in dcmread(path).ContentSequence if meaning(one) == "Imaging Measurements"]
    return found.ContentSequence


def told(group, name):
    return [
        meaning(one, "ConceptCodeSequence").lower() for one in group.ContentSequence if meaning(one) == name
    ]


def test_findings_are_written_as_they_are_meant(written):
    report, path = written
    results = [mark for mark in report.marks if not is_asked(mark)]
    assert len(results) == len(report.marks) - 1
    groups = groups_of(path)
    assert [told(group, "assertion") for group in groups] == [[assertion(mark)] for mark in results]
    nodule = groups[0]
    (site,) = [one for one in nodule.ContentSequence if meaning(one) == "Finding Site"]
    assert (
        meaning(site, "ConceptCodeSequence"),
        meaning(site.ContentSequence[0], "ConceptCodeSequence"),
    ) == (
        "upper lobe",
        "Left",
    )
    sizes = {
        meaning(one): one.MeasuredValueSequence[0]
        for g in groups
        for one in g.ContentSequence
        if one.ValueType == "NUM"
    }
    assert {name: float(one.NumericValue) for name, one in sizes.items()} == {
        "Diameter": 8.0, "Long axis": 2.3, "Short axis": 1.4,
    }  # fmt: skip
    assert sizes["Long axis"].MeasurementUnitsCodeSequence[0].CodeValue == "cm"


def test_what_is_written_is_read_as_the_same_text(written):
    report, path = written
    (back,) = load(path)
    assert back.text == WRITTEN.replace(": ", ":\n").replace("INDICATION", "HISTORY").replace(
        "ON:\nL", "ONS:\nL"
    )
    assert (back.patient, back.study) == ("p1", "1.2.3.4")
    assert [m.entity for m in from_reading(read(back)).marks] == [m.entity for m in report.marks]


def test_writing_twice_gives_the_same_bytes_and_a_folder_holds_many(written, tmp_path):
    report, path = written
    write([report, replace(report, id="r2")], tmp_path / "many.sr")
    assert (tmp_path / "many.sr" / "000001.dcm").read_bytes() == path.read_bytes()
    assert len(list(load(tmp_path / "many.sr"))) == 2
    with pytest.raises(BadInput, match="holds one report; name a folder"):
        write([report, report], tmp_path / "b.dcm")


def test_a_users_codes_are_used(written, tmp_path):
    report, _ = written
    (tmp_path / "codes.csv").write_text("concept,system,code,display\npneumonia,SNOMED,233604007,Pneumonia\n")
    write([report], tmp_path / "b.dcm", codes=tmp_path / "codes.csv")
    found = [
        one.ConceptCodeSequence[0]
        for g in groups_of(tmp_path / "b.dcm")
        for one in g.ContentSequence
        if meaning(one) == "Finding"
    ]
    assert ("233604007", "SCT") in {
        (one.CodeValue, one.CodingSchemeDesignator) for one in found if "CodeValue" in one
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [("There is hemoptysis.", "Hemoptysis"), ("Dry cough.", "Cough"), ("Known leukemia.", "Leukemia")],
)
def test_a_narrower_wording_is_not_written_as_its_concept(text, said):
    report = from_reading(read(parse(text)))
    found = measured(report, report.marks[0], Codes()).ContentSequence
    [what] = [one for one in found if one.ConceptNameCodeSequence[0].CodeMeaning == "Finding"]
    assert what.ConceptCodeSequence[0].CodeMeaning == said


def test_highdicom_reads_what_is_written(written):
    highdicom = pytest.importorskip("highdicom", reason="highdicom is not installed")
    report, path = written
    groups = highdicom.sr.srread(path).content.get_image_measurement_groups()
    assert [one.tracking_identifier for one in groups] == [m.id for m in report.marks if not is_asked(m)]


@pytest.mark.skipif(which("dciodvfy") is None, reason="dicom3tools is not installed")
def test_dicom3tools_has_no_complaint(written):
    done = subprocess.run(["dciodvfy", str(written[1])], capture_output=True, text=True)
    assert "Error" not in done.stdout + done.stderr


@pytest.mark.skipif(which("dsrdump") is None, reason="DCMTK is not installed")
def test_dcmtk_reads_what_is_written(written):
    assert subprocess.run(["dsrdump", str(written[1])], capture_output=True).returncode == 0


def test_dcmtks_own_document_is_read():
    found = get_testdata_file("test-SR.dcm", download=False)
    if found is None:
        pytest.skip("this pydicom comes without its test files")
    (report,) = load(found)
    assert "A mass of 3 cm was detected." in report.text
