"""Three small questions put to a server on loopback; nonsense is counted, failures stay failures."""

import json
import re
import sys
from types import SimpleNamespace

import pytest

from overread.errors import BadInput, MissingExtra
from overread.llm import Client, Failure
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


# ---- as the paper asks: one disease a sentence, sentences by Stanza
def test_one_disease_a_sentence_by_name(server, settings_of, act, report):
    def behave(ask):
        one = "Which single entry" in ask.text
        return act(json.dumps({"disease": "pleural effusion"} if one else answer(ask)))

    server.behave = behave
    with Client(settings_of(one_disease=True)) as client:
        (view,) = views(client, [report])
    assert [len(s.items) for s in view.sentences if s.longitudinal] == [1, 1, 1]
    assert "most about" in " ".join(ask.text for ask in server.asks)
    assert client.settings.decisive()["diseases"] == "one"


@pytest.mark.parametrize("wrong", ["space lungs", "Pleural effusion"])
def test_an_entry_that_is_not_in_the_list_is_no_disease(server, settings_of, act, report, wrong):
    def behave(ask):
        one = "Which single entry" in ask.text
        return act(json.dumps({"disease": wrong} if one else answer(ask)))

    server.behave = behave
    with Client(settings_of(one_disease=True)) as client:
        (view,) = views(client, [report])
    assert not any(s.items for s in view.sentences)
    assert view.unusable == 3


class Token:
    def __init__(self, start, end):
        self.start_char, self.end_char = start, end


class Pipeline:
    """Stanza's, with its answer's shape: cuts at full stops, wherever they stand."""

    def __init__(self, language, **options):
        assert (language, options["processors"], options["download_method"]) == ("en", "tokenize", None)

    def __call__(self, text):
        found = [
            SimpleNamespace(tokens=[Token(m.start(), m.end())]) for m in re.finditer(r"\S[^.]*\.?", text)
        ]
        return SimpleNamespace(sentences=found)


@pytest.fixture
def stanza(monkeypatch):
    from overread.systems.longitudinal import by_llm

    def install(pipeline):
        by_llm.pipeline.cache_clear()
        monkeypatch.setitem(sys.modules, "stanza", pipeline and SimpleNamespace(Pipeline=pipeline))

    yield install
    by_llm.pipeline.cache_clear()


def test_sentences_by_stanza_keep_their_place_in_the_report(server, settings_of, act, stanza):
    stanza(Pipeline)
    server.behave = lambda ask: act('{"compares": false}')
    text = "FINDINGS: Nodule of 2.5 cm. No effusion.\nIMPRESSION: Stable."
    with Client(settings_of(segmenter="stanza")) as client:
        (view,) = views(client, [parse(text, "r1")])
    assert [s.text for s in view.sentences] == ["Nodule of 2.", "5 cm.", "No effusion.", "Stable."]
    assert all(text[s.start : s.end] == s.text for s in view.sentences)
    assert [s.section for s in view.sentences] == ["findings"] * 3 + ["impression"]


def test_without_stanza_it_says_what_to_install_and_asks_nothing(server, settings_of, stanza):
    stanza(None)
    with (
        Client(settings_of(segmenter="stanza")) as client,
        pytest.raises(MissingExtra, match=r"overread\[stanza\]"),
    ):
        views(client, [parse("FINDINGS: Stable.", "r1")])
    assert not server.asks


def test_without_its_models_it_says_where_to_get_them(settings_of, stanza):
    def missing(*_, **__):
        raise FileNotFoundError("resources.json")

    stanza(missing)
    with (
        Client(settings_of(segmenter="stanza")) as client,
        pytest.raises(BadInput, match="STANZA_RESOURCES_DIR"),
    ):
        views(client, [parse("FINDINGS: Stable.", "r1")])
