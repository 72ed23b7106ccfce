"""Small decisions of reading on plain values: windows, words of change, findings in plain words."""

import msgspec
import pytest
from msgspec import structs

from overread.lexicon.lexicon import lexicon
from overread.reader import check, claims, reading
from overread.reader.check import changes, sides
from overread.reader.hearing import Heard, Value
from overread.reader.naming import Words
from overread.reader.reading import Attribute, Finding, MeasuredSpan
from overread.reader.windows import Window
from overread.report.span import Span

HERE = Span(0, 1)


def said(relation: str, concept: str = "", side: str = "-") -> Attribute:
    places = (MeasuredSpan("here", HERE, "lung", (), side),) if relation == "location" else ()
    return Attribute(relation, "words", HERE, concept, (), side, "rule", places)


def finding(*attributes: Attribute) -> Finding:
    return Finding(
        "f1", "findings", 0, "effusion", HERE, None, "finding", "PF", None, "positive", "definitive", "definite",
        attributes, (), (), (),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ((), set()),
        ((said("improved"),), {"better"}),
        ((said("worsened"), said("no_change")), {"worse", "same"}),
        ((said("onset", "new"),), {"new"}),
        ((said("onset", "acute"),), set()),
        ((said("severity", "new"),), set()),
    ],
)
def test_a_change_is_what_has_become_of_it_and_new_but_no_age(attributes, expected):
    assert changes(finding(*attributes)) == expected


def test_the_same_words_say_the_same_thing_once(monkeypatch):
    """A sentence in two windows is read twice."""
    kinds = ("improved", "improved", "worsened")
    values = [Value(kind, HERE, 0, 1.0) for kind in kinds]
    heard = Heard(HERE, 0, 1.0, 0.0, 0.0, "PF", 0.0, values, {})
    monkeypatch.setattr(claims, "attribute", lambda value, now: said(value.kind))
    assert [a.relation for a in claims.attributes_of(heard, None)] == ["improved", "worsened"]


@pytest.mark.parametrize(
    ("told", "expected"), [((), "-"), (("left",), "left"), (("left", "right"), "both"), (("both",), "both")]
)
def test_two_sides_are_both(told, expected):
    assert sides(finding(*(said("location", side=side) for side in told))) == expected


@pytest.mark.parametrize(
    ("stretch", "home"),
    [("Edema.", (3, Span(40, 46))), ("Clear lungs.", (4, Span(50, 62))), ("Edema. Clear", None), ("", None)],
)
def test_words_of_a_window_are_at_home_in_one_sentence(stretch, home):
    window = Window("findings")
    window.add(3, "Edema.", 40)
    window.add(4, "Clear lungs.", 50)
    start = window.text.index(stretch, len(window.text) - len("Edema. Clear lungs."))
    assert window.at_home(start, start + len(stretch)) == home


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("New effusion has increased.", ["onset", "worsened"]),
        ("Acute fracture.", []),
        ("Not significantly changed.", ["no_change"]),
    ],
)
def test_words_of_change_are_the_longest_and_age_is_none(text, expected):
    assert [a.relation for a in Words(text, lexicon()).changes()] == expected


@pytest.mark.parametrize(
    ("text", "noun", "own", "concept"),
    [
        ("Pericardial effusion.", "effusion", "Pericardial", "pericardial-effusion"),
        ("Pericardial effusion.", "effusion", "effusion", "pleural-effusion"),
        ("Tension pneumothorax.", "pneumothorax", "Tension", "tension-pneumothorax"),
        ("Tension pneumothorax.", "pneumothorax", "pneumothorax", "pneumothorax"),
    ],
)
def test_a_noun_is_named_with_its_own_words_alone(text, noun, own, concept):
    start, before = text.index(noun), text.index(own)
    found = Words(text, lexicon()).named(start, start + len(noun), [Span(before, before + len(own))])
    assert found.concept == concept


def described(relation: str, *path: str) -> Finding:
    return finding(structs.replace(said(relation), path=path))


def test_what_was_removed_or_has_improved_to_the_utmost_is_gone():
    assert described("placement", "removed").gone
    assert described("improved", "extreme").gone
    assert not described("improved", "slight").gone
    assert not described("worsened", "extreme").gone
    assert not finding().gone


@pytest.mark.parametrize(
    "kind",
    [
        kind
        for module in (reading, check)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__module__ == module.__name__
    ],
)
def test_what_was_read_never_changes_and_holds_nothing_unknown(kind):
    config = kind.__struct_config__
    assert config.frozen
    assert config.forbid_unknown_fields
