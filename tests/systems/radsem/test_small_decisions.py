"""Small decisions of RadSEM on plain values: where a finding is that was named before, what names something."""

import pytest

from overread.reader.statements.interpret import Statement
from overread.reader.statements.terms import Term
from overread.systems.radsem.by_rules import with_homes
from overread.systems.radsem.match import names_something

LUNG = Term("site", (), ("thorax", "lung"), "-", "noun", "lung", 0, 4)
NODULE, MASS = (Term("head", (name,), (), "-", "-", name, 5, 11) for name in ("nodule", "mass"))
CALCIFIED = Term("quality", ("calcified",), (), "-", "-", "calcified", 12, 21)


def said(*terms: Term, denied: bool = False):
    return Statement(terms, denied), (0, 1), ""


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        (said(NODULE, CALCIFIED), (LUNG, NODULE, CALCIFIED)),
        (said(MASS, CALCIFIED), (MASS, CALCIFIED)),
        (said(NODULE, denied=True), (NODULE,)),
    ],
)
def test_a_finding_without_a_place_is_where_it_was_named_before(later, expected):
    found = list(with_homes([said(LUNG, NODULE), later], frozenset({"nodule", "mass"})))
    assert [statement.terms for statement, _, _ in found] == [(LUNG, NODULE), expected]


@pytest.mark.parametrize(
    ("finding", "expected"),
    [
        (("nodule",), True),
        (("size+",), False),
        (("size+@lung",), False),
        (("~nodule",), False),
        (("on-lung",), False),
        (("focus", "*"), False),
        (("size+", "nodule"), True),
    ],
)
def test_only_a_plain_feature_names_something(finding, expected):
    assert names_something(finding) is expected
