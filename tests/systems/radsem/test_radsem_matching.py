"""Which atoms match: one finding or part of it, never what cannot be true together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overread.systems.radsem.match import match, matching
from overread.systems.radsem.schema import Atoms
from overread.systems.radsem.score import score
from overread.systems.radsem.tags import problems

CONTRADICTING = [
    ("There is a small left effusion.", "There is no left effusion."),
    ("The heart is enlarged.", "Heart size is normal."),
    ("Nodule in the left lung.", "Nodule in the right lung."),
    ("The trachea is patent.", "The trachea is occluded."),
    ("The liver shows increased density.", "The liver shows decreased density."),
    ("Fracture of the proximal femur.", "Fracture of the distal femur."),
    ("Mild pulmonary edema.", "Severe pulmonary edema."),
    ("The effusion has improved since the prior study.", "The effusion has worsened since the prior study."),
    (
        "The margins of the nodule are well defined in the liver.",
        "The margins of the nodule are ill defined in the liver.",
    ),
    ("The lesion in the spleen is hyperintense on T2WI.", "The lesion in the spleen is hypointense on T2WI."),
]
SAME = [
    ("Heart size is normal.", "There is no cardiomegaly."),
    ("Lymphadenopathy in the mediastinum.", "Enlarged mediastinal lymph nodes."),
    ("Bronchiectasis in the left lung.", "Dilated bronchi in the left lung."),
    ("No gallstones.", "The gallbladder has no calculi."),
    ("The liver shows a hypodense nodule.", "A low-attenuation nodule is seen in the liver."),
    ("The left ventricle is of normal size.", "The left ventricle is not dilated."),
]
PART = [
    ("Nodule in the left upper lobe.", "Nodule in the left lung."),
    ("Calcified nodule in the liver.", "Nodule in the liver."),
    ("Osteophytes are seen at L2-3.", "Osteophytes are seen at L3."),
]


@pytest.mark.parametrize(("one", "two"), CONTRADICTING)
def test_what_cannot_be_true_together_never_matches(atoms, one, two):
    assert matching(atoms(one).atoms, atoms(two).atoms) == {}
    assert score(atoms(one), atoms(two)).value == pytest.approx(0, abs=0.005)


@pytest.mark.parametrize(("one", "two"), SAME)
def test_the_same_finding_in_other_words_matches_fully(atoms, one, two):
    found = match(atoms(one), atoms(two))
    assert [p.part_whole for p in found.findings.pairs] == [0]
    assert found.findings.unmatched_sentences == ()


@pytest.mark.parametrize(("one", "two"), PART)
def test_a_part_matches_its_whole_with_less_weight(atoms, one, two):
    (pair,) = match(atoms(one), atoms(two)).findings.pairs
    assert pair.part_whole >= 1


def test_a_description_falls_with_its_lesion(atoms):
    """A report that denies the lesion describes nothing, whatever margins it goes on to give it."""
    one = atoms("Low-density areas are seen in the left thalamus, with blurred margins.").atoms
    two = atoms(
        "No low-density areas are seen in the left thalamus. The areas in the left thalamus have blurred margins."
    ).atoms
    assert matching(one, two) == {}


def test_what_lies_beside_a_region_is_not_beside_all_of_it(atoms):
    one, two = (
        atoms(f"Linear opacities are seen in the {place}.").atoms for place in ("lungs", "pericardium")
    )
    assert matching(one, two) == {}


def test_two_findings_of_one_organ_do_not_match(atoms):
    assert (
        matching(atoms("Cyst in the left kidney.").atoms, atoms("Hydronephrosis of the left kidney.").atoms)
        == {}
    )
    assert matching(atoms("No pleural effusion.").atoms, atoms("No pneumothorax.").atoms) == {}


def test_an_outright_denial_beats_a_looser_affirmation(atoms):
    """The candidate denies the nodule of the lower lobe; the nodules it has elsewhere in that lung are no excuse."""
    reference = atoms("Nodule in the left lower lobe.")
    candidate = atoms("Nodules in the left lung. No nodule in the left lower lobe.")
    assert matching(reference.atoms, candidate.atoms) == {}


def test_a_denial_of_the_rest_denies_nothing_that_was_named(atoms):
    reference = atoms("Patchy opacities in the left lung. No other abnormal density in the left lung.")
    candidate = atoms("Patchy opacities are present in the left lung.")
    assert len(matching(reference.atoms, candidate.atoms)) == 1


def test_a_finding_no_table_knows_is_matched_by_its_own_words(atoms):
    reference, candidate = (
        atoms("Zorbic plaquette in the left frontal lobe."),
        atoms("Left frontal lobe has zorbic plaquette."),
    )
    assert score(reference, candidate).value == pytest.approx(1, abs=0.005)


def test_details_are_labelled(atoms):
    def label(one, two):
        return match(atoms(one), atoms(two)).findings.pairs[0].details_of_abnormality_relationship

    assert label("Small cyst in the liver.", "Small cyst in the liver.") == "equivalent"
    assert label("Multiple small cysts in the liver.", "Small cysts in the liver.") == "partial"
    assert label("Small cyst in the liver.", "Cyst in the liver.") == "none"


def test_sizes_are_compared_in_millimetres(atoms):
    (pair,) = match(atoms("A 2 cm cyst in the liver."), atoms("Liver cyst of 20 mm.")).findings.pairs
    assert pair.details_of_abnormality_relationship == "equivalent"


def test_the_detail_of_a_score_names_what_was_refused(atoms):
    found = score(atoms("Left effusion."), atoms("No left effusion."))
    assert found.detail["contradicted"] == [
        {
            "ref_sentence": "A left effusion is present.",
            "gen_sentence": "There is no left effusion.",
            "reason": "present against absent",
        }
    ]
    assert found.detail["missed"] == ["A left effusion is present."]
    assert found.detail["invented"] == ["There is no left effusion."]


# ---- laws
PLACES = (
    "left lung",
    "right lung",
    "liver",
    "left kidney",
    "heart",
    "left frontal lobe",
    "L4 vertebral body",
)
ABNORMAL = ("has nodules", "is enlarged", "has a small cyst", "has patchy opacities", "has a fracture")
NORMAL = ("is normal in size", "has no nodule", "is unremarkable", "has no cyst", "has no mass")
abnormal = st.builds("The {} {}.".format, st.sampled_from(PLACES), st.sampled_from(ABNORMAL))
normal = st.builds("The {} {}.".format, st.sampled_from(PLACES), st.sampled_from(NORMAL))
reports = st.lists(abnormal | normal, min_size=1, max_size=6).map(" ".join)


@given(text=reports)
def test_a_report_matches_itself(atoms, text):
    view = atoms(text)
    found = match(view, view)
    assert {(p.ref_sentence, p.gen_sentence) for p in found.findings.pairs} >= {
        (a.text, a.text) for a in view.atoms
    }
    assert score(view, view).value == pytest.approx(1)


@given(one=reports, two=reports)
def test_swapping_sides_changes_nothing(atoms, one, two):
    assert score(atoms(one), atoms(two)).value == pytest.approx(score(atoms(two), atoms(one)).value)


@given(one=reports, two=reports)
def test_every_record_covers_every_sentence_once(atoms, one, two):
    assert list(problems(match(atoms(one), atoms(two)))) == []


@pytest.mark.slow
@given(reference=reports, candidate=reports, place=st.sampled_from(PLACES))
def test_a_sentence_that_contradicts_the_reference_never_raises_the_score(atoms, reference, candidate, place):
    whole = atoms(f"{reference} The {place} has a hemangioma.")
    before = score(whole, atoms(candidate)).value
    after = score(whole, with_more(atoms(candidate), atoms(f"The {place} has no hemangioma."))).value
    assert after <= before + 0.005


@given(reference=reports, candidate=reports)
def test_an_invented_abnormal_finding_never_raises_the_score(atoms, reference, candidate):
    before = score(atoms(reference), atoms(candidate)).value
    invented = with_more(atoms(candidate), atoms("The spleen has a ruptured pseudoaneurysm."))
    assert score(atoms(reference), invented).value <= before + 0.005


def with_more(view, more):
    known = {a.text for a in view.atoms}
    return Atoms(view.id, (*view.atoms, *(a for a in more.atoms if a.text not in known)))
