"""Doubtful suggestions come marked, can be brought up first, and are answered like any other."""

import json
import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from house import PASSWORD, Browserless, assignments, person, running, study
from overread.errors import BadInput
from overread.judge import Verdict
from overread_review.exports.answers import answer_lines
from overread_review.sheets.in_text import shown_doubts
from overread_review.sheets.sheet import sheet
from overread_review.store.connect import open_store
from overread_review.store.tables import Study
from overread_review.work.items import Files, make_items

TEXT = (
    "FINDINGS: Small left pneumothorax. There is a right effusion. The heart is enlarged. "
    "There is a transition point in the left iliac fossa."
)
HEARD = {"said": 0.02, "denied": 0.97, "open": 0.01}
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def doubt(finding, words, about="presence"):
    """As `read --check` writes it."""
    start = TEXT.index(words)
    why = [{"words": words, "rule": "FI0569", "note": ""}]
    claim = f"There is {words}."
    return {
        "about": about, "finding": finding, "sentence": 1, "quote": "A sentence.", "words": words,
        "span": [start, start + len(words)], "read": claim, "reasons": why, "heard": HEARD,
    }  # fmt: skip


def finding(id, entity, doubts):
    start = TEXT.index(entity)
    return {
        "id": id, "section": "findings", "sentence": {"start": 10, "end": 40, "text": TEXT[10:40]}, "entity": entity,
        "category": "PF", "status": "positive", "certainty": "definitive", "attributes": {}, "associate": [],
        "evidence": [], "spans": {"entity": [[start, start + len(entity)]]}, "doubts": doubts,
    }  # fmt: skip


LINE = {
    "id": "r1",
    "findings": [
        finding("f1", "pneumothorax", []),
        finding("f2", "effusion", [doubt("f2", "effusion")]),
        finding("f3", "heart", []),
    ],
    "doubts": [doubt("f9", "transition point")],
}


@pytest.fixture
def files(tmp_path):
    """A report, and views that `read --check` made of it."""
    reports, views = tmp_path / "reports.jsonl", tmp_path / "views.jsonl"
    reports.write_text(json.dumps({"id": "r1", "text": TEXT}) + "\n", "utf-8")
    views.write_text(json.dumps(LINE) + "\n", "utf-8")
    return reports, views


@pytest.fixture
def house(tmp_path, files):
    """A running study of checked views with one reader; store, address, number of the study."""
    store = open_store(f"sqlite:///{tmp_path / 'review.sqlite'}")
    reader = person(store, "reader")
    number = study(
        store, "lunguage", make_items("lunguage", Files(*files[:1], views=files[1])), (reader,), overlap=1
    )
    with running(store) as address:
        yield store, address, number, assignments(store, reader)[0].id


# ---- what the server says


@pytest.mark.parametrize("kind", ["lunguage", "clear", "radsem", "srrg", "longitudinal"])
def test_checked_suggestions_bring_their_doubts(files, kind, monkeypatch):
    def doubting(text, claim):
        said = (0.0, 1.0, 0.0) if "effusion" in claim else (1.0, 0.0, 0.0)
        return SimpleNamespace(verdict=Verdict(*said))

    monkeypatch.setattr("overread.reader.check.pair_answers", doubting)
    (item,) = make_items(kind, Files(files[0], check=True))
    found = shown_doubts(item.suggestion, sheet(kind).rows(item.content, item.suggestion))
    assert {one["words"] for one in found} == {"effusion"}
    if kind == "lunguage":
        (first, *_) = found
        rows = {row.id: row.values["entity"] for row in sheet(kind).rows(item.content, item.suggestion)}
        assert [rows[id] for id in first["rows"]] == ["effusion"]


def test_unchecked_suggestions_have_none(files):
    (item,) = make_items("lunguage", Files(files[0]))
    assert shown_doubts(item.suggestion, []) == []


@pytest.mark.parametrize(
    ("kind", "options", "reason"),
    [
        ("lunguage", {"blank": True}, "own suggestions"),
        ("timeline", {}, "readings of single reports"),
    ],
)
def test_what_cannot_be_checked_is_said(files, kind, options, reason):
    with pytest.raises(BadInput, match=reason):
        make_items(kind, Files(files[0], check=True, **options))


def test_views_with_other_doubts_are_refused(files):
    files[1].write_text(
        json.dumps({"id": "r1", "findings": [], "doubts": [{"about": "taste"}]}) + "\n", "utf-8"
    )
    with pytest.raises(BadInput, match="not as `overread read --check` writes them"):
        make_items("lunguage", Files(files[0], views=files[1]))


