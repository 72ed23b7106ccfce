"""Three small questions put to a server on loopback; nonsense is counted, failures stay failures."""

import json

import pytest

from overread.llm import Failure
from overread.report import parse
from overread.systems.longitudinal.by_llm import views
from overread.systems.longitudinal.schema import SUPPORT_DEVICES

TEXT = (
    "FINDINGS: The lungs are clear. The right effusion has decreased and edema is worse. "
    "The PICC has been removed. IMPRESSION: Smaller right effusion."
)
COMPARED = {
    "The lungs are clear.": [],
    "The right effusion has decreased and edema is worse.": [
        "pleural effusion",
        "pulmonary edema/hazy opacity",
    ],
    "The PICC has been removed.": [SUPPORT_DEVICES],
    "Smaller right effusion.": ["pleural effusion"],
}
TRENDS = {"pleural effusion": "improved", "pulmonary edema/hazy opacity": "worsened"}


def stage(ask):
    """Which of the three questions it is, by what the answer may hold."""
    text = ask.text
    if "compare the current image" in text:
        return "compares"
    return "diseases" if "Which entries of this list" in text else "progression"


def sentence(ask):
    return next(s for s in COMPARED if s in ask.text)


def answer(ask):
    if stage(ask) == "compares":
        return {"compares": bool(COMPARED[sentence(ask)])}
    if stage(ask) == "diseases":
        return {"diseases": COMPARED[sentence(ask)]}
    return {"progression": next(way for disease, way in TRENDS.items() if f'"{disease}" go' in ask.text)}


@pytest.fixture
def report():
    return parse(TEXT, "r1")


def test_three_questions_make_a_view(server, client, act, report):
    server.behave = lambda ask: act(json.dumps(answer(ask)))
    (view,) = views(client, [report])
    found = [
        (s.section, s.longitudinal, [(i.disease, i.progression) for i in s.items]) for s in view.sentences
    ]
    assert found == [
        ("findings", False, []),
        ("findings", True, [("pleural effusion", "improved"), ("pulmonary edema/hazy opacity", "worsened")]),
        ("findings", True, [(SUPPORT_DEVICES, None)]),
        ("impression", True, [("pleural effusion", "improved")]),
    ]
    assert view.unusable == 0
    assert [report.text[s.start : s.end] for s in view.sentences] == [s.text for s in view.sentences]


def test_questions_asked_and_greedy(server, client, act, report):
    server.behave = lambda ask: act(json.dumps(answer(ask)))
    views(client, [report])
    asked = [stage(ask) for ask in server.asks]
    assert {name: asked.count(name) for name in asked} == {"compares": 4, "diseases": 3, "progression": 3}
    assert {ask.body["temperature"] for ask in server.asks} == {0.0}


def test_single_asks_for_the_main_disease_only(server, client, act, report):
    server.behave = lambda ask: act(json.dumps(answer(ask)))
    (view,) = views(client, [report], sections=["findings"], single=True)
    assert [[i.disease for i in s.items] for s in view.sentences] == [
        [],
        ["pleural effusion"],
        [SUPPORT_DEVICES],
    ]


@pytest.mark.parametrize("nonsense", ['{"progression": "sideways"}', "I would rather not say.", "{}"])
def test_a_nonsense_trend_is_unmentioned_and_counted(server, client, act, report, nonsense):
    def behave(ask):
        return act(nonsense if stage(ask) == "progression" else json.dumps(answer(ask)))

    server.behave = behave
    (view,) = views(client, [report])
    ways = [i.progression for s in view.sentences for i in s.items if i.disease != SUPPORT_DEVICES]
    assert ways == ["unmentioned"] * 3
    assert view.unusable == 3


def test_a_disease_outside_the_list_is_dropped_and_counted(server, client, act, report):
    def behave(ask):
        made_up = {"diseases": ["space lungs"]}
        return act(json.dumps(made_up if stage(ask) == "diseases" else answer(ask)))

    server.behave = behave
    (view,) = views(client, [report])
    assert [s.longitudinal for s in view.sentences] == [False, True, True, True]
    assert not any(s.items for s in view.sentences)
    assert view.unusable == 3


def test_a_nonsense_verdict_leaves_the_sentence_cross_sectional_and_is_counted(server, client, act, report):
    def behave(ask):
        return act('{"compares": "perhaps"}' if stage(ask) == "compares" else json.dumps(answer(ask)))

    server.behave = behave
    (view,) = views(client, [report])
    assert not any(s.longitudinal for s in view.sentences)
    assert view.unusable == 4


def test_nonsense_that_is_mended_when_shown_back_is_not_counted(server, client, act, report):
    def behave(ask):
        first = stage(ask) == "progression" and not ask.is_repair
        return act('{"progression": "sideways"}' if first else json.dumps(answer(ask)))

    server.behave = behave
    (view,) = views(client, [report])
    assert view.unusable == 0
    assert {i.progression for s in view.sentences for i in s.items} == {"improved", "worsened", None}


def test_a_refusal_fails_its_report_alone(server, client, act, report):
    def behave(ask):
        if "Unlucky" in ask.text:
            return act(status=400, text="no")
        return act('{"compares": false}' if "Fine" in ask.text else json.dumps(answer(ask)))

    server.behave = behave
    good, bad = views(
        client, [parse("FINDINGS: Fine nodule.", "good"), parse("FINDINGS: Unlucky nodule.", "bad")]
    )
    assert good.id == "good"
    assert isinstance(bad, Failure)
    assert bad.stage == "longitudinal/compares"
