"""What de-identification leaves behind is read alike, whoever left it, and stays in the text as it is."""

import pytest

from overread.reader import read
from overread.report import parse

MARKS = ("___", "____", "[**Name**]", "[**2118-1-2**]", "<NAME>", "<DATE>", "[**Hospital 1 (ED)**]")
SENTENCES = (
    "Unchanged since {}. Nodule larger than on prior {} study.",
    "Left chest {} with its tip in the SVC.",
    "Opacity {} atelectasis.",
    "{} represents scarring or atelectasis in the left base.",
    "Compared to {}, the effusion has decreased.",
    "The heart, pulmonary {} and mediastinum are normal.",
    "Dr. {} was notified of the pneumothorax.",
    "Small left effusion, {}.",
    "Sternotomy {} are intact.",
    "Old {} fracture.",
    "Most {} represents pneumonia.",
    "FINDINGS: Mr. {} has a right nodule. {} No effusion.",
)


def said(sentence, mark):
    """What is read, the mark written as one."""
    reading = read(parse(sentence.replace("{}", mark), "a"))
    assert all(f.span.of(reading.report.text) for f in reading.findings)
    findings = [
        (f.entity.replace(mark, "?"), f.status, f.certainty, f.concept, f.associate, f.evidence)
        for f in reading.findings
    ]
    attributes = [
        (f.id, a.relation, a.text.replace(mark, "?")) for f in reading.findings for a in f.attributes
    ]
    return findings, attributes, len(reading.outline)


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_marks_are_read_alike(sentence, mark):
    assert said(sentence, mark) == said(sentence, "XXXX")


def test_the_text_stays_as_it_is():
    report = parse("Mr. [**Name 7**] has a nodule.", "a")
    assert read(report).report.text == "Mr. [**Name 7**] has a nodule."


def test_less_than_is_no_mark():
    (finding,) = read(parse("Nodule <5 mm in the left lobe.", "a")).findings
    assert finding.concept == "nodule"
    assert any("5 mm" in a.text for a in finding.values("measurement"))
