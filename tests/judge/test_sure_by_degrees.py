"""Two short statements score by how likely they say one thing."""

import pytest

import overread
from overread.systems.radsem.score import score_tags
from overread.systems.radsem.tags import Findings, SentencePair, Tags


def reward(one, two):
    return overread.rewards([one], [two], metric="radsem")[0]


def tags(sure, n=1):
    pairs = tuple(
        SentencePair(f"a{k}", f"b{k}", "abnormal", "equivalent", "equivalent", None, "equivalent", sure=sure)
        for k in range(n)
    )
    return Tags(
        "r", Findings(pairs, ()), tuple(p.ref_sentence for p in pairs), tuple(p.gen_sentence for p in pairs)
    )


@pytest.mark.parametrize("sure", [0.0, 0.25, 0.6, 1.0])
@pytest.mark.parametrize("n", [1, 3])
def test_an_unsure_pair_counts_by_its_share(sure, n):
    assert score_tags(tags(sure, n)).value == pytest.approx(sure)


def test_what_is_vaguer_lies_between():
    right = reward("Small left pleural effusion.", "Small effusion on the left.")
    vaguer = reward("Small left pleural effusion.", "Pleural effusion.")
    assert 0.1 < vaguer < right


def test_one_of_two_findings_counts_for_about_half():
    assert (
        0.3 < reward("Right lower lobe pneumonia with small effusion.", "Right lower lobe pneumonia.") < 0.9
    )


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Mild left and severe right hydronephrosis.", "Severe left and mild right hydronephrosis."),
        ("Large splenic infarct, small renal infarct.", "Small splenic infarct, large renal infarct."),
        ("C4-C5: broad bulge. C5-C6: normal.", "C4-C5: normal. C5-C6: broad bulge."),
        ("Gallstone ileus.", "Feeding jejunostomy in the ileum."),
        ("Ventriculoperitoneal shunt in place.", "Pacemaker leads in place."),
    ],
)
def test_what_excludes_or_has_nothing_in_common_scores_low(one, two):
    assert reward(one, two) < 0.4
