"""How well the rules read annotated reports, where a folder of them is at hand (OVERREAD_DATA)."""

import json
import os
from pathlib import Path

import pytest

from overread.reader import read
from overread.report import from_sections
from overread.systems.clear.by_rules import view
from overread.systems.clear.schema import CHOICES, CONDITIONS, PHRASES, top5
from overread.validation.clear.agreement import figures, validate
from overread.validation.clear.files import load_experts

FOLDER = os.environ.get("OVERREAD_DATA")
NUMBERS = {"positive": 1, "negative": 0, "unclear": -1}
pytestmark = pytest.mark.skipif(not FOLDER, reason="OVERREAD_DATA names no folder of annotated reports")


def row(cell: dict) -> dict:
    kept = {name: cell[name] for name in (*CHOICES, *PHRASES) if name in cell}
    return {"presence": NUMBERS[cell["presence"]], **kept}


@pytest.fixture(scope="module")
def numbers(tmp_path_factory):
    lines = [json.loads(line) for line in Path(FOLDER, "gold_dev.jsonl").read_text("utf-8").splitlines()]
    path = tmp_path_factory.mktemp("gold") / "experts.json"
    path.write_text(json.dumps({g["id"]: {c: row(g["clear"][c]) for c in CONDITIONS} for g in lines}))
    views = {}
    for g in lines:
        sections = {name: g[f"{name}_section"] or "" for name in ("findings", "impression")}
        views[g["id"]] = view(read(from_sections(sections, g["id"])))
    return figures(validate(load_experts(path), views), top5())


def test_presence(numbers):
    assert numbers.presence["positive"]["@13"] >= 0.85
    assert numbers.presence["positive"]["micro"] >= 0.90
    assert numbers.presence["negative"]["@13"] >= 0.90
    assert numbers.presence["negative"]["micro"] >= 0.94


def test_attributes(numbers):
    assert numbers.accuracy["change"]["micro"] >= 0.90
    assert numbers.accuracy["severity"]["micro"] >= 0.90
    assert numbers.accuracy["first_occurrence"]["micro"] >= 0.85
    assert numbers.similarity["location"]["ROUGE-L where said"] >= 0.75
