"""Levels built from any report by rules: the same by seed, each worse than the one before."""

from itertools import pairwise
from statistics import fmean

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.radsem.by_rules import view
from overread.systems.radsem.score import score
from overread.validation.ladder import chain, chains, inverted, reworded, synonyms
from overread.validation.prose import prose

TEXT = (
    "FINDINGS: The heart is enlarged. The left lung holds multiple nodules. "
    "A small right pleural effusion is present. The liver shows a hypodense lesion. "
    "No pneumothorax. The spleen is normal in size."
)
REPORT = parse(TEXT, "r1")


def atoms(text):
    return view(read(parse(text, "x")))


def test_the_same_seed_gives_the_same_levels_and_another_seed_others():
    assert chain(REPORT, 3) == chain(REPORT, 3)
    assert chain(REPORT, 3) != chain(REPORT, 4)


def test_levels_hold_as_many_abnormal_sentences_as_they_should():
    made = chain(REPORT)
    assert made is not None
    count = [sum(a.normality == "abnormal" for a in atoms(text).atoms) for text in made.levels]
    assert count[:4] == [4, 3, 2, 0]
    assert count[4] > 0


def test_the_score_falls_from_level_to_level():
    made = chain(REPORT)
    assert made is not None
    values = [score(atoms(made.reference), atoms(text)).value for text in made.levels]
    assert values[0] == pytest.approx(1, abs=0.1)
    assert all(one > two for one, two in pairwise(values))


def test_a_report_with_too_little_in_it_is_left_out():
    assert chain(parse("Cardiomegaly. No effusion.", "r")) is None
    assert [c.id for c in chains([parse("Normal.", "a"), REPORT])] == ["r1"]


@pytest.mark.parametrize(
    ("sentence", "opposite"),
    [
        ("There is no pneumothorax.", "There is pneumothorax."),
        ("There is pneumothorax.", "There is no pneumothorax."),
        ("Heart is not enlarged.", "Heart is enlarged."),
        ("Heart size is normal.", "Heart size is not normal."),
        ("Left lung has multiple 3 mm nodules.", "Left lung has no multiple nodules."),
        ("Central line 3 cm below the carina.", "No central line below the carina."),
        ("NG tube in the stomach.", "No NG tube in the stomach."),
        ("Neither hilum is enlarged.", "Hilum is enlarged."),
    ],
)
def test_a_sentence_is_turned_into_its_opposite(sentence, opposite):
    assert inverted(sentence) == opposite


class Always:
    """A random source that always changes a word, to the first choice."""

    def random(self):
        return 0.0

    def choice(self, choices):
        return choices[0]


def test_paraphrases_by_the_synonym_table_leave_most_of_the_score():
    """Each word of the table for another of its row, in one sentence."""
    said = [f"Left lung has {form} nodule." for form in synonyms()[1]]
    values = [score(atoms(one), atoms(reworded(one, Always()))).value for one in said]
    assert fmean(values) > 0.7


def test_prose_says_what_its_sentences_say():
    """Sides, denials and one subject's findings are put together, and read apart again."""
    sentences = [
        "Left lung is clear.",
        "There is no effusion.",
        "Liver has a cyst.",
        "Right lung is clear.",
        "Heart is enlarged.",
        "There is no pneumothorax.",
        "Liver has a calcification.",
    ]
    text = prose(sentences)
    assert text == (
        "Both lungs are clear. There is no effusion or pneumothorax. Liver has a cyst and a calcification. "
        "Heart is enlarged."
    )
    assert score(atoms(text), atoms(" ".join(sentences))).value > 0.95
