"""The gold of Chest ImaGenome in its layout, with rows of our own."""

import pytest
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.errors import BadInput
from overread.validation.longitudinal.imagenome import is_imagenome, load_imagenome

EFFUSION, WORSE = "anatomicalfinding|yes|pleural effusion", "comparison|yes|worsened"
BETTER, SAME = WORSE.replace("worsened", "improved"), WORSE.replace("worsened", "no change")
ROWS = [
    ("row_id", "patient_id", "study_id", "sentence", "bbox", "label_name", "comparison"),
    ("1", "p1", "s1", "The left effusion has decreased.", "left lung", EFFUSION, BETTER),
    ("1", "p1", "s1", "The left effusion has decreased.", "left costophrenic angle", EFFUSION, BETTER),
    ("2", "p1", "s1", "New right basal consolidation.", "right lung", "consolidation", "worsened"),
    ("3", "p1", "s1", "The chest tube is unchanged.", "right lung", "tubesandlines|yes|chest tube", SAME),
    ("4", "p1", "s1", "The finding is stable.", "right lung", "disease|yes|normal", SAME),
]
ALL = [("study_id", "sentence"), ("s1", "The left effusion has decreased."), ("s1", "The heart is normal.")]


@pytest.fixture
def tables(tmp_path):
    paths = tmp_path / "gold_comparisons.txt", tmp_path / "gold_all_sentences.txt"
    for path, rows in zip(paths, (ROWS, ALL), strict=True):
        path.write_text("".join("\t".join(row) + "\n" for row in rows))
    return paths


def test_rows_become_sentences_with_their_items(tables):
    gold, unknown = load_imagenome(*tables)
    (report,) = gold.values()
    told = {s.text: (s.longitudinal, [(i.disease, i.progression) for i in s.items]) for s in report.sentences}
    assert told["The left effusion has decreased."] == (True, [("pleural effusion", "improved")])
    assert told["New right basal consolidation."] == (True, [("consolidation", "worsened")])
    assert told["The chest tube is unchanged."] == (True, [("support devices", None)])
    assert told["The finding is stable."] == (True, [])
    assert told["The heart is normal."] == (False, [])
    assert unknown == ["normal"]


def test_the_command_takes_the_tables(tables):
    done = CliRunner().invoke(
        app, ["validate", "longitudinal", str(tables[0]), "--sentences", str(tables[1])]
    )
    assert done.exit_code == 0, done.output
    assert "not one of the fifty keywords, left out: normal" in done.output


def test_a_table_without_the_columns_is_told_so(tmp_path):
    path = tmp_path / "other.txt"
    path.write_text("study_id\tsentence\n")
    assert not is_imagenome(path)
    with pytest.raises(BadInput, match="no column for finding, comparison"):
        load_imagenome(path)
