"""Two writers, kill −9, tables, backup: what was acknowledged is there, and what was refused is told."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from functools import partial

import httpx
import pytest
from sqlalchemy import event, select, text
from sqlalchemy.exc import DatabaseError
from typer.testing import CliRunner

from house import Browserless, assignments, person, report_items, running, study
from overread.errors import BadInput
from overread_review.commands import app as review
from overread_review.place import Place
from overread_review.store.backup import back_up, restore
from overread_review.store.connect import Store, open_store
from overread_review.store.tables import Assignment, Audit
from overread_review.work.answers import Closed, Conflict, desk, reopen, save, submit


@pytest.fixture
def work(store):
    reader = person(store, "ada")
    study(store, "clear", report_items(1), [reader], overlap=1)
    return assignments(store, reader)[0].id


def saved(store, work, version, level):
    with store.writing() as session:
        at = desk(session, work)
        rows = at.rows
        rows[4].values["level"] = level
        return save(session, at, version, rows)


def audit(store, action):
    with store.reading() as session:
        return list(session.scalars(select(Audit).where(Audit.action == action).order_by(Audit.id)))


# ---- locking
def test_the_second_of_two_is_told_and_its_rows_are_kept(store, work):
    assert saved(store, work, 0, "likely present") == 1
    with pytest.raises(Conflict) as told:
        saved(store, work, 0, "likely absent")
    assert told.value.version == 1
    assert told.value.rows[4]["values"]["level"] == "likely present"
    (refused,) = audit(store, "refused")
    assert refused.after["c5"]["values"]["level"] == "likely absent"
    assert saved(store, work, 1, "likely absent") == 2


def test_the_same_save_twice_is_one(store, work):
    assert saved(store, work, 0, "likely present") == 1
    assert saved(store, work, 0, "likely present") == 1  # the reply to the first was lost
    assert not audit(store, "refused")


def test_many_at_once_one_wins_each_version(store, work):
    levels = ["likely present", "likely absent", "confidently absent", "confidently present"]
    outcomes = []

    def race(n):
        try:
            outcomes.append(saved(store, work, 0, levels[n % 4]))
        except Conflict:
            outcomes.append(None)

    threads = [threading.Thread(target=race, args=(n,)) for n in range(12)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(outcomes) == 12
    won = audit(store, "saved")
    assert len(won) == 1
    assert len(audit(store, "refused")) == outcomes.count(None)


def test_before_and_after_stand_in_the_audit(store, work):
    saved(store, work, 0, "likely present")
    (line,) = audit(store, "saved")
    assert line.before["c5"]["values"]["level"] == "neutral"
    assert line.after["c5"]["values"]["level"] == "likely present"
    assert set(line.after) == {"c5"}


@pytest.mark.parametrize("change", ["UPDATE audit SET action = 'nothing'", "DELETE FROM audit"])
def test_the_database_itself_keeps_the_audit(store, work, change):
    saved(store, work, 0, "likely present")
    with pytest.raises(DatabaseError), store.writing() as session:
        session.execute(text(change))
    assert audit(store, "saved")


def test_what_is_handed_in_is_not_saved_over(store, work):
    with store.writing() as session:
        at = desk(session, work)
        submit(session, at, 0, at.rows)
    with pytest.raises(Closed):
        saved(store, work, 1, "likely present")
    with store.writing() as session:
        reopen(session, desk(session, work))
    assert saved(store, work, 1, "likely present") == 2


# ---- tables
def test_opening_twice_changes_nothing(store, work):
    assert saved(store, work, 0, "likely present") == 1
    with store.tables():
        pass
    assert saved(store, work, 1, "likely absent") == 2


def test_tables_of_another_version_are_refused(database):
    old = Store(database)
    with old.engine.begin() as connection:
        connection.execute(text("CREATE TABLE people (id INTEGER PRIMARY KEY, login TEXT)"))
    with pytest.raises(BadInput, match="another version of overread"), old.tables():
        pass
    old.close()


# ---- backup
def test_a_backup_comes_back_whole_on_either_database(store, work, tmp_path, new_postgres):
    saved(store, work, 0, "likely present")
    path = tmp_path / "review.backup.zip"
    counts = back_up(store, b"\x01\x02", path)
    assert path.stat().st_mode & 0o777 == 0o600
    for url in (f"sqlite:///{tmp_path / 'other.sqlite'}", new_postgres()):
        other = Store(url)
        secret, restored = restore(other, path)
        assert secret == b"\x01\x02"
        assert restored == counts
        with other.reading() as session:
            assert session.get_one(Assignment, work).answer[4]["values"]["level"] == "likely present"
        assert saved(other, work, 1, "likely absent") == 2  # and work goes on: numbers do not clash
        with pytest.raises(BadInput, match="not empty"):
            restore(other, path)
        other.close()


def test_a_damaged_backup_is_told(sqlite_store, tmp_path):
    path = tmp_path / "b.zip"
    path.write_bytes(b"not a zip")
    with pytest.raises(BadInput):
        restore(sqlite_store, path)


def test_backup_and_restore_as_typed(tmp_path):
    reports = tmp_path / "reports.jsonl"
    reports.write_text('{"id": "r1", "text": "FINDINGS: No effusion."}\n')

    def run(*arguments):
        done = CliRunner().invoke(review, [*map(str, arguments)])
        assert done.exit_code == 0, done.output
        return done.output

    one, two = tmp_path / "one", tmp_path / "two"
    told = run("study", one, "clear", reports, "--readers", 2, "--curators", 1)
    assert told.count("/invite/") == 3
    run("backup", one, tmp_path / "b.zip")
    run("restore", two, tmp_path / "b.zip")
    assert "study.zip" in run("export", two, 1, "-o", tmp_path / "out")
    assert "Study 2" in run("import", two, tmp_path / "out" / "study.zip")
    assert run("invite", two, "reader", "--study", 1).startswith("/invite/")
    for path in (one, two, tmp_path / "out"):
        assert path.stat().st_mode & 0o777 == 0o700
        assert all(file.stat().st_mode & 0o777 == 0o600 for file in path.iterdir())
    assert Place(one).secret == Place(two).secret


# ---- kill −9
def started(folder, url):
    """The real command in a process of its own; it and its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code = "from overread.cli.main import main; main()"
    more = ["--database", url] if url else []
    command = [sys.executable, "-c", code, "review", str(folder), "--no-open", "--port", str(port), *more]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for line in process.stdout:
        if "Review in" in line:
            break
    address = f"http://127.0.0.1:{port}"
    for _ in range(300):
        try:
            httpx.get(f"{address}/health", timeout=1)
            return process, address
        except httpx.HTTPError:
            time.sleep(0.1)
    raise AssertionError("did not start")


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def test_nothing_acknowledged_is_lost_by_kill_9(kind, tmp_path, new_postgres):
    url = new_postgres() if kind == "postgresql" else ""
    place = Place(tmp_path / "review").prepare(url or None)
    store = open_store(place.url)
    people = [person(store, f"reader{n}") for n in range(4)]
    study(store, "clear", report_items(4), people, overlap=4)
    told = {}
    for turn in range(1, 3):
        process, address = started(place.folder, url)
        stop = threading.Event()
        threads = [
            threading.Thread(target=keep_saving, args=(address, n, store, who, told, stop))
            for n, who in enumerate(people)
        ]
        [thread.start() for thread in threads]
        wait_for(partial(enough, told, len(people), 10 * turn))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        stop.set()
        [thread.join(120) for thread in threads]
        for work, (version, level) in told.items():
            with store.reading() as session:
                held = session.get_one(Assignment, work)
                assert held.version >= version  # one more may have landed without its reply
                if held.version == version:
                    assert held.answer[4]["values"]["level"] == level
    store.close()


