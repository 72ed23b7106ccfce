"""Two degrees of which one is of an earlier time, and what was there before and is not any more."""

import pytest

from overread.reader.read import read
from overread.report import parse


def only(text):
    [found] = read(parse(text, "x")).findings
    return found


@pytest.mark.parametrize(
    ("text", "change", "degree"),
    [
        ("The left effusion was moderate and is now small.", "improved", "small"),
        ("Hydronephrosis, mild at the last visit, is severe today.", "worsened", "severe"),
        ("Previously mild stenosis, now severe.", "worsened", "severe"),
        ("The effusion, small before, is large.", "worsened", "large"),
        ("The left effusion has gone from moderate to small.", "improved", "small"),
        ("The stenosis has progressed from mild to moderate.", "worsened", "moderate"),
    ],
)
def test_degrees(text, change, degree):
    found = only(text)
    assert [a.text for a in found.values("severity")] == [degree]
    assert found.values(change)


def test_two_degrees_of_one_time_are_no_change():
    found = only("Small to moderate effusion.")
    assert not found.values("improved", "worsened")


@pytest.mark.parametrize(
    "text",
    [
        "There is no pneumothorax any more.",
        "The previously described nodule is not seen.",
        "The collection of the prior examination is not identified.",
    ],
)
def test_gone(text):
    found = only(text)
    assert (found.status, found.gone) == ("positive", True)


@pytest.mark.parametrize("text", ["There is no pneumothorax, as on the prior film.", "Effusion is not seen."])
def test_never_there(text):
    assert not only(text).values("improved")
