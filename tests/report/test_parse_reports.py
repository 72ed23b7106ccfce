"""parse and from_sections: what they promise beyond the golden reports."""

import pytest

from overread.report import Span, from_sections, parse


def texts(report):
    return [s.span.of(report.text) for section in report.sections for s in section.sentences]


def test_a_hundred_kilobytes_survive():
    once = "FINDINGS: Tube 2.5 cm above it. No effusion\r\n\r\nIMPRESSION:\r\n1. Good position.\r\n\r\n"
    report = parse(once * 1_300, "long")
    assert len(report.text) > 100_000
    assert texts(report) == ["Tube 2.5 cm above it.", "No effusion", "Good position."] * 1_300
    assert [s.name for s in report.sections] == ["findings", "impression"] * 1_300


def test_patient_study_and_day_are_kept():
    report = parse("Normal.", "r1", patient="p1", study="s2", day=3.0)
    assert (report.id, report.patient, report.study, report.day) == ("r1", "p1", "s2", 3.0)


def test_heading_is_as_written():
    report = parse("**Clinical  History :** Cough")
    assert report.sections[0].heading.of(report.text) == "**Clinical  History :**"


def test_an_indication_alone_on_a_line_is_its_first_sentence():
    report = parse("Indication: fall from height. Fracture of the left wrist. No dislocation.")
    assert [(s.name, s.span.of(report.text)) for s in report.sections] == [
        ("indication", "fall from height"),
        ("findings", "Fracture of the left wrist. No dislocation."),
    ]


def test_an_unheaded_section_has_an_empty_heading():
    (section,) = parse("Clear lungs.").sections
    assert section.heading == Span(0, 0)


def test_section_finds_by_name():
    report = parse("HISTORY: Cough.\nFINDINGS: Clear.\nIMPRESSION: Normal.")
    assert [s.name for s in report.section("impression", "findings")] == ["findings", "impression"]


def test_columns_keep_their_text_letter_by_letter():
    report = from_sections(
        {"indication": " Cough\t", "findings": "Clear.\r\nNo effusion", "impression": ""}, "c"
    )
    assert report.text == "INDICATION:  Cough\t\n\nFINDINGS: Clear.\r\nNo effusion"
    assert texts(report) == ["Cough", "Clear.", "No effusion"]
    assert report.headed


def test_columns_are_not_parsed_for_headings_again():
    """A column says which section it is; words like IMPRESSION: within it stay text."""
    report = from_sections({"findings": "Clear lungs. IMPRESSION: normal."})
    assert [s.name for s in report.sections] == ["findings"]


def test_a_heading_brought_along_in_its_column_is_not_doubled():
    report = from_sections({"findings": "Findings: Clear.", "impression": "1. Normal."})
    assert report.text == "Findings: Clear.\n\nIMPRESSION: 1. Normal."
    assert texts(report) == ["Clear.", "Normal."]


def test_empty_columns_are_an_empty_report():
    report = from_sections({"findings": " ", "impression": ""}, "none")
    assert (report.text, report.sections) == ("", ())


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        ("COMPARISON: None. The lungs are clear.", "The lungs are clear."),
        ("Comparison: 8 August. Small left effusion.", "Small left effusion."),
        (
            "COMPARISON: Film of 2 March. No priors are available. Heart large. No edema.",
            "Heart large. No edema.",
        ),
    ],
)
def test_a_comparison_on_the_same_line_does_not_swallow_the_findings(text, findings):
    found = [s for s in parse(text, "x").sections if s.name == "findings"]
    assert [s.span.of(text) for s in found] == [findings]


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        (
            "Chest. Comparison: There is a 2 cm mass in the lingula. The heart is enlarged.",
            "There is a 2 cm mass in the lingula. The heart is enlarged.",
        ),
        ("Comparison: There are no prior studies. The heart is enlarged.", "The heart is enlarged."),
        ("Comparison: There is a CT of 8 August. The heart is enlarged.", "The heart is enlarged."),
        ("Comparison: None. There is a mass.", "There is a mass."),
    ],
)
def test_what_is_seen_is_no_earlier_study(text, findings):
    (found,) = parse(text).section("findings")
    assert found.span.of(text) == findings
