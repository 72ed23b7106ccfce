"""A formula over thousands of resamples at once is the metric's own formula, and the tests are fast with it."""

import numpy as np
import pytest

from overread.runner.measures import measure, names
from overread.runner.results.standings import many_of, ratio_of
from overread.stats.bootstrap import mean_of_sums
from overread.systems.srrg.labels import space

RNG = np.random.default_rng(0)


def columns_of(name):
    """Counts such as the metric leaves, some of them nought."""
    if name == "overread":
        return ["false", "missed", "weight", "worst"]
    if name.startswith("bleu"):
        parts = [f"{part}_{n}" for part in ("match", "total") for n in range(1, 5)]
        return [*parts, "candidate_length", "reference_length"]
    if name.startswith("longitudinal"):
        return [
            f"{t}:{k}" for t in ("improved", "no change", "worsened") for k in ("tp", "fp", "fn", "elsewhere")
        ]
    if name.startswith("f1-srr"):
        labels = space(
            "leaves-statuses" if "statuses" in name else "upper" if "upper" in name else "leaves"
        ).names
        parts = ("hit", "invented", "missed")
        return ["rows", "rows:f1", *(f"{part}:{label}" for part in parts for label in labels[:9])]
    return ["n", "sum"]


FAST = [name for name in names() if (m := measure(name)).corpus is not None and many_of(m.corpus) is not None]


def test_the_default_metrics_are_all_fast():
    assert {"overread", "f1-srr", "f1-srr-statuses", "longitudinal", "bleu-4", "rouge-l"} <= set(FAST)


@pytest.mark.parametrize("name", FAST)
def test_over_columns_as_one_by_one(name):
    m, own = measure(name), columns_of(name)
    sums = RNG.integers(0, 4, (200, len(own))).astype(float)
    sums[:5] = 0
    ratio = ratio_of(m, own)
    plain = [float(ratio(row)) for row in sums]
    np.testing.assert_allclose(ratio(sums.T), plain, rtol=1e-12, equal_nan=True)


def test_seven_systems_are_tested_by_few_calls_of_the_formula():
    """Thousands of shuffles for each of 21 pairs: one by one they took minutes, over columns they take seconds."""
    from overread.runner.results.standings import paired_differences, resampled
    from overread.runner.results.summary import Draws

    calls = {"one": 0, "many": 0}

    def mean(sums):
        calls["one" if sums.ndim == 1 else "many"] += 1
        return mean_of_sums(sums)

    draws = Draws(resamples=1_000, shuffles=1_000)
    rows = {f"s{n}": np.column_stack([RNG.random(280), np.ones(280)]) for n in range(7)}
    drawn = {name: resampled(own, mean, draws) for name, own in rows.items()}
    found = paired_differences(rows, drawn, mean, draws)
    assert len(found) == 21
    assert calls["one"] <= 7 + 2 * 21
    assert calls["many"] <= 7 + 2 * 21 * 4
