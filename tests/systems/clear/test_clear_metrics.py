"""Two tables compared: verdicts, laws, and corpus values from sums."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overread.systems.clear.outcomes import bleu_4, outcomes, rouge_l
from overread.systems.clear.schema import CHOICES, CONDITIONS, PRESENCE, Cell, Table, attributes_of
from overread.systems.clear.score import METRICS, clear_average

phrases = st.lists(
    st.sampled_from(["left base opacity", "right base opacity", "left apex"]), max_size=2, unique=True
)


@st.composite
def cells(draw: Callable, condition: str) -> Cell:
    level = draw(st.sampled_from(list(PRESENCE)))
    given = {}
    if PRESENCE[level] == "positive":
        for name in attributes_of(condition):
            given[name] = draw(st.sampled_from(CHOICES[name])) if name in CHOICES else tuple(draw(phrases))
    return Cell(PRESENCE[level], level, draw(st.booleans()), **given)


tables = st.fixed_dictionaries({c: cells(c) for c in CONDITIONS}).map(lambda rows: Table("r", rows))


@given(one=tables)
def test_a_table_agrees_with_itself(one):
    for metric in METRICS:
        assert metric.score(one, one).value in (None, pytest.approx(1.0)), metric.name


@given(one=tables, two=tables)
def test_every_value_lies_between_nought_and_one_or_says_why_it_is_not(one, two):
    for metric in METRICS:
        score = metric.score(one, two)
        assert 0 <= score.value <= 1 if score.value is not None else score.why, metric.name


@given(one=tables, two=tables, three=tables)
def test_the_corpus_value_is_a_function_of_summed_counts(one, two, three):
    """One pair alone has its own value as corpus value; and adding every pair twice changes nothing."""
    for metric in METRICS:
        if metric.corpus is not None:
            scores = [metric.score(one, two), metric.score(two, three)]
            assert metric.corpus(scores[0].counts) == scores[0].value
            once, twice = total(scores), total(scores + scores)
            assert metric.corpus(twice) == pytest.approx(metric.corpus(once))


def total(scores):
    sums: dict[str, float] = {}
    for score in scores:
        for name, amount in score.counts.items():
            sums[name] = sums.get(name, 0) + amount
    return sums


@given(one=tables, two=tables)
def test_the_scalar_holds_the_counts_of_every_other_metric(one, two):
    whole = clear_average(one, two)
    for metric in METRICS:
        apart = {"bleu", "judge"} & set(
            metric.name.split("-")
        )  # BLEU counts anew, a judge is a language model
        if metric.corpus and whole.value is not None and not apart:
            assert metric.corpus(whole.counts) == metric.score(one, two).value


def cell(presence: str, **attributes) -> Cell:
    level = {"positive": "likely present", "negative": "likely absent", "unclear": "neutral"}[presence]
    return Cell(presence, level, True, **attributes)


def pair(one: Cell, two: Cell) -> tuple[Table, Table]:
    silent = {c: Cell() for c in CONDITIONS}
    return Table("r", {**silent, "Edema": one}), Table("r", {**silent, "Edema": two})


def verdicts(one: Cell, two: Cell) -> dict[str, str]:
    return {o.attribute: o.verdict for o in outcomes(*pair(one, two))}


def test_verdicts_of_presence():
    yes, no, open_ = cell("positive"), cell("negative"), cell("unclear")
    assert verdicts(yes, no)["presence"] == "mismatch"
    assert verdicts(yes, open_)["presence"] == "missing"
    assert verdicts(open_, no)["presence"] == "invented"
    assert verdicts(open_, open_) == {}


def test_verdicts_of_attributes():
    one = cell("positive", change="stable", severity="N/A", first_occurrence="N/A", location=("left base",))
    two = cell("positive", change="N/A", severity="mild", first_occurrence="N/A", location=("right base",))
    assert verdicts(one, two) == {
        "presence": "match",
        "first_occurrence": "match",
        "change": "missing",
        "severity": "invented",
        "location": "mismatch",
        "recommendation": "match",
    }


def test_attributes_an_expert_did_not_give_are_not_compared():
    one, two = cell("positive"), cell("positive", change="stable", severity="mild", first_occurrence="N/A")
    assert not {"change", "severity", "first_occurrence"} & set(verdicts(one, two))


def test_two_silent_tables_have_no_score():
    score = clear_average(*pair(cell("unclear"), cell("unclear")))
    assert score.value is None
    assert "13 conditions" in score.why


def test_detail_is_plain_json_with_the_verdict_of_every_cell():
    score = clear_average(*pair(cell("positive", location=("left base",)), cell("positive")))
    rows = msgspec.json.decode(msgspec.json.encode(score.detail))["cells"]
    assert {(r["attribute"], r["verdict"]) for r in rows} >= {("presence", "match"), ("location", "missing")}


def test_metric_names_say_what_they_are():
    names = {m.name for m in METRICS}
    assert {"clear", "clear-positive-13", "clear-negative-micro", "clear-positive-as-released"} <= names
    five = next(m for m in METRICS if m.name == "clear-positive-5")
    assert "Pneumothorax, Pneumonia, Edema, Pleural Effusion, Consolidation" in five.about


def test_a_table_needs_all_conditions():
    with pytest.raises(ValueError, match="missing: Edema"):
        Table("r", {c: Cell() for c in CONDITIONS if c != "Edema"})


words = st.lists(st.sampled_from("left right base small opacity".split()), min_size=1, max_size=6).map(
    " ".join
)


@given(one=words, two=words)
def test_rouge_l_is_the_field_s(one, two):
    from rouge_score.rouge_scorer import RougeScorer

    theirs = RougeScorer(["rougeL"]).score(one, two)["rougeL"].fmeasure
    assert rouge_l(one, two) == pytest.approx(theirs)


@given(one=words, two=words)
def test_bleu_4_is_the_field_s_with_one_added(one, two):
    import warnings

    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    if len(two.split()) >= 4:  # on shorter candidates the library pads proposals differently
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = sentence_bleu([one.split()], two.split(), smoothing_function=SmoothingFunction().method2)
        assert bleu_4(one, two) == pytest.approx(theirs)
