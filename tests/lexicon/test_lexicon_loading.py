"""A bad row is refused by file and line; words are found however they are written."""

import pytest

from overread.errors import BadInput, BadLexicon, UnknownName
from overread.lexicon.lexicon import lexicon, look_up, with_user_rows
from overread.lexicon.load import form_table, unique_ids, user_rows
from overread.lexicon.meanings import read_compounds, read_concepts, read_cues, read_implied
from overread.lexicon.words import split

HEADER = "id\tconcept\tform\tpath\tunless\tsource\n"
CONCEPTS = "concept\tkind\tcategory\tparent\tsite\tsource\n"
GOOD = "SV9001\tmild\tmildish\tmild\t-\tinvented\n"


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("id\tform\n", "line 1"),
        (HEADER + "SV9001\tmild\n", "line 2: 2 cells"),
        (HEADER + GOOD + "SV9002\tmild\tMildish\tmild\t-\tinvented\n", "line 3: form 'Mildish'"),
        (HEADER + "SV9001\tmild\tmild-ish\tmild\t-\tinvented\n", "line 2: form"),
        (HEADER + "SV9001\tmild\tmildish\tgigantic\t-\tinvented\n", "line 2: path must begin"),
        (HEADER + "SV9001\tmild\tmildish\tmild\t\tinvented\n", "line 2: unless is empty"),
        (HEADER + GOOD + GOOD.replace("9001", "9002"), "line 3: form 'mildish' of 'mild' stands on line 2"),
    ],
)
def test_a_bad_row_is_refused_by_file_and_line(rows, says):
    with pytest.raises(BadLexicon, match=r"severity\.tsv") as caught:
        form_table("severity", rows, "severity.tsv")
    assert says in str(caught.value)


def test_an_id_that_stands_twice_is_refused():
    rows = form_table("severity", HEADER + GOOD, "severity.tsv")
    twin = form_table(
        "onset", HEADER + GOOD.replace("\tmild\tmildish\tmild", "\tnew\tnewish\tacute"), "onset.tsv"
    )
    with pytest.raises(BadLexicon, match="SV9001 is also in severity"):
        unique_ids([*rows, *twin])


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("thing\tgadget\tPF\t-\t-\tinvented\n", "kind must be"),
        ("thing\tfinding\tXX\t-\t-\tinvented\n", "category must be"),
        ("thing\tfinding\tPF\tnobody\t-\tinvented\n", "parent 'nobody'"),
        ("thing\tfinding\tPF\t-\t-\tinvented\nthing\tfinding\tPF\t-\t-\tinvented\n", "stands twice"),
    ],
)
def test_a_bad_concept_is_refused(row, says):
    with pytest.raises(BadLexicon, match=r"concepts\.tsv") as caught:
        read_concepts(CONCEPTS + row)
    assert says in str(caught.value)


def test_other_tables_name_only_known_concepts_and_kinds():
    concepts = read_concepts(CONCEPTS + "thing\tfinding\tPF\t-\t-\tinvented\n")
    with pytest.raises(BadLexicon, match="kind must be"):
        read_cues("id\tkind\tform\treach\tsense\tsource\nCU1\tshout\tno\tafter\tabsent\tinvented\n")
    with pytest.raises(BadLexicon, match="'other' is not a concept"):
        read_compounds(
            "id\tconcept\trelation\tvalue\tbecomes\tsource\nCP1\tthing\tlocation\tx\tother\ty\n", concepts
        )
    with pytest.raises(BadLexicon, match="'other' is not a concept"):
        read_implied("thing\tsaid\tmeans\treason\nlung\thazy\tother\ty\n", concepts)


def test_a_users_rows_are_checked_and_change_the_hash(tmp_path):
    own = tmp_path / "own.tsv"
    own.write_text("table\t" + HEADER + "findings\tXX1\tsporkoma\tspork sign\tfinding\t-\tours\n")
    taught = with_user_rows(own)
    assert look_up("spork sign", taught).concepts[0].name == "sporkoma"
    assert taught.hash != lexicon().hash
    own.write_text("table\t" + HEADER + "nowhere\tXX1\tsporkoma\tspork sign\tfinding\t-\tours\n")
    with pytest.raises(BadLexicon, match=r"own.tsv, line 2: table must be one of"):
        user_rows(own)
    with pytest.raises(BadInput, match="Cannot read the lexicon"):
        user_rows(tmp_path / "missing.tsv")


def test_forms_are_found_across_case_hyphens_wraps_and_plurals():
    for text in ("Pleural Effusions", "pleural-effusion", "pleural\n   effusion", "PLEURAL EFFUSION"):
        forms = [w.form for w in split(text)]
        found = {(first, last) for first, last, _ in lexicon().matcher.find(forms)}
        assert (0, 2) in found


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("oedema", "edema"),
        ("pnuemothorax", "pneumothorax"),
        ("cardiomegally", "cardiomegaly"),
        ("ptx", "pneumothorax"),
    ],
)
def test_slips_and_variants_are_respelled(written, read):
    assert lexicon().normal(written) == read


@pytest.mark.parametrize("word", ["patient", "heart", "contain", "flatten", "previous", "sporkomas"])
def test_words_that_are_no_slips_stay(word):
    assert lexicon().normal(word) == word


def test_an_unknown_term_offers_its_neighbours():
    with pytest.raises(UnknownName, match="effusion"):
        look_up("efusionn", lexicon())


def test_every_finding_row_has_a_concept_and_every_site_is_anatomy():
    words_of = lexicon()
    places = {r.concept for r in words_of.rows if r.table == "locations"} | {
        s for r in words_of.rows for s in r.path
    }
    for concept in words_of.concepts.values():
        assert list(words_of.ancestors(concept.name))
        if concept.site is not None:
            assert concept.site in places | KNOWN_REGIONS, f"{concept.name}: {concept.site}"


KNOWN_REGIONS = {"vessel"}
"""Sites that are no single place: any vessel."""


@pytest.mark.parametrize("word", ["hearing", "injection", "stopped", "arteritis", "prevent"])
def test_a_word_of_its_own_is_no_slip_of_a_term(word):
    assert lexicon().normal(word) == word
