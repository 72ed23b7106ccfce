"""CLEAR asked of a language model: one question about presence, five about each positive condition."""

import json
import re
from pathlib import Path

import pytest
from tests.llm.conftest import Act, Ask, Loopback

from overread.errors import BadInput
from overread.llm import Client, Failure, Item
from overread.llm.settings import Settings
from overread.report import parse
from overread.systems.clear.by_llm import (
    ANSWERS,
    PACKAGE,
    Phrases,
    findings_and_impression,
    from_the_report,
    judged,
    terms,
    views,
)
from overread.systems.clear.outcomes import Outcome
from overread.systems.clear.schema import CONDITIONS, Table

TEXT = "FINDINGS: Stable small left pleural effusion. Right PICC is in place.\n\nIMPRESSION: Follow-up film advised."
REPORTS = [parse(TEXT.replace("left", side), f"Study {n}") for n, side in enumerate(("left", "right"), 1)]
NEUTRAL = {"level": "neutral", "mentioned": False}
PRESENT = {"level": "confidently present", "mentioned": True}
PRESENCE = json.dumps(
    dict.fromkeys(CONDITIONS, NEUTRAL) | {"Pleural Effusion": PRESENT, "Support Devices": PRESENT}
)


def condition(ask: Ask) -> str:
    return re.search(r"describes (?:a |an )?([a-z ]+?)(?: \([^)]*\))? as present", ask.text)[1]


def stage(ask: Ask) -> str:
    """Which of the six prompts a request carries."""
    marks = {
        "mentioned": "presence",
        "When did it begin": "first_occurrence",
        "How has it developed": "change",
        "Which degree": "severity",
        "List where it is": "location",
        "asks to be done": "recommendation",
    }
    return next(name for mark, name in marks.items() if mark in ask.text)


def right(ask: Ask) -> str:
    side = "right" if "small right" in ask.text else "left"
    device = stage(ask) == "location" and condition(ask) == "support devices"
    return {
        "presence": PRESENCE,
        "first_occurrence": '{"answer": "previous"}',
        "change": '{"answer": "stable"}',
        "severity": '{"answer": "mild"}',
        "location": json.dumps({"phrases": ["Right PICC"] if device else [f"small {side} pleural effusion"]}),
        "recommendation": '{"phrases": ["N/A"]}',
    }[stage(ask)]


def test_a_table_per_report_in_order(client: Client, server: Loopback):
    server.behave = lambda ask: Act(right(ask))
    first, second = views(client, REPORTS)
    assert isinstance(first, Table)
    assert (first.id, second.id) == ("Study 1", "Study 2")
    effusion = first.conditions["Pleural Effusion"]
    assert (effusion.presence, effusion.first_occurrence, effusion.change) == (
        "positive",
        "previous",
        "stable",
    )
    assert effusion.location == ("small left pleural effusion",)
    assert effusion.recommendation == ()
    assert [s.of(TEXT) for s in effusion.spans["location"]] == ["small left pleural effusion"]
    assert second.conditions["Pleural Effusion"].location == ("small right pleural effusion",)


def test_one_question_about_presence_and_five_about_a_positive_condition(client: Client, server: Loopback):
    server.behave = lambda ask: Act(right(ask))
    views(client, REPORTS[:1])
    stages = [stage(ask) for ask in server.asks]
    assert stages.count("presence") == 1
    asked = {(stage(a), condition(a)) for a in server.asks if stage(a) != "presence"}
    assert {s for s, c in asked if c == "pleural effusion"} == set(ANSWERS)
    assert {s for s, c in asked if c == "support devices"} == {"location", "recommendation"}
    assert len(server.asks) == 8


def test_three_labels_as_the_paper_asks_for_them(server: Loopback, tmp_path: Path):
    said = {"Pleural Effusion": "positive", "Support Devices": "positive", "Edema": "negative"}
    three = json.dumps(dict.fromkeys(CONDITIONS, "unclear") | said)
    server.behave = lambda ask: Act(three if '"unclear"' in ask.text else right(ask))
    usual = {"base_url": server.url, "model": ("small",), "cache_file": str(tmp_path / "answers.sqlite")}
    with Client(Settings(**usual, three_labels=True)) as client:
        (table,) = views(client, REPORTS[:1])
    found = {name: cell.presence for name, cell in table.conditions.items() if cell.presence != "unclear"}
    assert found == said
    assert table.conditions["Edema"].level == "confidently absent"
    assert table.conditions["Pleural Effusion"].change == "stable"
    first = next(ask for ask in server.asks if '"unclear"' in ask.text)
    assert "confidently" not in first.text  # nor in the worked examples
    assert Settings(**usual, three_labels=True).decisive()["labels"] == "three"


def test_words_of_ones_own_stand_in_the_question_about_locations(server: Loopback, tmp_path: Path):
    server.behave = lambda ask: Act(right(ask))
    own = tmp_path / "terms.toml"
    own.write_text(
        '["Pleural Effusion"]\nsites = "the zorgle"\nlooks = "murky"\nstatus = "growing, shrinking"\n'
    )
    usual = {"base_url": server.url, "model": ("small",), "cache_file": str(tmp_path / "answers.sqlite")}
    given = Settings(**usual, shots=0, clear_terms=str(own))
    with Client(given) as client:
        views(client, REPORTS[:1])
    asked = {condition(ask): ask.text for ask in server.asks if stage(ask) == "location"}
    assert "the zorgle" in asked["pleural effusion"]
    assert "murky; growing, shrinking" in asked["pleural effusion"]
    assert terms()["Support Devices"].sites in asked["support devices"]
    assert len(given.decisive()["clear_terms"]) == 8
    own.write_text('["Plural Effusion"]\nsites = "x"\n')
    with pytest.raises(BadInput, match="no file of CLEAR's terms"):
        terms(f"{own.parent}/./{own.name}")  # read anew


