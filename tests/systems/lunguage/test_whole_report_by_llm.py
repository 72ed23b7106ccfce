"""LUNGUAGE's question as its paper asks it: one a report, candidates as JSON, relations by index."""

import json

import pytest

from overread.llm import Client, Failure, Settings
from overread.report import parse
from overread.systems.lunguage.asking import Dropped
from overread.systems.lunguage.by_llm import structure

TEXT = "HISTORY: Cough. FINDINGS: Patchy opacity in the left base. This may reflect pneumonia. No effusion."


def term(number, text, sentence):
    return {"ent_idx": number, "text": text, "sent_idx": sentence}


def subject(number, cat="PF", status="positive", certainty="definitive"):
    return {"ent_idx": number, "cat": cat, "dx_status": status, "dx_certainty": certainty}


def relation(one, name, other, sentence):
    return {"subject_ent": one, "relation": name, "obj_ent_idx": other, "sent_idx": sentence}


TERMS = [
    term(1, "Cough", 1), term(2, "Patchy", 2), term(3, "opacity", 2), term(4, "left base", 2),
    term(5, "pneumonia", 3), term(6, "effusion", 4),
]  # fmt: skip
SUBJECTS = [
    subject(1, "PATIENT INFO"),
    subject(3),
    subject(5, "CF", certainty="tentative"),
    subject(6, status="negative"),
]
RELATIONS = [
    relation(3, "morphology", 2, 2),
    relation(3, "location", 4, 2),
    relation(5, "evidence", 3, 3),
]
RIGHT = {"terms": TERMS, "subjects": SUBJECTS, "relations": RELATIONS}


@pytest.fixture
def whole(settings_of):
    with Client(settings_of(whole_report=True)) as client:
        yield client


def test_one_question_a_report_becomes_findings_with_places_and_links(server, act, whole):
    server.behave = lambda ask: act(json.dumps(RIGHT))
    (found,) = structure(whole, [parse(TEXT, "r1")])
    assert len(server.asks) == 1
    cough, opacity, pneumonia, effusion = found.view.findings
    assert [f.section for f in found.view.findings] == ["indication", *["findings"] * 3]
    assert cough.category == "PATIENT INFO"
    assert opacity.attributes == {"morphology": ["Patchy"], "location": ["left base"]}
    assert (pneumonia.evidence, pneumonia.certainty, opacity.associate) == (
        [opacity.id],
        "tentative",
        [pneumonia.id],
    )
    assert effusion.status == "negative"
    assert found.dropped == Dropped()


def test_sentences_are_numbered_through_and_have_their_candidates(server, act, whole):
    server.behave = lambda ask: act(json.dumps(RIGHT))
    structure(whole, [parse(TEXT, "r1")])
    rows = json.loads(
        server.asks[0].text.split("<<<sentences-")[1].split("\n", 1)[1].split("\nsentences-")[0]
    )
    assert [(row["sent_idx"], row["section"]) for row in rows] == [
        (1, "indication"), (2, "findings"), (3, "findings"), (4, "findings"),
    ]  # fmt: skip
    assert ["opacity", ["PF"]] in rows[1]["candidates"]


def test_words_that_are_not_there_and_links_across_sections_are_left_out(server, act, whole):
    made_up = [*TERMS, term(7, "severe", 4), term(8, "zorgle", 4)]
    more = [*RELATIONS, relation(6, "severity", 7, 4), relation(5, "associate", 1, 3)]
    told = {"terms": made_up, "subjects": [*SUBJECTS, subject(8)], "relations": more}
    server.behave = lambda ask: act(json.dumps(told))
    (found,) = structure(whole, [parse(TEXT, "r1")])
    assert [f.entity for f in found.view.findings] == ["Cough", "opacity", "pneumonia", "effusion"]
    assert found.view.findings[-1].attributes == {}
    assert found.view.findings[0].associate == []
    assert found.dropped == Dropped(findings=1, attributes=1)


BAD = {
    "an index twice": {**RIGHT, "terms": [*TERMS, term(1, "Cough", 1)]},
    "a subject without a term": {**RIGHT, "subjects": [*SUBJECTS, subject(99)]},
    "a sentence that is not there": {**RIGHT, "terms": [*TERMS, term(7, "Cough", 9)]},
    "a relation from a phrase": {**RIGHT, "relations": [relation(2, "location", 4, 2)]},
    "a relation to nowhere": {**RIGHT, "relations": [relation(3, "location", 44, 2)]},
    "evidence that is a phrase": {**RIGHT, "relations": [relation(5, "evidence", 2, 3)]},
    "an unknown relation": {**RIGHT, "relations": [relation(3, "colour", 2, 2)]},
    "an unknown category": {**RIGHT, "subjects": [subject(1, "XYZ")]},
}


@pytest.mark.parametrize("why", BAD)
def test_one_repair_turn_then_a_failure(server, act, whole, why):
    server.behave = lambda ask: act(json.dumps(RIGHT if ask.is_repair else BAD[why]))
    (found,) = structure(whole, [parse(TEXT, "r1")])
    assert len(found.view.findings) == 4
    server.behave = lambda ask: act(json.dumps(BAD[why]))
    (lost,) = structure(whole, [parse(TEXT + " Clear.", "r2")])
    assert isinstance(lost, Failure)
    assert (lost.stage, lost.kind, lost.item) == ("lunguage/relations", "unusable", "r2")


def test_a_report_without_sentences_is_not_asked(server, whole):
    (found,) = structure(whole, [parse("", "r1")])
    assert found.view.findings == []
    assert not server.asks


def test_the_signature_says_how_it_was_asked():
    assert Settings(whole_report=True).decisive()["asked"] == "whole-report"
    assert "asked" not in Settings().decisive()
