"""LUNGUAGE, Table A.1: the lexicon by category, subcategory and organ system."""

import csv
from xml.etree import ElementTree

import pytest
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.lexicon.lexicon import lexicon
from overread.systems.lunguage.taxonomy import divisions, vocabulary


@pytest.fixture(scope="module")
def terms():
    return {name: {t[-1].lower(): t for t in found} for name, found in vocabulary(lexicon()).items()}


@pytest.mark.parametrize(
    ("term", "category", "sub"),
    [
        ("opacity", "PF", "Diagnostic Observations"),
        ("congestive heart failure", "CF", "Diseases and Disorders"),
        ("oxygen saturation", "COF", "Diagnostic Observations"),
        ("stroke", "NCD", "Diseases and Disorders"),
        ("central venous catheter", "OTH", "Medical Devices"),
        ("lobectomy", "OTH", "Procedures & Surgeries"),
        ("fever", "PATIENT INFO", "Symptoms & Signs"),
    ],
)
def test_entities_as_the_papers_examples(terms, term, category, sub):
    assert terms["entities"][term][:2] == (category, sub)


@pytest.mark.parametrize(
    ("term", "system"),
    [
        ("right upper lobe", "Respiratory"),
        ("right atrium", "Cardiovascular"),
        ("thoracic spine", "Musculoskeletal"),
        ("stomach", "Abdominal"),
        ("mediastinum", "Mediastinum"),
        ("left axilla", "Other"),
    ],
)
def test_places_by_organ_system(terms, term, system):
    assert terms["locations"][term][0] == system


def test_every_kind_and_every_row_has_its_place():
    words = lexicon()
    assert {one.kind for one in words.concepts.values()} <= set(divisions()["subcategory"])
    assert set(divisions()["own"]) <= set(words.concepts)
    whole = [(*row.path, row.concept) for row in words.rows if row.table == "locations"]
    paths = {" > ".join(path[:n]) for path in whole for n in range(1, len(path) + 1)}
    assert set(divisions()["system"]) <= paths


def test_as_typed(tmp_path):
    words = ["build", "vocabulary", "-o", str(tmp_path / "v"), "--picture", str(tmp_path / "v.svg")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    with (tmp_path / "v" / "attributes.tsv").open() as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert {row["category"] for row in rows} >= {"severity", "onset", "placement"}
    assert "Respiratory" in done.stdout
    ElementTree.fromstring((tmp_path / "v.svg").read_text())
