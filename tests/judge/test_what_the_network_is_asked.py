"""What the network is asked: short statements, as in training, and each once while there is room for answers."""

from importlib import import_module
from types import SimpleNamespace

from overread.judge.network import REMEMBERED, TAUGHT, UNTAUGHT, pair_answers, relation_of


def test_long_statements_are_not_asked(monkeypatch):
    asked = []

    def heard(one, two):
        asked.append((one, two))
        return SimpleNamespace(relation=(0.5, 0.25, 0.25) if one == "Edema." else (1.0, 0.0, 0.0))

    monkeypatch.setattr(import_module("overread.judge.network"), "pair_answers", heard)
    assert relation_of(" ".join(["word"] * (TAUGHT + 1)), "Edema.") == UNTAUGHT
    assert tuple(relation_of("Edema.", "No edema.")) == (0.75, 0.125, 0.125)
    assert asked == [("Edema.", "No edema."), ("No edema.", "Edema.")]


def test_a_pair_is_asked_once_and_a_bounded_number_is_kept():
    pair_answers.cache_clear()
    assert pair_answers("Edema.", "No edema.") is pair_answers("Edema.", "No edema.")
    assert pair_answers.cache_info().misses == 1
    assert pair_answers.cache_info().maxsize == REMEMBERED
