"""Terms voted on by three readers, and CLEAR answers rated and mended: over HTTP to files that the rest takes."""

import csv
import json

import pytest
from click.testing import CliRunner

from house import Browserless, invited, person, running, study, work_of
from overread.cli.main import command
from overread.errors import BadInput
from overread_review.sheets.terms import SHEET
from overread_review.work.items import Files, make_items

TERMS = """\
term,category,context,codes
PTX,finding,Small PTX.,C0000001 Pneumothorax | C0000002 Other PTX
hazy,finding,Hazy opacity.,-
the,finding,The lungs.,
"""


@pytest.fixture
def terms(tmp_path):
    path = tmp_path / "terms.csv"
    path.write_text(TERMS)
    return path


def handed_in(reader, number, decide):
    """Everything that is dealt to a reader, filled in by `decide`; the answers of the server."""
    told = []
    while api := work_of(reader, number):
        sheet = reader.client.get(api).json()
        for row in sheet["rows"]:
            row["values"].update(decide(row["values"]))
        told.append(reader.send("POST", f"{api}/submit", {"version": 0, "rows": sheet["rows"]}))
        if told[-1].status_code != 200:
            break
    return told


VOTES = {
    "ada": {
        "PTX": {"decision": "normalise", "normal": "pneumothorax", "code": "C0000001"},
        "hazy": {"decision": "reassign", "to": "morphology", "log": "an adjective"},
        "the": {"decision": "remove"},
    },
    "ben": {
        "PTX": {"decision": "normalise", "normal": "pneumothorax"},
        "hazy": {"decision": "reassign", "to": "morphology"},
        "the": {"decision": "remove"},
    },
    "cyd": {
        "PTX": {"decision": "keep"},
        "hazy": {"decision": "keep", "log": "used as a noun"},
        "the": {"decision": "remove"},
    },
}


def test_three_readers_vote_on_terms(store, terms):
    admin = person(store, "admin", admin=True)
    number = study(store, "terms", items=make_items("terms", Files(terms)), curators=[admin], overlap=3)
    with running(store) as address:
        curator = Browserless(address)
        curator.sign_in("admin")
        readers = {name: invited(curator, address, number, name) for name in VOTES}
        for name, reader in readers.items():
            told = handed_in(reader, number, lambda values, own=VOTES[name]: own[values["term"]])
            assert [one.status_code for one in told] == [200] * 3
        table = curator.client.get(f"/studies/{number}/exports/terms.tsv").text
        gold = curator.client.get(f"/studies/{number}/exports/gold.jsonl").text
    rows = {row["term"]: row for row in csv.DictReader(table.splitlines(), delimiter="\t")}
    assert (rows["PTX"]["normalise"], rows["PTX"]["keep"]) == ("2", "1")
    assert (rows["PTX"]["decision"], rows["PTX"]["how"], rows["PTX"]["normal"]) == (
        "normalise",
        "majority",
        "pneumothorax",
    )
    assert (rows["PTX"]["codes"], rows["hazy"]["codes"]) == ("C0000001", "")
    assert rows["hazy"]["to"] == "morphology"
    assert set(rows["hazy"]["log"].split(" | ")) == {"an adjective", "used as a noun"}
    assert (rows["the"]["decision"], rows["the"]["how"]) == ("remove", "agreed")
    assert [json.loads(line)["term"] for line in gold.splitlines()] == ["the"]


def test_candidates_for_codes_are_shown(terms):
    items = make_items("terms", Files(terms))
    shown = [{part.title: part.text for part in SHEET.parts(item.content, {})} for item in items]
    assert shown[0]["Codes that may mean it"] == "C0000001 Pneumothorax\nC0000002 Other PTX"
    assert shown[1]["Codes that may mean it"] == "-"
    assert list(shown[2]) == ["Where it stands"]


def test_a_decision_without_what_it_needs_is_not_taken(store, terms):
    admin = person(store, "admin", admin=True)
    number = study(store, "terms", items=make_items("terms", Files(terms)), curators=[admin])
    with running(store) as address:
        curator = Browserless(address)
        curator.sign_in("admin")
        reader = invited(curator, address, number, "ada")
        (told,) = handed_in(reader, number, lambda values: {"decision": "normalise", "normal": ""})
    assert told.status_code >= 400
    assert "normal form" in told.text


def test_a_table_without_terms(tmp_path):
    (tmp_path / "t.csv").write_text("word\nx\n")
    with pytest.raises(BadInput, match="term, category, context and codes"):
        make_items("terms", Files(tmp_path / "t.csv"))


def test_answers_are_rated_mended_and_scored(store, tmp_path):
    (tmp_path / "reports.jsonl").write_text(json.dumps({"id": "1", "text": "Small left effusion."}) + "\n")
    head = "item,study_id,condition,attribute,answer,rating,revision\n"
    answers = "1-1,1,Pleural Effusion,severity,severe,,\n1-2,1,Pleural Effusion,location,left effusion,,\n"
    (tmp_path / "set-1.csv").write_text(head + answers)
    (tmp_path / "key.csv").write_text("item,model\n1-1,one\n1-2,one\n")
    items = make_items("ratings", Files(tmp_path / "reports.jsonl", (tmp_path / "set-1.csv",)))
    admin = person(store, "admin", admin=True)
    number = study(store, "ratings", items=items, curators=[admin], overlap=1)
    marks = {
        "severity": {"rating": "partially correct", "revision": "mild"},
        "location": {"rating": "correct", "revision": "left over"},
    }
    with running(store) as address:
        curator = Browserless(address)
        curator.sign_in("admin")
        reader = invited(curator, address, number, "ada")
        page = reader.client.get(work_of(reader, number)).json()
        assert "one" not in json.dumps(page["rows"])  # which model it was is not shown
        (told,) = handed_in(reader, number, lambda values: marks[values["attribute"]])
        assert told.status_code == 200
        text = curator.client.get(f"/studies/{number}/exports/rated.jsonl").text
    rows = [json.loads(line) for line in text.splitlines()]
    assert [(r["model"], r["rating"], r["revision"]) for r in rows] == [
        ("one", "partially correct", "mild"),
        ("one", "correct", ""),
    ]
    (tmp_path / "rated.jsonl").write_text(text)
    done = CliRunner().invoke(
        command(), ["validate", "clear-attributes", str(tmp_path / "rated.jsonl"), "--json"]
    )
    assert done.exit_code == 0, f"{done.output}{done.exception!r}"
