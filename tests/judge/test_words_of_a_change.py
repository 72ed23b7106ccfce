"""What the judge adds of a change stands on words of the sentence, and on none that only measure."""

import pytest

from overread.reader import read
from overread.report import parse

CHANGES = ("improved", "worsened", "no_change")


def changes(text: str) -> dict[str, list[str]]:
    reading = read(parse(f"FINDINGS: {text}", "invented"))
    return {f.entity.lower(): [a.text for a in f.values(*CHANGES)] for f in reading.findings}


@pytest.mark.parametrize(
    "text",
    [
        "Right effusion is larger. The cyst in the left kidney now measures 22 mm.",
        "Right lower lobe nodule is stable. Left upper lobe cyst now measures 11 mm.",
    ],
)
def test_one_size_tells_no_change(text):
    assert changes(text)["cyst"] == []


def test_increased_beside_a_comparison_is_a_change():
    text = "Right upper lobe consolidation is increased. Left basilar opacity is unchanged."
    assert changes(text) == {"consolidation": ["increased"], "opacity": ["unchanged"]}


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        (
            "Sigmoid diverticulitis with a perforation; the adjacent 4 cm collection is slightly smaller.",
            "diverticulitis",
        ),
        ("Cholecystitis with a perforation; the 3 cm hepatic abscess has decreased.", "cholecystitis"),
    ],
)
def test_a_change_behind_a_semicolon_is_of_what_stands_there(text, entity):
    assert changes(text)[entity] == []


def test_what_is_said_of_its_leads_is_not_said_of_a_pacemaker():
    assert changes("Left chest wall pacer with leads in unchanged position.")["pacer"] == []
