"""Counts pooled over classes, by hand."""

import pytest

from overread.stats.agreement import Counts, micro

TABLE = {
    "edema": Counts(2, 0, 1),
    "effusion": Counts(1, 2, 1),
    "fracture": Counts(1, 0, 1),
    "nodule": Counts(0, 1, 0),
}


def test_every_decision_weighs_the_same():
    found = micro(TABLE)
    assert [found.precision, found.recall, found.f1, found.support] == pytest.approx([4 / 7, 4 / 7, 4 / 7, 7])


def test_nothing_counted_is_none():
    assert Counts().f1 is None
    assert micro({}).f1 is None
