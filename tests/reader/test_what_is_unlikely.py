"""Of two diagnoses one is unlikely: which of them the word is said of."""

import pytest

from overread.reader.read import read
from overread.report import parse


def told(text):
    return {f.entity: (f.status, f.certainty) for f in read(parse(text, "x")).findings}


THERE, PERHAPS, HARDLY = ("positive", "definitive"), ("positive", "tentative"), ("negative", "tentative")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Atelectasis, less likely pneumonia.", {"Atelectasis": THERE, "pneumonia": HARDLY}),
        ("Atelectasis is likely, pneumonia less likely.", {"Atelectasis": PERHAPS, "pneumonia": HARDLY}),
        ("Hemorrhage is unlikely, abscess is favored.", {"Hemorrhage": HARDLY, "abscess": PERHAPS}),
        ("Abscess seems improbable given the history.", {"Abscess": HARDLY}),
        ("Hemangioma favored over metastasis.", {"Hemangioma": PERHAPS, "metastasis": PERHAPS}),
        ("Left lower lobe infarct, probable.", {"infarct": PERHAPS}),
        ("Ascites: none in January, large today.", {"Ascites": THERE}),
    ],
)
def test_each_has_its_own_certainty(text, expected):
    assert told(text) == expected


def test_a_denial_without_a_verb_denies_the_last():
    assert told("There is an effusion, pneumothorax absent.")["effusion"] == THERE
