"""Reports without headings: what was done and why stands first, and is not taken for what is seen."""

import pytest

from overread.report import parse


def parts(text: str) -> list[tuple[str, str]]:
    report = parse(text)
    return [(s.name, s.span.of(report.text)) for s in report.sections]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "XR left wrist, 3 views\nFracture of the distal radius.",
            [("exam", "XR left wrist, 3 views"), ("findings", "Fracture of the distal radius.")],
        ),
        (
            "MRI right knee without contrast. 34 F, twisting injury.\nThe menisci are intact.",
            [
                ("exam", "MRI right knee without contrast."),
                ("indication", "34 F, twisting injury."),
                ("findings", "The menisci are intact."),
            ],
        ),
        (
            "CT abdomen with contrast\nAppendicitis?\nThe appendix is thickened.",
            [
                ("exam", "CT abdomen with contrast"),
                ("indication", "Appendicitis?"),
                ("findings", "The appendix is thickened."),
            ],
        ),
        (
            "Right wrist PA and lateral, boy aged 9, fell from a swing. No fracture.",
            [
                ("exam", "Right wrist PA and lateral,"),
                ("indication", "boy aged 9, fell from a swing."),
                ("findings", "No fracture."),
            ],
        ),
        (
            "Ultrasound, left breast. Simple cyst.",
            [("exam", "Ultrasound, left breast."), ("findings", "Simple cyst.")],
        ),
        (
            "RIGHT WRIST, TWO VIEWS. Old fracture.",
            [("exam", "RIGHT WRIST, TWO VIEWS."), ("findings", "Old fracture.")],
        ),
        (
            "Targeted ultrasound of the left breast. Simple cyst.",
            [("exam", "Targeted ultrasound of the left breast."), ("findings", "Simple cyst.")],
        ),
        (
            "Indication: colic, rule out stones.\nThe gallbladder is normal. No stones.",
            [
                ("indication", "colic, rule out stones."),
                ("findings", "The gallbladder is normal. No stones."),
            ],
        ),
        (
            "Clinical information: dyspnoea. PE?\nNo filling defect is seen.",
            [("indication", "dyspnoea. PE?"), ("findings", "No filling defect is seen.")],
        ),
        (
            "Comparison: none.\n- Liver: no lesion.\n- Spleen: normal.",
            [("comparison", "none."), ("findings", "- Liver: no lesion.\n- Spleen: normal.")],
        ),
    ],
)
def test_the_first_lines_of_a_report_without_headings(text, expected):
    assert parts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Enlarged heart on portable film. No effusion.",
        "Lateral meniscus tear. No effusion.",
        "Moderate MR. Left atrium is large.",
        "CT negative for embolus. No effusion.",
        "CT head: no bleeding. Sinuses clear.",
        "Duplex collecting system on the right. No stone.",
        "Perforation not excluded by this film. Bowel gas normal.",
    ],
)
def test_a_sentence_that_tells_something_is_no_title(text):
    assert parts(text) == [("findings", text)]


def test_an_indication_that_goes_on_about_the_patient_stays_one():
    text = "Indication: Cough for weeks.\nPatient is febrile.\nImpression: No pneumonia."
    assert parts(text)[0] == ("indication", "Cough for weeks.\nPatient is febrile.")
