"""A verb that is said once for two subjects, and what is doubtful of the second."""

import pytest

from overread.reader.read import read
from overread.report import parse
from overread.systems.radsem.by_rules import view


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("The liver is enlarged, the spleen normal.", ["Liver is enlarged.", "Spleen normal."]),
        (
            "The liver is enlarged, the left kidney probably obstructed.",
            ["Liver is enlarged.", "Possible left kidney obstructed."],
        ),
        (
            "The left lung is clear, the right hyperinflated.",
            ["Left lung is clear.", "Right hyperinflated."],
        ),
        ("There is a mass in the liver, the spleen normal.", ["Mass in the liver.", "Spleen normal."]),
    ],
)
def test_each_subject_has_its_own_statement(text, atoms):
    assert [a.text for a in view(read(parse(text))).atoms] == atoms


def test_the_second_organ_is_doubtful_and_not_the_first():
    liver, kidney = read(parse("The liver is enlarged, the left kidney is probably obstructed.")).findings
    assert (liver.certainty, kidney.certainty) == ("definitive", "tentative")


def test_an_organ_that_may_be_large_is_doubtful():
    (heart,) = read(parse("The heart may be enlarged.")).findings
    assert heart.certainty == "tentative"


def test_normal_throughout_is_normal():
    (aorta,) = read(parse("The abdominal aorta is of normal calibre throughout.")).findings
    assert aorta.status == "negative"


def test_a_second_clause_may_begin_with_there_is():
    atoms = view(read(parse("The chest tube remains there is a new opacity in the left base."))).atoms
    assert [a.text for a in atoms] == ["Chest tube.", "Opacity in the left base."]


@pytest.mark.parametrize("text", ["No nodes suspicious for metastasis.", "No suspicious nodes."])
def test_nodes_that_are_not_suspicious_are_normal(text):
    assert {a.normality for a in view(read(parse(text))).atoms} == {"normal"}
