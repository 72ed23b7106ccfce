"""An archive or a backup that is damaged, foreign or hostile gets one sentence, and nothing is changed by it."""

import json
import random
import sys
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from sqlalchemy import func, select
from typer.testing import CliRunner

from house import assignments, person, report_items, running, study
from overread.errors import BadInput
from overread_review.commands import app as review
from overread_review.exports.archive import import_study, study_archive
from overread_review.store.backup import back_up, restore
from overread_review.store.connect import Store, open_store
from overread_review.store.tables import Base, Item, Person, Study
from overread_review.work.answers import desk, submit

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
from drills import archives


@pytest.fixture
def whole(sqlite_store):
    """A study that one of two readers has handed in, as an archive."""
    people = [person(sqlite_store, f"reader-{n}") for n in (1, 2)]
    number = study(sqlite_store, "clear", report_items(2), people)
    with sqlite_store.writing() as session:
        for one in assignments(sqlite_store, people[0]):
            at = desk(session, one.id)
            submit(session, at, 0, at.rows, 5.0)
        return study_archive(session, session.get_one(Study, number))


def counts(store):
    with store.reading() as session:
        return {
            name: session.scalar(select(func.count()).select_from(table))
            for name, table in Base.metadata.tables.items()
        }


def edited(content, name, change):
    """The archive with the rows of one file changed."""
    with ZipFile(BytesIO(content)) as file:
        parts = {one: file.read(one) for one in file.namelist()}
    rows = [json.loads(line) for line in parts[name].splitlines()]
    change(rows)
    parts[name] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    return archives.packed(parts)


HOSTILE = {
    "an item without its text": ("items.jsonl", lambda rows: rows[0]["content"].pop("text")),
    "a text that is none": ("items.jsonl", lambda rows: rows[0]["content"].update(text=[1])),
    "two items of one key": ("items.jsonl", lambda rows: rows[1].update(key=rows[0]["key"])),
    "a field nobody knows": ("items.jsonl", lambda rows: rows[0].update(owner="me")),
    "a role that there is not": ("members.jsonl", lambda rows: rows[0].update(role="admin")),
    "a person that is none": ("people.jsonl", lambda rows: rows[0].update(login=None)),
    "somebody who is not there": ("assignments.jsonl", lambda rows: rows[0].update(person=99)),
    "an answer of other rows": (
        "assignments.jsonl",
        lambda rows: rows[0].update(answer=[{"id": "z", "kind": "z"}]),
    ),
    "a number without end": ("assignments.jsonl", lambda rows: rows[0].update(version=2**70)),
    "a moment that is none": ("assignments.jsonl", lambda rows: rows[0].update(submitted="soon")),
    "an audit of nothing": ("audit.jsonl", lambda rows: rows[0].pop("thing")),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_line_is_one_sentence(name, whole, sqlite_store):
    before = counts(sqlite_store)
    with (
        pytest.raises(BadInput, match=r"damaged.*Nothing was imported") as told,
        sqlite_store.writing() as session,
    ):
        import_study(session, edited(whole, *HOSTILE[name]))
    assert "\n" not in str(told.value)
    assert counts(sqlite_store) == before


def test_a_bomb_is_not_unpacked(sqlite_store):
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as file, file.open("manifest.json", "w", force_zip64=True) as part:
        for _ in range(600):
            part.write(b" " * 1_000_000)
    with pytest.raises(BadInput, match="more than a study"), sqlite_store.writing() as session:
        import_study(session, out.getvalue())


def test_nobody_becomes_administrator_by_an_archive(whole, tmp_path):
    elsewhere = open_store(f"sqlite:///{tmp_path / 'other.sqlite'}")
    content = edited(whole, "people.jsonl", lambda rows: rows[0].update(admin=True, password="mine"))
    with elsewhere.writing() as session:
        import_study(session, content)
    with elsewhere.reading() as session:
        assert {(one.admin, one.password) for one in session.scalars(select(Person))} == {(False, None)}
    elsewhere.close()


def test_spoilt_archives_are_refused_or_open_everywhere(whole, sqlite_store, visitor):
    """What is taken in opens on every page; all else is refused in a sentence, and never a 500."""
    person(sqlite_store, "boss", admin=True)
    chance, refused = random.Random(7), 0
    with running(sqlite_store) as address:
        boss, reader = visitor(address, "boss"), visitor(address, "reader-1")
        for n in range(25):
            before, content = counts(sqlite_store), archives.changed(whole, chance)
            reply = boss.client.post("/admin/import", data={"csrf": boss.token}, files={"archive": content})
            if reply.status_code == 303:
                assert_opens(sqlite_store, boss, reader, reply.headers["location"])
                continue
            refused += 1
            assert reply.status_code == 422, (n, reply.status_code)
            assert counts(sqlite_store) == before
    assert refused > 8


def assert_opens(store, boss, reader, place):
    number = int(place.rsplit("/", 1)[1])
    with store.reading() as session:
        items = list(session.scalars(select(Item.id).where(Item.study == number)))
        mine = session.scalar(select(Person.id).where(Person.login == "reader-1"))
    own = [one.id for one in assignments(store, mine) if one.study == number]
    pages = (
        "",
        "/agreement",
        "/exports",
        "/audit",
        "/instructions",
        "/exports/gold.jsonl",
        "/exports/answers.jsonl",
    )
    asked = [(boss, place + page) for page in pages]
    asked += [(boss, f"/{kind}items/{one}") for one in items for kind in ("", "api/")]
    asked += [(reader, f"/{kind}work/{one}") for one in own for kind in ("", "api/")] + [(reader, place)]
    assert [
        (path, who.client.get(path).status_code)
        for who, path in asked
        if who.client.get(path).status_code >= 500
    ] == []


def test_spoilt_backups_leave_nothing_behind(whole, sqlite_store, tmp_path):
    good = tmp_path / "b.zip"
    back_up(sqlite_store, b"\x01\x02", good)
    chance, refused = random.Random(8), 0
    for n in range(25):
        bad, folder = tmp_path / "bad.zip", tmp_path / f"r{n}"
        bad.write_bytes(archives.changed(good.read_bytes(), chance))
        done = CliRunner().invoke(review, ["restore", str(folder), str(bad)])
        if done.exit_code == 0:
            continue
        refused += 1
        assert isinstance(done.exception, BadInput), repr(done.exception)
        assert "\n" not in str(done.exception)
        assert not folder.exists()
    assert refused > 12


def test_a_backup_of_another_version(sqlite_store, tmp_path):
    path = tmp_path / "b.zip"
    back_up(sqlite_store, b"\x01", path)
    with ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    parts["manifest.json"] = parts["manifest.json"].replace(b'"format":1', b'"format":9')
    path.write_bytes(archives.packed(parts))
    empty = Store(f"sqlite:///{tmp_path / 'empty.sqlite'}")
    with pytest.raises(BadInput, match="another version"):
        restore(empty, path)
    with empty.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar_one() == 0
    empty.close()


def test_a_line_that_leads_nowhere_undoes_the_rest(whole, sqlite_store, tmp_path):
    """Rows that lead nowhere are found only by the database: tables and rows go again."""
    path = tmp_path / "b.zip"
    back_up(sqlite_store, b"\x01", path)
    path.write_bytes(edited(path.read_bytes(), "audit.jsonl", lambda rows: rows[-1].update(study=77)))
    empty = Store(f"sqlite:///{tmp_path / 'empty.sqlite'}")
    with pytest.raises(BadInput, match="leads to one that is not there"):
        restore(empty, path)
    with empty.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar_one() == 0
    empty.close()
