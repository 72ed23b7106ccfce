"""Structuring by language model against a server that misbehaves: grounding, repair, failure rows, examples."""

import json

import pytest

from overread.llm import Client, Failure, Settings
from overread.reader import read
from overread.report import parse
from overread.systems.banks import report_examples
from overread.systems.lunguage.asking import Asked, Dropped, hints
from overread.systems.lunguage.by_llm import numbered, structure, views
from overread.systems.lunguage.by_rules import view

TEXT = "FINDINGS: Patchy opacity in the left base. This may reflect pneumonia. No effusion."


def finding(number, entity, sentences, **more):
    usual = {"category": "PF", "status": "positive", "certainty": "definitive"}
    links = {"attributes": [], "associate": [], "evidence": []}
    return {"number": number, "entity": entity, "sentences": sentences, **usual, **links, **more}


def said(**words):
    return [{"relation": relation, "words": list(values)} for relation, values in words.items()]


OPACITY = finding(1, "opacity", [1], attributes=said(morphology=["Patchy"], location=["left base"]))
PNEUMONIA = finding(2, "pneumonia", [2], category="CF", certainty="tentative", evidence=[1])
EFFUSION = finding(3, "effusion", [3], status="negative")
RIGHT = [OPACITY, PNEUMONIA, EFFUSION]


def reply(act, findings):
    return act(json.dumps({"findings": findings}))


def test_a_section_becomes_findings_with_spans_and_links(server, act, client):
    server.behave = lambda ask: reply(act, RIGHT)
    report = parse(TEXT, "r1")
    (found,) = structure(client, [report])
    opacity, pneumonia, effusion = found.view.findings
    assert found.dropped == Dropped()
    assert opacity.attributes == {"morphology": ["Patchy"], "location": ["left base"]}
    assert [span.of(report.text) for span in opacity.spans["location"]] == ["left base"]
    assert opacity.sentence.text == "Patchy opacity in the left base."
    assert (pneumonia.evidence, pneumonia.associate, opacity.associate) == (
        [opacity.id],
        [opacity.id],
        [pneumonia.id],
    )
    assert effusion.status == "negative"


def test_each_section_is_asked_with_its_sentences_and_cues(server, act, client):
    server.behave = lambda ask: reply(act, [])
    views(client, [parse("HISTORY: Cough. FINDINGS: Small left effusion. IMPRESSION: Effusion.", "r1")])
    asked = sorted(ask.text for ask in server.asks)
    assert len(asked) == 3
    assert any("1. Small left effusion." in text and "effusion (PF)" in text for text in asked)


def test_an_invented_attribute_is_dropped_and_counted(server, act, client):
    invented = {
        **OPACITY,
        "attributes": said(location=["left base"], severity=["severe"], worsened=["increased"]),
    }
    server.behave = lambda ask: reply(act, [invented])
    (found,) = structure(client, [parse(TEXT, "r1")])
    assert found.view.findings[0].attributes == {"location": ["left base"]}
    assert found.dropped == Dropped(attributes=2)


def test_a_finding_outside_the_text_is_refused_with_its_links(server, act, client):
    invented = finding(4, "pneumothorax", [3], associate=[1])
    server.behave = lambda ask: reply(act, [{**OPACITY, "associate": [4]}, EFFUSION, invented])
    (found,) = structure(client, [parse(TEXT, "r1")])
    assert [f.entity for f in found.view.findings] == ["opacity", "effusion"]
    assert found.view.findings[0].associate == []
    assert found.dropped == Dropped(findings=1, links=1)


def test_a_finding_must_stand_in_the_sentence_it_names(server, act, client):
    server.behave = lambda ask: reply(act, [{**EFFUSION, "sentences": [1]}])
    (found,) = structure(client, [parse(TEXT, "r1")])
    assert found.view.findings == []
    assert found.dropped["findings"] == 1


BAD = {
    "unknown relation": {**OPACITY, "attributes": [{"relation": "colour", "words": ["Patchy"]}]},
    "unknown category": {**OPACITY, "category": "XYZ"},
    "no status": {key: value for key, value in OPACITY.items() if key != "status"},
    "sentence out of range": {**OPACITY, "sentences": [9]},
    "link to nowhere": {**OPACITY, "associate": [7]},
    "evidence that is a diagnosis": {**OPACITY, "evidence": [2]},
}


