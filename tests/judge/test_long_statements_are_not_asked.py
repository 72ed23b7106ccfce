"""The network was trained on short statements: of longer ones it is not asked, and no other answer moves."""

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