def test_questions_run_at_once_and_a_second_run_asks_nothing(client: Client, server: Loopback):
    server.behave = lambda ask: Act(right(ask), seconds=0.05)
    once = views(client, REPORTS)
    calls = len(server.asks)
    assert server.most_in_flight > 1
    assert views(client, REPORTS) == once
    assert len(server.asks) == calls


def test_a_wrong_option_is_repaired(client: Client, server: Loopback):
    def wrong_first(ask: Ask) -> Act:
        bad = stage(ask) == "severity" and not ask.is_repair
        return Act('{"answer": "tiny"}' if bad else right(ask))

    server.behave = wrong_first
    (table,) = views(client, REPORTS[:1])
    assert table.conditions["Pleural Effusion"].severity == "mild"
    assert client.tally.repairs == 1


def test_a_wrong_option_that_stays_fails_the_report_and_is_counted(client: Client, server: Loopback):
    def stubborn(ask: Ask) -> Act:
        lost = stage(ask) == "severity" and "small right" in ask.text
        return Act('{"answer": "tiny"}' if lost else right(ask))

    server.behave = stubborn
    kept, lost = views(client, REPORTS)
    assert isinstance(kept, Table)
    assert isinstance(lost, Failure)
    assert (lost.item, lost.stage, lost.kind) == ("Study 2/Pleural Effusion", "clear/severity", "unusable")
    assert "tiny" not in lost.reason
    assert client.tally.failed == 1


def test_a_missing_condition_fails_the_report(client: Client, server: Loopback):
    server.behave = lambda ask: Act('{"Edema": {"level": "neutral", "mentioned": false}}')
    (lost,) = views(client, REPORTS[:1])
    assert isinstance(lost, Failure)
    assert lost.stage == "clear/presence"


def test_made_up_phrases_are_sent_back(client: Client, server: Loopback):
    def inventive(ask: Ask) -> Act:
        made_up = stage(ask) == "location" and not ask.is_repair and condition(ask) == "pleural effusion"
        return Act('{"phrases": ["huge tension hydropneumothorax"]}' if made_up else right(ask))

    server.behave = inventive
    (table,) = views(client, REPORTS[:1])
    assert table.conditions["Pleural Effusion"].location == ("small left pleural effusion",)
    assert client.tally.repairs == 1


def test_words_of_the_report_in_another_order_are_not_made_up():
    item = Item("r", {}, source="Opacity in the left base.")
    assert from_the_report(item, Phrases(("left base opacity", "N/A"))) == []
    assert from_the_report(item, Phrases(("right apex mass",)))


def test_five_worked_examples_of_presence_from_a_bank(settings, server: Loopback, tmp_path: Path):
    bank = tmp_path / "bank.jsonl"
    line = {"stage": "clear/presence", "answer": json.loads(PRESENCE)}
    texts = [f"FINDINGS: Small effusion number {n} with a PICC in place." for n in range(7)]
    bank.write_text("".join(json.dumps({"text": t, **line}) + "\n" for t in texts))
    server.behave = lambda ask: Act(right(ask))
    with Client(settings(examples=str(bank), shots=5)) as client:
        views(client, REPORTS[:1])
    shown = {stage(a): sum(f"effusion number {n} " in a.text for n in range(7)) for a in server.asks}
    assert shown["presence"] == 5
    assert shown["change"] == 0


def test_only_findings_and_impression_are_sent():
    report = parse("INDICATION: Cough.\n\nFINDINGS: Clear lungs.\n\nIMPRESSION: Normal chest.", "r")
    assert findings_and_impression(report) == "FINDINGS: Clear lungs.\n\nIMPRESSION: Normal chest."


def test_every_condition_has_terms_for_its_place():
    assert set(terms()) == set(CONDITIONS)
    assert all(row.sites and row.looks and row.spoken for row in terms().values())


def phrases(one: tuple[str, ...], two: tuple[str, ...]) -> tuple[str, Outcome]:
    return "Study 1", Outcome("Edema", "location", one, two, "mismatch", 0.0, bool(one))


def test_the_judge_scores_lists_and_needs_no_call_for_empty_ones(client: Client, server: Loopback):
    server.behave = lambda ask: Act('{"score": 0.8}')
    asked = [phrases(("left base",), ("base on the left",)), phrases((), ()), phrases(("left base",), ())]
    assert judged(client, asked) == [0.8, 1.0, 0.0]
    assert len(server.asks) == 1


def test_a_judge_outside_its_scale_is_a_failure(client: Client, server: Loopback):
    server.behave = lambda ask: Act('{"score": 8}')
    (lost,) = judged(client, [phrases(("left base",), ("right base",))])
    assert isinstance(lost, Failure)


@pytest.mark.parametrize("name", ["presence", "judge", *ANSWERS])
def test_prompts_load(name: str):
    from overread.llm import load_prompt

    assert load_prompt(PACKAGE, name).body
