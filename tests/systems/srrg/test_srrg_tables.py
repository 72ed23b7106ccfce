"""The tables of this system name things that exist, and give a reason for every row."""

import pytest

from overread.lexicon.lexicon import lexicon
from overread.systems.srrg.labels import NO_FINDING, PARENTS, facts
from overread.systems.srrg.schema import HEADERS
from overread.systems.srrg.tables import WORDS, anatomy, concept_rows, matching
from overread.systems.tables import lookup

TABLES = ("concepts", "headers", "significance")


@pytest.mark.parametrize("file", TABLES)
def test_every_row_has_an_id_of_its_own_and_a_reason(file):
    all_rows = [row for group in concept_rows(file).values() for row in group]
    assert len({row.cells["id"] for row in all_rows}) == len(all_rows)
    assert all(row.cells["reason"].strip() for row in all_rows)


@pytest.mark.parametrize("file", TABLES)
def test_every_concept_is_known_to_the_lexicon(file):
    known = {*lexicon().concepts, *anatomy(), *(path for parts in anatomy().values() for path in parts)}
    assert sorted(set(concept_rows(file)) - known) == []


@pytest.mark.parametrize("file", TABLES)
def test_every_condition_asks_for_something_a_reading_can_hold(file):
    held = {word for row in lexicon().rows for word in (row.concept, *row.path)}
    asked = {
        word.lstrip("!")
        for group in concept_rows(file).values()
        for row in group
        for p in row.when
        for word in p
    }
    assert sorted(asked - held - {*WORDS["asked_for"]}) == []


@pytest.mark.parametrize("file", TABLES)
def test_no_condition_stands_twice(file):
    for concept, group in concept_rows(file).items():
        labels = [(row.when, row.cells.get("label")) for row in group]
        assert len(set(labels)) == len(labels), concept


def test_labels_and_statuses_are_those_of_the_fact_file():
    for group in concept_rows("concepts").values():
        for row in group:
            assert row.cells["label"] in {*facts().leaves, *PARENTS, "-"} - {NO_FINDING}, row.cells["id"]
            assert row.cells["status"] in {*facts().statuses, "="}, row.cells["id"]


def test_every_leaf_can_be_reached():
    reached = {row.cells["label"] for group in concept_rows("concepts").values() for row in group}
    assert set(facts().leaves) - reached == {NO_FINDING}


def test_headers_are_those_of_the_template():
    used = {row.cells["header"] for group in concept_rows("headers").values() for row in group} | {
        *lookup("srrg", "sites").values()
    }
    assert used <= set(HEADERS)


def test_the_most_demanding_row_wins_and_equals_all_hold():
    assert [r.cells["label"] for r in matching("concepts", "pleural-effusion", frozenset({"loculated"}))] == [
        "Loculated pleural effusion"
    ]
    both = matching("concepts", "aorta", frozenset({"tortuous", "calcified"}))
    assert {row.cells["label"] for row in both} == {"Tortuous Aorta", "Calcification of the Aorta"}


def test_a_concept_without_rows_takes_those_of_its_parent():
    assert "tension-pneumothorax" in lexicon().concepts
    assert matching("headers", "hiatal-hernia", frozenset())[0].cells["header"] == "Hila and Mediastinum"
    assert matching("concepts", None, frozenset()) == ()
