"""A device that is out: what was done with it is asserted, what is said of its absence is not."""

import pytest

from overread.reader import read
from overread.report import from_sections
from overread.systems.lunguage.by_rules import view


@pytest.mark.parametrize(
    ("sentence", "status"),
    [
        ("The left drain has been removed.", "positive"),
        ("Interval removal of the left drain.", "positive"),
        ("The left drain has been taken out.", "negative"),
        ("Intra-aortic balloon pump discontinued.", "negative"),
        ("The left chest tube is no longer in place.", "negative"),
        ("The left chest tube is in place.", "positive"),
        ("The patient is intubated.", "positive"),
        ("The patient has been reintubated.", "positive"),
        ("The patient has been extubated.", "negative"),
    ],
)
def test_status_of_a_device(sentence: str, status: str) -> None:
    (finding,) = view(read(from_sections({"findings": sentence}))).findings
    assert finding.status == status


def test_what_is_newly_placed_is_new() -> None:
    (tube,) = view(read(from_sections({"findings": "Feeding tube newly placed."}))).findings
    assert tube.attributes == {"onset": ["newly placed"], "placement": ["placed"]}
