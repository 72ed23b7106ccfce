"""Errors worded by a language model: the quoted words change and nothing else does; bad answers are sent back."""

import json

import pytest
from tests.cli.as_typed import overread
from tests.llm.conftest import Act
from tests.llm.stand_in import material

from overread.llm import Client, Settings
from overread.report import parse
from overread.validation.injection.changes import ERRORS, INJECTED_KINDS, inject_by_llm
from overread.validation.injection.injected import injected
from overread.validation.measured import Asking

TEXT = "FINDINGS: Small left pleural effusion. 8 mm nodule in the right upper lobe. No pneumothorax."
EDITS = {
    "severity": ("Small left", "Large left"),
    "location": ("right upper lobe", "left upper lobe"),
    "measurement": ("8 mm", "21 mm"),
    "false negation": ("Small left pleural effusion.", "No pleural effusion."),
    "synonym": ("Small left pleural effusion.", "There is a small pleural effusion on the left."),
}


def editor(ask):
    """A model that knows five changes and finds no room for the others."""
    kind = material(ask)["kind"].split(":")[0]
    if kind not in EDITS:
        return Act(json.dumps({"fits": False, "before": "", "after": "", "what": ""}))
    before, after = EDITS[kind]
    return Act(json.dumps({"fits": True, "before": before, "after": after, "what": kind}))


def made(server, tmp_path, behave):
    server.behave = behave
    settings = Settings(
        base_url=server.url, model=("small",), wait=0.01, attempts=1, cache_file=str(tmp_path / "a.sqlite")
    )
    with Client(settings) as client:
        return inject_by_llm(client, [parse(TEXT, "r1")])


def test_every_kind_is_asked_about_and_only_the_quoted_words_change(server, tmp_path):
    pairs, failed = made(server, tmp_path, editor)
    assert not failed
    assert set(INJECTED_KINDS) == set(ERRORS) | {"synonym", "normal statement"}
    found = {p.kind: p for p in pairs}
    assert set(found) == set(EDITS)
    assert found["measurement"].candidate == TEXT.replace("8 mm", "21 mm")
    assert found["severity"].changes_meaning
    assert not found["synonym"].changes_meaning


def test_the_pairs_are_measured_like_those_by_rules(server, tmp_path):
    pairs, _ = made(server, tmp_path, editor)
    (one,) = injected(pairs, ["overread"], Asking(resamples=10))
    assert {kind: o.dropped for kind, o in one.kinds.items()} == {
        "severity": 1, "location": 1, "measurement": 1, "false negation": 1, "synonym": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after"),
    [("not in the report", "x"), ("right", "right"), ("e", "f"), ("No pneumothorax.", "a b " * 40)],
    ids=["quotes nothing", "changes nothing", "stands there often", "changes too much"],
)
def test_an_answer_that_cannot_be_used_is_a_failure_and_no_pair(server, tmp_path, before, after):
    answer = json.dumps({"fits": True, "before": before, "after": after, "what": "x"})
    pairs, failed = made(server, tmp_path, lambda ask: Act(answer))
    assert not pairs
    assert len(failed) == len(INJECTED_KINDS)
    assert not any("effusion" in one.reason for one in failed)


def test_as_typed(server, tmp_path):
    server.behave = editor
    source, saved = tmp_path / "reports.jsonl", tmp_path / "pairs.jsonl"
    source.write_text(json.dumps({"id": "r1", "report": TEXT}) + "\n")
    model = ("--by", "llm", "--base-url", server.url, "--model", "small", "--yes-send", "--no-cache", "-q")
    done = overread(
        "validate", "injected", source, *model, "-m", "overread", "--resamples", 5, "--save", saved
    )
    assert done.returncode == 0, done.stderr
    assert "false negation" in done.stdout
    assert len(saved.read_text().splitlines()) == len(EDITS)
