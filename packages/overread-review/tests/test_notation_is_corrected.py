"""A slice of the corpus is opened, corrected by people and written back as notation."""

import json
from io import BytesIO
from zipfile import ZipFile

import pytest
from click.testing import CliRunner
from sqlalchemy import select
from typer.main import get_command

from house import assignments, person, running, study
from overread import examples
from overread.cli.main import command
from overread.errors import BadInput
from overread_review.commands import app as review
from overread_review.exports.archive import import_study, study_archive
from overread_review.exports.catalogue import export, exports
from overread_review.exports.notation import write_back
from overread_review.sheets.check import BadAnswer
from overread_review.store.tables import Assignment, Audit, Item, Study
from overread_review.work.agreement import agreement
from overread_review.work.answers import desk, plain, submit
from overread_review.work.decisions import case, decide
from overread_review.work.items import Files, make_items


@pytest.fixture
def slice(tmp_path):
    """A folder with two notation files, one of them below another folder."""
    with examples.folder() as place:
        whole = (place / examples.SLICE).read_bytes()
    (tmp_path / "slice" / "more").mkdir(parents=True)
    (tmp_path / "slice" / "one.txt").write_bytes(whole)
    (tmp_path / "slice" / "more" / "two.txt").write_bytes(whole.replace(b"# demo-", b"# other-"))
    return tmp_path / "slice"


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.txt")}


@pytest.fixture
def opened(sqlite_store, slice):
    """A study of the slice, and what hands in: `hand_in(person, {report: {row: lines}})`."""
    people = [person(sqlite_store, name) for name in ("ada", "ben")]
    number = study(sqlite_store, "notation", make_items("notation", Files(slice)), people)

    def hand_in(who, changes, only=None):
        with sqlite_store.writing() as session:
            query = select(Assignment.id, Item.key).join(Item, Item.id == Assignment.item)
            for id, key in session.execute(query.where(Assignment.person == people[who])).all():
                if only is None or key in only:
                    at = desk(session, id)
                    rows = at.rows
                    for row in rows:
                        row.values["lines"] = changes.get(key, {}).get(row.id, row.values["lines"])
                    submit(session, at, at.assignment.version, rows, 5.0)

    return number, hand_in


def files(store, number, name):
    with store.reading() as session:
        found = session.get_one(Study, number)
        with ZipFile(BytesIO(export(found, name, True).content(session, found))) as file:
            return {one: file.read(one) for one in file.namelist()}


def test_nothing_corrected_is_byte_identical(opened, sqlite_store, slice):
    number, hand_in = opened
    assert files(sqlite_store, number, "notation.zip") == contents(slice)  # nobody has looked
    hand_in(0, {})
    hand_in(1, {})
    assert files(sqlite_store, number, "notation.zip") == contents(slice)
    readers = files(sqlite_store, number, "readers.zip")
    for n in (1, 2):
        assert {
            name[9:]: text for name, text in readers.items() if name.startswith(f"reader-{n}/")
        } == contents(slice)


BETTER = {"demo-001": {"s4": "- pneumothorax - ; no=No\n"}, "demo-003": {"s1": "- nodule + #n ; mea=9 mm"}}


def test_a_correction_is_written_back_and_nothing_else(opened, sqlite_store, slice):
    number, hand_in = opened
    before = contents(slice)
    hand_in(0, BETTER)
    told = before["one.txt"].replace(b"- pneumothorax -\n", b"- pneumothorax - ; no=No\n")
    told = told.replace(
        b"- nodule + #n ; loc=left upper lobe ; mea=9 mm ; was=6 mm", b"- nodule + #n ; mea=9 mm"
    )
    assert files(sqlite_store, number, "notation.zip") == {**before, "one.txt": told}
    with sqlite_store.reading() as session:
        changed = write_back(session, session.get_one(Study, number), slice)
        assert changed == {slice / "one.txt": 2}
        assert contents(slice) == {**before, "one.txt": told}
        write_back(session, session.get_one(Study, number), slice)  # once more changes nothing
    assert contents(slice) == {**before, "one.txt": told}
    check = CliRunner().invoke(command(), ["corpus", "check", str(slice / "one.txt")])
    assert check.exit_code == 0, check.output


