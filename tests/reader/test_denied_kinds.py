"""What says which kind of a denied thing is meant is denied with it; what begins after a comma is not."""

import pytest

from overread.reader import read
from overread.report import parse

DENIED = [
    "No opacity concerning for pneumonia.",
    "No focal consolidation in the left lower lobe suspicious for pneumonia.",
    "There is no infiltrate suggestive of pneumonia.",
    "No consolidation consistent with pneumonia.",
    "No effusion, mass or opacity worrisome for pneumonia.",
    "No infiltrate is seen suggesting pneumonia.",
    "No opacity is identified to suggest pneumonia.",
]
SAID = [
    "No effusion, findings suggestive of pneumonia.",
    "No effusion but an opacity concerning for pneumonia.",
    "No effusion. Opacity concerning for pneumonia.",
    "Opacity without effusion, consistent with pneumonia.",
]


def pneumonia(text):
    (found,) = (f for f in read(parse(f"FINDINGS: {text}", "r")).findings if f.concept == "pneumonia")
    return found.status


@pytest.mark.parametrize("text", DENIED)
def test_denied(text):
    assert pneumonia(text) == "negative"


@pytest.mark.parametrize("text", SAID)
def test_said(text):
    assert pneumonia(text) == "positive"
