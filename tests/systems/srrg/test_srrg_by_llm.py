"""SRRG asked of language models: a draft, one repair with the linter's words, labels by consensus."""

import json
from typing import Any

import pytest
from tests.llm.conftest import Act, Ask, Loopback
from tests.llm.stand_in import good

from overread.llm import Client, Failure, Item
from overread.report import parse
from overread.systems.srrg.by_llm import (
    LabelledStatement,
    Labelling,
    NamedLabel,
    Rewritten,
    ballots,
    label_lines,
    labelling_problems,
    structured,
    utterance,
    views,
)
from overread.systems.srrg.schema import SrrgView

TEXT = "FINDINGS: Unchanged cardiomegaly. Small left pleural effusion. No pneumothorax.\n\nIMPRESSION: Small effusion."
REPORT = parse(TEXT, "Study 1")


def rewritten(**changes: Any) -> str:
    whole = {
        "exam_type": "",
        "history": "",
        "technique": "",
        "comparison": "",
        "findings": [
            {"header": "Pleura", "bullets": ["Small left pleural effusion", "No pneumothorax"]},
            {"header": "Cardiovascular", "bullets": ["Cardiomegaly"]},
        ],
        "impression": ["Small left pleural effusion"],
    }
    return json.dumps(whole | changes)


def labelling(*labels: tuple[str, str | None]) -> str:
    told = [
        {"number": number, "labels": [{"label": label, "status": status}]}
        for number, (label, status) in enumerate(labels, 1)
    ]
    return json.dumps({"statements": told})


EFFUSION, AIR, HEART = "Simple pleural effusion", "Simple pneumothorax", "Cardiomegaly"
RIGHT = labelling((EFFUSION, "Present"), (AIR, "Absent"), (HEART, "Present"), (EFFUSION, "Present"))


def stage(ask: Ask) -> str:
    if "a checker found faults" in ask.text:
        return "mend"
    return "label" if "numbered statement" in ask.text else "structure"


def answering(**answers: str):
    return lambda ask: Act(answers[stage(ask)])


def test_a_clean_draft_is_labelled_without_a_second_question(client: Client, server: Loopback):
    server.behave = answering(structure=rewritten(), label=RIGHT)
    (told,) = views(client, [REPORT])
    assert isinstance(told, SrrgView)
    assert [stage(ask) for ask in server.asks] == ["structure", "label"]
    assert told.structured.findings["Pleura"] == ["Small left pleural effusion", "No pneumothorax"]
    assert [(u.header, u.text, u.labels[0].label, u.labels[0].status) for u in told.utterances] == [
        ("Pleura", "Small left pleural effusion", EFFUSION, "Present"),
        ("Pleura", "No pneumothorax", AIR, "Absent"),
        ("Cardiovascular", "Cardiomegaly", HEART, "Present"),
        (None, "Small left pleural effusion", EFFUSION, "Present"),
    ]
    assert [TEXT[u.start : u.end] for u in told.utterances] == [
        "Small left pleural effusion.",
        "No pneumothorax.",
        "Unchanged cardiomegaly.",
        "Small effusion.",
    ]


def test_lines_that_stand_alone_are_labelled_a_page_at_a_time(client: Client, server: Loopback):
    """A page that fails costs its own lines and no others."""
    server.behave = lambda ask: Act("no") if "line 30" in ask.text else good(ask)
    texts = [f"No pneumothorax, line {n}." for n in range(45)]
    told = label_lines(client, texts)
    assert len([ask for ask in server.asks if not ask.is_repair]) == 3
    assert [isinstance(one, Failure) for one in told] == [20 <= n < 40 for n in range(45)]
    assert {(x.label, x.status) for one in told[40:] for x in one} == {(AIR, "Absent")}


def test_the_prompt_names_the_headers_and_fences_the_report(client: Client, server: Loopback):
    server.behave = answering(structure=rewritten(), label=RIGHT)
    views(client, [REPORT])
    asked = server.asks[0].text
    assert "Tubes, Catheters, and Support Devices" in asked
    assert "<<<report-" in asked


def test_a_faulty_draft_is_mended_once_with_the_linters_words(client: Client, server: Loopback):
    spoiled = rewritten(
        findings=[{"header": "Pleura", "bullets": ["Stable small left pleural effusion", "No pneumothorax"]}]
    )
    server.behave = answering(structure=spoiled, mend=rewritten(), label=RIGHT)
    (told,) = views(client, [REPORT])
    assert [stage(ask) for ask in server.asks] == ["structure", "mend", "label"]
    asked = server.asks[1].text
    assert 'Compares with an earlier study. State only what is seen today. Words: "Stable"' in asked
    assert (
        'A positive finding of the original is missing. Add it under its header. Words: "cardiomegaly"'
        in asked
    )
    assert told.structured.findings["Cardiovascular"] == ["Cardiomegaly"]


