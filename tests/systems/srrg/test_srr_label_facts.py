"""Order, tree and maps of the labels, against counts and places that are known from the paper."""

import json
import os
from pathlib import Path

import pytest

from overread.errors import UnknownName
from overread.systems.srrg.labels import (
    NO_FINDING,
    PARENTS,
    SPACES,
    Label,
    above,
    category,
    chexpert,
    facts,
    space,
    upper,
)
from overread.systems.srrg.schema import HEADERS


@pytest.mark.parametrize(
    ("name", "size", "first", "last"),
    [
        ("leaves", 55, "No Finding", "Pneumoperitoneum"),
        ("upper", 25, "Pleural Effusion", "Musculoskeletal finding"),
        ("leaves-statuses", 163, "Lung Lesion (Present)", "No Finding"),
        ("upper-statuses", 73, "Pleural Effusion (Present)", "No Finding"),
    ],
)
def test_each_space_has_its_labels_in_order(name, size, first, last):
    names = space(name).names
    assert len(names) == len(set(names)) == size
    assert (names[0], names[-1]) == (first, last)


def test_statuses_follow_one_another_label_by_label():
    names = space("leaves-statuses").names
    assert names[3:6] == ("Edema (Present)", "Edema (Uncertain)", "Edema (Absent)")
    assert [n for n in names if n.endswith("(Absent)")] == [
        f"{leaf} (Absent)" for leaf in facts().leaves if leaf != NO_FINDING
    ]


def test_upper_spaces_keep_the_order_of_the_uppers():
    plain = [n for n in space("upper").names if n != NO_FINDING]
    assert [n.removesuffix(" (Present)") for n in space("upper-statuses").names[::3]][:-1] == plain


def test_every_leaf_hangs_in_the_tree_under_an_upper_label():
    for leaf in facts().leaves:
        assert upper(leaf) in facts().uppers
        if leaf != NO_FINDING:
            assert list(above(leaf))[-1] in {child for child, parent in facts().tree.items() if parent == ""}


def test_two_uppers_are_never_reached():
    reached = {upper(leaf) for leaf in facts().leaves}
    assert set(facts().uppers) - reached == {"Masslike opacity", "Upper abdominal finding"}


def test_no_leaf_has_children():
    assert not set(facts().leaves) & set(facts().tree.values())


def test_tree_has_its_published_depths():
    assert len(list(above("Atelectasis"))) == 6
    assert len(list(above("Pneumoperitoneum"))) == 3
    assert len(list(above("Cardiomegaly"))) == 2


def test_parents_exist_in_upper_spaces_only():
    one = [Label(parent, "Present") for parent in PARENTS]
    assert space("leaves").of(one) == frozenset()
    assert space("upper").of(one) == set(PARENTS)


def test_labels_share_one_upper():
    both = [Label("Pneumonia", "Uncertain"), Label("Atelectasis", "Present")]
    assert space("upper").of(both) == {"Consolidation"}
    assert space("upper-statuses").of(both) == {"Consolidation (Uncertain)", "Consolidation (Present)"}


def test_categories_are_headers_of_the_template():
    assert {category(leaf) for leaf in facts().leaves if leaf != NO_FINDING} <= set(HEADERS)
    assert category(NO_FINDING) is None


def test_every_leaf_has_a_chexpert_row_with_a_reason():
    classes = facts().chexpert["classes"]
    assert len(classes) == 14
    assert all(row["reason"].strip() for row in facts().chexpert["of"].values())
    for leaf in facts().leaves:
        assert set(chexpert(leaf)) <= set(classes)
        assert any(branch in facts().chexpert["of"] for branch in above(leaf))
    assert {c for leaf in (*facts().leaves, *PARENTS) for c in chexpert(leaf)} == set(classes)


def test_chexpert_keeps_fluid_apart_from_thickening():
    assert chexpert("Simple pleural effusion") == ("Pleural Effusion",)
    assert chexpert("Pleural scarring") == ("Pleural Other",)
    assert chexpert("Tortuous Aorta") == ()


def test_an_unknown_space_is_named_with_the_known_ones():
    with pytest.raises(UnknownName, match="leaves-statuses"):
        space("leafs")
    assert SPACES[0] == "leaves"


@pytest.mark.skipif(
    "OVERREAD_DATA" not in os.environ, reason="OVERREAD_DATA names no folder with the label facts"
)
def test_order_and_map_agree_with_the_released_models():
    told = json.loads((Path(os.environ["OVERREAD_DATA"]) / "srr_labels.json").read_text("utf-8"))
    assert list(facts().leaves) == told["leaves"]
    assert list(facts().uppers) == told["uppers"]
    assert {leaf: upper(leaf) for leaf in facts().leaves} == told["leaf_to_upper"]
