"""Which named errors stand, what each costs, and which disputed sentences have a line of their own."""

import pytest

from overread.report.span import Span
from overread.systems.ledger.ledger import Error
from overread.systems.ledger.schema import Sentence
from overread.systems.ledger.settling import kind_of, settled
from overread.systems.ledger.support import Support


def sentence(text, start=0):
    return Sentence(Span(start, start + len(text)), text)


def error(kind, reference=(), candidate=(), cost=0.1):
    return Error(kind, "minor", "", "edema", "edema", reference, candidate, "", "", "", cost)


EDEMA, MASS = sentence("Edema."), sentence("A mass is seen.", 10)


def test_errors_share_the_cost_of_their_sentence():
    named = [error("wrong place", (EDEMA.span,)), error("wrong degree", (EDEMA.span,))]
    assert [e.cost for e in settled(named, (Support(EDEMA, 0.05, 1.0),), ())] == [0.5, 0.5]


def test_an_error_without_a_disputed_sentence_falls_unless_it_is_of_the_report_itself():
    named = [error("wrong place", (EDEMA.span,)), error("repeated sentence", candidate=(EDEMA.span,))]
    assert settled(named, (Support(EDEMA, 0.9, 0.2),), ()) == named[1:]


@pytest.mark.parametrize(
    ("ours", "theirs", "kinds"),
    [
        ((Support(EDEMA, 0.05, 1.0),), (), ["missed finding"]),
        ((), (Support(MASS, 0.05, 1.0),), ["false finding"]),
        ((Support(EDEMA, 0.05, 1.0),), (Support(MASS, 0.05, 1.0, near=EDEMA),), ["wrong description"]),
        ((Support(EDEMA, 0.3, 1.0),), (Support(MASS, 0.05, 0.0),), []),
    ],
    ids=["of the reference", "of the candidate", "nearest to each other", "in doubt, or at no cost"],
)
def test_a_disputed_sentence_without_a_named_error_has_a_line(ours, theirs, kinds):
    assert [e.kind for e in settled([], ours, theirs)] == kinds


def test_a_denial_that_the_other_report_lacks_has_no_line():
    named = [error("false finding", candidate=(MASS.span,))]
    ours, theirs = (Support(EDEMA, 0.1, 1.0, denies=True),), (Support(MASS, 0.05, 1.0),)
    assert [e.kind for e in settled(named, ours, theirs)] == ["false finding"]
    assert settled([], ours, ()) == []


def test_a_sentence_whose_findings_are_answered_differs_from_the_nearest_one():
    missing = Support(EDEMA, 0.05, 1.0, near=MASS, answered=True)
    (error,) = settled([], (missing,), ())
    assert (error.kind, error.reference_says, error.candidate_says, error.cost) == (
        "wrong description",
        "Edema",
        "A mass is seen",
        1.0,
    )


@pytest.mark.parametrize(
    ("ours", "theirs", "kind"),
    [
        ("12 mm", "1.6 cm", "wrong size"),
        ("BI-RADS 1", "BI-RADS 4", "wrong description"),
        ("left", "Right", "wrong place"),
    ],
)
def test_two_numbers_are_two_sizes_only_as_measurements(ours, theirs, kind):
    assert kind_of(ours, theirs) == kind
