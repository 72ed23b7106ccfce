"""Wordings that compare without naming a study, as the paper labels them."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.longitudinal.by_rules import view

SAID = [
    ("There is still a small left pleural effusion.", [("pleural effusion", "no change")]),
    ("There is still a left effusion, no pneumothorax.", [("pleural effusion", "no change")]),
    ("The lung volumes are still low.", [("low lung volumes", "no change")]),
    ("Heart is still enlarged.", [("enlarged cardiac silhouette", "no change")]),
    ("Lower lung volumes.", [("low lung volumes", "worsened")]),
    ("Lung volumes are lower than before.", [("low lung volumes", "worsened")]),
    ("No residual pneumothorax.", [("pneumothorax", "improved")]),
    ("The mediastinum is no longer shifted.", [("mediastinal displacement", "improved")]),
    ("The heart is no longer enlarged.", [("enlarged cardiac silhouette", "improved")]),
    (
        "Increased opacity at the left base, which may reflect atelectasis.",
        [("lung opacity", "worsened"), ("atelectasis", "worsened")],
    ),
    ("No larger pleural effusions.", [("pleural effusion", "no change")]),
    ("Improved aeration of the right lung base.", [("atelectasis", "improved")]),
    ("Decreased aeration of the left lower lobe since the prior study.", [("atelectasis", "worsened")]),
    ("Improved aeration.", [("low lung volumes", "improved")]),
    ("Stable mediastinal contours with ectasia of the aorta.", [("tortuous aorta", "no change")]),
    ("Left apical opacity, not well seen on the prior exam.", [("lung opacity", "worsened")]),
]
SILENT = [
    "Lower lobe opacity.",
    "Residual pneumothorax is small.",
    "Increased markings.",
    "Slight increase in basilar markings.",
    "There is an increase in lung markings.",
    "Increased density at the left base, and the heart may be large.",
    "Low lung volumes.",
]


def sentence(text):
    (found,) = view(read(parse(f"FINDINGS: {text}", "r"))).sentences
    return found


@pytest.mark.parametrize(("text", "items"), SAID, ids=[t for t, _ in SAID])
def test_compares(text, items):
    found = sentence(text)
    assert found.longitudinal
    assert [(i.disease, i.progression) for i in found.items] == items


@pytest.mark.parametrize("text", SILENT)
def test_does_not_compare(text):
    assert not sentence(text).longitudinal


@pytest.mark.parametrize("other", ["left", "the left", "the contralateral side"])
def test_the_other_side_is_no_earlier_study(other):
    assert not sentence(f"Dense nodule in the right apex, asymmetric compared to {other}.").longitudinal


@pytest.mark.parametrize(
    "text",
    [
        "The enhancing left parietal mass is larger.",
        "New lesions in the right hepatic lobe are compatible with metastases.",
        "Edema in the left temporal lobe has decreased.",
    ],
)
def test_other_regions_have_no_keyword_of_the_lung(text):
    found = sentence(text)
    assert found.longitudinal
    assert not found.items