def test_a_draft_that_cannot_be_mended_stays(client: Client, server: Loopback):
    spoiled = rewritten(impression=["New effusion"])
    server.behave = answering(structure=spoiled, mend="nonsense", label=RIGHT)
    (told,) = views(client, [REPORT])
    assert told.structured.impression == ["New effusion"]


def test_a_report_nobody_could_structure_is_a_failure_in_its_place(client: Client, server: Loopback):
    other = parse("FINDINGS: Normal.", "Study 2")

    def behave(ask: Ask) -> Act:
        if stage(ask) == "structure" and "Normal." in ask.text:
            return Act("no")
        return answering(structure=rewritten(), label=RIGHT)(ask)

    server.behave = behave
    first, second, third = views(client, [REPORT, other, parse(TEXT, "Study 3")])
    assert isinstance(second, Failure)
    assert (second.item, second.kind) == ("Study 2", "unusable")
    assert (first.id, third.id) == ("Study 1", "Study 3")


def test_labels_that_two_of_three_models_give_stay_and_the_rest_is_counted(settings, server: Loopback):
    said = {
        "a": labelling((EFFUSION, "Present"), (AIR, "Absent"), (HEART, "Present"), ("Edema", "Present")),
        "b": labelling((EFFUSION, "Present"), (AIR, "Absent"), (HEART, "Uncertain"), ("Hernia", "Present")),
        "c": labelling(("Edema", "Present"), (AIR, "Absent"), (HEART, "Present"), ("No Finding", None)),
    }

    def behave(ask: Ask) -> Act:
        return Act(rewritten() if stage(ask) == "structure" else said[ask.body["model"]])

    server.behave = behave
    with Client(settings(model=("a", "b", "c"))) as panel:
        (told,) = views(panel, [REPORT])
    assert [(u.text, u.labels[0].label) for u in told.utterances] == [
        ("Small left pleural effusion", EFFUSION),
        ("No pneumothorax", AIR),
        ("Cardiomegaly", HEART),
    ]
    assert told.dropped == 1
    assert told.structured.impression == ["Small left pleural effusion"]


def test_answers_are_kept_and_asked_for_once(client: Client, server: Loopback):
    spoiled = rewritten(impression=["New effusion"])
    server.behave = answering(structure=spoiled, mend=spoiled, label=RIGHT)
    first = views(client, [REPORT])
    asked = len(server.asks)
    assert views(client, [REPORT]) == first
    assert len(server.asks) == asked == 3


def test_a_labelling_that_misses_a_statement_is_repaired(client: Client, server: Loopback):
    short = labelling((EFFUSION, "Present"))
    server.behave = lambda ask: Act(
        rewritten() if stage(ask) == "structure" else RIGHT if ask.is_repair else short
    )
    (told,) = views(client, [REPORT])
    assert len(told.utterances) == 4
    assert "Statement 2 has no entry." in server.asks[-1].text


def test_problems_name_numbers_never_words():
    told = Labelling([LabelledStatement(1, [NamedLabel("Edema", None)]), LabelledStatement(9, [])])
    assert labelling_problems(Item("x", {}, source=2), told) == [
        "Statement 2 has no entry.",
        "There is no statement 9.",
        "Edema of statement 1 needs a status.",
    ]


def test_no_finding_beside_a_disease_is_no_vote():
    both = [NamedLabel("No Finding", None), NamedLabel("Edema", "Present")]
    assert list(ballots(Labelling([LabelledStatement(1, both)]))) == [(1, "Edema", "Present")]
    alone = [NamedLabel("No Finding", "Absent")]
    assert list(ballots(Labelling([LabelledStatement(2, alone)]))) == [(2, "No Finding", None)]


def test_an_empty_report_needs_no_labels(client: Client, server: Loopback):
    server.behave = answering(structure=rewritten(findings=[], impression=[]))
    (told,) = views(client, [parse("", "Study 4")])
    assert told.utterances == []
    assert [stage(ask) for ask in server.asks] == ["structure"]


def test_lines_are_tidied_and_headers_joined():
    answer = Rewritten("", " a\n b ", "", "", [], ["", " x  y "])
    told = structured(answer)
    assert (told.history, told.impression, told.findings) == ("a b", ["x y"], {})


@pytest.mark.parametrize(
    ("line", "sentence"),
    [("Cardiomegaly", "Unchanged cardiomegaly."), ("No pneumothorax", "No pneumothorax.")],
)
def test_a_line_points_at_the_sentence_it_is_most_like(line, sentence):
    found = utterance(REPORT, line, "findings")
    assert TEXT[found.start : found.end] == sentence
