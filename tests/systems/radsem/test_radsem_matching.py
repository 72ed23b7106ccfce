"""Which atoms match: one finding or part of it, never what cannot be true together."""

import pytest

from overread.systems.radsem.match import (
    HeardAtom,
    against,
    atoms_alike,
    closeness,
    fit,
    labelled_pair,
    match,
    partner,
    two_statements,
)
from overread.systems.radsem.schema import Atom, Atoms
from overread.systems.radsem.score import score
from overread.systems.radsem.tags import problems

CONTRADICTING = [
    ("There is a small left effusion.", "There is no left effusion."),
    ("The heart is enlarged.", "Heart size is normal."),
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
OTHER = [
    ("Nodule in the left lung.", "Nodule in the right lung."),
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


def test_of_two_single_sentences_the_network_says_whether_they_mean_the_same(atoms):
    one, two, three = map(
        atoms, ("The aortic knob is prominent.", "Conspicuous aortic arch contour.", "Clear lungs.")
    )
    assert two_statements(one, two) > 0.9
    assert two_statements(one, three) < 0.1
    assert two_statements(one, atoms("Conspicuous aortic arch contour. Clear lungs.")) == 0


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
def atom(text, start=0, normality="abnormal", **more):
    return Atom(text, normality, start, start + 1, **more)


def heard(text, borne_out=0.0, denied=0.0, **more):
    return HeardAtom(atom(text, **more), borne_out, denied)


def test_a_pair_is_as_sure_as_both_atoms_together():
    assert atoms_alike(heard("x", 0.9), heard("y", 0.4)).sure == 0.6
    assert atoms_alike(heard("x", 1.0), heard("x", 1.0)).sure == 1


def test_sides_and_classes_keep_atoms_apart():
    left, right, none = (heard("x", 1.0, side=side) for side in ("left", "right", "-"))
    normal = heard("x", 0.8, normality="normal")
    assert [atoms_alike(left, other).sure for other in (left, right, none, normal)] == [1, 0, 1, 0]


def test_a_class_is_misread_where_each_is_surely_said():
    pairs = [
        (heard("Wall of 4 mm.", p), heard("The wall is 4 mm.", p, normality="normal")) for p in (0.95, 0.8)
    ]
    assert [atoms_alike(*pair).sure for pair in pairs] == [0.95, 0]
    assert labelled_pair(*pairs[0]).normality == "abnormal"


def test_once_better_and_once_worse_is_apart():
    better, worse, none = (heard("x", 1.0, change=change) for change in ("better", "worse", "-"))
    assert [atoms_alike(better, other).sure for other in (better, worse, none)] == [1, 0, 1]


@pytest.mark.parametrize(
    ("exact", "place", "rest"),
    [
        ("Left nodule.", "part-whole", False),
        ("Small nodule.", "equivalent", True),
        ("Small nodule in the left lung.", "part-whole", True),
    ],
)
def test_what_says_a_part_of_another_is_labelled(exact, place, rest):
    found = atoms_alike(heard("Nodule.", 0.0, 0.1), heard(exact, 0.0, 0.3))
    assert (found.sure, found.place, found.rest) == (0.7, place, rest)
    made = labelled_pair(heard("Nodule."), heard(exact))
    assert made.details_of_abnormality_relationship == ("partial" if rest else "equivalent")


def test_near_is_what_shares_the_words_of_the_shorter():
    one = atom("Nodule in the left lung.")
    shared = [closeness(one, atom(t)) for t in ("Left nodule.", "Nodule.", "Big nodule.", "Cyst.")]
    assert shared == [1.3, 1.3, 0.8, 0.3]
    assert closeness(one, atom("nodule in the left lung")) > 1.3


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ([("A small mass.", 0.9), ("A left nodule.", 0.9)], {(0, 1)}),
        ([("A small mass.", 0.9), ("A left cyst.", 0.01)], {(0, 0)}),
        ([("A small mass.", 0.01)], set()),
        ([], set()),
    ],
)
def test_the_partner_is_the_nearest_that_is_sure(others, expected):
    ours, theirs = [heard("Nodule in the left lung.", 0.9)], [heard(*one) for one in others]
    assert partner([fit(ours[0], one) for one in theirs]) == (min(expected)[1] if expected else None)


def test_what_is_denied_is_told_with_what_denies_it():
    one = heard("Nodule in the left lung.", 0.0, 0.9)
    no_nodule = heard("No nodule.", 0.0, 0.9, normality="normal")
    assert against(one, [heard("No effusion.", normality="normal"), no_nodule]) == 1
    assert against(one, [heard("No effusion.", normality="normal")]) is None
    assert against(heard("Nodule in the left lung.", 0.0, 0.2), [no_nodule]) is None


def test_a_pair_of_the_network_is_equivalent_and_unsure():
    made = labelled_pair(heard("a", 0.9), heard("b", 0.4))
    assert (made.sure, made.reason, made.part_whole) == (0.6, "network 0.600", 0)
    assert made.details_of_abnormality_relationship == "equivalent"
    normal = labelled_pair(heard("a", 1, normality="normal"), heard("A.", 1, normality="normal"))
    assert (normal.sure, normal.reason) == (1, "equal")
    assert normal.asserted_abnormality_relationship is None
    assert normal.details_of_abnormality_relationship is None
