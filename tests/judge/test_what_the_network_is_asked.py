"""What the network is asked: short statements, as in training, and each once while there is room for answers."""

from importlib import import_module
from types import SimpleNamespace

import numpy as np

from overread.judge.network import TAUGHT, UNTAUGHT, Judge


def test_long_statements_are_not_asked(monkeypatch):
    judge, asked = Judge(), []

    def answers(head, pairs):
        asked.extend(pairs)
        return [(0.5, 0.25, 0.25) if one == "Edema." else (1.0, 0.0, 0.0) for one, _ in pairs]

    monkeypatch.setattr(judge, "asked", answers)
    long = " ".join(["word"] * (TAUGHT + 1))
    first, second = judge.relations([(long, "Edema."), ("Edema.", "No edema.")])
    assert first == UNTAUGHT
    assert tuple(second) == (0.75, 0.125, 0.125)
    assert asked == [("Edema.", "No edema."), ("No edema.", "Edema.")]


def test_answers_are_kept_as_long_as_there_is_room(monkeypatch):
    ran = []

    class Encoder:
        def __init__(self):
            self.weights = {"faults.weight": np.zeros((13, 1)), "faults.bias": np.zeros(13)}

        def coded(self, *pair):
            return SimpleNamespace(pair=pair, offsets=[(0, 1)], segments=[1])

        def run(self, coded):
            ran.append(coded.pair)
            return SimpleNamespace(pair=np.zeros(11), tokens=np.zeros((1, 1)))

    network = import_module("overread.judge.network")
    monkeypatch.setattr(network, "encoder", Encoder)
    monkeypatch.setattr(network, "REMEMBERED", 20)
    judge, one, two = Judge(), ("a", "b"), ("c", "d")
    assert judge.asked(0, [one, one]) == [(1 / 3,) * 3] * 2
    judge.asked(1, [one])
    assert ran == [one]
    for n in range(10):
        judge.asked(0, [(str(n), "x"), two])
    assert len(judge.known) <= 20 + 2 * 3
    assert ran.count(two) > 1
