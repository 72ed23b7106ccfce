"""Agreement by hand, and against scikit-learn where it is installed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overread.errors import BadInput
from overread.stats import agreement
from overread.stats.agreement import Counts

TRUTH = [{"edema", "effusion"}, {"edema"}, set(), {"fracture"}, {"effusion", "fracture"}, {"edema"}]
GUESS = [{"edema"}, {"edema", "nodule"}, set(), {"effusion"}, {"effusion", "fracture"}, {"effusion"}]

TREND_TRUTH = ["worse", "worse", "same", "better", "same", "same", "better"]
TREND_GUESS = ["worse", "same", "same", "better", "same", "worse", "new"]

label_sets = st.lists(
    st.tuples(st.sets(st.sampled_from("abcd")), st.sets(st.sampled_from("abcd"))), min_size=1, max_size=15
)


def figures(average):
    return [average.precision, average.recall, average.f1, average.support]


def test_counts_by_hand():
    assert agreement.count_label_sets(TRUTH, GUESS) == {
        "edema": Counts(2, 0, 1),
        "effusion": Counts(1, 2, 1),
        "fracture": Counts(1, 0, 1),
        "nodule": Counts(0, 1, 0),
    }


def test_averages_by_hand():
    table = agreement.count_label_sets(TRUTH, GUESS)
    assert figures(agreement.micro(table)) == pytest.approx([4 / 7, 4 / 7, 4 / 7, 7])
    assert figures(agreement.macro(table)) == pytest.approx(
        [(1 + 1 / 3 + 1 + 0) / 4, (2 / 3 + 1 / 2 + 1 / 2) / 3, (0.8 + 0.4 + 2 / 3 + 0) / 4, 7]
    )
    assert figures(agreement.weighted(table)) == pytest.approx(
        [(3 * 1 + 2 / 3 + 2) / 7, (2 + 1 + 1) / 7, (3 * 0.8 + 2 * 0.4 + 2 * 2 / 3) / 7, 7]
    )


def test_samples_average_leaves_out_the_item_without_labels_unless_told():
    left_out = agreement.samples(TRUTH, GUESS)
    assert figures(left_out) == pytest.approx([2.5 / 5, 2.5 / 5, (2 / 3 + 2 / 3 + 0 + 1 + 0) / 5, 7])
    assert left_out.classes == 5
    as_zero = agreement.samples(TRUTH, GUESS, undefined_as=0.0)
    assert as_zero.f1 == pytest.approx(left_out.f1 * 5 / 6)
    assert as_zero.classes == 6


def test_single_labels_pool_to_accuracy():
    table = agreement.count_labels(TREND_TRUTH, TREND_GUESS)
    assert agreement.micro(table).f1 == pytest.approx(agreement.accuracy(TREND_TRUTH, TREND_GUESS))
    assert agreement.accuracy(TREND_TRUTH, TREND_GUESS) == pytest.approx(4 / 7)


def test_kappa_by_hand():
    """Agreement 4/7; by chance (2·2 + 3·3 + 2·1) / 49 = 15/49: (28 − 15) / (49 − 15)."""
    assert agreement.cohen_kappa(TREND_TRUTH, TREND_GUESS) == pytest.approx(13 / 34)


def test_kappa_of_one_label_only_is_undefined():
    assert agreement.cohen_kappa(["x", "x"], ["x", "x"]) is None
    assert agreement.cohen_kappa(["x", "x"], ["y", "y"]) == 0


def test_a_class_named_by_nobody_is_left_out_or_counted_as_zero():
    table = {"seen": Counts(1, 0, 0), "never": Counts()}
    assert table["never"].f1 is None
    left_out, as_zero = agreement.macro(table), agreement.macro(table, undefined_as=0.0)
    assert (left_out.f1, left_out.classes) == (1, 1)
    assert (as_zero.f1, as_zero.classes) == (0.5, 2)


def test_nothing_defined_is_none():
    assert agreement.macro({"never": Counts()}).f1 is None
    assert agreement.micro({}).f1 is None


def test_classes_can_be_fixed():
    table = agreement.count_label_sets(TRUTH, GUESS, classes=["fracture", "pneumonia"])
    assert table == {"fracture": Counts(1, 0, 1), "pneumonia": Counts()}


@pytest.mark.parametrize("truth", [[], ["a", "b"]])
def test_other_items_on_the_two_sides_are_an_error(truth):
    with pytest.raises(BadInput, match="same items"):
        agreement.accuracy(truth, ["a"] if truth else [])


@pytest.fixture(scope="module")
def metrics():
    return pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")


@given(pairs=label_sets)
def test_multi_label_averages_as_scikit_learn(metrics, pairs):
    truth, guess = zip(*pairs, strict=True)
    classes = list("abcd")
    report = metrics.classification_report(
        [[label in labels for label in classes] for labels in truth],
        [[label in labels for label in classes] for labels in guess],
        target_names=classes,
        output_dict=True,
        zero_division=0,
    )
    table = agreement.count_label_sets(truth, guess, classes)
    ours = {
        "micro": agreement.micro(table),
        "macro": agreement.macro(table, undefined_as=0.0),
        "weighted": agreement.weighted(table, undefined_as=0.0),
        "samples": agreement.samples(truth, guess, undefined_as=0.0),
    }
    for name, average in ours.items():
        mine = [value or 0.0 for value in figures(average)]
        assert mine == pytest.approx(list(report[f"{name} avg"].values()), abs=1e-12), name


@given(pairs=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=20))
def test_single_label_averages_and_kappa_as_scikit_learn(metrics, pairs):
    truth, guess = zip(*pairs, strict=True)
    table = agreement.count_labels(truth, guess)
    ours = {
        "micro": (agreement.micro(table), np.nan),
        "macro": (agreement.macro(table), np.nan),
        "weighted": (agreement.weighted(table, undefined_as=0.0), 0),
    }
    for name, (average, zero_division) in ours.items():
        theirs = metrics.precision_recall_fscore_support(
            truth, guess, average=name, zero_division=zero_division
        )
        assert figures(average)[:3] == pytest.approx(theirs[:3], abs=1e-12), name
    kappa = agreement.cohen_kappa(truth, guess)
    if kappa is not None:
        assert kappa == pytest.approx(metrics.cohen_kappa_score(truth, guess), abs=1e-12)
