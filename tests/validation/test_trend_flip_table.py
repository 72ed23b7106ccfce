"""Reversed trends on invented patients: words turned, groups kept, scores lower."""

import json

import pytest
import typer
from typer.testing import CliRunner

from overread.cli.validate.ssree import validate_trend_flips
from overread.lexicon.lexicon import lexicon
from overread.reader import read
from overread.report import parse
from overread.systems.lunguage.by_rules import view
from overread.systems.lunguage.follow import follow
from overread.systems.lunguage.schema import StudyView
from overread.validation.lunguage.trend_flips import flipped, opposite, opposites, trend_flips

WORSE = [
    "FINDINGS: Left effusion. Nodule in the right apex.",
    "FINDINGS: Left effusion has decreased. Larger nodule.",
]
STEADY = ["FINDINGS: Tortuous aorta.", "FINDINGS: Tortuous aorta, unchanged."]


def patient(name, texts):
    studies = [StudyView(str(n), 7.0 * n, view(read(parse(t, f"{name}{n}")))) for n, t in enumerate(texts, 1)]
    return follow(name, studies)


def test_words_and_names_are_turned_and_groups_kept():
    timeline = patient("p", WORSE)
    other = flipped(timeline)
    assert [o.temporal_group for o in other.observations] == [o.temporal_group for o in timeline.observations]
    turned = {name: words for o in other.observations for name, words in o.attributes.items()}
    assert turned["worsened"] == ["increased"]
    assert turned["improved"] == ["smaller"]
    assert "effusion left increased" in {group.name for group in other.groups}


def test_turning_twice_brings_the_relations_back():
    timeline = patient("p", WORSE)
    twice = flipped(flipped(timeline))
    assert [set(o.attributes) for o in twice.observations] == [
        set(o.attributes) for o in timeline.observations
    ]


def test_every_trend_costs_and_none_costs_nothing():
    moved, steady = trend_flips(patient("p", WORSE)), trend_flips(patient("q", STEADY))
    assert (moved.worsened, moved.improved) == (1, 1)
    assert moved.single < 1
    assert moved.sequential < 1
    assert moved.sequential_rate == pytest.approx((1 - moved.sequential) / 2 * 100)
    assert (steady.count, steady.single, steady.sequential, steady.single_rate) == (0, 1, 1, None)


def test_opposites_stand_in_the_other_table():
    """Each row names a known trend, and its opposite is a form of the other direction."""
    tables = {row.table: set() for row in lexicon().rows}
    forms = {row.table: set() for row in lexicon().rows}
    for row in lexicon().rows:
        tables[row.table].add(row.concept)
        forms[row.table].add(row.form)
    for (relation, concept), words in opposites().items():
        assert concept in tables[relation]
        assert words in forms["worsened" if relation == "improved" else "improved"], words
    assert opposite("improved", "no such word") == "worsened"


def run(*arguments):
    app = typer.Typer()
    app.command()(validate_trend_flips)
    return CliRunner().invoke(app, [str(a) for a in arguments])


def test_the_command_prints_the_table(tmp_path):
    rows = [
        {"id": f"{name}{n}", "patient": name, "study": n, "day": 7 * n, "text": text}
        for name, texts in (("pat-1", WORSE), ("pat-2", STEADY))
        for n, text in enumerate(texts, 1)
    ]
    file = tmp_path / "reports.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    result = run(file)
    assert result.exit_code == 0, result.output
    table = {line.split()[0]: line.split() for line in result.output.splitlines()}
    assert table["pat-1"][1:3] == ["2", "(1/1)"]
    assert table["pat-2"][1:] == ["0", "(0/0)", "1.000", "–", "1.000", "–"]
    lines = [json.loads(line) for line in run(file, "--json").output.splitlines()]
    assert lines[0]["sequential_rate"] > 0
    assert lines[1]["single_rate"] is None


def test_the_command_takes_finished_timelines(tmp_path):
    import msgspec

    file = tmp_path / "timelines.jsonl"
    file.write_bytes(msgspec.json.encode(patient("pat-1", WORSE)))
    assert "2 (1/1)" in run(file).output
