"""Structured reports as models really write them: nothing is thrown away."""

import pytest

from overread.systems.srrg.template import Remark, parse

LUNGS, PLEURA, HEART = "Lungs and Airways", "Pleura", "Cardiovascular"
DEVICES = "Tubes, Catheters, and Support Devices"

MESSY = {
    "upper case": (
        "FINDINGS:\nPLEURA:\n- No effusion\nIMPRESSION:\n1. Normal",
        {PLEURA: ["No effusion"]},
        ["Normal"],
    ),
    "no blank lines": (
        "Findings:\nPleura:\n- Dry\nCardiovascular:\n- Large heart\nImpression:\n1. Large heart",
        {PLEURA: ["Dry"], HEART: ["Large heart"]},
        ["Large heart"],
    ),
    "round bullets": ("Findings:\nPleura:\n• Dry\n• No air", {PLEURA: ["Dry", "No air"]}, []),
    "stars": ("Findings:\nPleura:\n* Dry\n* No air", {PLEURA: ["Dry", "No air"]}, []),
    "long dashes": ("Findings:\nPleura:\n– Dry\n— No air", {PLEURA: ["Dry", "No air"]}, []),
    "dash without a space": ("Findings:\nPleura:\n-Dry\n-No air", {PLEURA: ["Dry", "No air"]}, []),
    "indented bullets": ("Findings:\n  Pleura:\n    - Dry\n    - No air", {PLEURA: ["Dry", "No air"]}, []),
    "brackets after numbers": ("Impression:\n1) Edema\n2) Effusion", {}, ["Edema", "Effusion"]),
    "numbers in brackets": ("Impression:\n(1) Edema\n(2) Effusion", {}, ["Edema", "Effusion"]),
    "colons after numbers": ("Impression:\n1: Edema\n2: Effusion", {}, ["Edema", "Effusion"]),
    "bulleted impression": ("Impression:\n- Edema\n- Effusion", {}, ["Edema", "Effusion"]),
    "plain impression": ("Impression: Edema and effusion.", {}, ["Edema and effusion."]),
    "plain impression below": ("Impression:\nEdema.\nEffusion.", {}, ["Edema.", "Effusion."]),
    "numbered findings": ("Findings:\nPleura:\n1. Dry\n2. No air", {PLEURA: ["Dry", "No air"]}, []),
    "bold headings": (
        "**Findings:**\n**Pleura:**\n- Dry\n**Impression:**\n1. Dry",
        {PLEURA: ["Dry"]},
        ["Dry"],
    ),
    "bold names, plain colons": ("**Findings**:\n**Pleura**:\n- Dry", {PLEURA: ["Dry"]}, []),
    "hashed headings": ("## Findings:\n### Pleura:\n- Dry", {PLEURA: ["Dry"]}, []),
    "no colons": ("Findings\nPleura\n- Dry\nImpression\n1. Dry", {PLEURA: ["Dry"]}, ["Dry"]),
    "ampersand": ("Findings:\nLungs & Airways:\n- Clear", {LUNGS: ["Clear"]}, []),
    "missing comma": ("Findings:\nTubes, Catheters and Support Devices:\n- None", {DEVICES: ["None"]}, []),
    "no findings heading": ("Pleura:\n- Dry\nImpression:\n1. Dry", {PLEURA: ["Dry"]}, ["Dry"]),
    "all on one line": (
        "Findings: Lungs and Airways: - Clear - Well expanded Pleura: - Dry Impression: 1. Clear 2. Dry",
        {LUNGS: ["Clear", "Well expanded"], PLEURA: ["Dry"]},
        ["Clear", "Dry"],
    ),
    "one line per section": (
        "Findings: Lungs and Airways: - Clear. Pleura: - Dry.\nImpression: 1. Clear. 2. Dry.",
        {LUNGS: ["Clear."], PLEURA: ["Dry."]},
        ["Clear.", "Dry."],
    ),
    "text on the line of its header": (
        "Findings:\nPleura: No effusion.\nCardiovascular: Large heart.",
        {PLEURA: ["No effusion."], HEART: ["Large heart."]},
        [],
    ),
    "wrapped bullet": (
        "Findings:\nPleura:\n- Moderate effusion\n  on the left\n- No air",
        {PLEURA: ["Moderate effusion on the left", "No air"]},
        [],
    ),
    "wrapped item": (
        "Impression:\n1. Moderate effusion\non the left\n2. Edema",
        {},
        ["Moderate effusion on the left", "Edema"],
    ),
    "line without a bullet": (
        "Findings:\nPleura:\nNo effusion\n- No air",
        {PLEURA: ["No effusion", "No air"]},
        [],
    ),
    "line before any header": (
        "Findings:\nRotated film.\nPleura:\n- Dry",
        {"Other": ["Rotated film."], PLEURA: ["Dry"]},
        [],
    ),
    "unknown header": (
        "Findings:\nHeart:\n- Large\nPleura:\n- Dry",
        {"Heart": ["Large"], PLEURA: ["Dry"]},
        [],
    ),
    "header twice": (
        "Findings:\nPleura:\n- Dry\nCardiovascular:\n- Large\nPleura:\n- No air",
        {PLEURA: ["Dry", "No air"], HEART: ["Large"]},
        [],
    ),
    "empty header": ("Findings:\nPleura:\nCardiovascular:\n- Large", {PLEURA: [], HEART: ["Large"]}, []),
    "windows line ends": (
        "Findings:\r\nPleura:\r\n- Dry\r\n\r\nImpression:\r\n1. Dry\r\n",
        {PLEURA: ["Dry"]},
        ["Dry"],
    ),
    "impression first": ("Impression:\n1. Dry\nFindings:\nPleura:\n- Dry", {PLEURA: ["Dry"]}, ["Dry"]),
    "misnumbered": ("Impression:\n1. Edema\n1. Effusion\n5. Nodule", {}, ["Edema", "Effusion", "Nodule"]),
    "a measure at the start": ("Impression:\n1. Nodule\n2. 3.5 cm mass", {}, ["Nodule", "3.5 cm mass"]),
    "a colon inside a bullet": (
        "Findings:\nPleura:\n- Left: dry\n- Right: wet",
        {PLEURA: ["Left: dry", "Right: wet"]},
        [],
    ),
}