def test_a_correction_of_a_doubtful_row_is_stored_as_any_other(house):
    store, address, number, work = house
    reader = Browserless(address)
    reader.sign_in("reader")
    sent = reader.client.get(f"/api/work/{work}").json()
    assert [(one["words"], one["rows"]) for one in sent["doubts"]] == [
        ("effusion", ["f2"]),
        ("transition point", []),
    ]
    rows = sent["rows"]
    rows[1]["state"] = "rejected"
    body = {"version": sent["version"], "rows": rows, "seconds": 1}
    assert reader.send("POST", f"/api/work/{work}/submit", body).status_code == 200
    with store.reading() as session:
        (answer,) = answer_lines(session, session.get_one(Study, number))
    assert [f["entity"] for f in answer["line"]["findings"]] == ["pneumothorax", "heart"]
    assert "doubts" not in answer["line"]
    assert list(answer["changed"]["from"]) == ["f2"]


# ---- what the reader sees


@pytest.fixture(scope="module")
def browser():
    """One for the file."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with sync_api.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def desk(browser, house):
    _, address, _, work = house
    page = browser.new_page(
        viewport={"width": 1300, "height": 900}
    )  # a context of its own: nobody is signed in
    page.set_default_timeout(60_000)
    problems = []
    page.on("pageerror", lambda e: problems.append(str(e)))
    page.goto(f"{address}/login")
    page.fill("[name=login]", "reader")
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Your studies")
    page.goto(f"{address}/work/{work}")
    page.wait_for_selector("body[data-ready]")
    yield page
    if folder := os.environ.get("OVERREAD_SCREENSHOTS"):
        page.screenshot(path=str(Path(folder) / "review-doubts.png"))
    page.close()
    assert problems == []


def titles(page):
    return page.locator(".row .head b").all_inner_texts()


def saved(page):
    page.wait_for_function("() => document.getElementById('saved').textContent === 'Saved'")


def test_doubtful_rows_are_marked_and_come_first_when_asked(desk, house):
    assert titles(desk) == ["pneumothorax", "effusion", "heart"]
    badge = desk.locator('[data-row="f2"] .tag.doubtful')
    assert badge.inner_text() == "doubtful presence"
    assert "read: There is effusion." in badge.get_attribute("title")
    assert "held against the text: denied" in badge.get_attribute("title")
    assert desk.locator(".text .w.doubtful").all_inner_texts() == ["effusion", "transition", "point"]
    desk.click("#doubtful")
    assert titles(desk) == ["effusion", "pneumothorax", "heart"]
    assert desk.locator(".row.on .head b").inner_text() == "effusion"
    assert "denied (said .02, denied .97, open .01)" in desk.locator(".row.on .doubt").inner_text()
    desk.keyboard.press("x")  # struck out; the next row is the first that is not doubtful
    desk.keyboard.press("j")
    assert desk.locator(".row.on .head b").inner_text() == "pneumothorax"
    saved(desk)
    desk.reload()
    desk.wait_for_selector("body[data-ready]")
    assert titles(desk) == ["effusion", "pneumothorax", "heart"]
    desk.keyboard.press("d")
    assert titles(desk) == ["pneumothorax", "effusion", "heart"]
    store, _, _, work = house
    (one,) = [a for a in assignments(store, 1) if a.id == work]
    assert [(row["id"], row.get("state")) for row in one.answer][1] == ("f2", "rejected")


def test_words_without_a_row_can_be_made_one(desk):
    loose = desk.locator("#loose .loose")
    assert desk.locator("#loose summary").inner_text() == "Doubtful words without a row: 1"
    assert not loose.first.is_visible()
    desk.click("#loose summary")
    assert [text.split("\n")[0] for text in loose.all_inner_texts()] == [
        "doubtful presence “transition point”"
    ]
    loose.first.locator("button").click()
    assert desk.locator("#selection q").inner_text() == "transition point"
    desk.keyboard.press("a")
    assert "transition point" in titles(desk)
    saved(desk)


def test_accepting_goes_through_the_rows_as_they_are_shown(desk):
    desk.click("#doubtful")
    for expected in ("effusion", "pneumothorax", "heart"):
        assert desk.locator(".row.on .head b").inner_text() == expected
        desk.keyboard.press("Enter")
    assert desk.evaluate("document.activeElement.id") == "submit"
