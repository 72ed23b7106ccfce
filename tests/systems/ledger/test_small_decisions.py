"""Small decisions of the ledger on plain values: names, places, details of a finding, lines and sentences."""

from types import SimpleNamespace

import msgspec
import pytest

from overread.reader.reading import Attribute, Finding
from overread.report.span import Span
from overread.systems.ledger.bookkeeper import ledger
from overread.systems.ledger.claims import details, diseases
from overread.systems.ledger.claims.naming import name_of, places_of
from overread.systems.ledger.claims.words import context
from overread.systems.ledger.schema import Account, Advice, Claim, Sentence
from overread.systems.ledger.score import metrics
from overread.systems.ledger.support import supports
from overread.systems.ledger.weights import weights


def claim(name: str, words: str = "words", start: int = 0, **told) -> Claim:
    spans = (Span(start, start + len(words)),)
    return Claim(name, words, **{"kind": "finding", "polarity": "present"} | told, spans=spans, statement="")


def sentence(text: str, start: int = 0, **told) -> Sentence:
    return Sentence(Span(start, start + len(text)), text, **told)


def said(relation: str, text: str, start: int, concept: str = "") -> Attribute:
    return Attribute(relation, text, Span(start, start + len(text)), concept, (), "-", "rule", ())


def finding(
    concept: str | None,
    *attributes: Attribute,
    kind: str = "finding",
    status: str = "positive",
    site: str = "",
) -> Finding:
    return Finding(
        "f1", "findings", 0, "opacity", Span(0, 7), concept, kind, "PF", site or None, status, "definitive", "definite",
        attributes, (), (), (),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("concept", "kind", "site", "expected"),
    [
        ("kidneys", "structure", "lung", "kidney"),
        ("shunt", "finding", "lung", "lung"),
        ("shunt", "finding", "", ""),
    ],
)
def test_a_finding_is_where_its_words_say(concept, kind, site, expected):
    places = places_of(finding(concept, kind=kind, site=site), None)
    assert expected in places or (not places and not expected)


def advice(*actions: str) -> Account:
    return Account("one", (), advice=(Advice("Advice", Span(0, 6), frozenset(actions)),))


@pytest.mark.parametrize(
    ("wanted", "given", "missed"),
    [(("ct",), ("ct", "mri"), 0), (("ct",), ("mri",), 1), (("ct",), (), 1), ((), ("ct",), 0)],
)
def test_advice_is_missed_where_none_asks_for_the_same(wanted, given, missed):
    found = ledger(advice(*wanted), advice(*given), weights())
    assert [e.kind for e in found.errors] == ["missed recommendation"] * missed


def test_a_longer_root_is_looked_for_before_a_shorter_one():
    lengths = [len(root) for root, _ in diseases.roots()]
    assert lengths == sorted(lengths, reverse=True)


def test_something_general_is_an_abnormality_or_what_it_is_called():
    called = [
        name_of(finding(concept, kind="generic", site="lung"), "words", frozenset())
        for concept in ("abnormality", "disease", "process")
    ]
    assert [(one.name, one.site) for one in called] == [
        ("abnormality", "lung"),
        ("abnormality", "lung"),
        ("process", "lung"),
    ]


@pytest.mark.parametrize(
    ("degree", "attribute", "expected"),
    [
        (said("severity", "markedly", 20), said("improved", "regressed", 29), True),
        (said("severity", "markedly", 20), said("worsened", "larger", 13), True),
        (said("severity", "marked", 20), said("improved", "less", 15), False),
        (said("severity", "markedly", 20), said("improved", "residual", 29, "residual"), False),
        (said("severity", "markedly", 20), said("no_change", "unchanged", 29), False),
        (said("severity", "markedly", 20), said("improved", "regressed", 40), False),
    ],
)
def test_a_degree_beside_a_change_is_of_the_change(degree, attribute, expected):
    assert details.of_another(degree, finding("opacity", degree, attribute)) is expected


def test_a_sentence_with_a_field_nobody_knows_is_refused():
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.convert({"span": [0, 1], "text": "A", "sates": False}, Sentence)


def test_the_story_of_the_patient_counts_unless_left_out():
    assert metrics(SimpleNamespace(error_weights=None, context=True)) == ()
    [metric] = metrics(SimpleNamespace(error_weights=None, context=False))
    assert metric.score.keywords["with_context"] is False


def test_a_sentence_only_denies_where_nothing_is_asserted_in_it():
    """Both reports say all of it, so nothing is asked of the network."""
    told = (
        sentence("No mass.", 0, denies=True),
        sentence("A cyst.", 20),
        sentence("No cyst but edema.", 40, denies=True),
    )
    account = Account("one", (claim("edema", "edema", 52),), told)
    assert [one.denies for one in supports(account, account, weights())] == [True, False, False]


@pytest.mark.parametrize(("section", "age"), [("indication", 58.0), ("technique", None)])
def test_the_age_is_that_of_the_indication(section, age):
    text = "A 58-year-old man."
    report = SimpleNamespace(sections=(SimpleNamespace(name=section, span=Span(0, len(text))),))
    assert context(SimpleNamespace(seen=text, report=report, findings=())).age == age
