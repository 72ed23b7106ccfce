"""Invented sentences in which a denial is taken back, is of a change alone, or has an exception."""

import pytest

from overread.reader import read
from overread.report import from_sections


def told(text):
    return [(f.entity.lower(), f.status) for f in read(from_sections({"findings": text})).findings]


@pytest.mark.parametrize(
    "text",
    [
        "Neither pleural space is without fluid.",
        "Not one lobe is free of nodules.",
        "The left hilum is not without adenopathy.",
        "This ankle is by no means free of edema.",
    ],
)
def test_two_denials_say_that_it_is_there(text):
    ((_, status),) = told(text)
    assert status == "positive"


@pytest.mark.parametrize("text", ["No hernia, and without collection.", "Lungs are clear and free of edema."])
def test_a_second_finding_is_denied_for_itself(text):
    assert {status for _, status in told(text)} == {"negative"}


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("The cyst is not larger.", {"cyst"}),
        ("The septal lines are not new.", {"septal lines"}),
        ("Neither the cyst nor the hematoma is larger.", {"cyst", "hematoma"}),
        ("The hematoma, but not the effusion, has improved.", {"effusion"}),
    ],
)
def test_a_denied_change_leaves_things_as_they_were(text, same):
    found = read(from_sections({"findings": text})).findings
    assert {f.status for f in found} == {"positive"}
    assert {f.entity for f in found if f.values("no_change")} == same


def test_what_is_not_known_is_denied_with_its_change():
    assert told("Neither cyst nor hematoma is seen.") == [("cyst", "negative"), ("hematoma", "negative")]


@pytest.mark.parametrize(
    "text",
    [
        "There are no stones aside from the one in the left kidney.",
        "No fluid other than a trace on the left.",
        "No cysts except for two small ones in the left kidney.",
    ],
)
def test_an_exception_without_a_noun_is_of_the_noun_denied(text):
    denied, there = read(from_sections({"findings": text})).findings
    assert (denied.status, there.status) == ("negative", "positive")
    assert [a.side for a in there.values("location")] == ["left"]


def test_an_exception_with_a_noun_is_its_own_finding():
    assert told("No mass other than a cyst.") == [("mass", "negative"), ("cyst", "positive")]


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("No axillary nodes.", ("nodes", "negative")),
        ("No local recurrence.", ("recurrence", "negative")),
        ("Ring-shaped 6 mm focus in the liver.", ("focus", "positive")),
    ],
)
def test_nouns_that_stand_for_themselves(text, finding):
    assert told(text) == [finding]


def test_a_focus_of_something_is_that():
    assert told("A focus of consolidation.") == [("consolidation", "positive")]


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("A 9 mm cyst, with a smaller second cyst beside it.", False),
        ("The larger cyst lies in the left kidney.", False),
        ("Smaller left effusion.", True),
        ("The effusion is smaller.", True),
    ],
)
def test_one_smaller_than_another_has_not_changed(text, changed):
    found = read(from_sections({"findings": text})).findings
    assert any(f.values("improved", "worsened") for f in found) == changed
