"""Invented sentences whose second part has no noun: the noun before it is meant, on its other side."""

import pytest

from overread.reader import read
from overread.report import from_sections, parse
from overread.systems.radsem.by_rules import view


def told(text):
    found = read(from_sections({"findings": text})).findings
    return {(a.side, f.status) for f in found for a in f.values("location")}


@pytest.mark.parametrize(
    "text",
    [
        "Left hydrothorax, large; right, none.",
        "Moderate effusion on the left, none on the right.",
        "The left kidney has a stone. The other side shows none.",
        "A stone is seen on the left; the right has none.",
        "No right stone; a tiny one on the left.",
    ],
)
def test_the_other_side_is_told_of_the_same_noun(text):
    assert told(text) == {("left", "positive"), ("right", "negative")}


def test_both_sides_may_be_denied():
    assert told("No stone on the right and none on the left.") == {
        ("left", "negative"),
        ("right", "negative"),
    }


def test_a_part_with_a_noun_of_its_own_tells_of_that():
    found = read(from_sections({"findings": "Stone on the left; right cyst."})).findings
    assert [f.entity for f in found] == ["Stone", "cyst"]


@pytest.mark.parametrize(
    ("text", "status", "relations"),
    [
        ("HEMATOMA: None.", "negative", set()),
        ("Hematoma: small, left.", "positive", {"severity", "location"}),
        ("Hematoma: unchanged.", "positive", {"no_change"}),
    ],
)
def test_what_follows_a_finding_that_heads_a_line_is_said_of_it(text, status, relations):
    (found,) = read(from_sections({"findings": text})).findings
    assert found.status == status
    assert {a.relation for a in found.attributes} == relations


def test_a_structure_after_such_a_heading_keeps_its_own_words():
    found = read(from_sections({"findings": "Hematoma: the spleen is normal."})).findings
    assert [(f.entity, f.status) for f in found] == [("spleen", "negative")]


@pytest.mark.parametrize(
    ("text", "there", "absent"),
    [
        ("Effusion: none on the right, small on the left.", "left", "right"),
        ("Effusion: right small, left none.", "right", "left"),
        ("Pneumothorax: absent on the left, small on the right.", "right", "left"),
    ],
)
def test_a_label_is_answered_for_each_side(text, there, absent):
    reading = read(parse(text))
    assert {f.status: f.values("location")[0].text for f in reading.findings} == {
        "positive": there,
        "negative": absent,
    }
    atoms = {a.normality: a.text.lower() for a in view(reading).atoms}
    assert there in atoms["abnormal"]
    assert absent in atoms["normal"]


@pytest.mark.parametrize(
    "text",
    [
        "Effusion smaller on the right, larger on the left.",
        "Effusion improved on the right and worse on the left.",
        "The effusion is better on the right but worse on the left.",
    ],
)
def test_each_side_has_its_own_course(text):
    found = read(parse(text)).findings
    courses = {a.side: bool(f.values("worsened")) for f in found for a in f.values("location")}
    assert courses == {"left": True, "right": False}
    assert len(view(read(parse(text))).atoms) == 2


def test_worse_on_one_side_alone_compares_the_two():
    (opacities,) = read(parse("Bilateral opacities, worse on the left.")).findings
    assert opacities.values("comparison")
    assert not opacities.values("worsened")
