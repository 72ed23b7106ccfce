"""Which atoms match: one finding or part of it, never what cannot be true together."""

import numpy as np
import pytest

from overread.systems.radsem.match import Likeness, compatible, labelled, likely, match
from overread.systems.radsem.schema import Atom, Atoms
from overread.systems.radsem.score import score
from overread.systems.radsem.tags import problems

CONTRADICTING = [
    ("There is a small left effusion.", "There is no left effusion."),
    ("The heart is enlarged.", "Heart size is normal."),
    ("Nodule in the left lung.", "Nodule in the right lung."),
    ("The trachea is patent.", "The trachea is occluded."),
    ("The liver shows increased density.", "The liver shows decreased density."),
    ("Mild pulmonary edema.", "Severe pulmonary edema."),
]
SAME = [
    ("Heart size is normal.", "There is no cardiomegaly."),
    ("Bronchiectasis in the left lung.", "Dilated bronchi in the left lung."),
    ("No gallstones.", "The gallbladder has no calculi."),
    ("The liver shows a hypodense nodule.", "A low-attenuation nodule is seen in the liver."),
    ("The left ventricle is of normal size.", "The left ventricle is not dilated."),
]
PART = [("Nodule in the left upper lobe.", "Nodule in the left lung.")]
OTHER = [
    ("Cyst in the left kidney.", "Hydronephrosis of the left kidney."),
    ("No pleural effusion.", "No pneumothorax."),
    ("The clavicle is fractured.", "The clavicle shows a lytic lesion."),
]


@pytest.mark.parametrize(("one", "two"), [*CONTRADICTING, *OTHER])
def test_what_is_not_one_finding_does_not_match(atoms, one, two):
    assert score(atoms(one), atoms(two)).value == pytest.approx(0, abs=0.25)


@pytest.mark.parametrize(("one", "two"), CONTRADICTING)
def test_what_cannot_be_true_together_is_listed(atoms, one, two):
    assert score(atoms(one), atoms(two)).detail["contradicted"]


@pytest.mark.parametrize(("one", "two"), SAME)
def test_the_same_finding_in_other_words_matches(atoms, one, two):
    assert score(atoms(one), atoms(two)).value == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize(("one", "two"), PART)
def test_a_part_matches_its_whole_with_less_weight(atoms, one, two):
    (pair,) = match(atoms(one), atoms(two)).findings.pairs
    assert pair.part_whole >= 1


def test_what_both_say_in_the_same_words_changes_nothing_of_the_others(atoms):
    one, two = "The heart is big.", "There is cardiomegaly."
    same = " No pleural effusion. The trachea is central. The liver is normal."
    alone = match(atoms(one), atoms(two)).findings.pairs
    among = match(atoms(one + same), atoms(two + same)).findings.pairs
    assert [p for p in among if p.reason != "equal"] == list(alone)


def test_swapping_the_reports_swaps_the_pairs(atoms):
    one = atoms(
        "Small left effusion. The heart is enlarged. No pneumothorax. Nodule in the right upper lobe."
    )
    two = atoms(
        "Cardiomegaly. Trace of pleural fluid on the left. Nodule in the right lung. Lungs are clear."
    )
    here, there = match(one, two).findings.pairs, match(two, one).findings.pairs
    assert {(p.ref_sentence, p.gen_sentence, p.sure) for p in here} == {
        (p.gen_sentence, p.ref_sentence, p.sure) for p in there
    }


def test_records_are_whole_however_many_atoms(atoms):
    many = tuple(atom(f"Nodule {n} in segment {n % 7}.", n) for n in range(150))
    found = match(Atoms("a", many), Atoms("a", many[::-1][:140]))
    assert list(problems(found)) == []
    assert sum(p.reason == "equal" for p in found.findings.pairs) == 140


# ---- plain values
def atom(text, start=0, normality="abnormal", side="-"):
    return Atom(text, normality, start, start + 1, side)


def test_likely_pairs_are_about_as_likely_as_the_best_of_one_of_their_atoms():
    match = np.array([[0.9, 0.85, 0.2], [0.3, 0.88, 0.05]])
    assert likely(match).tolist() == [[0, 0], [0, 1], [0, 2], [1, 1]]
    assert likely(np.zeros((0, 3))).tolist() == []


def test_sides_and_classes_keep_atoms_apart():
    left, right, none = (atom("x", side=side) for side in ("left", "right", "-"))
    normal = atom("x", normality="normal")
    assert compatible([left, none, normal], [left, right, none]).tolist() == [
        [True, False, True],
        [True, True, True],
        [False, False, False],
    ]


def seen(match, partly, kind):
    return Likeness(np.array([[match]]), np.array([[partly]]), np.array([[0.0]]), np.array([[kind]]))


@pytest.mark.parametrize(
    ("kind", "partly", "labels"),
    [
        ("degree", False, ("equivalent", "equivalent", "equivalent")),
        ("degree", True, ("equivalent", "equivalent", "partial")),
        ("place", True, ("part-whole", "equivalent", "equivalent")),
        ("part", True, ("part-whole", "equivalent", "equivalent")),
        ("name", True, ("equivalent", "part-whole", "equivalent")),
    ],
)
def test_what_differs_is_a_label(kind, partly, labels):
    from overread.judge.alignment import KINDS

    made = labelled(atom("a"), atom("b"), (0, 0), seen(0.97, partly, KINDS.index(kind)))
    assert labels == (
        made.anatomical_relationship,
        made.asserted_abnormality_relationship,
        made.details_of_abnormality_relationship,
    )
    assert (made.sure, made.reason) == (1.0, "network 0.970")


def test_a_doubtful_pair_counts_in_part():
    assert labelled(atom("a"), atom("b"), (0, 0), seen(0.6, False, 0)).sure == 0.6
    normal = labelled(
        atom("a", normality="normal"), atom("b", normality="normal"), (0, 0), seen(0.6, False, 0)
    )
    assert (normal.asserted_abnormality_relationship, normal.details_of_abnormality_relationship) == (
        None,
        None,
    )
