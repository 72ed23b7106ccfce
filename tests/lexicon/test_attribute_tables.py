"""The attribute tables: big enough, well formed, and right about words everybody uses."""

import re

import pytest

from overread.lexicon.load import ATTRIBUTES, Row, form_table, lines, table_text
from overread.lexicon.meanings import read_spellings

FLOORS = {
    "assessment_limitations": 233, "morphology": 205, "measurement": 139, "no_change": 138, "improved": 118,
    "worsened": 102, "severity": 86, "placement": 74, "onset": 57, "other_source": 55, "comparison": 44,
    "past_hx": 39, "distribution": 37,
}  # fmt: skip
"""Written variants published for this vocabulary; each of our tables must hold more."""

CODES = {
    "severity": "SV", "improved": "IM", "worsened": "WO", "no_change": "NC", "onset": "ON", "placement": "PL",
    "morphology": "MO", "distribution": "DI", "measurement": "ME", "comparison": "CO", "past_hx": "PX",
    "other_source": "OS", "assessment_limitations": "AL",
}  # fmt: skip

TABLES = {name: form_table(name, table_text(name), f"{name}.tsv") for name in ATTRIBUTES}


def row(table: str, form: str) -> Row:
    return next(r for r in TABLES[table] if r.form == form)


def test_every_attribute_has_a_floor_and_a_code():
    assert FLOORS.keys() == CODES.keys() == ATTRIBUTES.keys()


@pytest.mark.parametrize("table", ATTRIBUTES)
def test_more_written_variants_than_published(table):
    assert len({r.form for r in TABLES[table]}) > FLOORS[table]


@pytest.mark.parametrize("table", ATTRIBUTES)
def test_ids_carry_the_table_code_and_stand_once(table):
    ids = [r.id for r in TABLES[table]]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(CODES[table] + r"\d{4}", i) for i in ids)


@pytest.mark.parametrize("table", ATTRIBUTES)
def test_a_form_means_one_thing_in_one_table(table):
    forms = [r.form for r in TABLES[table]]
    assert sorted(forms) == sorted(set(forms))


@pytest.mark.parametrize("table", ATTRIBUTES)
def test_every_subcategory_is_used(table):
    assert {r.path[0] for r in TABLES[table]} == ATTRIBUTES[table]


@pytest.mark.parametrize("table", ATTRIBUTES)
def test_concepts_are_normal_forms(table):
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", r.concept) for r in TABLES[table])


@pytest.mark.parametrize("table", ATTRIBUTES)
def test_a_guard_is_longer_than_the_form_it_guards(table):
    for r in TABLES[table]:
        for guard in r.unless:
            assert f" {r.form} " in f" {guard} ", r.id
            assert guard != r.form, r.id


def test_conditions_of_morphology_say_normal_or_abnormal():
    paths = {r.path for r in TABLES["morphology"] if r.path[0] == "condition"}
    assert paths == {("condition", "normal"), ("condition", "abnormal")}


@pytest.mark.parametrize(
    ("table", "form", "concept", "path"),
    [
        ("severity", "mildly", "mild", ("mild",)),
        ("severity", "trace", "trace", ("minimal",)),
        ("severity", "moderate sized", "moderate", ("moderate",)),
        ("severity", "severe", "severe", ("extreme",)),
        ("improved", "resolved", "resolved", ("extreme",)),
        ("improved", "near complete clearing", "nearly-resolved", ("significant",)),
        ("improved", "slightly decreased in size", "slightly-improved", ("mild",)),
        ("worsened", "mildly increased in size", "slightly-worsened", ("mild",)),
        ("worsened", "significantly worsened", "significantly-worsened", ("significant",)),
        ("no_change", "again seen", "again", ("none",)),
        ("no_change", "relatively stable", "relatively-stable", ("minimal",)),
        ("onset", "interval development", "new", ("acute",)),
        ("onset", "acute on chronic", "acute-on-chronic", ("progressive",)),
        ("placement", "interval removal", "removed", ("removed",)),
        ("placement", "malpositioned", "malpositioned", ("nonstandard",)),
        ("morphology", "well expanded", "well-expanded", ("condition", "normal")),
        ("morphology", "hyperinflated", "hyperinflated", ("condition", "abnormal")),
        ("morphology", "platelike", "platelike", ("shape",)),
        ("measurement", "within normal limits", "normal", ("normality",)),
        ("measurement", "top normal", "upper-normal", ("normality",)),
        ("measurement", "enlarged", "enlarged", ("size",)),
        ("measurement", "several", "multiple", ("quantity",)),
        ("comparison", "right greater than left", "right-greater", ("laterality",)),
        ("past_hx", "s/p", "status-post", ("procedure",)),
        ("other_source", "on prior ct", "ct", ("image",)),
        ("assessment_limitations", "poor inspiratory effort", "low-inspiration", ("patient",)),
    ],
)
def test_a_radiologist_would_agree(table, form, concept, path):
    found = row(table, form)
    assert (found.concept, found.path) == (concept, path)


def test_an_age_is_not_an_onset():
    assert "year old" in row("onset", "old").unless


def test_the_small_bowel_is_not_small():
    assert "small bowel" in row("severity", "small").unless


def test_degree_and_condition_stay_apart():
    """*Mildly hyperinflated* is severity and morphology, so no row may swallow both words.

    Only words that may also be a change keep their degree: *slightly increased* is one thing, whichever it is.
    """
    degrees = {"mildly", "slightly", "moderately", "severely", "markedly"}
    changes = {r.form for t in ("improved", "worsened") for r in TABLES[t]}
    swallowed = [
        r.form
        for t in ("measurement", "morphology")
        for r in TABLES[t]
        if r.form.split()[0] in degrees
        and " ".join(r.form.split()[1:]) in {x.form for x in TABLES[t]}
        and r.form not in changes
    ]
    assert swallowed == []


SPELLINGS = read_spellings(table_text("spellings"))


@pytest.mark.parametrize(
    ("variant", "word"),
    [("oedema", "edema"), ("tumour", "tumor"), ("ptx", "pneumothorax"), ("pna", "pneumonia"),
     ("pneumothoraces", "pneumothorax"), ("pnuemonia", "pneumonia")],
)  # fmt: skip
def test_spellings_rewrite(variant, word):
    assert SPELLINGS[variant] == word


def test_spellings_rewrite_once():
    assert not SPELLINGS.keys() & set(SPELLINGS.values())


def test_opacification_is_its_own_word():
    assert "opacification" not in SPELLINGS


def test_spellings_are_single_words_of_a_known_kind():
    columns = ("id", "variant", "word", "kind", "source")
    for _, cell in lines(table_text("spellings"), "spellings.tsv", columns):
        assert re.fullmatch(r"[a-z]+", cell["variant"])
        assert re.fullmatch(r"[a-z]+", cell["word"])
        assert cell["kind"] in {"british", "abbreviation", "variant", "misspelling", "sound"}
        assert re.fullmatch(r"SP\d{4}", cell["id"])


def test_no_row_waits_for_a_spelling_that_is_rewritten():
    stuck = [
        (r.id, r.form) for rows in TABLES.values() for r in rows if set(r.form.split()) & SPELLINGS.keys()
    ]
    assert stuck == []
