"""A change, a degree, a side or a denial goes to the noun it is said of, and to no other."""

import pytest

from overread.reader.read import read
from overread.report import parse


def told(text):
    return [
        (f.entity.lower(), f.status, sorted((a.relation, a.text.lower()) for a in f.attributes))
        for f in read(parse(text, "x")).findings
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stable cardiomegaly and a new effusion.", ("effusion", "positive", [("onset", "new")])),
        (
            "A right effusion and a nodule on the left.",
            ("nodule", "positive", [("location", "left")]),
        ),
        (
            "A left rib fracture and a contusion in the right lung.",
            ("contusion", "positive", [("location", "right lung")]),
        ),
        (
            "Cyst of 14 mm; the solid mass measured 10 mm in May and now 17 mm.",
            ("cyst", "positive", [("measurement", "14 mm")]),
        ),
        ("Renal mass with slightly irregular borders.", ("mass", "positive", [("location", "renal")])),
        ("The kidneys are stone-free.", ("stone", "negative", [("location", "kidneys")])),
        ("The kidneys are not stone-free.", ("stone", "positive", [("location", "kidneys")])),
        ("An aneurysm clip is in place.", ("aneurysm clip", "positive", [("placement", "in place")])),
    ],
)
def test_each_has_its_own(text, expected):
    found = told(text)
    entity, status, held = next(one for one in found if one[0] == expected[0])
    assert (entity, status) == expected[:2]
    assert [h for h in held if h[0] != "morphology"] == expected[2]


def test_a_clip_is_no_aneurysm():
    assert [entity for entity, _, _ in told("An aneurysm clip is in place.")] == ["aneurysm clip"]


def test_both_is_said_of_the_last_two():
    found = told("Cyst in the liver and cyst in the spleen. Both have grown since the prior scan.")
    assert [("worsened", "have grown") in held for _, _, held in found] == [True, True]
