"""Sums per draw, formulas that look at few counts, ranks and correlations."""

import numpy as np
import pytest

from overread.runner.measures import Measure, choose, measure, signature_in_run
from overread.runner.results import rows as boards
from overread.runner.results.conclusion import correlations
from overread.runner.results.rows import Board, Row, census, number_draws
from overread.runner.results.standings import ranking
from overread.runner.results.summary import Draws
from overread.runner.settings import Settings
from overread.stats.bootstrap import mean_interval

QUICK = Draws(resamples=200, shuffles=200)


def rows(values, system="s", metric="m", patients=None):
    return [
        Row(
            str(n),
            system,
            metric,
            value,
            why=None if value is not None else "nothing",
            patient=patients and patients[n],
        )
        for n, value in enumerate(values)
    ]


def board(found, pooled=()):
    return Board(census(found), frozenset(pooled)).fill(found)


def test_the_interval_of_a_mean_is_that_of_the_statistics_package():
    values = [0.1, 0.9, 0.4, 0.6, 0.2]
    one = ranking(board(rows(values)), Measure("m", "M", "", "text"), "", QUICK).systems["s"]
    wanted = mean_interval(values, resamples=200)
    assert (one.value, one.low, one.high) == (wanted.value, wanted.low, wanted.high)


def test_undefined_items_are_left_out_of_the_score_and_counted():
    one = ranking(board(rows([0.5, None, 1.0])), Measure("m", "M", "", "text"), "", QUICK).systems["s"]
    assert (one.value, one.mean, one.scored, one.undefined, one.why) == (0.75, 0.75, 2, 1, {"nothing": 1})


def test_nothing_defined_has_no_score_and_no_test():
    found = ranking(board(rows([None]) + rows([0.5], "t")), Measure("m", "M", "", "text"), "", QUICK)
    assert found.systems["s"].value is None
    assert found.differences == ()


def test_patients_are_drawn_whole():
    values = [0.0] * 10 + [1.0] * 10
    free = ranking(board(rows(values)), Measure("m", "M", "", "text"), "", QUICK).systems["s"]
    tied = ranking(
        board(rows(values, patients="a" * 10 + "b" * 10)), Measure("m", "M", "", "text"), "", QUICK
    ).systems["s"]
    assert tied.high - tied.low > free.high - free.low


def test_many_items_share_draws_and_the_interval_stays(monkeypatch):
    values = np.random.default_rng(3).uniform(size=4000).tolist()
    m = Measure("m", "M", "", "text")
    exact = ranking(board(rows(values)), m, "", QUICK).systems["s"]
    monkeypatch.setattr(boards, "MOST_DRAWS", 500)
    shared = ranking(board(rows(values)), m, "", QUICK).systems["s"]
    assert shared.value == pytest.approx(exact.value)
    assert shared.high - shared.low == pytest.approx(exact.high - exact.low, rel=0.2)
    assert max(number_draws([str(n) for n in range(4000)])) == 499


def test_correlation_over_what_both_define():
    found = correlations(board(rows([0.1, 0.2, 0.3, None]) + rows([1.0, 0.5, 0.2, 0.9], metric="other")))[
        "all"
    ]
    assert found.metrics == ("m", "other")
    assert found.values[0][1] == -1.0
    assert found.items[0][1] == 3
    assert found.pearson[0][1] == pytest.approx(np.corrcoef([0.1, 0.2, 0.3], [1.0, 0.5, 0.2])[0, 1])


def test_default_metrics_and_all_of_them():
    assert choose(None, patients=False) == (
        "overread",
        "lunguage",
        "radsem",
        "clear",
        "f1-srr-statuses",
        "longitudinal",
        "bleu-4",
        "rouge-l",
    )
    assert choose(None, patients=True)[-1] == "lunguage-sequential"
    every = choose(["all"], patients=False)
    assert {"radsem-alt", "bleu-1", "rouge-2", "meteor-stem", "cider"} <= set(every)
    assert not any(name.startswith("lunguage-sequential") for name in every)


def test_signatures_say_who_read_and_with_which_tables():
    own = signature_in_run("clear", Settings(("clear",)), "9c1e")
    assert own.startswith("clear|by:network|lexicon:9c1e|data:")
    asked = Settings(("clear",), "llm", "small", {"endpoint": "http://127.0.0.1/v1", "temperature": "0.0"})
    assert "|model:small|endpoint:http://127.0.0.1/v1|temperature:0.0|" in signature_in_run(
        "clear", asked, "9c1e"
    )
    whole = Settings(("bleu-1",), tokenisation="r2gen", sections=())
    assert signature_in_run("bleu-1", whole, "9c1e").startswith("bleu-1|words:r2gen|text:whole|data:")
    assert measure("radgraph-f1").family == "trained"
