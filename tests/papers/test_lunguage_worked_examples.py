"""LUNGUAGE paper: the worked examples of Appendix C.2, Table C.1 and Table C.2, and small matrices by hand."""

import numpy as np
import pytest

from overread.systems.lunguage.likeness import (
    ComparedFinding,
    Factors,
    attribute_weights,
    factors,
    lunguage_constants,
)
from overread.systems.lunguage.score import matching, rates


class Told:
    """An encoder that knows the cosines the paper prints, and nothing else."""

    def __init__(self, cosines):
        self.phrases = sorted({phrase for pair in cosines for phrase in pair})
        gram = np.eye(len(self.phrases))
        for (one, other), value in cosines.items():
            i, j = self.phrases.index(one), self.phrases.index(other)
            gram[i, j] = gram[j, i] = value
        values, vectors = np.linalg.eigh(gram)
        self.rows = vectors * np.sqrt(np.clip(values, 0, None))

    def encode(self, phrases):
        found = dict(zip(self.phrases, self.rows, strict=True))
        return np.array([found.get(phrase, np.zeros(len(self.phrases))) for phrase in phrases])


def finding(phrase, **words):
    return ComparedFinding(
        "f", phrase.split()[0], phrase, words.pop("status", "positive"), "definitive", words
    )


def compare(reference, candidate, cosines):
    return factors([candidate], [reference], Told(cosines), over_time=False, numeric=False)


def test_example_2_structural_and_total():
    """Appendix C.2, Example 2: semantic .447, location .60, severity on one side; structural .758, total .339."""
    found = compare(
        finding("opacity behind heart", location="behind heart"),
        finding("fluid moderate", location="left side", severity="moderate"),
        {("opacity behind heart", "fluid moderate"): 0.447, ("behind heart", "left side"): 0.60},
    )
    assert found.semantic[0, 0] == pytest.approx(0.447)
    assert round(float(found.structural[0, 0]), 3) == 0.758
    assert round(float(found.match[0, 0]), 3) == 0.339


def test_example_1_by_the_papers_own_formula():
    """Example 1 prints .681; its rows (location .54, severity equal, improved on one side) give .780."""
    found = compare(
        finding("effusion small", location="both", severity="small"),
        finding("fluid small", location="one side", severity="small", improved="less"),
        {("effusion small", "fluid small"): 0.743, ("both", "one side"): 0.54},
    )
    assert round(float(found.structural[0, 0]), 3) == 0.780


def test_example_3_by_the_papers_own_formula():
    """Example 3 prints .902; its rows (location .95, improved on one side) give .832."""
    found = compare(
        finding("opacity base", location="base"),
        finding("opacity low", location="lowest part", improved="less"),
        {("opacity base", "opacity low"): 0.842, ("base", "lowest part"): 0.95},
    )
    assert round(float(found.structural[0, 0]), 3) == 0.832


TABLE_C2 = [
    (0.82, 1.0, 0.83, 0.68),
    (0.93, 1.0, 0.97, 0.90),
    (0.92, 0.5, 0.76, 0.35),
    (0.90, 0.5, 1.00, 0.45),
    (0.68, 0.5, 1.00, 0.34),
]


@pytest.mark.parametrize(("semantic", "temporal", "structural", "total"), TABLE_C2)
def test_table_c2_products(semantic, temporal, structural, total):
    one = [np.array([[value]]) for value in (semantic, temporal, structural)]
    assert round(float(Factors(*one, {}).match[0, 0]), 2) == total


@pytest.mark.parametrize(
    ("studies", "episodes", "expected"),
    [
        (("2", "2"), (1, 1), 1.0),
        (("1", "2"), (1, 1), 0.5),
        (("2", "2"), (1, 2), 0.5),
        (("1", "2"), (1, 2), 0.0),
    ],
)
def test_temporal_factor(studies, episodes, expected):
    """Equation 4: half for the same study, half for the same temporal group."""
    one, other = (
        ComparedFinding("f", "edema", "edema", "positive", "definitive", {}, study, episode)
        for study, episode in zip(studies, episodes, strict=True)
    )
    found = factors([one], [other], Told({("edema", "nodule"): 0.0}), over_time=True, numeric=False)
    assert found.temporal[0, 0] == expected
    assert found.match[0, 0] == expected


def test_table_c1_weights():
    by_weight = {}
    for name, weight in attribute_weights().items():
        by_weight.setdefault(weight, set()).add(name)
    assert by_weight == {
        0.5: {"status"},
        0.2: {"location"},
        0.15: {"improved", "worsened", "onset", "placement", "severity"},
        0.1: {"certainty", "no_change"},
        0.05: {"distribution", "measurement", "morphology"},
        0.03: {"comparison"},
        0.01: {"assessment_limitations", "other_source", "past_hx"},
    }
    assert (lunguage_constants()["temporal"]["study"], lunguage_constants()["temporal"]["episode"]) == (
        0.5,
        0.5,
    )


def test_attributes_absent_on_both_sides_do_not_count():
    """Status and certainty alone, status differing: .10 of .60."""
    cosines = {("edema", "nodule"): 0.0}
    found = compare(finding("edema", status="negative"), finding("edema"), cosines)
    assert found.structural[0, 0] == pytest.approx(0.1 / 0.6)


def figures(match, strict=False):
    f1, precision, recall = rates(matching(np.array(match), strict=strict).counts)
    return precision, recall, f1


def test_two_by_two():
    assert figures([[0.8, 0.1], [0.2, 0.6]]) == pytest.approx((0.7, 0.7, 0.7))


def test_one_reference_two_candidates():
    assert figures([[0.5], [0.4]]) == pytest.approx((0.3125, 0.5, 0.3846), abs=5e-5)


def test_a_duplicate_goes_free_as_published_and_costs_one_strictly():
    assert figures([[1.0, 1.0]])[2] == 1.0
    assert figures([[1.0, 1.0]], strict=True)[2] == pytest.approx(2 / 3)
