"""Adapters of trained metrics: against stand-ins that keep the packages' calling conventions, and for real
(marked `model`) where a package and its weights are installed."""

import subprocess
import sys
from types import ModuleType, SimpleNamespace

import pytest

from overread.baselines import optional
from overread.baselines.base import NotInstalled, corpus_score, score_many
from overread.baselines.registry import lookup

LONG, SHORT = "small left effusion and edema", "left effusion"


def asymmetric(reference, candidate):
    """A number that tells when the two sides are swapped."""
    return len(candidate.split()) / 10 + len(reference.split()) / 1000


class StandInRadGraph:
    def __init__(self, reward_level, model_type=None):
        assert reward_level == "partial"
        assert model_type in ("radgraph-xl", "radgraph")
        asked.append(model_type)

    def __call__(self, refs, hyps):
        print("Using device: none")
        rewards = [asymmetric(r, h) for r, h in zip(refs, hyps, strict=True)]
        return sum(rewards) / len(rewards), rewards, [], []


class StandInRaTEScore:
    def __init__(self, use_gpu=True):
        assert use_gpu is False

    def compute_score(self, candidate_list, reference_list):
        return [asymmetric(r, c) for r, c in zip(reference_list, candidate_list, strict=True)]


class StandInBERTScorer:
    def __init__(self, lang=None, model_type=None):
        assert (lang, model_type) in (("en", None), (None, "distilroberta-base"))
        asked.append(model_type or lang)

    def score(self, cands, refs):
        f1 = [asymmetric(r, c) for r, c in zip(refs, cands, strict=True)]
        return None, None, SimpleNamespace(tolist=lambda: f1)


class StandInGREEN:
    def __init__(self, model_name, output_dir="."):
        assert model_name.startswith("StanfordAIMI/GREEN")
        assert output_dir != "."

    def __call__(self, refs, hyps):
        scores = [None if h == "?" else asymmetric(r, h) for r, h in zip(refs, hyps, strict=True)]
        return 0.0, 0.0, scores, "summary", None


class StandInCheXbert:
    target_names = ("Edema", "Pleural Effusion", "Fracture", "No Finding")

    def get_label(self, report):
        assert report
        words = report.split()
        return [int("edema" in words), int("effusion" in words), int("fracture" in words), 0]


MODULES = {
    "radgraph": {"F1RadGraph": StandInRadGraph},
    "RaTEScore": {"RaTEScore": StandInRaTEScore},
    "bert_score": {"BERTScorer": StandInBERTScorer},
    "green_score": {"GREEN": StandInGREEN},
    "f1chexbert": {"F1CheXbert": StandInCheXbert},
}
MEANS = ["radgraph-f1", "radgraph-f1-first", "ratescore", "bertscore", "bertscore-distilroberta", "green"]
asked = []
"""Which network of a package was asked for."""


def forget_models():
    for name in dir(optional):
        if name.endswith("_model"):
            getattr(optional, name).cache_clear()


@pytest.fixture
def stand_ins(monkeypatch):
    monkeypatch.setitem(
        sys.modules, "torch", SimpleNamespace(cuda=SimpleNamespace(is_available=lambda: False))
    )
    for name, contents in MODULES.items():
        module = ModuleType(name)
        module.__spec__ = SimpleNamespace(name=name)
        for key, value in contents.items():
            setattr(module, key, value)
        monkeypatch.setitem(sys.modules, name, module)
    forget_models()
    yield
    forget_models()


@pytest.mark.usefixtures("stand_ins")
@pytest.mark.parametrize("name", MEANS)
def test_sides_are_not_swapped_and_the_corpus_is_the_mean(name):
    baseline = lookup(name)
    assert baseline.score(LONG, SHORT).value == pytest.approx(asymmetric(LONG, SHORT))
    values = score_many(baseline, [LONG, SHORT], [SHORT, LONG])
    expected = [asymmetric(LONG, SHORT), asymmetric(SHORT, LONG)]
    assert [value.value for value in values] == pytest.approx(expected)
    assert corpus_score(baseline, values) == pytest.approx(sum(v.value for v in values) / 2)


