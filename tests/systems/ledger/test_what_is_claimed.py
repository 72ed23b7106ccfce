"""What a report claims, by words that name it, describe it or place it."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.ledger.by_rules import view
from overread.systems.ledger.tables import rows


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


@pytest.mark.parametrize("table", ["appearances", "broader", "diseases", "names", "significance"])
def test_a_row_has_an_id_of_its_own_and_a_reason(table):
    found = list(rows(table))
    assert len({row["id"] for row in found}) == len(found)
    assert all(row["reason"] for row in found)