def enough(told, people, saves):
    return len(told) == people and sum(version for version, _ in told.values()) > saves


def wait_for(true):
    """Until it is so, however busy the machine."""
    for _ in range(1200):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("waited a minute in vain")


def keep_saving(address, number, store, who, told, stop):
    """Save again and again; note what was acknowledged."""
    levels = ["likely present", "likely absent", "confidently absent", "confidently present"]
    try:
        one = Browserless(address)
        one.sign_in(f"reader{number}")
        work = assignments(store, who)[0].id
        sheet = one.client.get(f"/api/work/{work}").json()
        version, turn = sheet["version"], 0
        while not stop.is_set():
            turn += 1
            level = levels[turn % 4]
            sheet["rows"][4]["values"]["level"] = level
            reply = one.send("PUT", f"/api/work/{work}", {"version": version, "rows": sheet["rows"]})
            if reply.status_code == 200:
                version = reply.json()["version"]
                told[work] = (version, level)
    except httpx.HTTPError:
        pass  # killed


# ---- size
def test_a_study_of_2000_reports_asks_the_database_no_more_than_one_of_20(store, visitor):
    """Every page is made of a few statements, however long its list."""
    admin, readers = person(store, "cora", admin=True), [person(store, name) for name in ("ada", "ben")]
    small, large = (study(store, "clear", report_items(n), readers, [admin]) for n in (20, 2000))
    dealt = assignments(store, readers[0])
    one, other = (next(work.id for work in dealt if work.study == number) for number in (small, large))
    asked = []
    event.listen(store.engine, "before_cursor_execute", lambda *call: asked.append(call[2]))

    def statements(who, path):
        asked.clear()
        assert who.client.get(path).status_code == 200
        return len(asked)

    with running(store) as address:
        curator, reader = visitor(address, "cora"), visitor(address, "ada")
        for who in (curator, reader):
            assert 0 < statements(who, f"/studies/{large}") <= statements(who, f"/studies/{small}")
        assert statements(reader, f"/api/work/{other}") <= statements(reader, f"/api/work/{one}")
        assert statements(reader, "/") < 40  # two studies, 2,020 reports
        assert reader.client.get(f"/api/work/{other}").json()["total"] == 2000