@pytest.mark.usefixtures("stand_ins")
@pytest.mark.parametrize(
    ("name", "network"),
    [
        ("radgraph-f1", "radgraph-xl"),
        ("radgraph-f1-first", "radgraph"),
        ("bertscore", "en"),
        ("bertscore-distilroberta", "distilroberta-base"),
    ],
)
def test_each_name_has_its_own_network(name, network):
    asked.clear()
    lookup(name).score(LONG, SHORT)
    assert asked == [network]


@pytest.mark.usefixtures("stand_ins")
@pytest.mark.parametrize("name", optional.EXTRAS)
def test_empties_are_decided_before_the_package_is_asked(name):
    none, missed, invented, full = score_many(lookup(name), ["", LONG, " ", LONG], ["\n", "", SHORT, LONG])
    assert none.value is None
    assert none.counts == {}
    assert (missed.value, invented.value) == (0, 0)
    assert full.value > 0


@pytest.mark.usefixtures("stand_ins")
def test_chatter_of_a_package_stays_off_standard_output(capsys):
    lookup("radgraph-f1").score(LONG, SHORT)
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("stand_ins")
def test_a_pair_without_a_score_is_undefined():
    unscored, scored = score_many(lookup("green"), [LONG, LONG], ["?", SHORT])
    assert unscored.value is None
    assert "no score" in unscored.why
    assert scored.value is not None


@pytest.mark.usefixtures("stand_ins")
def test_chexbert_pools_conditions_over_the_corpus():
    """Pair 1: effusion found, edema missed. Pair 2: fracture invented. Pair 3: silence on both sides."""
    baseline = lookup("chexbert-f1")
    references, candidates = [LONG, "edema", "clear"], [SHORT, "edema fracture", "normal"]
    values = score_many(baseline, references, candidates)
    assert [value.value for value in values] == [pytest.approx(2 / 3), pytest.approx(2 / 3), None]
    assert corpus_score(baseline, values) == pytest.approx(2 * 2 / (2 * 2 + 1 + 1))
    five = lookup("chexbert-f1-5")
    assert corpus_score(five, score_many(five, references, candidates)) == pytest.approx(4 / 5)


@pytest.mark.usefixtures("stand_ins")
def test_an_empty_candidate_misses_every_condition():
    assert lookup("chexbert-f1").score(LONG, "").counts == {"tp": 0, "fp": 0, "fn": 2}


@pytest.mark.parametrize("name", optional.EXTRAS)
def test_what_is_not_installed_says_how_to_install_it(name, monkeypatch):
    monkeypatch.setattr(optional, "find_spec", lambda module: None)
    forget_models()
    extra = optional.EXTRAS[name]
    assert not extra.installed
    with pytest.raises(NotInstalled, match=f"pip install {extra.package}"):
        lookup(name).score(LONG, SHORT)


def test_looking_imports_nothing_heavy():
    code = (
        "import sys; from overread.baselines import optional, registry;"
        "[registry.lookup(name) for name in registry.baseline_names()];"
        "[extra.installed for extra in optional.EXTRAS.values()];"
        "heavy = {'torch', 'transformers', 'radgraph', 'RaTEScore', 'bert_score', 'nltk', 'scipy', 'numpy'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.model
@pytest.mark.parametrize("name", optional.EXTRAS)
def test_the_real_package_prefers_the_faithful_text(name):
    if not optional.EXTRAS[name].installed:
        pytest.skip(f"not installed: {optional.EXTRAS[name].install}")
    reference = "There is a small left pleural effusion and mild pulmonary edema."
    faithful, other = score_many(
        lookup(name), [reference] * 2, [reference, "Displaced fracture of the right seventh rib."]
    )
    assert faithful.value > other.value
