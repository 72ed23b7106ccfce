"""Atoms and matching asked of a language model: every word traced, every record checked, one repair."""

import json

import pytest
from tests.llm.conftest import Act, Ask, Loopback

from overread.llm import Client, Failure
from overread.report import parse
from overread.runner.limits import Limits
from overread.runner.run.job import Job
from overread.runner.scores import in_memory
from overread.runner.settings import Settings
from overread.sources import from_records
from overread.systems.radsem.by_llm import strangers, views
from overread.systems.radsem.match_by_llm import tags
from overread.systems.radsem.schema import Atoms
from overread.systems.radsem.score import score_tags

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


def test_an_atom_the_report_does_not_hold_is_dropped_and_counted(client: Client, server: Loopback):
    server.behave = lambda ask: Act(json.dumps(STRANGE))
    (view,) = views(client, [REPORT])
    assert isinstance(view, Atoms)
    assert view.dropped == 1
    assert len(view.atoms) == len(STRANGE["sentences"]) - 1
    assert len(server.asks) == 1


def test_a_place_may_come_from_another_sentence(client: Client, server: Loopback):
    report = parse("FINDINGS: The left lung is small. There is a nodule.", "r")
    told = {"number": 2, "text": "Left lung has a nodule.", "normality": "abnormal"}
    server.behave = lambda ask: Act(json.dumps({"area": [], "type": "-", "sentences": [told]}))
    (view,) = views(client, [report])
    assert [atom.text for atom in view.atoms] == ["Left lung has a nodule."]


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
    "anatomical_relationship": "part-whole",
    "asserted_abnormality_relationship": "equivalent",
    "negated_abnormality_relationship": None,
    "details_of_abnormality_relationship": "equivalent",
}
MATCHED = {"pairs": [LINK]}


@pytest.mark.parametrize(
    ("text", "reason"),
    [("No nodule in the left lung.", "one is normal"), ("Nodule in the right lung.", "one is left")],
)
def test_a_pair_that_contradicts_itself_is_sent_back(client: Client, server: Loopback, atoms, text, reason):
    apart, joined = {"pairs": []}, {"pairs": [LINK]}
    server.behave = lambda ask: Act(json.dumps(apart if ask.is_repair else joined))
    (record,) = tags(client, [(atoms("Nodule in the left lung."), atoms(text))])
    assert reason in server.asks[1].text
    assert record.findings.pairs == ()


def test_nobody_is_asked_about_a_report_without_sentences(client: Client, server: Loopback, atoms):
    (record,) = tags(client, [(atoms("Nodule in the left lung."), atoms(""))])
    assert [u.sentence_is_from for u in record.findings.unmatched_sentences] == ["Ref"]
    assert server.asks == []


def test_a_run_by_language_model_matches_by_it_too(client: Client, server: Loopback, atoms):
    def behave(ask: Ask) -> Act:
        return Act(json.dumps({"pairs": [LINK | {"gen": 9}]} if "Reference:" in ask.text else GOOD))

    server.behave = behave
    job = Job(
        from_records([{"id": "1", "text": REPORT.text}]), {"s": from_records([{"id": "1", "text": REPORT.text}])},
        Settings(("radsem",), "llm", "small"),
    )  # fmt: skip
    row = in_memory(job, 1, client, Limits()).rows[0]
    assert row.failed is not None
    assert "radsem/match" in row.failed
    whole = [LINK | {"ref": n, "gen": n} for n in (1, 2)]
    normal = {key: None for key in LINK if key.endswith("abnormality_relationship")}
    whole.append(LINK | normal | {"ref": 3, "gen": 3, "anatomical_relationship": "equivalent"})
    server.behave = lambda ask: Act(json.dumps({"pairs": whole} if "Reference:" in ask.text else GOOD))
    (row,) = in_memory(job, 1, client, Limits()).rows
    assert row.value == pytest.approx(0.9 * (1 - 0.25 / 2**0.5 * (1 - 1 / 3)) + 0.1)


def test_a_matching_becomes_a_record_that_scores(client: Client, server: Loopback, atoms):
    server.behave = lambda ask: Act(json.dumps(MATCHED))
    (record,) = tags(client, [pair(atoms)])
    assert record.ref_sentences[0] == "Nodule in the left lung."
    assert score_tags(record).value == pytest.approx(0.9 * (1 - 0.25 * (1 - 1 / 3)))


@pytest.mark.parametrize(
    "bad",
    [
        MATCHED | {"pairs": [LINK | {"gen": 4}]},
        MATCHED | {"pairs": [LINK | {"ref": 2}]},
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
