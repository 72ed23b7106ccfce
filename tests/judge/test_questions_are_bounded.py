"""However long a report is, the judge is asked so often and no more."""

import numpy as np
import pytest

from overread.encoders.judged import MOST, nearest
from overread.judge import Judge
from overread.reader import opinion
from overread.report import parse
from overread.runner.measures import measure
from overread.runner.recipe import Recipe
from overread.runner.scorer import Scorer
from overread.systems.ledger.matching import ASKED
from overread.systems.radsem import by_rules

SCORES = ("overread", "lunguage", "radsem", "clear", "f1-srr", "longitudinal")
HEARD, UNREAD = 7, 5
"""As many sentences of a report as are heard; the shipped bounds are larger."""


@pytest.fixture
def asked(monkeypatch):
    """Pairs and texts put to the network, which answers that it does not know."""
    heard = []

    def run(self, coded):
        heard.append(coded)
        slots = sum(map(len, self.answers["slots"].values()))
        return np.zeros((1, 6)), np.zeros((1, len(coded.ids), slots))

    judge = Judge()
    monkeypatch.setattr("overread.judge.asking.network", lambda: judge)
    monkeypatch.setattr(opinion, "MOST_HEARD", HEARD)
    monkeypatch.setattr(by_rules, "MOST_UNREAD", UNREAD)
    monkeypatch.setattr(Judge, "run", run)
    return heard


TEXTS = {
    "hard sentences": lambda n: f"The left effusion of {n} mm has resolved, the right one has not. ",
    "nothing is read": lambda n: f"Zorblat {n} quimbles the florp. ",
    "nothing is alike": lambda n: f"There is a {'zorble' if n % 2 else 'quimble'} of {n} mm in the liver. ",
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_long_report_is_no_more_work_than_a_bound(name, asked):
    one, two = ("".join(map(TEXTS[name], range(start, start + 60))) for start in (0, 1_001))
    scorer = Scorer(Recipe(SCORES))
    sides = [scorer.views(parse(text, side)) for text, side in ((one, "1"), (two, "2"))]
    for score in SCORES:
        scorer.score(measure(score), *sides)
    assert len(asked) <= 2 * (2 * HEARD + UNREAD) + 2 * ASKED


def test_the_judge_as_encoder_is_asked_about_the_nearest_phrases():
    few = [f"effusion {n}" for n in range(20)]
    many = [f"effusion {n}" if n % 2 else f"fracture of rib {n}" for n in range(150)]
    every = [(i, j) for i in range(150) for j in range(i)]
    assert len(nearest(few, every[:190])) == 190
    kept = nearest(many, every)
    assert len(kept) == MOST
    assert kept == sorted(kept)
