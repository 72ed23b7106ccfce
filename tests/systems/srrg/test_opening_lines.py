"""Indication, technique and comparison are taken over on one line, without what was blanked out."""

import pytest

from overread.reader.reading import Reading
from overread.report import parse
from overread.systems.srrg.by_rules import opening


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("INDICATION: Cough\n  and fever.\nFINDINGS: Edema.", "Cough and fever."),
        ("INDICATION: ___ with cough.\nFINDINGS: Edema.", "with cough."),
        ("FINDINGS: Edema.", ""),
    ],
)
def test_an_opening_is_one_line_without_blanks(text, line):
    """Nothing is read for it."""
    reading = Reading(parse(text, "r"), lambda: pytest.fail("the report was read"))
    assert opening(reading, "indication") == line
