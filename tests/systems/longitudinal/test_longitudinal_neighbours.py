"""Diseases that share a comparison: named with another, or named in the sentence before."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.longitudinal.by_rules import view


def sentences(text):
    found = view(read(parse(f"FINDINGS: {text}", "r1"))).sentences
    return [(s.longitudinal, [(i.disease, i.progression) for i in s.items]) for s in found]


def last_items(text):
    return sentences(text)[-1][1]


# ---- named with another
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Persistent left effusion with overlying atelectasis.",
            [("pleural effusion", "no change"), ("atelectasis", "no change")],
        ),
        (
            "New right effusion with adjacent atelectasis.",
            [("pleural effusion", "worsened"), ("atelectasis", "worsened")],
        ),
        ("The mediastinum is stable with a tortuous aorta.", [("tortuous aorta", "no change")]),
        ("Unchanged thoracic XXXX deformity.", [("spinal fracture", "no change")]),
        ("Unchanged fracture with callus at the right fifth lateral rib.", [("rib fracture", "no change")]),
        (
            "Stable effusion with new atelectasis.",
            [("pleural effusion", "no change"), ("atelectasis", "worsened")],
        ),
    ],
)
def test_what_came_or_stayed_with_another(text, expected):
    assert last_items(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Improving lung volumes with basilar atelectasis.", [("low lung volumes", "improved")]),
        (
            "Increased elevation of the left hemidiaphragm with a scar.",
            [("elevated hemidiaphragm", "worsened")],
        ),
        ("Stable cardiomegaly with a right effusion.", [("enlarged cardiac silhouette", "no change")]),
        ("Stable cardiomegaly with clear lungs.", [("enlarged cardiac silhouette", "no change")]),
        ("The left chest tube is unchanged with a small pneumothorax.", [("support devices", None)]),
        ("Stable cavity at the left apex from prior tuberculosis.", [("lung lesion", "no change")]),
    ],
)
def test_more_of_one_says_nothing_of_the_other(text, expected):
    assert last_items(text) == expected


# ---- named in the sentence before
@pytest.mark.parametrize(
    "second",
    [
        "This is unchanged.",
        "This was also seen on the prior CT.",
        "It was present on the earlier film.",
        "A similar appearance was present on the last exam.",
        "Similar findings were seen on the previous exam.",
        "Unchanged from the prior exam.",
        "This is of uncertain etiology but is stable since the prior exam.",
    ],
)
def test_a_sentence_that_points_back(second):
    first, compared = sentences(f"There is a large hiatal hernia. {second}")
    assert first == (False, [])
    assert compared == (True, [("hernia", "no change")])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Left apical opacity. This was not present on the recent prior study.", "worsened"),
        ("Left apical opacity. It was absent on the prior exam.", "worsened"),
        ("Left apical opacity. This finding is new since the prior film.", "worsened"),
        ("Left apical opacity. Decreased from the prior film.", "improved"),
    ],
)
def test_which_way_it_went_since_then(text, expected):
    assert last_items(text) == [("lung opacity", expected)]


def test_a_word_of_the_explanation_is_not_said_of_what_it_explains():
    assert last_items("Left apical opacity. This is consistent with worsening pneumonia.") == [
        ("pneumonia", "worsened")
    ]


def test_one_is_the_last_and_many_are_all():
    named = "There is scoliosis and a calcified granuloma."
    assert last_items(f"{named} This was present on the prior exam.") == [("calcified nodule", "no change")]
    assert last_items(f"{named} These were present on the prior exam.") == [
        ("scoliosis", "no change"),
        ("calcified nodule", "no change"),
    ]


def test_the_last_brings_what_it_explains():
    assert last_items("Nodules consistent with lung cancer. This is unchanged.") == [
        ("mass/nodule (not otherwise specified)", "no change"),
        ("lung cancer", "no change"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "There is no effusion. This is unchanged.",
        "The trachea is midline. These findings are unchanged since the prior exam.",
        "There is a nodule. This study is compared to the prior film.",
    ],
)
def test_nothing_to_point_at(text):
    assert sentences(text)[-1] == (True, [])


def test_a_normal_structure_can_be_pointed_at():
    assert last_items("Heart size is normal. This is unchanged.") == [
        ("enlarged cardiac silhouette", "no change")
    ]


def test_it_looks_past_a_sentence_that_only_denies():
    text = "Calcified nodule in the left apex. No other nodules. It is unchanged compared to the prior study."
    assert last_items(text) == [("calcified nodule", "no change")]


def test_a_described_structure_stays_with_the_noun_before_it():
    assert last_items("Stable cardiomegaly and prominent pulmonary vasculature.") == [
        ("enlarged cardiac silhouette", "no change"),
        ("vascular congestion", "no change"),
    ]
    assert last_items("Stable cardiomegaly and normal pulmonary vasculature.") == [
        ("enlarged cardiac silhouette", "no change")
    ]


def test_what_the_next_sentence_tells_is_no_comparison_of_this_one():
    first, second = sentences(
        "A dense opacity is seen at the left base. This was not present on the prior exam."
    )
    assert not first[0]
    assert second == (True, [("lung opacity", "worsened")])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hazy opacity at the right base, not there last week.", "worsened"),
        ("There is an opacity behind the heart that was not described before.", "worsened"),
    ],
)
def test_what_was_not_there_is_new(text, expected):
    assert [way for _, way in last_items(text)] == [expected]