def test_work_of_others_in_the_same_file_stays(opened, sqlite_store, slice):
    number, hand_in = opened
    hand_in(0, BETTER)
    path = slice / "one.txt"
    path.write_bytes(
        path.read_bytes().replace(b"Heart size is normal", b"Heart size is unchanged")
    )  # demo-002
    with sqlite_store.reading() as session:
        write_back(session, session.get_one(Study, number), slice)
    assert b"Heart size is unchanged" in path.read_bytes()
    assert b"no=No" in path.read_bytes()
    changed = path.read_bytes().replace(b"no=No", b"mor=No")
    path.write_bytes(changed)
    with sqlite_store.reading() as session, pytest.raises(BadInput, match="demo-001 has changed since"):
        write_back(session, session.get_one(Study, number), slice)
    assert path.read_bytes() == changed


def test_each_readers_version_goes_to_corpus_agree(opened, sqlite_store, tmp_path):
    number, hand_in = opened
    hand_in(0, BETTER)
    hand_in(1, {"demo-001": {"s4": "- pneumothorax +"}}, only={"demo-001", "other-003"})
    with sqlite_store.reading() as session:
        found = session.get_one(Study, number)
        for name, text in export(found, "readers.zip", True).written(session, found).items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(text)
    sides = sorted((tmp_path / "readers").iterdir(), key=lambda one: len((one / "one.txt").read_bytes()))
    assert [side.name for side in sorted(sides)] == ["reader-1", "reader-2"]
    few = (sides[0] / "one.txt").read_text()
    assert few.startswith("% modality: XR chest\n")  # holds for the reports that are left
    assert few.count("\n# ") == 1
    assert (sides[0] / "more" / "two.txt").read_text().startswith("% modality: XR chest\n")
    ran = CliRunner().invoke(command(), ["corpus", "agree", *map(str, sides), "--json"])
    assert ran.exit_code == 0, ran.output
    told = json.loads(ran.stdout)
    assert told["entity"]["f1"] == 1.0
    assert told["status"]["same"] == told["status"]["a"] - 1


def test_who_changed_what_is_kept(opened, sqlite_store):
    number, hand_in = opened
    hand_in(0, BETTER)
    with sqlite_store.reading() as session:
        found = session.get_one(Study, number)
        lines = map(json.loads, export(found, "answers.jsonl", True).content(session, found).splitlines())
        changed = {one["item"]: one["changed"]["to"] for one in lines}
        saved = session.scalars(select(Audit).where(Audit.study == number, Audit.action == "saved")).all()
        assert agreement(session, found).readers[0].items == 6
    assert {key for key, rows in changed.items() if rows} == set(BETTER)
    assert changed["demo-001"]["s4"]["values"]["lines"] == BETTER["demo-001"]["s4"]
    assert {one.person for one in saved} == {1}


def test_where_readers_differ_a_curator_decides(opened, sqlite_store, slice):
    number, hand_in = opened
    hand_in(0, BETTER)
    hand_in(1, {})
    assert files(sqlite_store, number, "notation.zip") == contents(slice)  # still open
    with sqlite_store.writing() as session:
        found = session.get_one(Study, number)
        item = session.scalar(select(Item).where(Item.key == "demo-001"))
        at = case(session, item, found)
        rows = at.rows
        rows[3].values["lines"] = "- nothing -"
        with pytest.raises(BadAnswer, match="Sentence 4, line 1: 'nothing' does not stand"):
            decide(session, at, 1, 0, rows)
        session.rollback()
    with sqlite_store.writing() as session:
        item = session.scalar(select(Item).where(Item.key == "demo-001"))
        at = case(session, item, session.get_one(Study, number))
        rows[3].values["lines"] = "- pneumothorax -? ; may=No"
        decide(session, at, 1, 0, rows)
    assert b"- pneumothorax -? ; may=No\n" in files(sqlite_store, number, "notation.zip")["one.txt"]


def test_a_bad_line_is_saved_with_its_complaint_and_not_handed_in(opened, sqlite_store, visitor):
    with running(sqlite_store) as address:
        ada = visitor(address, "ada")
        with sqlite_store.reading() as session:
            query = select(Assignment.id).join(Item, Item.id == Assignment.item)
            id = session.scalar(query.where(Assignment.person == 1, Item.key == "demo-001"))
        told = ada.client.get(f"/api/work/{id}").json()
        assert told["complaints"] == []
        rows = told["rows"]
        rows[3]["values"]["lines"] = "- pneumothorax -\n- pneumonia -"
        body = {"version": 0, "rows": rows, "seconds": 1}
        saved = ada.send("PUT", f"/api/work/{id}", body)
        assert saved.status_code == 200
        [complaint] = saved.json()["complaints"]
        assert complaint == {"row": "s4", "line": 2, "problem": "'pneumonia' does not stand in the sentence"}
        refused = ada.send("POST", f"/api/work/{id}/submit", {**body, "version": 1})
        assert refused.status_code == 422
        assert refused.json()["detail"] == "Sentence 4, line 2: 'pneumonia' does not stand in the sentence."
        assert ada.client.get(f"/api/work/{id}").json()["complaints"] == [complaint]
        rows[3]["values"]["lines"] = "- pneumothorax -"
        assert ada.send("PUT", f"/api/work/{id}", {**body, "version": 1}).json()["complaints"] == []
        assert ada.send("POST", f"/api/work/{id}/submit", {**body, "version": 2}).status_code == 200
        rows.pop()  # no sheet of this study
        other = next(one.id for one in assignments(sqlite_store, 1) if one.id != id)
        assert ada.send("POST", f"/api/work/{other}/submit", {**body, "rows": rows}).status_code == 422