@pytest.mark.parametrize("why", BAD)
def test_one_repair_turn_mends_it(server, act, client, why):
    server.behave = lambda ask: reply(act, RIGHT if ask.is_repair else [BAD[why], PNEUMONIA])
    (found,) = structure(client, [parse(TEXT, "r1")])
    assert len(found.view.findings) == 3
    assert len(server.asks) == 2


@pytest.mark.parametrize("why", BAD)
def test_then_it_is_a_failure_row(server, act, client, why):
    server.behave = lambda ask: reply(act, [BAD[why], PNEUMONIA])
    (found,) = structure(client, [parse(TEXT, "r1")])
    assert isinstance(found, Failure)
    assert (found.stage, found.kind, found.item) == ("lunguage/structure", "unusable", "r1/findings")
    assert "atchy" not in found.reason
    assert client.failures == [found]


@pytest.mark.parametrize("trouble", ["500", "reset", "empty", "prose"])
def test_other_trouble_fails_only_its_report(server, act, client, trouble):
    acts = {
        "500": act("", status=500),
        "reset": act(trick="reset"),
        "empty": act(""),
        "prose": act("I cannot do that."),
    }
    server.behave = lambda ask: acts[trouble] if "Patchy opacity" in ask.text else reply(act, [])
    bad, good = views(client, [parse(TEXT, "r1"), parse("FINDINGS: Lungs are clear.", "r2")])
    assert isinstance(bad, Failure)
    assert good.findings == []


def test_a_report_without_sentences_is_not_asked(server, client):
    (found,) = structure(client, [parse("", "r1")])
    assert found.view.findings == []
    assert not server.asks


def test_asked_once_then_from_the_cache(server, act, client):
    server.behave = lambda ask: reply(act, RIGHT)
    for _ in range(2):
        structure(client, [parse(TEXT, "r1")])
    assert len(server.asks) == 1


def test_cues_keep_overlaps_and_all_roles():
    """The paper's span matching: every run of words that is a form, each with all its categories."""
    found = dict(hints("Small left pleural effusion."))
    assert {"Small", "left", "pleural", "effusion", "pleural effusion"} <= set(found)
    assert found["pleural effusion"] == ("PF",)
    assert "location" in found["pleural"]
    both = dict(hints("Increased."))
    assert len(both["Increased"]) > 1


def bank(tmp_path, *reports):
    file = tmp_path / "bank.jsonl"
    lines = [line for report in reports for line in report_examples(report, view(read(report)))]
    file.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    return str(file)


@pytest.mark.parametrize(("shots", "shown"), [(0, 0), (1, 1), (10, 2)])
def test_nearest_examples_of_other_patients(server, act, tmp_path, shots, shown):
    near = parse("FINDINGS: Patchy opacity in the right base.", "a", patient="p1")
    far = parse("FINDINGS: The heart is large, no effusion.", "b", patient="p2")
    own = parse("FINDINGS: Patchy opacity in the left base, no effusion.", "c", patient="p9")
    server.behave = lambda ask: reply(act, [])
    settings = Settings(
        base_url=server.url, model=("small",), cache_file=str(tmp_path / "a.sqlite"), shots=shots,
        examples=bank(tmp_path, near, far, own),
    )  # fmt: skip
    with Client(settings) as client:
        structure(client, [parse(TEXT, "r1", patient="p9")])
    (ask,) = server.asks
    assert ask.text.count("Right reply:") == shown
    if shots == 1:
        assert "right base" in ask.text


def test_an_example_is_an_answer_that_would_pass(server, act, client, tmp_path):
    report = parse("FINDINGS: Patchy opacity in the right base, likely pneumonia. No effusion.", "a")
    (line,) = report_examples(report, view(read(report)))
    server.behave = lambda ask: act(json.dumps(line["answer"]))
    (found,) = structure(client, [report])
    assert found.dropped == Dropped()
    assert [f.entity for f in found.view.findings] == [f.entity for f in view(read(report)).findings]
    assert line["text"] == numbered(Asked.of(report, report.sections), Settings())
