"""Opposite values and descriptions of one lesion, in two reports."""

import pytest

from overread.systems.radsem.match import match


@pytest.fixture
def pairs(atoms):
    """Two texts → the pairs of findings, as features."""

    def found(reference, candidate):
        one, two = atoms(reference), atoms(candidate)
        names = {a.text: " ".join(a.finding) for view in (one, two) for a in view.atoms}
        tags = match(one, two)
        return {(names[p.ref_sentence], names[p.gen_sentence]) for p in tags.findings.pairs}

    return found


def test_a_lesion_of_opposite_signal_is_not_the_lesion_seen(pairs):
    seen = "Multiple nodular lesions are seen in the liver. The liver nodules are hypointense on T1WI."
    bright = {found for found, _ in pairs(seen, "The liver nodules are hyperintense on T1WI.")}
    assert not any("signal-" in one for one in bright)
    assert pairs(seen, "The liver nodules are hypointense on T1WI.")


def test_a_report_that_says_both_means_two_lesions(pairs):
    both = "A hyperdense nodule is seen in the liver. A hypodense nodule is seen in the liver."
    assert pairs(both, both) == {
        ("density+ nodule", "density+ nodule"),
        ("density- nodule", "density- nodule"),
    }


def test_a_dark_organ_says_nothing_against_a_bright_lesion(pairs):
    found = pairs(
        "The liver is hypodense. A hyperdense nodule is seen in the liver.",
        "A hyperdense nodule is seen in the liver. The liver is hypodense.",
    )
    assert found == {("density-", "density-"), ("density+ nodule", "density+ nodule")}


def test_two_things_said_of_one_fracture_are_two_findings(pairs):
    assert pairs("The clavicle fracture line is indistinct.", "The clavicle fracture is malaligned.") == set()


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        (
            "Opacities with blurred margins are seen in the left lung.",
            "Patchy opacities are seen in the left lung.",
        ),
        (
            "Punctate lesions are seen in the pons. Lesions of the pons are dark on T1WI.",
            "Pontine lesions are dark on T1WI.",
        ),
    ],
)
def test_descriptions_of_a_lesion_find_it(atoms, reference, candidate):
    tags = match(atoms(reference), atoms(candidate))
    assert [u.sentence for u in tags.findings.unmatched_sentences] == []


def test_a_description_that_is_denied_finds_nothing(pairs):
    assert (
        pairs("Opacities with blurred margins are seen in the left lung.", "No opacities in the left lung.")
        == set()
    )


def test_a_denied_description_is_not_covered_by_the_lesion(atoms):
    tags = match(
        atoms("Patchy opacities are seen in the left lung. The left lung opacities have blurred margins."),
        atoms("Patchy opacities are seen in the left lung. The left lung opacities have sharp margins."),
    )
    assert {u.sentence_is_from for u in tags.findings.unmatched_sentences} == {"Ref", "Gen"}


def test_outside_a_place_is_not_in_it(pairs):
    assert (
        pairs("Side port of the drain outside the bladder.", "Side port of the drain in the bladder.")
        == set()
    )


def test_something_abnormal_is_not_another_finding_nearby(pairs):
    assert pairs("A calcification is seen in the coronary artery.", "The heart is abnormal.") == set()


def test_a_part_of_a_neighbour_is_near(pairs):
    found = pairs(
        "Lesions with blurred margins in the left frontal lobe.", "Intracranial lesions with blurred margins."
    )
    assert found == {("focus margin-", "focus margin-")}
