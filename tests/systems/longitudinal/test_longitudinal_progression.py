"""Progression scores on hand-made views: missing, redundant and wrong, anchored and symmetric."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overread.systems.longitudinal import SYSTEM
from overread.systems.longitudinal.schema import (
    SUPPORT_DEVICES,
    TRENDS,
    ComparedSentence,
    Item,
    LongitudinalReport,
)
from overread.systems.longitudinal.score import decisions, labels, micro, score

EFFUSION, EDEMA, NODULE = "pleural effusion", "pulmonary edema/hazy opacity", "calcified nodule"


def report(*sentences, section="findings"):
    """A view from the (disease, progression) pairs of each sentence."""
    made = [
        ComparedSentence(
            section, 40 * n, 40 * n + 30, f"sentence {n}", bool(pairs), tuple(Item(*p) for p in pairs)
        )
        for n, pairs in enumerate(sentences)
    ]
    return LongitudinalReport("r", tuple(made))


def kinds(reference, candidate):
    return [(v["kind"], v["disease"]) for v in score(reference, candidate).detail["labels"]]


def both(reference, candidate):
    return score(reference, candidate).value, score(reference, candidate, anchored=False).value


def test_all_right():
    one = report([(EFFUSION, "improved")], [(EDEMA, "worsened")])
    assert both(one, one) == (1.0, 1.0)
    assert score(one, one).counts["agreed"] == 2


def test_missing_comparison():
    reference, candidate = (
        report([(EFFUSION, "improved")], [(EDEMA, "worsened")]),
        report([(EFFUSION, "improved")]),
    )
    found = score(reference, candidate)
    assert kinds(reference, candidate) == [("agreed", EFFUSION), ("missing comparison", EDEMA)]
    assert (found.precision, found.recall) == (1.0, 0.5)
    assert both(reference, candidate) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert found.detail["labels"][1]["reference_sentences"] == [
        {"start": 40, "end": 70, "text": "sentence 1"}
    ]


def test_redundant_comparison_counts_only_in_the_symmetric_score():
    reference, candidate = (
        report([(EFFUSION, "improved")]),
        report([(EFFUSION, "improved"), (EDEMA, "worsened")]),
    )
    assert kinds(reference, candidate) == [("agreed", EFFUSION), ("redundant comparison", EDEMA)]
    assert both(reference, candidate) == (1.0, pytest.approx(2 / 3))
    assert score(reference, candidate, anchored=False).precision == 0.5


def test_wrong_trend_is_one_error_of_each_kind():
    reference, candidate = report([(EFFUSION, "improved")]), report([(EFFUSION, "worsened")])
    counts = score(reference, candidate).counts
    assert kinds(reference, candidate) == [("wrong trend", EFFUSION)]
    assert (counts["improved:fn"], counts["worsened:fp"]) == (1, 1)
    assert both(reference, candidate) == (0.0, 0.0)


def test_two_trends_of_one_disease_against_one_of_them():
    reference = report([(EFFUSION, "improved"), (EFFUSION, "worsened")])
    candidate = report([(EFFUSION, "worsened")])
    assert kinds(reference, candidate) == [("agreed", EFFUSION), ("missing comparison", EFFUSION)]
    assert kinds(candidate, reference) == [("agreed", EFFUSION), ("redundant comparison", EFFUSION)]


def test_several_diseases_in_one_sentence_are_judged_one_by_one():
    reference = report([(EFFUSION, "improved"), (EDEMA, "worsened"), (NODULE, "no change")])
    candidate = report([(EFFUSION, "improved"), (EDEMA, "no change")], [("atelectasis", "worsened")])
    assert kinds(reference, candidate) == [
        ("agreed", EFFUSION),
        ("wrong trend", EDEMA),
        ("missing comparison", NODULE),
        ("redundant comparison", "atelectasis"),
    ]
    assert both(reference, candidate) == (pytest.approx(2 / 5), pytest.approx(2 / 6))


def test_saying_it_twice_counts_once():
    once, twice = report([(EFFUSION, "improved")]), report([(EFFUSION, "improved")], [(EFFUSION, "improved")])
    assert score(once, twice).counts == score(once, once).counts


def test_support_devices_and_unmentioned_are_no_labels():
    assert labels(report([(SUPPORT_DEVICES, None)], [(EDEMA, "unmentioned")])) == {}
    reference = report([(SUPPORT_DEVICES, None)], [(EFFUSION, "improved")])
    assert score(reference, report([(EFFUSION, "improved")])).value == 1.0


def test_undefined_is_told_apart():
    nothing, something = report([], []), report([(EFFUSION, "improved")])
    anchored = score(nothing, something)
    assert anchored.value is None
    assert "reference" in anchored.why
    assert score(nothing, something, anchored=False).value == 0.0
    assert score(nothing, nothing, anchored=False).value is None
    assert anchored.counts["improved:elsewhere"] == 1


def test_corpus_scores_are_functions_of_summed_counts():
    pairs = [
        (report([(EFFUSION, "improved")]), report([(EFFUSION, "improved")])),
        (report([(EDEMA, "worsened")]), report([(EDEMA, "improved")])),
        (report([]), report([(NODULE, "no change")])),
    ]
    found = [score(*pair).counts for pair in pairs]
    total = {name: sum(one[name] for one in found) for name in found[0]}
    assert micro(total) == pytest.approx(2 / 4)
    assert micro(total, anchored=False) == pytest.approx(2 / 5)
    of_each = {trend: decisions(total, trends=[trend]).f1 for trend in TRENDS}
    assert of_each == {"improved": pytest.approx(2 / 3), "no change": None, "worsened": 0.0}


pairs = st.tuples(st.sampled_from([EFFUSION, EDEMA, NODULE, SUPPORT_DEVICES]), st.sampled_from(TRENDS))
views = st.lists(st.lists(pairs, max_size=3), max_size=4).map(lambda made: report(*made))


@given(views, views)
def test_symmetric_and_bounded(one, other):
    forth, back = score(one, other, anchored=False), score(other, one, anchored=False)
    assert forth.value == back.value
    assert (forth.precision, forth.recall) == (back.recall, back.precision)
    for anchored in (True, False):
        value = score(one, other, anchored=anchored).value
        assert value is None or 0 <= value <= 1


@given(views)
def test_a_report_agrees_with_itself(one):
    for metric in SYSTEM.metrics:
        assert metric.score(one, one).value in (1.0, None)


@given(views, views)
def test_counts_add_up(one, other):
    found = score(one, other)
    counts = found.counts
    wanted = sum(len(ways) for ways in labels(one).values())
    given_ = sum(len(ways) for ways in labels(other).values())
    assert counts["agreed"] + counts["wrong trend"] + counts["missing comparison"] == wanted
    assert counts["agreed"] + counts["wrong trend"] + counts["redundant comparison"] == given_
    if found.value is not None:
        assert found.value == pytest.approx(micro(counts))
