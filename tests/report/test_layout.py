"""Lists, tables and questions: their marks become colons, and lines without full stops are sentences."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.report.layout import as_seen
from overread.systems.radsem.by_rules import view


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Heart - enlarged\nLungs - clear", "Heart : enlarged\nLungs : clear"),
        ("The heart - it is enlarged - fails.", "The heart - it is enlarged - fails."),
        ("• Left kidney – no stone\n• Cyst", "• Left kidney : no stone\n• Cyst"),
        ("Nodes | not enlarged", "Nodes : not enlarged"),
        ("Ascites ..... none", "Ascites :     none"),
        ("Edema? No.", "Edema: No."),
        ("LIVER\nShrunken\nSPLEEN\nLarge", "LIVER:Shrunken\nSPLEEN:Large"),
        ("Edema? Marked.\nCyst? A small one.", "Edema: Marked.\nCyst: A small one."),
        ("A cyst of 5 - 6 mm", "A cyst of 5 - 6 mm"),
        ("Is it a cyst? Ultrasound may help.", "Is it a cyst? Ultrasound may help."),
        (
            "The cyst in the left kidney has grown - slightly",
            "The cyst in the left kidney has grown - slightly",
        ),
    ],
)
def test_marks_behind_a_label_are_colons(text, seen):
    assert as_seen(text) == seen
    assert len(as_seen(text)) == len(text)


def test_lines_without_full_stops_are_sentences():
    report = parse(
        "FINDINGS:\nsmall cyst in the left kidney and a scar at its lower pole\ntwo stones\nno ascites"
    )
    lines = [s.span.of(report.text) for section in report.sections for s in section.sentences]
    assert lines == ["small cyst in the left kidney and a scar at its lower pole", "two stones", "no ascites"]


def test_words_quoted_are_those_of_the_report():
    text = "FINDINGS:\nHeart - mildly enlarged\nEffusion - small, left"
    heart, effusion = read(parse(text)).findings
    assert (heart.entity, heart.status) == ("Heart", "positive")
    assert [text[a.span.start : a.span.end] for a in effusion.attributes] == ["left", "small"]


@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        ("Ascites: ( ) yes (x) no", {"Ascites": "negative"}),
        ("Ascites: [x] yes [ ] no", {"Ascites": "positive"}),
        ("[x] Cardiomegaly  [ ] Ascites", {"Cardiomegaly": "positive", "Ascites": "negative"}),
        ("[ ] Ascites\n[x] Cardiomegaly", {"Cardiomegaly": "positive", "Ascites": "negative"}),
    ],
)
def test_boxes_say_what_is_there(text, statuses):
    assert {f.entity: f.status for f in read(parse(text)).findings} == statuses


@pytest.mark.parametrize("text", ["Abscess: possible.", "Abscess? Possibly.", "Abscess: suspected"])
def test_an_answer_may_be_in_doubt(text):
    (found,) = read(parse(text)).findings
    assert (found.status, found.certainty) == ("positive", "tentative")


def test_a_side_on_a_line_of_its_own_is_that_of_the_lines_below():
    text = "Right leg\n  Calf: thrombus.\n  Thigh: no edema.\nLeft leg\n  Calf: no thrombus.\n\nNo effusion of the hip."
    found = [(f.entity, f.status, [a.text for a in f.values("location")]) for f in read(parse(text)).findings]
    assert found == [
        ("thrombus", "positive", ["Right leg", "Calf"]),
        ("edema", "negative", ["Right leg", "Thigh"]),
        ("thrombus", "negative", ["Left leg", "Calf"]),
        ("effusion", "negative", ["hip"]),
    ]
    said = [atom.text for atom in view(read(parse(text))).atoms]
    assert said[:3] == [
        "Right calf has a thrombus.",
        "Right thigh has no edema.",
        "Left calf has no thrombus.",
    ]


def test_a_heading_with_a_colon_reaches_over_its_lines():
    (mass, cyst, other) = read(
        parse("RIGHT BREAST:\nNo mass. A cyst is seen.\nLEFT BREAST:\nNo mass.")
    ).findings
    assert [[a.text for a in f.values("location")] for f in (mass, cyst, other)] == [
        ["RIGHT BREAST"],
        ["RIGHT BREAST"],
        ["LEFT BREAST"],
    ]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (
            "| Spleen | large |\n|---|---|\n| Ascites | none |",
            "  Spleen : large  \n         \n  Ascites : none  ",
        ),
        ("Cyst -> 8 mm\n   1.1 steatosis - mild", "Cyst :  8 mm\n   1.1 steatosis : mild"),
        ("Spleen      large      unchanged\nCyst    none", "Spleen:     large,     unchanged\nCyst:   none"),
        ("No mass   in the spleen.", "No mass   in the spleen."),
        ("Ascites: -\nCyst: +\nStone: N", "Ascites:no\nCyst:  \nStone:no"),
        ("cyst: 8 mm - unchanged", "cyst: 8 mm , unchanged"),
        ("FINDINGS:  The liver is small.   No ascites.", "FINDINGS:  The liver is small.   No ascites."),
    ],
)
def test_rows_of_tables_are_labels_with_what_is_said_of_them(text, seen):
    assert as_seen(text) == seen


@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        ("Neg for: stone, joint effusion.", {"stone": "negative", "joint effusion": "negative"}),
        ("Excluded: mass; infarct; cyst", dict.fromkeys(("mass", "infarct", "cyst"), "negative")),
        ("None of the following: mass, cyst", dict.fromkeys(("mass", "cyst"), "negative")),
        ("Absent: mass; a cyst is seen", {"mass": "negative", "cyst": "positive"}),
        ("In addition: absence of a stone; small cyst", {"stone": "negative", "cyst": "positive"}),
    ],
)
def test_a_list_of_what_is_not_there(text, statuses):
    assert {f.entity: f.status for f in read(parse(text)).findings} == statuses
    denied = {name for name, status in statuses.items() if status == "negative"}
    said = [atom for atom in view(read(parse(text))).atoms if atom.normality == "normal"]
    assert all(any(name.split()[-1] in atom.text for atom in said) for name in denied)