@pytest.mark.parametrize("name", MESSY)
def test_messy_output_is_understood(name):
    text, findings, impression = MESSY[name]
    report = parse(text).report
    assert report.findings == findings
    assert report.impression == impression


def test_there_are_enough_of_them():
    assert len(MESSY) >= 30


@pytest.mark.parametrize("name", MESSY)
def test_no_word_of_a_line_is_lost(name):
    text, findings, impression = MESSY[name]
    found = parse(text)
    told = " ".join([*(line.text for line in found.lines)]).split()
    expected = " ".join([*(t for lines in findings.values() for t in lines), *impression]).split()
    assert sorted(told) == sorted(expected)


def test_talk_before_the_report_is_kept_and_remarked_on():
    found = parse("Sure! Here is the report.\n\nFindings:\nPleura:\n- Dry")
    assert [(line.section, line.text) for line in found.lines] == [
        ("before", "Sure! Here is the report."),
        ("findings", "Dry"),
    ]
    assert found.remarks[0] == Remark(1, "text before the first heading")


def test_opening_sections_go_on_over_lines_and_know_other_names():
    report = parse("Examination: Chest\nIndication: cough\nand fever\nTechnique:\nTwo views").report
    assert (report.exam_type, report.history, report.technique) == ("Chest", "cough and fever", "Two views")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Findings:\nHeart:\n- Large", "the template has no such header"),
        ("Findings:\nPleura:\n- Dry\nPleura:\n- Wet", "the header stands twice"),
        ("Findings:\nPleura:\nDry", "a finding without a bullet"),
        ("Findings:\nPleura: Dry", "text stands on the line of its heading"),
        ("Findings:\nDry", "text before the first header of the findings is kept under Other"),
        ("Impression:\nDry", "an item of the impression without a number"),
        ("Pleura:\n- Dry", "a header of the findings stands outside them"),
        ("Impression\n1. Dry", "a heading without a colon"),
    ],
)
def test_what_was_not_expected_is_remarked_on(text, problem):
    assert problem in [remark.problem for remark in parse(text).remarks]
