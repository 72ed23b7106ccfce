"""Small decisions of reading statements on plain terms: brackets, pointed sides, verbs and stops left out, sizes."""

from types import SimpleNamespace

import pytest

from overread.reader.statements import clauses, groups, in_full, interpret
from overread.reader.statements.chunks import new_chunk
from overread.reader.statements.sentences import OTHER_SIDE, Reader
from overread.reader.statements.terms import Term, Terms, unbracketed

ROLES = {
    "uterus": "site", "lung": "site", "enlarged": "quality", "lobulated": "quality", "normal": "normal",
    "nodule": "head", "cyst": "head", "effusion": "head", "mass": "head", "9mm": "measure", "largest": "detail",
    "seen": "seen", "and": "and", "no": "deny",
}  # fmt: skip


def term(form: str, start: int = 0) -> Term:
    role = ROLES.get(form, "ignore")
    site = (form,) if role == "site" else ()
    return Term(
        role,
        (form,) if role in ("head", "quality", "detail") else (),
        site,
        "-",
        "noun",
        form,
        start,
        start + 1,
    )


def terms(text: str) -> Terms:
    return tuple(term(form, n) for n, form in enumerate(text.split()))


def pointer() -> Term:
    return Term("site", (), ("contralateral",), "-", "dir", "contralateral", 3, 4)


def forms(found) -> str:
    return " ".join(t.form for t in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nodule ( 9mm ) seen", "nodule 9mm seen"),
        ("nodule [ lung 9mm ] seen", "nodule lung 9mm seen"),
        ("nodule ( image4 9mm ) seen", "nodule seen"),
        ("nodule ( 9mm cyst ) seen", "nodule ( 9mm cyst ) seen"),
        ("nodule ( 9mm seen", "nodule ( 9mm seen"),
    ],
)
def test_brackets_go_from_around_a_size_and_stay_around_a_finding(text, expected):
    assert forms(unbracketed(list(terms(text)))) == expected


@pytest.mark.parametrize(("now", "before"), [("left", "-"), ("-", "left"), ("left", "right")])
def test_the_other_side_stands_where_its_sentence_begins(now, before):
    lung = term("lung", 7)
    reader = SimpleNamespace(asked=False, side=now, earlier=before)
    (side, *rest), meant = Reader.pointed(reader, (pointer(), lung), "-", OTHER_SIDE)
    assert (side.side, side.start, rest, meant) == ("right", 3, [lung], "right")


def test_a_finding_without_its_place_keeps_its_side():
    left = Term("site", (), ("left",), "left", "dir", "left", 0, 1)
    found = interpret.without_place((left, term("lung", 1), term("mass", 2)))
    assert [(t.form, t.side) for t in found] == [("left", "left"), ("mass", "-")]


def test_a_place_and_two_descriptions_without_a_verb_are_said_with_one():
    first, last, joint = new_chunk(terms("uterus enlarged")), new_chunk(terms("lobulated")), term("and")
    found = clauses.with_verb([first, joint, last], ["", "and", ""])
    assert [i.form if isinstance(i, Term) else forms(i.terms) for i in found] == [
        "uterus", "is", "enlarged", "and", "lobulated",
    ]  # fmt: skip
    named = [new_chunk(terms("uterus")), joint, new_chunk(terms("lung"))]
    assert clauses.with_verb(named, ["", "and", ""]) is named


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no mass effusion", "no mass effusion"),
        ("mass no effusion", "mass ; no effusion"),
        ("mass no effusion cyst", "mass ; no effusion ; cyst"),
    ],
)
def test_stops_are_put_back_where_a_denial_right_after_a_noun_shows_that_they_are_left_out(text, expected):
    assert forms(in_full.with_left_out(list(terms(text)), set(text.split()))) == expected


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("mass", "9mm", True),
        ("lung", "9mm", True),
        ("mass", "largest", True),
        ("lung", "largest", False),
        ("mass", "lobulated", False),
    ],
)
def test_a_size_is_of_what_was_named_and_the_largest_is_of_findings(kind, text, expected):
    assert groups.tells_size(groups.Group([new_chunk(terms(kind))], ""), new_chunk(terms(text))) is expected
