"""Atoms and matching asked of a language model: every word traced, every record checked, one repair."""

import json

import pytest
from tests.llm.conftest import Act, Ask, Loopback

from overread.llm import Client, Failure
from overread.report import parse
from overread.systems.radsem.by_llm import views
from overread.systems.radsem.match_by_llm import tags
from overread.systems.radsem.schema import Atoms
from overread.systems.radsem.score import score_tags
from overread.systems.radsem.traceable import strangers

REPORT = parse("FINDINGS: Study 1. Nodule in both lungs. The heart is normal.", "Study 1")
GOOD = {
    "area": ["chest"],
    "type": "CT",
    "sentences": [
        {"number": 2, "text": "Left lung has a nodule.", "normality": "abnormal"},
        {"number": 2, "text": "Right lung has a nodule.", "normality": "abnormal"},
        {"number": 3, "text": "Heart is normal.", "normality": "normal"},
    ],
}
STRANGE = GOOD | {"sentences": [{"number": 2, "text": "Left lung has a mass.", "normality": "abnormal"}]}


def test_sentences_become_atoms_that_rules_can_match(client: Client, server: Loopback):
    server.behave = lambda ask: Act(json.dumps(GOOD))
    (view,) = views(client, [REPORT])
    assert isinstance(view, Atoms)
    assert [(a.text, a.normality, a.side) for a in view.atoms] == [
        ("Left lung has a nodule.", "abnormal", "left"),
        ("Right lung has a nodule.", "abnormal", "right"),
        ("Heart is normal.", "normal", "-"),
    ]
    assert REPORT.text[view.atoms[2].start : view.atoms[2].end] == "The heart is normal."
    assert (view.area, view.type) == (("chest",), "CT")


def test_a_word_the_report_does_not_hold_gets_one_repair(client: Client, server: Loopback):
    server.behave = lambda ask: Act(json.dumps(GOOD if ask.is_repair else STRANGE))
    (view,) = views(client, [REPORT])
    assert isinstance(view, Atoms)
    assert "mass" in server.asks[1].text


def test_a_report_that_stays_invented_fails_without_its_words_in_the_reason(client: Client, server: Loopback):
    server.behave = lambda ask: Act(json.dumps(STRANGE))
    (failure,) = views(client, [REPORT])
    assert isinstance(failure, Failure)
    assert failure.kind == "unusable"
    assert "mass" not in failure.reason


def test_a_report_without_findings_is_not_asked(client: Client, server: Loopback):
    (view,) = views(client, [parse("IMPRESSION: Normal.", "r")])
    assert view == Atoms("r", ())
    assert server.asks == []


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        ("Left hilum has no enlargement.", "The hila are not enlarged.", []),
        ("Pleural space has no pneumothorax.", "No pneumothorax.", []),
        ("Liver has a hypodense lesion.", "A low-attenuation focus is seen in the hepatic parenchyma.", []),
        ("Liver has a hemangioma.", "A low-attenuation focus is seen in the liver.", ["hemangioma"]),
        ("Spleen has a lesion.", "A lesion is seen in the liver.", ["spleen"]),
    ],
)
def test_words_are_traced_to_their_source(text, source, expected):
    assert strangers(text, source) == expected


# ---- matching
def pair(atoms):
    return atoms("Study 1. Nodule in the left lung. Heart is normal."), atoms(
        "Nodule in the left upper lobe."
    )


LINK = {
    "ref": 1,
    "gen": 1,
    "normality": "abnormal",
    "anatomical_relationship": "part-whole",
    "asserted_abnormality_relationship": "equivalent",
    "negated_abnormality_relationship": None,
    "details_of_abnormality_relationship": "equivalent",
}
MATCHED = {"pairs": [LINK], "unmatched_ref": [{"number": 2, "normality": "normal"}], "unmatched_gen": []}


def test_a_matching_becomes_a_record_that_scores(client: Client, server: Loopback, atoms):
    server.behave = lambda ask: Act(json.dumps(MATCHED))
    (record,) = tags(client, [pair(atoms)])
    assert record.ref_sentences[0] == "Left lung has nodule."
    assert score_tags(record).value == pytest.approx(0.9 * (1 - 0.25 * (1 - 1 / 3)))


@pytest.mark.parametrize(
    "bad",
    [
        MATCHED | {"unmatched_ref": []},
        MATCHED | {"pairs": [LINK | {"gen": 4}]},
        MATCHED
        | {"unmatched_ref": [{"number": 1, "normality": "abnormal"}, {"number": 2, "normality": "normal"}]},
        MATCHED | {"pairs": [LINK | {"details_of_abnormality_relationship": None}]},
    ],
)
def test_a_wrong_matching_is_repaired_once_and_then_refused(client: Client, server: Loopback, atoms, bad):
    def behave(ask: Ask) -> Act:
        return Act(json.dumps(bad))

    server.behave = behave
    (failure,) = tags(client, [pair(atoms)])
    assert isinstance(failure, Failure)
    assert len(server.asks) == 2
