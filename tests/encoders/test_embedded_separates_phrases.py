"""The embedded encoder on phrase pairs written for this test: synonyms near, unrelated phrases far."""

import csv
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overread.encoders import load
from overread.encoders.embedded import Embedded, hashed

PAIRS = Path(__file__).with_name("phrase_pairs.tsv")
WORDS = [
    "left",
    "right",
    "small",
    "pleural",
    "effusion",
    "heart",
    "enlarged",
    "new",
    "zorbly",
    "8 mm",
    "lobe",
]


@cache
def likeness(kind: str) -> np.ndarray:
    with PAIRS.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["kind"] == kind]
    one, other = (load().encode([row[column] for row in rows]) for column in ("one", "other"))
    return (one * other).sum(1)


def area(high: np.ndarray, low: np.ndarray) -> float:
    """Area under the ROC curve: how often a pair of the first kind is nearer than one of the second."""
    return float(((high[:, None] > low) + 0.5 * (high[:, None] == low)).mean())


def test_synonyms_stand_apart_from_unrelated_phrases():
    synonyms, unrelated = likeness("synonym"), likeness("unrelated")
    assert min(len(synonyms), len(unrelated)) >= 200
    assert area(synonyms, unrelated) >= 0.97
    assert np.median(synonyms) >= 0.8
    assert np.quantile(unrelated, 0.95) <= 0.2


def test_opposites_are_not_synonyms():
    assert area(likeness("synonym"), likeness("opposite")) >= 0.8


@pytest.mark.parametrize(
    ("near", "far"),
    [
        (("left effusion", "left-sided pleural fluid"), ("left effusion", "right effusion")),
        (("enlarged heart", "cardiomegaly"), ("enlarged heart", "heart size normal")),
        (("unchanged", "stable"), ("unchanged", "worsened")),
        (("oedema", "edema"), ("edema", "nodule")),
        (("zorbly granuloid", "granuloid zorblies"), ("zorbly granuloid", "quinty marvel")),
    ],
)
def test_nearer_than(near, far):
    one, two, three, four = load().encode([*near, *far])
    assert one @ two > three @ four + 0.15


@given(st.lists(st.sampled_from(WORDS), max_size=6))
def test_vectors_have_length_one_or_say_nothing(words):
    (vector,) = Embedded().encode([" ".join(words)])
    assert np.linalg.norm(vector) == pytest.approx(1 if words else 0, abs=1e-5)


def test_same_vector_in_every_process():
    """A few values written down: hashing must not depend on the interpreter's seed."""
    places, signs = hashed("side:left")
    assert places == (132, 460, 724, 896)
    assert signs == (1, 1, -1, 1)


def test_phrases_without_words():
    assert not load().encode(["", "—", "..."]).any()
    assert len(load().encode([])) == 0
