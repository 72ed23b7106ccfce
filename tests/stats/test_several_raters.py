"""Agreement of several raters against worked examples from the literature, and its laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overread.stats.raters import alpha, cohen, fleiss, icc, icc_interval


def krippendorff_alpha(units, scale="nominal"):
    return alpha([units], scale).agreement()


def fleiss_kappa(units):
    return fleiss([units]).agreement()


# Krippendorff's reliability data: four observers, twelve units; None is missing.
A = [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None]
B = [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3]
C = [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None]
D = [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None]
UNITS = [[v for v in unit if v is not None] for unit in zip(A, B, C, D, strict=True)]


@pytest.mark.parametrize(("scale", "known"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_krippendorff_computing_alpha_reliability(scale, known):
    """Krippendorff, Computing Krippendorff's Alpha-Reliability, example C: four observers with missing data."""
    assert krippendorff_alpha(UNITS, scale) == pytest.approx(known, abs=6e-4)


def test_fleiss_1971_style_table():
    """Fourteen raters, ten subjects, five categories: the worked example in common use gives .210."""
    table = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    units = [[label for label, count in enumerate(row) for _ in range(count)] for row in table]
    assert fleiss_kappa(units) == pytest.approx(0.210, abs=5e-4)


SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def test_shrout_and_fleiss_1979():
    """Table 2 of the paper: ICC(1,1) .17 and ICC(2,1) .29."""
    assert icc(SHROUT_FLEISS, same_raters=False) == pytest.approx(0.17, abs=5e-3)
    assert icc(SHROUT_FLEISS) == pytest.approx(0.29, abs=5e-3)


def test_sets_disagree_by_what_they_do_not_share():
    same = [[{1, 2}, {1, 2}], [{3}, {3}], [set(), set()]]
    assert krippendorff_alpha(same, "set") == 1
    part = [[{1, 2}, {1, 2, 3}], [{7}, {7}]]
    assert 0 < krippendorff_alpha(part, "set") < 1


def test_nothing_to_disagree_on_is_undefined():
    assert krippendorff_alpha([["a", "a"], ["a", "a"]]) is None
    assert krippendorff_alpha([["a"], []]) is None
    assert fleiss_kappa([["a", "a"]]) is None
    assert fleiss_kappa([]) is None
    assert icc([[1, 1], [1, 1]]) is None


def test_an_interval_holds_its_value_and_draws_whole_groups():
    groups = [[[1, 1], [2, 2]], [[1, 2]], [[3, 3]], [[2, 2], [1, 1]]]
    found = alpha(groups, "ordinal").interval(200)
    assert found.low <= found.value <= found.high
    flat = [unit for group in groups for unit in group]
    assert found.value == pytest.approx(krippendorff_alpha(flat, "ordinal"))


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2, max_size=12))
def test_two_raters_order_does_not_matter(pairs):
    units = [list(pair) for pair in pairs]
    turned = [list(pair[::-1]) for pair in pairs]
    for measure in (fleiss_kappa, krippendorff_alpha):
        assert (
            measure(units) == pytest.approx(measure(turned))
            if measure(units) is not None
            else measure(turned) is None
        )


def test_with_many_units_alpha_meets_fleiss_and_cohen():
    rng = np.random.default_rng(0)
    one = rng.choice(list("abc"), 4000)
    two = np.where(rng.random(4000) < 0.7, one, rng.choice(list("abc"), 4000))
    units = [list(pair) for pair in zip(one, two, strict=True)]
    assert krippendorff_alpha(units) == pytest.approx(fleiss_kappa(units), abs=1e-3)
    assert cohen_kappa(list(one), list(two)) == pytest.approx(fleiss_kappa(units), abs=5e-3)


LABELS = st.sampled_from("abc")


def cohen_kappa(one, two):
    """By its formula: agreement beyond what the two sides' shares of labels give by chance."""
    seen = sum(a == b for a, b in zip(one, two, strict=True)) / len(one)
    by_chance = sum(one.count(label) * two.count(label) for label in set(one)) / len(one) ** 2
    return None if by_chance == 1 else (seen - by_chance) / (1 - by_chance)


@given(st.lists(st.lists(st.tuples(LABELS, LABELS), max_size=4), min_size=1, max_size=6))
def test_kappas_with_intervals_are_the_kappas(groups):
    """Units in groups, the rows of a report, give the number they give one by one."""
    units = [unit for group in groups for unit in group]
    known_cohen = cohen_kappa([a for a, _ in units], [b for _, b in units]) if units else None
    for found, known in (
        (cohen(groups).interval(20), known_cohen),
        (fleiss(groups).interval(20), fleiss_kappa(units)),
    ):
        assert (found is None) == (known is None)
        if found is not None:
            assert found.value == pytest.approx(known)
            assert -1 <= found.low <= found.high <= 1


def test_fleiss_leaves_out_units_with_other_raters():
    groups = [[["a", "a", "b"], ["a", "a"]], [["b", "b", "b"]], [["a", "b", "a"]]]
    found = fleiss(groups).interval(50)
    assert found.value == pytest.approx(fleiss_kappa([unit for group in groups for unit in group]))


@pytest.mark.parametrize("same", [True, False])
def test_the_correlation_has_an_interval_around_it(same):
    found = icc_interval(SHROUT_FLEISS, resamples=200, same_raters=same)
    assert found.value == icc(SHROUT_FLEISS, same_raters=same)
    assert found.low < found.value < found.high
    assert icc_interval([[1, 1], [1, 1]], resamples=10) is None


def test_more_units_make_a_kappa_surer():
    few = [[["a", "a"]], [["b", "b"]], [["a", "b"]], [["b", "b"]]]
    wide, narrow = cohen(few).interval(300), cohen(few * 20).interval(300)
    assert narrow.value == pytest.approx(wide.value)
    assert narrow.high - narrow.low < wide.high - wide.low
