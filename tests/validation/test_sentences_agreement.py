"""Atomic sentences against people's: counts by hand, files, and the command."""

import json
import os
from pathlib import Path

import pytest
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.errors import BadInput, UnknownName
from overread.reader import read
from overread.stats.agreement import Counts
from overread.systems.radsem.by_rules import view
from overread.validation.annotated import lines_by_id
from overread.validation.sentences import SHAPE, AtomicSentence, GoldReport, agreement, compare, render


def said(*sentences):
    """`-` before an abnormal sentence."""
    return [AtomicSentence(s.lstrip("-"), "abnormal" if s[0] == "-" else "normal") for s in sentences]


GOLD = said(
    "-Left pleura has small effusion.",
    "Heart is normal.",
    "There is no pneumothorax.",
    "-Right lung has nodule.",
)
OURS = said(
    "-Left pleura has effusion.",  # 3 of 3 and 4 words: one sentence
    "-Heart is normal.",  # the same words, another class
    "There is no pneumothorax.",
    "-Left lung has a large mass.",  # one of 3 and 4 words: two sentences
    "Spleen is normal.",
)


def test_every_count_by_hand():
    found = compare(GOLD, OURS)
    assert found.classes == {"normal": Counts(1, 1, 1), "abnormal": Counts(1, 2, 1)}
    assert found.wrong_normality == 1


def test_the_figures_by_hand():
    """Of five sentences two are right, of four two are found."""
    found = agreement([compare(GOLD, OURS)])
    assert (found.reports, found.sentences.support, found.wrong_normality) == (1, 4, 1)
    assert found.sentences.precision == pytest.approx(2 / 5)
    assert found.sentences.recall == pytest.approx(2 / 4)
    assert found.sentences.f1 == pytest.approx(4 / 9)
    assert found.classes["abnormal"].f1 == pytest.approx(2 / 5)
    assert found.classes["normal"].f1 == pytest.approx(2 / 4)


def test_the_interval_comes_from_the_reports():
    found = agreement([compare(GOLD, GOLD), compare(GOLD, [])])
    assert found.sentences.f1 == pytest.approx(8 / 12)
    assert (found.interval.low, found.interval.high) == (0.0, 1.0)


@pytest.mark.parametrize(("other", "paired"), [("-", True), ("", False)])
def test_the_class_helps_where_words_nearly_suffice(other, paired):
    """Two of three and four words are 4/7, just below the bar; the same class lifts them above it."""
    found = compare(said("-Left pleura has effusion."), said(other + "Left pleura has small nodule."))
    assert sum(one.tp for one in found.classes.values()) == paired
    assert found.wrong_normality == 0


def test_words_that_only_say_that_something_is_there_are_passed_over():
    one, other = said("-Lungs have nodules."), said("-There are nodules noted within the lung.")
    assert compare(one, other).classes["abnormal"] == Counts(1)


def test_nobody_says_anything():
    found = agreement([compare([], [])])
    assert found.sentences.f1 is None
    assert found.interval is None
    assert "–" in render(found)


# ---- files
TEXT = "FINDINGS: Small left pleural effusion. No pneumothorax."
SECRET = "Mrs Example has a nodule."


def atoms(*sentences):
    return [{"text": s.text, "normality": s.normality} for s in said(*sentences)]


def gold_file(folder, *lines, name="gold.jsonl"):
    path = folder / name
    path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ({"id": "a", "atoms": [{"text": SECRET}]}, r"line 2: `\$\.atoms\[.*\]`"),
        (
            {"id": "a", "atoms": [{"text": SECRET, "normality": SECRET}]},
            r"line 2: `\$\.atoms\[.*\]\.normality`",
        ),
        ({"text": SECRET, "atoms": []}, "line 2"),
        ({"id": "a", "text": SECRET}, "line 2"),
        (f'{{"id": "{SECRET}', "line 2: the line"),
        ({"id": "r1", "atoms": []}, "line 2: 'r1' stands twice"),
    ],
)
def test_lines_that_cannot_be_used_are_named_and_not_quoted(tmp_path, line, where):
    path = gold_file(tmp_path, {"id": "r1", "text": TEXT, "atoms": []}, line)
    with pytest.raises(BadInput, match=where) as error:
        lines_by_id(path, GoldReport, SHAPE)
    assert "Example" not in str(error.value)


