"""What rules read as plainly denied stays denied, however much is said of it."""

import pytest

from overread.reader import read
from overread.report import from_sections, parse
from overread.systems.radsem.by_rules import view


@pytest.mark.parametrize(
    "text",
    [
        "Tiny round nodules of about 4 mm are not found at the right apex.",
        "The left base does not show faint streaky infiltrates.",
        "A cyst of 8 mm with a thin wall is not seen in the upper pole of the left kidney.",
        "No nodule of fat density is seen in the left kidney.",
    ],
)
def test_a_described_finding_that_is_denied_stays_denied(text):
    found = read(from_sections({"findings": text})).findings
    assert found
    assert {f.status for f in found} == {"negative"}


def test_what_a_finding_lacks_is_not_heard_as_the_finding():
    text = (
        "There is a solid nodule in the right middle lobe, which remains unchanged since the prior exam, with no "
        "associated cavitation or calcification."
    )
    told = {a.text: a.normality for a in view(read(parse(text))).atoms}
    assert [n for said, n in told.items() if "cavitation" in said or "calcification" in said] == [
        "normal",
        "normal",
    ]
