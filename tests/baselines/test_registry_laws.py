"""What holds for every built-in baseline: empties, bounds, sums, names."""

import pickle
import re

import numpy as np
import pytest

from overread.baselines import optional, registry
from overread.baselines.base import corpus_score, score_many
from overread.baselines.registry import baseline_names, lookup
from overread.baselines.tokenise import TOKENISERS
from overread.cli.score import metric_help
from overread.errors import BadInput, UnknownName
from overread.stats.bootstrap import one_by_one, ratio_interval

BUILT_IN = [name for name in registry.RECIPES if name not in ("meteor", "meteor-coco")]


@pytest.fixture(params=BUILT_IN)
def baseline(request, pairs):
    found = lookup(request.param)
    return found.fit(one for one, _ in pairs) if found.fit else found


def test_two_empty_texts_are_undefined_with_a_reason(baseline):
    marks_count = baseline.tokenisation in ("whitespace", "13a")
    found = baseline.score(" \n", "\t" if marks_count else "...")
    assert found.value is None
    assert "Neither" in found.why
    assert found.counts == {}


@pytest.mark.parametrize(("one", "two"), [("Lungs clear.", ""), ("", "Lungs clear.")])
def test_one_empty_text_is_zero_and_counts(baseline, one, two):
    found = baseline.score(one, two)
    assert found.value == 0
    assert found.counts


def test_nothing_alike_is_zero_and_everything_alike_is_best(baseline):
    text = "The heart is mildly enlarged with a small left effusion."
    best = 10 if baseline.name == "cider" else 1
    assert baseline.score("lungs clear", "displaced rib fracture").value == pytest.approx(0, abs=1e-3)
    assert baseline.score(text, text).value == pytest.approx(best, abs=1e-3)


def test_values_stay_in_bounds_and_repeat(baseline, pairs):
    best = 10 if baseline.name == "cider" else 1
    for one, two in pairs:
        assert 0 <= baseline.score(one, two).value <= best + 1e-9
        assert baseline.score(one, two) == baseline.score(one, two)


def test_undefined_pairs_weigh_nothing_in_the_corpus(baseline, pairs):
    values = score_many(baseline, *zip(*pairs, strict=True))
    assert corpus_score(baseline, [*values, baseline.score("", "")]) == corpus_score(baseline, values)
    assert corpus_score(baseline, [baseline.score("", "")]) is None


def test_corpus_scores_bootstrap_from_counts_alone(baseline, pairs):
    values = score_many(baseline, *zip(*pairs, strict=True))
    columns = list(values[0].counts)
    rows = [[value.counts[name] for name in columns] for value in values]
    score = one_by_one(lambda sums: baseline.corpus(dict(zip(columns, sums.tolist(), strict=True))))
    found = ratio_interval(rows, score)
    assert found.value == pytest.approx(corpus_score(baseline, values))
    assert found.low < found.value < found.high


def test_a_baseline_travels_to_other_processes(baseline, pairs):
    assert pickle.loads(pickle.dumps(baseline)).score(*pairs[1]) == baseline.score(*pairs[1])


@pytest.mark.parametrize("tokenisation", TOKENISERS)
@pytest.mark.parametrize("name", BUILT_IN)
def test_the_tokenisation_asked_for_is_the_one_used(name, tokenisation, pairs):
    one, two = pairs[1]
    cut = TOKENISERS[tokenisation]

    def score(words, a, b):
        found = lookup(name, words)
        return (found.fit([a, "no scar"]) if found.fit else found).score(a, b).value

    already_cut = score("whitespace", " ".join(cut(one)), " ".join(cut(two)))
    if name != "cider":  # its second reference is not cut alike
        assert score(tokenisation, one, two) == pytest.approx(already_cut)
    assert lookup(name, tokenisation).tokenisation == tokenisation


def test_several_at_once_are_the_same_as_one_by_one(baseline, pairs):
    references, candidates = zip(*pairs, strict=True)
    assert score_many(baseline, references, candidates) == [baseline.score(*pair) for pair in pairs]
    with pytest.raises(ValueError, match="1 references but 2 candidates"):
        score_many(baseline, ["a"], ["a", "b"])


def test_names_are_told_apart():
    assert set(baseline_names()) == {*registry.RECIPES, *optional.EXTRAS}
    assert len(baseline_names()) == len(set(baseline_names()))
    for name in baseline_names():
        assert lookup(name).name == name
        assert lookup(name).higher_is_better


def test_unknown_name_suggests_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean 'bleu-4'"):
        lookup("bleu-5")
    with pytest.raises(UnknownName, match="tokenisation"):
        lookup("bleu-4", tokenisation="ptb")


def test_a_trained_metric_takes_no_tokenisation():
    with pytest.raises(BadInput, match="its own way"):
        lookup("green", tokenisation="r2gen")


def test_scores_are_plain_numbers(baseline, pairs):
    found = baseline.score(*pairs[0])
    assert type(found.value) is float
    assert not any(isinstance(count, np.generic) for count in found.counts.values())


@pytest.mark.parametrize("name", registry.RECIPES)
def test_the_help_names_its_family(name):
    assert re.search(rf"\b{name.split('-')[0]}\b", metric_help())
