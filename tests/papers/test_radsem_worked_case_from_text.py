"""RadSEM paper, Table 3, from text: sentences of our own that make the same statements as the worked case."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.radsem.by_rules import view
from overread.systems.radsem.match import match
from overread.systems.radsem.score import score

REFERENCE = (
    "The bony thorax is symmetrical. Both lungs are normally lucent. Streaky and patchy opacities are present in "
    "both lungs. The pulmonary markings are distinct. Neither hilum is enlarged or abnormally dense. The heart is "
    "normal in shape and size. Both hemidiaphragms are smooth and the costophrenic angles are sharp. There is mild "
    "scoliosis of the spine. The aortic knob is prominent."
)
SIDED = (
    "{} lung shows normal lucency.",
    "Linear opacities in the {} lung.",
    "Patchy opacities in the {} lung.",
    "The {} lung markings are well defined.",
    "The {} hilum is not enlarged.",
    "The {} hilum shows no increased density.",
    "The {} hemidiaphragm has a smooth contour.",
    "The {} costophrenic angle is sharp.",
)
CANDIDATE = " ".join(
    [
        "The thorax is symmetric.",
        *(s.format(side).capitalize() for s in SIDED for side in ("left", "right")),
        "The cardiac silhouette has a normal shape.",
        "The cardiac silhouette has a normal size.",
        "The spine has no scoliosis.",
        "The aortic knob is not prominent.",
    ]
)


@pytest.fixture(scope="module")
def sides():
    return [view(read(parse(text, id))) for id, text in (("r", REFERENCE), ("g", CANDIDATE))]


def test_only_the_two_turned_findings_stay_without_a_match(sides):
    unmatched = match(*sides).findings.unmatched_sentences
    assert [(u.sentence_is_from, u.normality) for u in unmatched] == [
        ("Ref", "abnormal"),
        ("Ref", "abnormal"),
        ("Gen", "normal"),
        ("Gen", "normal"),
    ]
    assert {u.sentence.split()[0] for u in unmatched} == {"Mild", "Spine", "Aortic"}


def test_one_finding_of_two_sorts_is_one_sentence(sides):
    """The paper has .9 · 8/10 + .1 · 30/32 = .814: streaky and patchy opacities are four sentences there, here two."""
    found = score(*sides)
    assert found.counts["abnormal_matched"] == pytest.approx(2, abs=0.3)
    assert found.value == pytest.approx(0.9 * 2 / 3 + 0.1 * 30 / 32, abs=0.1)
