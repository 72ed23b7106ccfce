"""How well the rules structure and label annotated reports, where a folder of them is at hand (OVERREAD_DATA)."""

import json
import os
from pathlib import Path

import pytest
from rapidfuzz.distance import LCSseq

from overread.reader import read
from overread.report import from_sections
from overread.systems.srrg.by_rules import view
from overread.systems.srrg.cells import averaged
from overread.systems.srrg.labels import NO_FINDING, PARENTS
from overread.systems.srrg.lint import lint
from overread.systems.srrg.template import show

FOLDER = os.environ.get("OVERREAD_DATA")
pytestmark = pytest.mark.skipif(not FOLDER, reason="OVERREAD_DATA names no folder of annotated reports")


def lines(name):
    return [json.loads(line) for line in Path(FOLDER, name).read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def pairs():
    """Annotation and view of each report."""
    found = []
    for gold in lines("gold_dev.jsonl"):
        sections = {name: gold[f"{name}_section"] or "" for name in ("findings", "impression")}
        report = from_sections(sections, gold["id"])
        found.append((gold, report, view(read(report))))
    return found


def labels(rows, with_status):
    told = {(one["label"], one.get("status") or "") for one in rows if one["label"] not in PARENTS}
    return frozenset(f"{label} {status}" if with_status else label for label, status in told)


def sentences(pairs, with_status):
    """Annotated and read labels of every sentence that has a leaf."""
    rows = []
    for gold, report, told in pairs:
        at = 0
        for sentence in gold["sentences"]:
            entry = next((one for one in gold["srr"] if one["i"] == sentence["i"]), None)
            text = " ".join(sentence["text"].split())
            start = report.text.find(text, at)
            if entry is None or start < 0:
                continue
            at = start
            wanted = labels(entry["labels"], with_status)
            inside = [u for u in told.utterances if start <= u.start < start + len(text)]
            given = [{"label": one.label, "status": one.status} for u in inside for one in u.labels]
            read_here = labels([one for one in given if one["label"] != NO_FINDING], with_status)
            if wanted:
                rows.append((wanted, read_here or labels([{"label": NO_FINDING}], with_status)))
    return rows


def test_leaves(pairs):
    assert averaged(sentences(pairs, with_status=False), "micro").f1 >= 0.93


def test_leaves_with_statuses(pairs):
    rows = sentences(pairs, with_status=True)
    assert len(rows) > 350
    assert averaged(rows, "micro").f1 >= 0.91
    assert sum(one == two for one, two in rows) / len(rows) >= 0.90


def test_headers_and_their_words(pairs):
    cells = [
        (gold["structured"]["findings"].get(header, []), told.structured.findings.get(header, []))
        for gold, _, told in pairs
        for header in {*gold["structured"]["findings"], *told.structured.findings}
    ]
    both = sum(1 for one, two in cells if one and two)
    assert 2 * both / (len(cells) + both) >= 0.95
    assert sum(likeness(" ".join(one), " ".join(two)) for one, two in cells) / len(cells) >= 0.80


def likeness(one, two):
    a, b = one.lower().split(), two.lower().split()
    return 2 * LCSseq.similarity(a, b) / (len(a) + len(b)) if a or b else 1.0


def test_most_of_what_the_rules_write_is_clean(pairs):
    clean = sum(1 for _, report, told in pairs if not lint(show(told.structured), report.text))
    assert clean / len(pairs) >= 0.8
