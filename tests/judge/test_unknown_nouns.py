"""Nouns that no table knows: the judge hears which of them are findings."""

import pytest

from overread.reader import read
from overread.report import from_sections


def statuses(text: str) -> dict[str, str]:
    return {f.entity.lower(): f.status for f in read(from_sections({"findings": text})).findings}


@pytest.mark.parametrize(
    ("text", "noun", "status"),
    [
        ("A small chronic lacune lies in the right caudate.", "lacune", "positive"),
        ("Left upper lobe mass with rib destruction.", "destruction", "positive"),
        ("No necrosis, pseudocyst, or gas.", "gas", "negative"),
    ],
)
def test_a_noun_that_is_heard_as_a_finding_is_read(text, noun, status):
    assert statuses(text)[noun] == status


@pytest.mark.parametrize(
    "text", ["The patient was seen by the surgeon in the morning.", "The lungs are clear as usual."]
)
def test_other_nouns_are_left_alone(text):
    assert "positive" not in statuses(text).values()
