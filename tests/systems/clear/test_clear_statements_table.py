"""statements.tsv names only what exists."""

from overread.lexicon.lexicon import lexicon
from overread.systems.clear.presence import statements
from overread.systems.tables import records

CELLS = records("clear", "statements")
ROWS = [row for rows in statements().values() for row in rows]


def test_every_concept_and_kind_is_known():
    concepts = lexicon().concepts
    places = {row.concept for row in lexicon().rows if row.table == "locations"}
    known = set(concepts) | places | {f"kind:{concept.kind}" for concept in concepts.values()}
    assert not [cell["id"] for cell in CELLS if cell["concept"] not in known]


def test_ids_are_unique_and_every_row_has_a_reason():
    assert len({cell["id"] for cell in CELLS}) == len(CELLS)
    assert all(cell["reason"] for cell in CELLS)


def test_every_value_is_a_concept_or_step_of_its_relation():
    steps = {step for row in lexicon().rows for step in (row.concept, *row.path)} | {"*", "-"}
    apart = ("place", "certainty", "head", "word")
    tests = [t for row in ROWS for t in (*row.needs, *row.unless) if t.relation not in apart]
    assert not {(t.relation, v) for t in tests for v in t.values if v not in steps}


def test_every_head_is_the_last_word_of_some_name():
    heads = {row.form.lower().split()[-1] for row in lexicon().rows if row.table == "findings"}
    asked = {v for row in ROWS for t in (*row.needs, *row.unless) if t.relation == "head" for v in t.values}
    assert not asked - heads - {head + "s" for head in heads}


def test_positive_rows_never_deny_and_negative_rows_never_assert_except_what_was_removed():
    assert {said for _, said in statements()} == {"positive", "negative"}
    for (concept, said), rows in statements().items():
        for row in rows:
            removed = any(t.relation == "placement" for t in row.needs)
            if said == "positive" and not removed:
                assert "absent" not in row.effect, concept
            if said == "negative":
                assert "present" not in row.effect, concept
