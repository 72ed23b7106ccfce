"""Each finding of the findings section is a sentence in the report's own words, normal or abnormal."""

import pytest

from overread.report import parse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "No focal consolidation, pleural effusion or pneumothorax.",
            ["No focal consolidation.", "No pleural effusion.", "No pneumothorax."],
        ),
        ("There is a small left pleural effusion.", ["! Small left pleural effusion."]),
        ("Bilateral pleural effusions.", ["! Left pleural effusions.", "! Right pleural effusions."]),
        ("The lungs are clear.", ["Left lung is clear.", "Right lung is clear."]),
        ("The pneumothorax has resolved.", ["No pneumothorax."]),
        ("Possible nodule in the right upper lobe.", ["! Possible nodule in the right upper lobe."]),
    ],
)
def test_atoms_of_a_sentence(said, text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Technique: Supine portable view.",
        "Impression: Pneumonia.",
        "Findings: Comparison is made with the film of March.",
        "Indication: Cough. Findings: Follow-up CT is recommended.",
    ],
)
def test_what_is_no_finding_makes_no_atom(said, text):
    assert said(text) == []


def test_every_word_stands_in_the_report(atoms):
    text = "A 2 cm spiculated nodule is seen in the left upper lobe. No pleural effusion. The heart is mildly enlarged."
    for atom in atoms(text).atoms:
        assert atom.spans
        words = " ".join(text[s.start : s.end] for s in atom.spans).lower()
        own = {w.strip(".").lower() for w in atom.text.split()} - {"in", "the", "is", "a"}
        assert own <= set(words.split())


def test_an_atom_names_its_finding_and_its_sentence(atoms):
    text = "The heart is normal. There is a small left effusion."
    (effusion,) = [a for a in atoms(text).atoms if "effusion" in a.text]
    assert (effusion.side, effusion.normality) == ("left", "abnormal")
    assert text[effusion.start : effusion.end] == "There is a small left effusion."
    assert effusion.finding == "f2"


def test_area_and_examination(atoms):
    found = atoms("CT of the chest. There is a nodule in the left upper lobe. No hepatic lesion.")
    assert (set(found.area), found.type) == ({"thorax", "abdomen"}, "CT")


def test_a_report_without_text_has_no_atoms(atoms):
    assert atoms("").atoms == ()
    assert parse("").sections == ()


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("There is a conspicuous aortic arch contour.", ["abnormal"]),
        ("Contrast does not extravasate from the collecting system.", ["normal"]),
        ("Thank you.", []),
    ],
)
def test_a_sentence_without_a_finding_stands_as_it_is(atoms, text, classes):
    found = atoms(text).atoms
    assert [atom.normality for atom in found] == classes
    assert all((atom.text, atom.finding) == (text, "") for atom in found)
