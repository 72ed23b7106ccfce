"""Each distinct phrase goes through an encoder once; a long run forgets the oldest and stays bounded."""

import numpy as np
import pytest

from overread.encoders.embedded import Averaged, Remembering
from overread.encoders.load import load, loaded
from overread.errors import BadInput, UnknownName


class Counting:
    """Gives a phrase its length as a vector, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def encode(self, phrases):
        self.asked.append(list(phrases))
        return np.array([[len(phrase), 1] for phrase in phrases], np.float32)


def test_a_phrase_is_encoded_once_and_new_ones_together():
    inner = Counting()
    encoder = Remembering(inner)
    encoder.encode(["edema", "nodule", "edema"])
    rows = encoder.encode(["mass", "edema", "rib", "nodule"])
    assert inner.asked == [["edema", "nodule"], ["mass", "rib"]]
    assert rows[:, 0].tolist() == [4, 5, 3, 6]


def test_memory_stays_bounded():
    inner = Counting()
    encoder = Remembering(inner, keep=10)
    for number in range(100):
        encoder.encode([f"phrase {number}"])
    assert len(encoder._held) <= 10
    encoder.encode(["phrase 99"])
    assert sum(map(len, inner.asked)) == 100


def test_what_is_asked_for_again_and_again_is_not_forgotten():
    inner = Counting()
    encoder = Remembering(inner, keep=10)
    for number in range(100):
        encoder.encode(["edema", f"phrase {number}"])
    assert sum(asked.count("edema") for asked in inner.asked) == 1


def test_more_phrases_at_once_than_are_kept():
    rows = Remembering(Counting(), keep=3).encode(["a" * n for n in range(1, 9)])
    assert rows[:, 0].tolist() == list(range(1, 9))


def test_average_is_the_mean_of_the_cosines():
    class Fixed:
        def __init__(self, rows):
            self.rows = np.array(rows, np.float32)

        def encode(self, phrases):
            return self.rows

    one = Fixed([[1, 0], [0.6, 0.8]])
    two = Fixed([[0, 1, 0], [0, 0, 1]])
    both = Averaged([one, two])
    first, second = both.encode(["a", "b"])
    assert first @ second == pytest.approx((0.6 + 0) / 2)


def test_an_encoder_is_made_once():
    assert load("embedded") is load("embedded")
    assert loaded.cache_info().hits > 0


def test_unknown_encoder_is_named():
    with pytest.raises(UnknownName, match="Did you mean 'medcpt'"):
        load("medcp")


def test_folder_without_the_model(tmp_path):
    with pytest.raises(BadInput, match="no sub-folder medcpt"):
        load("medcpt", tmp_path)
