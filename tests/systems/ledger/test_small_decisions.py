"""Small decisions of the ledger on plain values: names, places, details of a finding, lines and sentences."""

from types import SimpleNamespace

import msgspec
import pytest

from overread.reader.reading import Attribute, Finding
from overread.report.span import Span
from overread.systems.ledger import denial, names, places
from overread.systems.ledger.bookkeeper import ledger
from overread.systems.ledger.by_rules import is_sweeping
from overread.systems.ledger.claims import details, diseases, mentions
from overread.systems.ledger.claims.naming import name_of
from overread.systems.ledger.claims.where import structure_path
from overread.systems.ledger.claims.words import context
from overread.systems.ledger.compare import Difference, position
from overread.systems.ledger.ledger import Error
from overread.systems.ledger.lines import Line, correcting, picture_of
from overread.systems.ledger.schema import Account, Advice, Claim, Context, Sentence, Where
from overread.systems.ledger.score import metrics
from overread.systems.ledger.support import supports
from overread.systems.ledger.tables import Sign
from overread.systems.ledger.weights import weights

LUNG, PLEURA, KIDNEY = (
    Where(path) for path in (("thorax", "lung"), ("thorax", "pleura"), ("abdomen", "urinary-tract", "kidney"))
)


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
    ("concept", "site", "expected"),
    [
        ("kidney", "lung", KIDNEY.path),
        ("kidneys", "lung", KIDNEY.path),
        ("shunt", "lung", LUNG.path),
        ("shunt", "", ("shunt",)),
        (None, "", ("opacity",)),
    ],
)
def test_a_structure_is_at_its_own_place_before_that_of_its_words(concept, site, expected):
    assert structure_path(finding(concept, site=site)) == expected


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        (LUNG, LUNG, "same"),
        (LUNG, PLEURA, "region"),
        (LUNG, Where(("thorax", "rib")), "elsewhere"),
        (LUNG, KIDNEY, "elsewhere"),
    ],
)
def test_what_lies_close_in_the_chest_is_one_region(one, two, expected):
    assert places.regions(one, two) == expected


def test_the_same_words_without_a_place_deny_a_finding_wherever_it_is():
    bulge = claim("disc-bulge", "Disc bulges", where=(Where(("spine", "lumbar-spine", "l5")),))
    absent = claim("disc-bulge", "disc bulge", where=(Where(("spine", "cervical-spine", "c2")),))
    assert denial.in_place(absent, bulge)
    assert not denial.in_place(claim("disc-bulge", "protrusion", where=absent.where), bulge)


@pytest.mark.parametrize(
    ("positions", "words", "expected"),
    [
        ({"bad"}, "in the right bronchus", "in the right bronchus"),
        ({"bad"}, "", "bad"),
        ({"good", "bad"}, "high", "high"),
    ],
)
def test_a_wrong_position_is_told_in_the_words_that_say_it(positions, words, expected):
    good = claim("tube", position="good", positions=frozenset({"good"}))
    bad = claim("tube", position="bad", positions=frozenset(positions), position_words=words)
    assert [d.candidate for d in position(good, bad, weights())] == [expected]


def test_words_of_another_position_do_not_tell_the_wrong_one():
    good = claim("tube", position="good", positions=frozenset({"good"}))
    both = claim("tube", position="good", positions=frozenset({"good", "bad"}), position_words="well placed")
    assert [d.candidate for d in position(good, both, weights())] == ["bad"]


@pytest.mark.parametrize(
    ("start", "expected"),
    [(5, True), (6, True), (4, False), (5 + mentions.BESIDE - 1, True), (5 + mentions.BESIDE, False)],
)
def test_two_devices_of_one_list_stand_right_after_one_another(start, expected):
    drain, tube = (
        claim("chest-tube", words, at, kind="device") for words, at in (("Drain", 0), ("tube", start))
    )
    assert mentions.is_other_of_list(drain, tube) is expected


def test_a_focal_disease_called_a_lesion_is_said_more_vaguely():
    lesion = claim("lesion", where=(LUNG,))
    found = [names.likeness(claim(name), lesion, Context(), weights()) for name in ("infarct", "hernia")]
    assert found[0] == names.Likeness(weights().names["vaguer_by_two"], "vaguer")
    assert found[1] is None


def advice(*actions: str) -> Account:
    return Account("one", (), advice=(Advice("Advice", Span(0, 6), frozenset(actions)),))


@pytest.mark.parametrize(
    ("wanted", "given", "missed"),
    [(("ct",), ("ct", "mri"), 0), (("ct",), ("mri",), 1), (("ct",), (), 1), ((), ("ct",), 0)],
)
def test_advice_is_missed_where_none_asks_for_the_same(wanted, given, missed):
    found = ledger(advice(*wanted), advice(*given), weights())
    assert [e.kind for e in found.errors] == ["missed recommendation"] * missed


def error(kind: str = "wrong degree") -> Error:
    return Error(kind, "minor", "", "edema", "edema", (), (), "Mild", "SEVERE", "", 0.1)


def test_lines_of_one_picture_say_the_same_of_it():
    assert picture_of(Line(error(), "edema")) == ("wrong degree", "edema", "mild", "severe")
    assert picture_of(Line(error("missed finding"), "edema")) == ("missed finding", "edema")
    assert picture_of(Line(error())) is None


def test_a_longer_root_is_looked_for_before_a_shorter_one():
    lengths = [len(root) for root, _ in diseases.roots()]
    assert lengths == sorted(lengths, reverse=True)


@pytest.mark.parametrize(
    ("kind", "status", "expected"),
    [("generic", "negative", True), ("generic", "positive", False), ("finding", "negative", False)],
)
def test_only_a_general_denial_speaks_of_everything(kind, status, expected):
    assert is_sweeping(finding("disease", kind=kind, status=status)) is expected


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


def test_a_comparison_that_is_false_is_removed_not_replaced():
    assert (
        correcting(Difference("false comparison", 0.1, "", "unchanged"))
        == "remove the comparison (unchanged)"
    )
    assert correcting(Difference("missed comparison", 0.1, "larger", "")) == "add: larger"


@pytest.mark.parametrize(("explains", "expected"), [("disease", (True, False)), ("lesion", (False, True))])
def test_a_picture_is_called_by_what_explains_it(explains, expected):
    opacity, edema = claim("opacity"), claim("edema")
    row = Sign(0.5, "", 0.5, "edema", explains)
    assert (names.is_under(opacity, edema, row), names.is_under(edema, opacity, row)) == expected


def test_a_sentence_with_a_field_nobody_knows_is_refused():
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.convert({"span": [0, 1], "text": "A", "sates": False}, Sentence)


def test_the_story_of_the_patient_counts_unless_left_out():
    assert metrics()[0].score.keywords["with_context"] is True
    assert metrics(with_context=False)[0].score.keywords["with_context"] is False


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
