"""The linter finds each fault that is planted, and lets clean reports pass."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.srrg.bullets.identifiers import identifiers, without_identifiers
from overread.systems.srrg.by_rules import view
from overread.systems.srrg.lint import lint
from overread.systems.srrg.template import show

ORIGINAL = (
    "FINDINGS: Since the prior study a small left pleural effusion has increased. No pneumothorax. "
    "Stable cardiomegaly. The lungs are otherwise clear.\n\n"
    "IMPRESSION: 1. Small left pleural effusion. 2. Cardiomegaly."
)
CLEAN = """\
Exam Type: Chest radiograph

History: 70-year-old woman with cough.

Findings:

Lungs and Airways:
- Lungs otherwise clear

Pleura:
- Small left pleural effusion
- No pneumothorax

Cardiovascular:
- Cardiomegaly

Impression:
1. Small left pleural effusion
2. Cardiomegaly
"""


def rules(structured: str, original: str | None = ORIGINAL) -> list[str]:
    return [fault.rule for fault in lint(structured, original)]


def test_a_clean_report_passes_with_and_without_its_original():
    assert lint(CLEAN, ORIGINAL) == []
    assert lint(CLEAN) == []


@pytest.mark.parametrize(
    ("old", "new", "rule", "line", "words"),
    [
        ("Cardiovascular:", "Heart:", "unknown-header", 14, "Heart:"),
        ("- No pneumothorax", "- Small pneumothorax", "added", 12, "pneumothorax"),
        ("- Small left", "- Small right", "added", 11, "pleural effusion"),
        ("- Cardiomegaly", "- Stable cardiomegaly", "comparison", 15, "Stable"),
        ("- Cardiomegaly", "- New cardiomegaly", "comparison", 15, "New"),
        ("- Cardiomegaly", "- Cardiomegaly compared to the prior study", "comparison", 15, "compared to"),
        ("effusion\n- No", "effusion on 3/14/2016\n- No", "identifier", 11, "3/14/2016"),
        ("- No pneumothorax", "- No pneumothorax per Dr. Elm", "identifier", 12, "Dr. Elm"),
        ("1. Small", "3. Small", "misnumbered", 18, "Small left pleural effusion"),
        ("2. Card", "1. Card", "misnumbered", 19, "Cardiomegaly"),
        ("2. Card", "- Card", "missing-number", 19, "- Cardiomegaly"),
        ("- No pneu", "No pneu", "missing-bullet", 12, "No pneumothorax"),
        ("Pleura:\n", "Pleura: Dry pleura\n", "misplaced-line", 10, "Pleura: Dry pleura"),
    ],
)
def test_a_planted_fault_is_found_where_it_is(old, new, rule, line, words):
    spoiled = CLEAN.replace(old, new, 1)
    assert spoiled != CLEAN
    found = [fault for fault in lint(spoiled, ORIGINAL) if fault.rule == rule]
    assert [(fault.line, fault.span.of(spoiled)) for fault in found] == [(line, words)]


def test_a_lost_positive_points_at_the_original():
    spoiled = CLEAN.replace("Cardiovascular:\n- Cardiomegaly\n\n", "").replace("2. Cardiomegaly\n", "")
    (fault,) = lint(spoiled, ORIGINAL)
    assert (fault.rule, fault.line) == ("lost", 0)
    assert fault.span.of(ORIGINAL) == "cardiomegaly"


def test_a_flipped_statement_is_both_added_and_lost():
    spoiled = CLEAN.replace("- Cardiomegaly", "- No cardiomegaly").replace("2. Cardiomegaly\n", "")
    assert rules(spoiled) == ["added", "lost"]


def test_an_absence_may_be_left_out():
    assert rules(CLEAN.replace("- No pneumothorax\n", "")) == []


def test_a_header_without_lines_and_a_header_twice():
    assert rules(CLEAN.replace("- Cardiomegaly\n", "")) == ["empty-header"]
    twice = CLEAN.replace("Impression:", "Pleura:\n- No pneumothorax\n\nImpression:")
    assert rules(twice) == ["repeated-header"]


def test_history_is_no_comparison():
    told = CLEAN.replace("- Lungs otherwise clear", "- Lungs otherwise clear\n- Prior granulomatous disease")
    assert rules(told, None) == []


def test_messages_never_quote_the_report():
    spoiled = CLEAN.replace("- No pneumothorax", "- Seen by Dr. Elm, new pneumothorax")
    for fault in lint(spoiled, ORIGINAL):
        assert "Elm" not in fault.message
        assert "pneumothorax" not in fault.message


REPORTS = [
    "FINDINGS: Both lungs are clear. The heart is of normal size. No pneumothorax or effusion.\nIMPRESSION: Normal.",
    "FINDINGS: Right PICC tip in the SVC. Increased left basilar opacity, likely atelectasis. Mild scoliosis.\n"
    "IMPRESSION: 1. Left basilar atelectasis. 2. Right PICC in good position.",
    "FINDINGS: Old right rib fractures. Unchanged tortuous aorta. The previously seen effusion has resolved.\n"
    "IMPRESSION: No acute disease. Recommend follow up as needed.",
]


@pytest.mark.parametrize("report", REPORTS)
def test_what_the_rules_write_passes(report):
    told = view(read(parse(report, "invented")))
    assert lint(show(told.structured), report) == []


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Compared to 2014-05-06.", ["date"]),
        ("Since June 2012 and on 5 May 2013.", ["date", "date"]),
        ("Read at 14:35, called at 3 pm.", ["time", "time"]),
        ("By Anna Birch, MD.", ["name"]),
        ("Mrs. Rowan was told.", ["name"]),
        ("From Willow Creek Hospital.", ["institution"]),
        ("Medtronic device.", ["vendor"]),
        ("MRN 1234567, phone 555-123-4567.", ["number", "number"]),
        ("A 53-year-old woman, T7-8 level, 4-5 mm, ratio 3/4, 2.5 x 3.1 cm.", []),
        ("May represent atelectasis. March fracture.", []),
    ],
)
def test_identifiers_are_told_from_measures(text, kinds):
    assert [one.kind for one in identifiers(text)] == kinds


def test_cutting_identifiers_out_leaves_a_sentence():
    assert (
        without_identifiers("Discussed with Dr. Fern at 3:15 pm, small effusion.")
        == "Discussed, small effusion."
    )
