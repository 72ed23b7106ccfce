"""Structured reports as text: headings, sentences, codes and measurements, and nothing private."""

import pytest

from overread.errors import BadInput
from overread.sources import load

pytest.importorskip("pydicom", reason="needs overread[dicom]")
from tests.exports import sr


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
