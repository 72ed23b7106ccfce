"""Following a patient by language model: every observation in one group, one repair turn, leftovers counted."""

import json

import pytest

from overread.llm import Failure
from overread.reader import read
from overread.report import parse
from overread.systems.banks import timeline_example
from overread.systems.lunguage.by_rules import view
from overread.systems.lunguage.follow import follow as by_rules
from overread.systems.lunguage.follow_by_llm import History, asked_of, follow
from overread.systems.lunguage.schema import StudyView

TEXTS = [
    (0, "FINDINGS: Left effusion. No pneumothorax."),
    (9, "FINDINGS: Left effusion has decreased. No pneumothorax."),
]


def history(patient="p1", texts=TEXTS):
    studies = (
        StudyView(str(n), day, view(read(parse(text, f"r{n}")))) for n, (day, text) in enumerate(texts, 1)
    )
    return History(patient, tuple(studies))


def group(name, members, *episodes):
    return {"name": name, "members": members, "episodes": [{"days": days} for days in episodes]}


EFFUSION = group("effusion left decreased", [1, 3], [0, 9])
AIR = group("pneumothorax", [2, 4], [0, 9])


def reply(act, *groups):
    return act(json.dumps({"groups": groups}))


def placed(followed):
    return [(o.entity_group, o.temporal_group) for o in followed.timeline.observations]


def test_groups_and_episodes_are_taken_over(server, act, client):
    server.behave = lambda ask: reply(act, group("effusion left", [1, 3], [0], [9]), AIR)
    (found,) = follow(client, [history()])
    assert placed(found) == [
        ("effusion left", 1),
        ("pneumothorax", 1),
        ("effusion left", 2),
        ("pneumothorax", 1),
    ]
    assert (found.left_over, found.repeated, found.undated) == (0, 0, 0)
    assert "3. day 9, positive: effusion left decreased" in server.asks[0].text
    assert "90 days" in server.asks[0].text


def test_a_missing_observation_gets_one_repair_turn(server, act, client):
    server.behave = lambda ask: (
        reply(act, EFFUSION, AIR) if "In no group" in ask.text else reply(act, EFFUSION)
    )
    (found,) = follow(client, [history()])
    assert found.left_over == 0
    assert len(server.asks) == 2
    assert "In no group: 2, 4" in server.asks[1].text


def test_what_is_still_left_over_is_a_group_of_its_own_and_counted(server, act, client):
    server.behave = lambda ask: reply(act, EFFUSION)
    (found,) = follow(client, [history()])
    assert found.left_over == 2
    assert [name for name, _ in placed(found)] == [
        "effusion left decreased", "pneumothorax", "effusion left decreased", "pneumothorax (2)",
    ]  # fmt: skip
    assert len(found.timeline.groups) == 3


def test_an_observation_in_two_groups_stays_in_the_first(server, act, client):
    server.behave = lambda ask: reply(act, EFFUSION, group("air", [2, 3, 4, 99], [0, 9]))
    (found,) = follow(client, [history()])
    assert (found.repeated, found.left_over) == (1, 0)
    assert placed(found)[2][0] == "effusion left decreased"
    assert "In more than one group: 3" in server.asks[1].text
    assert "No such observation: 99" in server.asks[1].text


def test_a_day_in_no_episode_is_counted(server, act, client):
    server.behave = lambda ask: reply(act, group("effusion", [1, 3], [0]), AIR)
    (found,) = follow(client, [history()])
    assert found.undated == 1


def test_a_second_run_makes_no_call(server, act, client):
    server.behave = lambda ask: reply(act, EFFUSION)
    for _ in range(2):
        follow(client, [history()])
    assert len(server.asks) == 2


@pytest.mark.parametrize("text", ["no json", '{"groups": [{"name": 3}]}'])
def test_nonsense_is_a_failure_row_and_others_go_on(server, act, client, text):
    server.behave = lambda ask: act(text) if "nodule right" in ask.text else reply(act, EFFUSION, AIR)
    bad, good = follow(client, [history("p2", [(0, "FINDINGS: Right nodule.")]), history()])
    assert isinstance(bad, Failure)
    assert (bad.item, bad.stage) == ("p2", "lunguage/follow")
    assert len(good.timeline.groups) == 2


def test_a_patient_without_findings_is_not_asked(server, client):
    (found,) = follow(client, [history("p3", [(0, "")])])
    assert found.timeline.observations == []
    assert len(found.timeline.studies) == 1
    assert not server.asks


def test_an_example_is_an_answer_that_would_pass(server, act, client):
    known = history()
    line = timeline_example(by_rules("p1", known.studies))
    server.behave = lambda ask: act(json.dumps(line["answer"]))
    (found,) = follow(client, [known])
    assert found.timeline == by_rules("p1", known.studies)
    assert line["text"] == asked_of(known).inputs["observations"]