def test_an_empty_file(tmp_path):
    with pytest.raises(BadInput, match="holds no line"):
        lines_by_id(gold_file(tmp_path, "\n"), GoldReport, SHAPE)


# ---- the command
def run(*words):
    return CliRunner().invoke(
        app, ["validate", "sentences", *map(str, words)], catch_exceptions=False, standalone_mode=False
    )


def figures(*words):
    return json.loads(run(*words, "--json").stdout)


def as_read(text=TEXT):
    from overread.report import parse

    return [f"{'-' * (a.normality == 'abnormal')}{a.text}" for a in view(read(parse(text, ""))).atoms]


def test_our_reader_against_people(tmp_path):
    """What the rules read, and a sentence that they do not."""
    ours = as_read()
    path = gold_file(tmp_path, {"id": "r1", "text": TEXT, "atoms": atoms(*ours, "-Spleen has cyst.")})
    found = figures(path)
    assert found["sentences"]["precision"] == 1.0
    assert found["sentences"]["recall"] == pytest.approx(len(ours) / (len(ours) + 1))
    assert "atomic sentences" in run(path).stdout


def test_the_text_may_be_listed_as_sentences_or_stand_elsewhere(tmp_path):
    said_there = atoms(*as_read())
    listed = [{"text": "Small left pleural effusion."}, {"text": "No pneumothorax.", "section": "findings"}]
    one = gold_file(tmp_path, {"id": "r1", "sentences": listed, "atoms": said_there})
    other = gold_file(tmp_path, {"id": "r1", "atoms": said_there}, name="bare.jsonl")
    texts = gold_file(tmp_path, {"id": "r1", "report": TEXT}, name="reports.jsonl")
    assert figures(one)["sentences"]["f1"] == figures(other, "--reports", texts)["sentences"]["f1"] == 1.0
    with pytest.raises(BadInput, match="no text to read"):
        run(other)


def test_views_made_elsewhere(tmp_path):
    rows = [{"id": id, "text": TEXT, "atoms": atoms(*(("-" * (s.normality == "abnormal")) + s.text for s in GOLD))}
            for id in ("r1", "r2")]  # fmt: skip
    path = gold_file(tmp_path, *rows)
    views = gold_file(tmp_path, {**rows[0], "area": ["thorax"]}, name="views.jsonl")
    assert figures(path, "--views", views)["sentences"]["f1"] == 1.0
    assert "1 gold reports without a view" in run(path, "--views", views).stdout
    others = gold_file(tmp_path, {**rows[0], "id": "r9"}, name="others.jsonl")
    with pytest.raises(BadInput, match="ids"):
        run(path, "--views", others)


def test_an_unknown_reader_is_named(tmp_path):
    path = gold_file(tmp_path, {"id": "r1", "text": TEXT, "atoms": []})
    with pytest.raises(UnknownName, match="network"):
        run(path, "--by", "tea-leaves")


# ---- development data, where there is any
def test_rules_on_development_reports():
    folder = os.environ.get("OVERREAD_DATA")
    if not folder:
        pytest.skip("OVERREAD_DATA is not set: no annotated reports to measure on")
    gold = lines_by_id(Path(folder) / "gold_dev.jsonl", GoldReport, SHAPE)
    found = agreement([compare(one.atoms, view(read(one.report())).atoms) for one in gold.values()])
    assert found.sentences.f1 >= 0.84
    assert found.wrong_normality <= 5
