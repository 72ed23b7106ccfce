"""Categories of what the film cannot show, after the examples of the paper's appendix."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.lunguage.by_rules import view

ELSEWHERE = [
    ("INDICATION: AIDS with cough.", "AIDS", "NCD"),
    ("INDICATION: HIV positive, now with fever.", "HIV positive", "NCD"),
    ("INDICATION: Prior stroke.", "stroke", "NCD"),
    ("INDICATION: Known seizure disorder.", "seizure disorder", "NCD"),
    ("INDICATION: Low oxygen saturation.", "oxygen saturation", "COF"),
    ("INDICATION: Elevated white cell count.", "white cell count", "COF"),
    ("INDICATION: On anti-PD1 antibody.", "anti-PD1 antibody", "COF"),
    ("INDICATION: Blood pressure is low.", "Blood pressure", "COF"),
    ("FINDINGS: Effusion seen on ultrasound. Lungs are clear.", "Effusion", "NCD"),
    ("FINDINGS: Nodule seen on CT is stable.", "Nodule", "PF"),
    ("INDICATION: Cough.", "Cough", "PATIENT INFO"),
]


@pytest.mark.parametrize(("text", "entity", "category"), ELSEWHERE, ids=[e[1] for e in ELSEWHERE])
def test_category(text, entity, category):
    found = {f.entity: f.category for f in view(read(parse(text, "r"))).findings}
    assert found[entity] == category


def test_what_an_opacity_may_be_rests_on_it_as_a_diagnosis_would():
    opacity, shadow = view(
        read(parse("FINDINGS: Round opacity at the left base may be a nipple shadow.", "r"))
    ).findings
    assert shadow.associate == [opacity.id]
    assert shadow.evidence == [opacity.id]


def test_an_opacity_that_suggests_pneumonia_is_evidence():
    opacity, pneumonia = view(read(parse("FINDINGS: Opacity suggests pneumonia.", "r"))).findings
    assert pneumonia.evidence == [opacity.id]
    assert pneumonia.associate == [opacity.id]