def test_blank_sheets_are_annotated_from_the_beginning(sqlite_store, slice):
    items = make_items("notation", Files(slice, blank=True))
    who = person(sqlite_store, "ada")
    study(sqlite_store, "notation", items, [who], overlap=1)
    with sqlite_store.writing() as session:
        at = desk(session, assignments(sqlite_store, who)[0].id)
        assert {row.values["lines"] for row in at.rows} == {""}
        with pytest.raises(BadAnswer, match="no mention, and no '~ kind' that says why"):
            submit(session, at, 0, at.rows)


def test_what_cannot_be_opened_is_refused(slice, tmp_path):
    (tmp_path / "bad.txt").write_text("# a\nF No mass.\n- masses -\n")
    with pytest.raises(BadInput, match=r"bad.txt:3: 'masses' does not stand .*overread corpus check"):
        make_items("notation", Files(tmp_path / "bad.txt"))
    with pytest.raises(BadInput, match="is not there"):
        make_items("notation", Files(tmp_path / "nothing"))
    with pytest.raises(BadInput, match="brings its own annotation"):
        make_items("notation", Files(slice, views=tmp_path / "bad.txt"))
    with pytest.raises(BadInput, match="--check is for readings"):
        make_items("notation", Files(slice, check=True))


def test_on_the_command_line(slice, tmp_path):
    def run(*arguments, code=0):
        ran = CliRunner().invoke(get_command(review), [*map(str, arguments)])
        assert ran.exit_code == code, ran.output
        return ran.output

    before, place = contents(slice), tmp_path / "review"
    told = run("study", place, "notation", slice / "one.txt", "--readers", 1)
    assert "Study 1, one: 3 items" in told
    assert "reader: /invite/" in told
    run("export", place, 1, "-o", tmp_path / "out")
    assert (tmp_path / "out" / "notation" / "one.txt").read_bytes() == before["one.txt"]
    assert not (tmp_path / "out" / "gold.jsonl").exists()
    assert "Nothing was corrected" in run("export", place, 1, "--back", slice / "one.txt")
    assert contents(slice) == before


def test_a_study_travels_and_leads_out_of_no_folder(opened, sqlite_store, slice):
    number, hand_in = opened
    hand_in(0, BETTER)
    with sqlite_store.writing() as session:
        whole = study_archive(session, session.get_one(Study, number))
        again = import_study(session, whole).id
        assert {one.name for one in exports(session.get_one(Study, again), False)} >= {
            "notation.zip",
            "readers.zip",
        }
    assert files(sqlite_store, again, "notation.zip") == files(sqlite_store, number, "notation.zip")
    for name in ("../one.txt", "/one.txt", "..\\one.txt", ""):
        with ZipFile(BytesIO(whole)) as file:
            parts = {one: file.read(one) for one in file.namelist()}
        items = [json.loads(line) for line in parts["items.jsonl"].splitlines()]
        items[0]["content"]["file"] = name
        parts["items.jsonl"] = b"".join(json.dumps(one).encode() + b"\n" for one in items)
        out = BytesIO()
        with ZipFile(out, "w") as file:
            for one, content in parts.items():
                file.writestr(one, content)
        with pytest.raises(BadInput, match="archive is damaged"), sqlite_store.writing() as session:
            import_study(session, out.getvalue())


def test_rows_stand_where_their_sentences_are(slice):
    from overread_review.sheets.notation import SHEET

    for item in make_items("notation", Files(slice)):
        for row in SHEET.rows(item.content, item.suggestion):
            [(_, start, end)] = row.spans["sentence"]
            assert row.values["sentence"].endswith(item.content["text"][start:end])
    assert plain(SHEET.rows(item.content, item.suggestion))
