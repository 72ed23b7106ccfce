"""The tables of the system: every row has a reason, no form stands twice, features are ones that exist."""

from collections import Counter

from overread.lexicon.lexicon import lexicon
from overread.lexicon.statement_words import relations, word_rows
from overread.reader.statements.vocabulary import vocabulary
from overread.systems.radsem.meaning.features import axis


def test_every_row_has_forms_and_a_reason():
    assert all(row.reason and all(row.forms) for row in word_rows())
    for name in ("kin", "near", "paired", "single"):
        assert relations(name)
        assert all(row.reason and row.members for row in relations(name))


def test_no_form_stands_in_two_rows():
    forms = Counter(form for row in word_rows() for form in row.forms)
    assert [form for form, n in forms.items() if n > 1] == []


def test_kindred_features_are_features_that_words_have():
    known = {f for row in word_rows() for f in row.meaning.split()} | set(lexicon().concepts)
    known |= {row.concept for row in lexicon().rows}
    axes = (
        {axis(f)[0] for f in known}
        | {row.meaning for row in word_rows() if row.role == "aspect"}
        | {"visible", "*"}
    )
    strange = {
        m for row in relations("kin") for m in row.members if m not in known and axis(m)[0] not in axes
    }
    assert {m for m in strange if not m.startswith("~")} == set()


def test_neighbours_are_places_of_the_lexicon():
    places = set(vocabulary().places)
    unknown = {
        m for name in ("near", "paired", "single") for row in relations(name) for m in row.members
    } - places
    assert unknown <= {"pelvic-cavity"}
