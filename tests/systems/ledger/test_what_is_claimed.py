"""What a report claims, by words that name it, describe it or place it."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.ledger.by_rules import view
from overread.systems.ledger.tables import rows, signs


def claims(text):
    return view(read(parse(text))).present()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Deep sulcus sign on the left.", "pneumothorax"),
        ("Lucent line through the distal radius.", "fracture"),
        ("Free intraperitoneal gas.", "free-air"),
        ("Echogenic shadowing foci in the gallbladder.", "stone"),
        ("Cavitating mass in the right upper lobe.", "cavitary-mass"),
        ("Moderate chronic microangiopathic change.", "white-matter-disease"),
        ("Cardiothoracic ratio of 0.62.", "cardiomegaly"),
    ],
)
def test_a_description_is_what_it_shows(text, name):
    assert [claim.name for claim in claims(text)] == [name]


def test_a_cardiothoracic_ratio_within_limits_shows_nothing():
    assert claims("Cardiothoracic ratio of 0.48.") == ()


@pytest.mark.parametrize(
    "text",
    ["Normal amniotic fluid volume.", "Negative sonographic Murphy sign.", "Flow voids are preserved."],
)
def test_what_is_called_normal_is_no_finding(text):
    assert claims(text) == ()


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Fractures of the left ribs 7 and 8.", ["7", "8"]),
        ("Left 7th and 8th rib fractures.", ["7", "8"]),
        ("Fractures of the right third through fifth ribs.", ["3", "4", "5"]),
    ],
)
def test_each_counted_rib_is_one(text, numbers):
    told = [word for claim in claims(text) for word in claim.where[0].towards]
    assert sorted(told) == [f"number {n}" for n in numbers]


def test_part_and_whole_in_either_order_are_one_place():
    forms = ("The neck of the left femur is fractured.", "Left femoral neck fracture.")
    one, two = (claims(text) for text in forms)
    assert [c.where[0].path for c in one] == [c.where[0].path for c in two]


def test_signs_name_each_pair_once():
    listed = [frozenset((row["name"], row["said_as"])) for row in rows("signs")]
    assert len(listed) == len(set(listed)) == len(signs())


@pytest.mark.parametrize(
    "table", ["appearances", "broader", "diseases", "joints", "names", "same_places", "signs", "significance"]
)
def test_a_row_has_an_id_of_its_own_and_a_reason(table):
    found = list(rows(table))
    assert len({row["id"] for row in found}) == len(found)
    assert all(row["reason"] for row in found)
