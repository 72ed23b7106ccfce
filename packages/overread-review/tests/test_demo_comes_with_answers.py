"""The demo's two invented readers: their answers fit the sheets, and there is agreement and a win rate to look at."""

import pytest
from sqlalchemy import select

from house import person, report_items, study
from overread_review import demo
from overread_review.demo import ANSWERED, hand_in
from overread_review.exports.answers import win_rates
from overread_review.exports.catalogue import exports
from overread_review.store.tables import Assignment, Study
from overread_review.work.agreement import agreement
from overread_review.work.studies import NewItem

REFERENCE = "FINDINGS: Small left pleural effusion. No pneumothorax. The heart is enlarged."
GOOD = "FINDINGS: Small left effusion. No pneumothorax. Cardiomegaly."
BAD = "FINDINGS: Large right pneumothorax. Normal heart."


def items(kind):
    if kind == "judge":
        texts = [{"reference": REFERENCE, "candidate": text, "system": "s"} for text in (GOOD, BAD) * 3]
    else:
        texts = [{"reference": REFERENCE, "candidates": {"good": GOOD, "bad": BAD}} for _ in range(6)]
    return [NewItem(f"r{n}", {"id": f"r{n}", **one}, {}) for n, one in enumerate(texts)]


@pytest.fixture
def filled(sqlite_store):
    def fill(kind):
        people = [person(sqlite_store, name) for name in ("one", "two")]
        number = study(sqlite_store, kind, report_items(6) if kind == "clear" else items(kind), people)
        with sqlite_store.writing() as session:
            hand_in(session, session.get_one(Study, number))
        return number

    return fill


@pytest.mark.parametrize("kind", ["clear", "judge", "compare"])
def test_both_readers_have_handed_in_the_same_items(sqlite_store, filled, kind):
    number = filled(kind)
    with sqlite_store.reading() as session:
        made = session.get_one(Study, number)
        found = agreement(session, made)
        assert found.items == ANSWERED
        assert found.measures
        left = session.scalars(select(Assignment).where(Assignment.submitted.is_(None))).all()
        assert len(left) == 4, "something is left to try"
        for one in exports(made, admin=True):
            assert one.content(session, made), one.name


def test_an_answer_that_could_not_be_handed_in_is_the_suggestion(sqlite_store, monkeypatch):
    """A reader who calls a normal sentence abnormal would owe the details of its pair."""
    monkeypatch.setattr(demo, "SLIP", 1.0)
    text = "The heart is normal."
    pair = {
        "ref_sentence": text,
        "gen_sentence": text,
        "normality": "normal",
        "anatomical_relationship": "equivalent",
        "negated_abnormality_relationship": "equivalent",
    }
    found = {"findings": {"pairs": [pair], "unmatched_sentences": []}}
    said = {**found, "ref_sentences": [text], "gen_sentences": [text]}
    content = {"id": "r1", "reference": text, "candidate": text}
    people = [person(sqlite_store, name) for name in ("one", "two")]
    number = study(sqlite_store, "pairs", [NewItem(f"r{n}", content, said) for n in (1, 2, 3)], people)
    with sqlite_store.writing() as session:
        hand_in(session, session.get_one(Study, number))
        answers = session.scalars(select(Assignment.answer).where(Assignment.submitted.is_not(None))).all()
    assert [{row["state"] for row in rows} for rows in answers] == [{"accepted"}] * 2


def test_readers_prefer_the_better_report(sqlite_store, filled):
    number = filled("compare")
    with sqlite_store.reading() as session:
        (found,) = win_rates(session, session.get_one(Study, number))
    assert (found.system, found.against) == ("bad", "good")
    assert found.wins == 0
    assert found.rate.value < 0.5


def test_judges_count_what_the_ledger_finds(sqlite_store, filled):
    number = filled("judge")
    with sqlite_store.reading() as session:
        found = agreement(session, session.get_one(Study, number))
    assert "All errors" in [measure.of for measure in found.measures]
