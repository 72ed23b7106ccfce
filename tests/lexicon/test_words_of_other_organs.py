"""Nouns of reports that are no chest films: named in full, present and absent; places and describing words."""

import pytest

from overread.lexicon.lexicon import lexicon
from overread.reader import read
from overread.report import from_sections

NOUNS = {
    "hydrosalpinx": "hydrosalpinx",
    "adenomyosis": "adenomyosis",
    "hydrocele": "hydrocele",
    "varicoceles": "varicocele",
    "intussusception": "intussusception",
    "thyroiditis": "thyroiditis",
    "Graves disease": "graves-disease",
    "microcalcifications": "microcalcification",
    "fibroadenomas": "fibroadenoma",
    "milk of calcium": "milk-of-calcium",
    "gynaecomastia": "gynecomastia",
    "oligohydramnios": "oligohydramnios",
    "placenta praevia": "placenta-previa",
    "ectopic pregnancy": "ectopic-pregnancy",
    "uptake": "uptake",
    "photopenia": "photopenia",
    "perfusion defects": "perfusion-defect",
    "akinesis": "akinesis",
    "Hill-Sachs defect": "hill-sachs-lesion",
    "Baker's cyst": "baker-cyst",
    "periosteal reaction": "periosteal-reaction",
    "hemivertebrae": "hemivertebra",
    "discitis": "osteomyelitis",
    "Chiari malformation": "chiari-malformation",
    "microhaemorrhages": "microhemorrhage",
    "cholesteatoma": "cholesteatoma",
    "caries": "caries",
    "phlegmon": "phlegmon",
    "Meckel's diverticulum": "meckel-diverticulum",
    "endoleak": "endoleak",
    "in-stent restenosis": "restenosis",
    "false lumen": "false-lumen",
    "late gadolinium enhancement": "delayed-enhancement",
}
"""Invented: what may be named, and the concept it is."""


@pytest.mark.parametrize(("noun", "concept"), NOUNS.items())
def test_a_noun_of_any_organ_is_named_in_full(noun, concept):
    for text, status in ((f"There is {noun}.", "positive"), (f"No {noun}.", "negative")):
        (found,) = read(from_sections({"findings": text})).findings
        assert (found.entity, found.status, found.concept) == (noun, status, concept)


@pytest.mark.parametrize(
    "word", ["hyperkinesis", "hypovascularity", "enophthalmos", "contraction", "instant"]
)
def test_an_opposite_or_ordinary_word_is_no_slip_of_a_new_term(word):
    assert lexicon().normal(word) == word


@pytest.mark.parametrize(
    "place",
    ["isthmus", "umbilical artery", "striatum", "wisdom tooth", "saphenopopliteal junction", "puncture site"],
)
def test_a_structure_of_any_organ_is_a_place(place):
    (found,) = read(from_sections({"findings": f"There is a nodule in the {place}."})).findings
    assert [a.text for a in found.attributes if a.relation == "location"] == [place]


@pytest.mark.parametrize("word", ["spongiform", "pleomorphic", "noncompressible", "akinetic", "carious"])
def test_a_describing_word_of_any_organ_is_kept(word):
    (found,) = read(from_sections({"findings": f"There is a {word} mass."})).findings
    assert [a.text for a in found.attributes if a.relation == "morphology"] == [word]
