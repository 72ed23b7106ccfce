"""SRRG paper, section 3.1: the annotated example, in other words.

A perihilar consolidation that is probably edema, pneumonia being an alternative, is annotated with one present
and two uncertain diseases.
"""

from overread.reader import read
from overread.report import parse
from overread.systems.srrg.by_rules import view


def test_the_observation_is_present_and_its_explanations_are_uncertain():
    text = "IMPRESSION: Right perihilar consolidation, probably edema versus pneumonia."
    told = view(read(parse(text, "invented")))
    assert {(one.label, one.status) for u in told.utterances for one in u.labels} == {
        ("Perihilar airspace opacity", "Present"),
        ("Edema", "Uncertain"),
        ("Pneumonia", "Uncertain"),
    }
