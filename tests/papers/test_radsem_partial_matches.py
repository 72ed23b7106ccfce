"""RadSEM paper, Figure 2 and section 4.4: what a partial match costs beside a full one and beside a miss."""

import pytest
from tests.papers.test_radsem_worked_scores import abnormal, loose, tags

from overread.stats.correlation import ladder
from overread.systems.radsem.score import score_tags


def abnormal_f1(matched, missed, target=()):
    """The abnormal class with so many full pairs and so many missed sentences beside the target."""
    pairs = [abnormal(n, n) for n in range(matched)]
    return score_tags(tags([*pairs, *target], [loose("Ref", 100 + n) for n in range(missed)])).value


@pytest.mark.parametrize("matched", range(6))
def test_full_partial_and_unmatched_targets(matched):
    """Figure 2(a), one sentence missed already: F = 2M / (2M + U), M + 1, M + 1/3, or U + 1."""
    full = abnormal_f1(matched, 1, [abnormal(50, 50)])
    partial = abnormal_f1(matched, 1, [abnormal(50, 50, anatomy="part-whole")])
    unmatched = abnormal_f1(matched, 2)
    assert full == pytest.approx(2 * (matched + 1) / (2 * (matched + 1) + 1))
    assert partial == pytest.approx(2 * (matched + 1 / 3) / (2 * (matched + 1 / 3) + 1))
    assert unmatched == pytest.approx(2 * matched / (2 * matched + 2))
    assert abnormal_f1(matched, 3) == pytest.approx(2 * matched / (2 * matched + 3))


@pytest.mark.parametrize(("matched", "ratio"), [(1, 0.2424), (4, 0.1149)])
def test_the_penalty_of_a_part_is_a_fraction_of_that_of_a_miss(matched, ratio):
    """Figure 2(b): (full - partial) / (full - unmatched)."""
    full = abnormal_f1(matched, 1, [abnormal(50, 50)])
    partial = abnormal_f1(matched, 1, [abnormal(50, 50, anatomy="part-whole")])
    assert (full - partial) / (full - abnormal_f1(matched, 2)) == pytest.approx(ratio, abs=5e-5)


def test_concordance_gives_ties_half():
    """Section 4.4: (C + T/2) / 10 over the ten pairs of five levels."""
    chains = [[0.9, 0.8, 0.7, 0.6, 0.5], [0.9, 0.8, 0.8, 0.6, 0.5], [0.5, 0.8, 0.8, 0.6, 0.9]]
    found = [ladder([chain], resamples=1).concordance.value for chain in chains]
    assert found == pytest.approx([1, 0.95, 0.25])
