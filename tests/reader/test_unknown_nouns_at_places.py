"""A noun that no table knows is the finding, and what follows `in` or `at` is its place."""

import pytest

from overread.reader import read
from overread.report import parse


@pytest.mark.parametrize(
    ("text", "entity", "place"),
    [
        ("Faint zorgling in the caecum.", "zorgling", "caecum"),
        ("New zorgles at both apices, small.", "zorgles", "both apices"),
        ("A few zorgles are seen in the left kidney.", "zorgles", "left kidney"),
        ("Intense zorgling in the liver, possibly an adenoma.", "zorgling", "liver"),
    ],
)
def test_it_is_read_with_its_place(text, entity, place):
    finding = read(parse(text)).findings[0]
    assert (finding.entity, finding.status) == (entity, "positive")
    assert [a.text for a in finding.values("location")] == [place]


@pytest.mark.parametrize(
    "text", ["The cord is normal in calibre at all levels.", "The heart is enlarged in its zorgling."]
)
def test_a_structure_that_has_its_verb_stays_what_is_spoken_of(text):
    assert read(parse(text)).findings[0].kind == "structure"


@pytest.mark.parametrize(
    "text",
    ["The zorgle is patent.", "Zorgle normal.", "The zorgle is not thickened.", "Zorgles remain intact."],
)
def test_an_unknown_noun_said_to_be_as_it_should_is_normal(text):
    (finding,) = read(parse(text)).findings
    assert finding.status == "negative"


@pytest.mark.parametrize(
    "text", ["The zorgle is enlarged.", "The zorgle is not larger.", "Clear zorgling at the hilum."]
)
def test_and_one_that_is_described_otherwise_is_there(text):
    (finding,) = read(parse(text)).findings
    assert finding.status == "positive"
