"""A sheet that nobody touched gives back the line it was filled with; what people change is in the line."""

import msgspec
import pytest

from overread import examples
from overread.report import parse
from overread.systems.radsem.tags import Tags, problems
from overread.systems.registry import system
from overread_review.sheets.check import BadAnswer, check
from overread_review.sheets.in_text import shown_doubts
from overread_review.sheets.sheet import NAMES, Row, sheet, standing
from overread_review.work import suggest
from overread_review.work.items import Files, make_items

VIEWS = ("clear", "lunguage", "radsem", "srrg", "longitudinal")


TABLES = ("terms", "ratings", "notation")
"""Kinds that are made from other files than reports."""

FIRST = 7
"""Reports of the bundled example: those of a patient with five studies and of one with two."""


@pytest.fixture(scope="module")
def items(tmp_path_factory):
    """Items of every kind from the bundled example."""
    place = tmp_path_factory.mktemp("example")
    with examples.folder() as bundled:
        for file in bundled.glob("*.jsonl"):
            lines = file.read_text().splitlines(keepends=True)
            (place / file.name).write_text("".join(lines[:FIRST]))
    systems = tuple(place / f"{name}.jsonl" for name in examples.SYSTEMS)
    several = {"judge": systems, "compare": systems, "pairs": systems[:1]}
    asked = {"judge": ("bleu-4",)}
    return {
        name: make_items(
            name, Files(place / examples.REFERENCES, several.get(name, ()), metrics=asked.get(name, ()))
        )
        for name in NAMES
        if name not in TABLES
    }


def there_and_back(kind, item):
    one = sheet(kind)
    content = {**item.content, "layout": {}}
    rows = one.rows(content, item.suggestion)
    check(one, rows, rows, one.parts(item.content, {}))
    return one.line(content, item.suggestion, standing(rows))


def without_spans(value):
    if isinstance(value, dict):
        return {k: without_spans(v) for k, v in value.items() if k not in ("spans", "text")}
    return [without_spans(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("kind", VIEWS)
def test_an_untouched_sheet_is_its_suggestion(kind, items):
    assert len(items[kind]) == FIRST
    for item in items[kind]:
        assert without_spans(there_and_back(kind, item)) == without_spans(item.suggestion)


def test_a_command_of_its_own_suggests_the_same(items, suggestions_in_this_process, monkeypatch):
    monkeypatch.setattr(suggest, "run", suggestions_in_this_process)
    reports = [parse(item.content["text"], item.content["id"]) for item in items["clear"]]
    told = suggest.view_lines("clear", reports)
    assert [told[item.key] for item in items["clear"]] == [item.suggestion for item in items["clear"]]


@pytest.mark.parametrize("kind", VIEWS)
def test_gold_has_the_shape_of_the_view(kind, items):
    for item in items[kind]:
        line = {k: v for k, v in there_and_back(kind, item).items() if k != "text"}
        msgspec.convert(line, system(kind).view)


def test_untouched_timelines_keep_groups_and_episodes(items):
    for item in items["timeline"]:
        made = there_and_back("timeline", item)
        assert made["groups"] == item.suggestion["groups"]
        assert without_spans(made["observations"]) == without_spans(item.suggestion["observations"])


def test_untouched_pairs_are_the_same_tags(items):
    for item in items["pairs"]:
        made = msgspec.convert(there_and_back("pairs", item), Tags)
        assert not list(problems(made))
        assert made.findings.pairs == msgspec.convert(item.suggestion, Tags).findings.pairs
        assert shown_doubts(item.suggestion, sheet("pairs").rows(item.content, item.suggestion)) == []


def test_an_added_finding_knows_its_sentence_and_links_lead_both_ways():
    text = "FINDINGS: Clear lungs. Small effusion with atelectasis."
    rows = [
        Row(
            "n1",
            "finding",
            "accepted",
            True,
            finding("effusion", severity=["Small"]),
            {"entity": [(0, 29, 37)]},
        ),
        Row(
            "n2",
            "finding",
            "accepted",
            True,
            finding("atelectasis", evidence=["n1"]),
            {"entity": [(0, 43, 54)]},
        ),
    ]
    made = sheet("lunguage").line({"id": "r", "text": text}, {}, rows)
    assert [one["id"] for one in made["findings"]] == ["f1", "f2"]
    assert made["findings"][0]["sentence"]["text"] == "Small effusion with atelectasis."
    assert made["findings"][0]["attributes"] == {"severity": ["Small"]}
    assert made["findings"][0]["associate"] == ["f2"]
    assert made["findings"][1]["evidence"] == made["findings"][1]["associate"] == ["f1"]
    assert parse(text, "r").text[29:37] == "effusion"


def finding(entity, **more):
    return {"entity": entity, "status": "positive", "certainty": "definitive", "category": "PF", **more}


def test_a_pair_taken_away_leaves_both_sentences_unmatched(items):
    item = next(one for one in items["pairs"] if one.suggestion["findings"]["pairs"])
    rows = sheet("pairs").rows(item.content, item.suggestion)
    rows[0].state = "rejected"
    made = msgspec.convert(sheet("pairs").line(item.content, item.suggestion, standing(rows)), Tags)
    assert not list(problems(made))
    assert len(made.findings.pairs) == len(item.suggestion["findings"]["pairs"]) - 1


def test_a_preference_becomes_places_by_the_sides_that_were_shown():
    content = {
        "id": "r",
        "reference": "",
        "candidates": {"ours": "x", "theirs": "y"},
        "layout": {"order": ["theirs", "ours"]},
    }
    for better, places in {
        "A": {"theirs": 1, "ours": 2},
        "B": {"theirs": 2, "ours": 1},
        "tie": {"theirs": 1.5, "ours": 1.5},
    }.items():
        rows = sheet("compare").rows(content, {})
        rows[0].values["better"] = better
        assert sheet("compare").line(content, {}, rows)["ranks"] == places


BAD = {
    "another kind": lambda rows: rows.append(Row("x", "nothing", added=True)),
    "an invented row": lambda rows: rows.append(Row("c99", "condition")),
    "a lost row": lambda rows: rows.pop(),
    "a doubled row": lambda rows: rows.append(rows[0]),
    "a struck condition": lambda rows: setattr(rows[0], "state", "rejected"),
    "a strange option": lambda rows: rows[0].values.update(level="perhaps"),
    "a strange field": lambda rows: rows[0].values.update(colour="red"),
    "a renamed condition": lambda rows: rows[0].values.update(condition="Edema"),
    "a list for a choice": lambda rows: rows[0].values.update(level=["neutral"]),
    "words outside the text": lambda rows: rows[0].spans.update(location=[(0, 5, 9999)]),
    "words in no text": lambda rows: rows[0].spans.update(location=[(3, 0, 1)]),
    "words backwards": lambda rows: rows[0].spans.update(location=[(0, 4, 2)]),
    "endless text": lambda rows: rows[0].values.update(location=["x" * 5000]),
}


@pytest.mark.parametrize("change", BAD.values(), ids=BAD)
def test_an_answer_that_does_not_fit_is_refused(change):
    one, content = sheet("clear"), {"id": "r", "text": "Small effusion."}
    before, rows = one.rows(content, {}), one.rows(content, {})
    change(rows)
    with pytest.raises(BadAnswer):
        check(one, before, rows, one.parts(content, {}))
