"""Codes from a user's own terminology: small invented files in the shapes of UMLS, BioPortal and a plain table."""

import csv

import pytest
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.errors import BadInput
from overread.formats.codes import CODE_SYSTEMS, candidates, forms_of, names_in, read_codes
from overread.lexicon.lexicon import lexicon


def atom(cui, name, language="ENG", suppressed="N", preferred="N"):
    kept = [cui, language, "P", "L", "PF", "S", preferred, "A", "", "", "", "MTH", "PN", "NOCODE"]
    cells = [*kept, name, "0", suppressed, ""]
    return "|".join(cells) + "|\n"


@pytest.fixture
def umls(tmp_path):
    path = tmp_path / "MRCONSO.RRF"
    path.write_text(
        atom("C9", "Air in pleural cavity")
        + atom("C1", "PTX")
        + atom("C1", "Pneumothorax", preferred="Y")
        + atom("C2", "PTX")
        + atom("C3", "Pneumothorax", "GER")
        + atom("C4", "pneumothorax", suppressed="O")
        + atom("C5", "Effusion, pleural")
    )
    return path


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_names_of_umls_in_english_that_stand(umls):
    found = candidates(forms_of(lexicon()), names_in(umls))
    assert [(one.coding.code, one.own) for one in found["pneumothorax"]] == [("C1", True), ("C2", False)]
    assert [one.coding.code for one in found["pleural-effusion"]] == ["C5"]
    assert found["urachal-remnant"] == []


def test_a_bioportal_export(tmp_path):
    path = tmp_path / "radlex.csv"
    path.write_text(
        "Class ID,Preferred Label,Synonyms,Obsolete\n"
        "http://radlex.org/RID/RID1,pneumothorax,PTX|collapsed air,FALSE\n"
        "http://radlex.org/RID/RID2,pneumothorax,,TRUE\n"
        "http://radlex.org/RID/RID3,left lung,,FALSE\n"
    )
    found = candidates(forms_of(lexicon()), names_in(path))
    (one,) = found["pneumothorax"]
    assert (one.coding.system, one.coding.code, one.forms) == (CODE_SYSTEMS["RADLEX"], "RID1", 2)
    assert [c.coding.code for c in found["location:left lung"]] == ["RID3"]


def test_the_map_is_read_as_it_is(umls, tmp_path):
    done = run("build", "codes", umls, "-o", tmp_path / "codes.csv")
    assert done.exit_code == 0, done.output
    codes = read_codes(tmp_path / "codes.csv")
    assert [one.code for one in codes.coding("pneumothorax")] == ["C1", "C2"]
    assert codes.coding("urachal-remnant") == ()
    assert "urachal-remnant,,," in (tmp_path / "codes.csv").read_text()


def test_terms_come_back_with_their_candidates(umls, tmp_path):
    (tmp_path / "terms.csv").write_text("term,category,context\nPTX,finding,Small PTX.\nhazy,finding,Hazy.\n")
    done = run("build", "codes", umls, "--terms", tmp_path / "terms.csv", "-o", tmp_path / "o.csv")
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader((tmp_path / "o.csv").read_text().splitlines()))
    assert [row["codes"] for row in rows] == ["C1 Pneumothorax | C2 PTX", "-"]
    assert rows[0]["context"] == "Small PTX."


def test_a_term_is_also_looked_up_by_other_forms_of_its_concept(tmp_path):
    (tmp_path / "t.csv").write_text("code,term\nX1,Pneumothorax\n")
    (tmp_path / "terms.csv").write_text("term\nPTX\n")
    done = run(
        "build", "codes", tmp_path / "t.csv", "--terms", tmp_path / "terms.csv", "-o", tmp_path / "o.csv"
    )
    assert done.exit_code == 0, done.output
    assert "X1 Pneumothorax" in (tmp_path / "o.csv").read_text()


def test_a_file_that_is_no_terminology(tmp_path):
    (tmp_path / "a.csv").write_text("one,two\n1,2\n")
    with pytest.raises(BadInput, match="no terminology"):
        names_in(tmp_path / "a.csv")
    (tmp_path / "MRCONSO.RRF").write_text("C1|ENG\n")
    with pytest.raises(BadInput, match="18 columns"):
        list(names_in(tmp_path / "MRCONSO.RRF"))
