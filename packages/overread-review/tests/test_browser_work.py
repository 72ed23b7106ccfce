"""Real Chromium: each kind of work from invitation to gold, by keyboard alone and by mouse, wide and narrow."""

import csv
import json
import os
import re
import shutil
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest

from house import PASSWORD, person, running, study
from overread_review.exports.catalogue import export
from overread_review.store.tables import Study
from overread_review.work.items import Files, make_items

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
WIDTHS = (1400, 400)
SHEETS = {"ranking": "compare"}
"""Three systems are ranked where two are compared."""

TEXTS = {
    "p1-1": "FINDINGS: Small left pleural effusion. No pneumothorax.\nIMPRESSION: Left effusion.",
    "p1-2": "FINDINGS: The left pleural effusion has increased. Mild edema.\nIMPRESSION: Larger effusion.",
}

SLICE = "# a\nF Small left effusion.\n- effusion + #e ; loc=left ; sev=Small\nF No pneumothorax.\n- pneumothorax -\n"


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as driver:
        yield driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)


@pytest.fixture(scope="module")
def items(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    rows = [
        {"id": id, "patient": "p1", "study": id[-1], "day": 3 * n, "text": text}
        for n, (id, text) in enumerate(TEXTS.items())
    ]
    for name in ("references", "ours", "theirs", "another"):
        told = [
            {**row, "text": row["text"].replace("left", "right") if name == "ours" else row["text"]}
            for row in rows
        ]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in told))
    paths = {name: folder / f"{name}.jsonl" for name in ("references", "ours", "theirs", "another")}
    reports, both = paths["references"], (paths["ours"], paths["theirs"])
    files = {
        "pairs": Files(reports, both[:1]), "compare": Files(reports, both),
        "judge": Files(reports, both[:1], metrics=("bleu-4",)),
        "ranking": Files(reports, (*both, paths["another"])), "notation": Files(folder / "slice.txt"),
    }  # fmt: skip
    (folder / "slice.txt").write_text(SLICE)
    made = {}

    def of(kind):
        if kind not in made:
            made[kind] = make_items(SHEETS.get(kind, kind), files.get(kind, Files(reports)))[:1]
        return made[kind]

    return of


class Desk:
    """A person at a browser."""

    def __init__(self, browser, address, width, problems):
        self.context = browser.new_context(viewport={"width": width, "height": 900})
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)  # a loaded machine is no defect
        self.address, self.width = address, width
        self.page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda e: problems.append(str(e)))
        self.page.on("request", lambda r: None if r.url.startswith(address) else problems.append(r.url))

    def leave(self):
        """Leave the page, so that it asks nothing more; closing a window can hang, so the browser's end does that."""
        with suppress(sync_api.Error):  # the page may be on its way elsewhere
            self.page.goto("about:blank", wait_until="commit", timeout=5_000)

    def join(self, link, login):
        """Take an invitation up with the keyboard."""
        self.page.goto(link)
        self.page.wait_for_selector("[name=login]:focus")
        for text in (login, login.title(), PASSWORD):
            self.page.keyboard.type(text)
            self.page.keyboard.press("Tab")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("text=Your studies")

    def sign_in(self, login):
        self.page.goto(f"{self.address}/login")
        self.page.wait_for_selector("[name=login]:focus")
        self.page.keyboard.type(login)
        self.page.keyboard.press("Tab")
        self.page.keyboard.type(PASSWORD)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("text=Your studies")

    def open(self, path):
        self.page.goto(self.address + path)
        self.page.wait_for_selector("body[data-ready]")

    def keys(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def row(self, title):
        """Go to a row with k and j, as a reader would."""
        self.keys(*["k"] * self.page.locator(".row").count())
        for _ in range(self.page.locator(".row").count()):
            if title in self.page.locator(".row.on .head b").inner_text():
                return
            self.keys("j")
        raise AssertionError(f"no row {title}")

    def field(self, name):
        for _ in range(30):
            if self.page.locator(".row.on .field.on").get_attribute("data-field") == name:
                return
            self.keys("l")
        raise AssertionError(f"no field {name}")

    def type(self, text):
        """Into the field one stands on."""
        self.keys("e")
        self.page.keyboard.type(text)
        self.keys("Enter")

    def select_words(self, *words, part=0):
        """By keyboard: into the text, along to the first word, widen to the last."""
        self.keys("w")
        for _ in range(part):
            self.keys("Tab")
        shown = self.page.locator(f'.text[data-part="{part}"] .w').all_inner_texts()
        at = next(n for n in range(len(shown)) if shown[n : n + len(words)] == list(words))
        self.keys(*["ArrowRight"] * at, *["Shift+ArrowRight"] * (len(words) - 1))
        assert self.page.locator("#selection q").inner_text() == " ".join(words)

    def drag_words(self, *words, part=0):
        """By mouse, from the first word to the last."""
        shown = self.page.locator(f'.text[data-part="{part}"] .w')
        texts = shown.all_inner_texts()
        at = next(n for n in range(len(texts)) if texts[n : n + len(words)] == list(words))
        first, last = shown.nth(at), shown.nth(at + len(words) - 1)
        first.scroll_into_view_if_needed()
        start, end = first.bounding_box(), last.bounding_box()
        self.page.mouse.move(start["x"] + 1, start["y"] + start["height"] / 2)
        self.page.mouse.down()
        self.page.mouse.move(end["x"] + end["width"] - 1, end["y"] + end["height"] / 2, steps=5)
        self.page.mouse.up()
        self.page.wait_for_function("() => !document.getElementById('selection').hidden")
        assert self.page.locator("#selection q").inner_text() == " ".join(words)

    def saved(self):
        self.page.wait_for_function("() => document.getElementById('saved').textContent === 'Saved'")

    def hand_in_by_keys(self):
        for _ in range(80):
            if self.page.evaluate("document.activeElement.id") == "submit":
                break
            self.keys("Enter")
        with self.page.expect_response(
            lambda r: r.url.endswith("/submit") and r.request.method == "POST"
        ) as told:
            self.keys("Enter")
        assert told.value.status == 200, told.value.text()

    def hand_in_by_mouse(self):
        with self.page.expect_response(
            lambda r: r.url.endswith("/submit") and r.request.method == "POST"
        ) as told:
            self.page.click("#submit")
        assert told.value.status == 200, told.value.text()

    def shoot(self, name):
        folder = os.environ.get("OVERREAD_SCREENSHOTS")
        if folder:
            self.page.screenshot(path=str(Path(folder) / f"{name}-{self.width}.png"))
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= self.width, f"{name} is {wide} px wide in {self.width}"


# ---- what the first reader does with the keyboard, what the second does with the mouse, and what must come out
def clear_keys(desk):
    desk.row("Edema")
    desk.keys("1")
    desk.field("severity")
    desk.keys("2")
    desk.field("location")
    desk.select_words("left", "pleural")
    desk.keys("e")
    desk.keys("u")  # undone: no location after all
    assert desk.page.locator(".row.on .chip").count() == 0


def clear_mouse(desk):
    desk.page.click(".row:has(b:text-is('Edema'))")
    desk.page.click(".row.on [data-field=level] button:has-text('confidently present')")
    desk.page.click(".row.on [data-field=severity] button:has-text('mild')")
    desk.page.click(".row.on .accept")


def lunguage_keys(desk):
    desk.select_words("Left", "effusion")
    desk.keys("a")
    desk.field("location")
    desk.select_words("Left")
    desk.keys("e")
    desk.row("pneumothorax")
    desk.keys("x")


def lunguage_mouse(desk):
    desk.drag_words("IMPRESSION")
    desk.page.click("#selection .add")
    desk.page.click(".row.on [data-field=status] button:has-text('negative')")
    desk.page.select_option(".row.on [data-field=evidence] select", index=1)


def timeline_keys(desk):
    desk.row("pneumothorax")
    desk.field("entity_group")
    desk.type("air in the pleura")
    desk.field("temporal_group")
    desk.keys("2")


def timeline_mouse(desk):
    desk.drag_words("Mild", part=1)
    desk.page.click("#selection .add")
    desk.page.fill(".row.on [data-field=entity_group] input", "edema again")
    desk.page.click(".row.on [data-field=temporal_group] button:has-text('1')")


def radsem_keys(desk):
    desk.keys("2")
    desk.field("normality")
    desk.keys("2")
    desk.select_words("Left", "effusion")
    desk.keys("a")


def radsem_mouse(desk):
    desk.page.click(".row:nth-child(2)")
    desk.page.click(".row.on .strike")


def pairs_keys(desk):
    desk.keys("x")
    for _ in range(30):
        if desk.page.locator(".row.on .tag", has_text="Reference sentence").count():
            break
        desk.keys("j")
    desk.keys("a")
    desk.keys("e", "ArrowDown", "ArrowDown", "Enter")
    desk.field("anatomical_relationship")
    desk.keys("2", "l", "1")
    desk.field("details_of_abnormality_relationship")
    desk.keys("2")


def pairs_mouse(desk):
    desk.page.click(".row:nth-child(1)")
    desk.page.click(".row.on [data-field=anatomical_relationship] button:has-text('part-whole')")


def srrg_keys(desk):
    desk.row("effusion")
    desk.field("labels")
    desk.type("Edema")
    desk.select_words("Left", "effusion")
    desk.keys("A")
    desk.keys("Shift+K")


def srrg_mouse(desk):
    desk.page.click(".row:nth-child(2)")
    desk.page.click(".row.on [data-field=header] button:has-text('Abdominal')")
    desk.page.click(".row.on .chip button")


def longitudinal_keys(desk):
    desk.row("effusion")
    desk.keys("1")
    desk.field("items")
    desk.type("pleural effusion")


def longitudinal_mouse(desk):
    desk.page.click(".row.on [data-field=longitudinal] button:has-text('yes')")
    desk.page.fill(".row.on .picker input", "pleural effusion")
    desk.page.select_option(".row.on .picker select", "worsened")
    desk.page.click(".row.on .picker button")


def notation_keys(desk):
    desk.row("No pneumothorax")
    desk.keys("e", "Enter")
    desk.page.keyboard.type("- edema -")
    desk.page.wait_for_selector(".row.on .complaints li:has-text('does not stand in the sentence')")
    assert desk.page.locator("#saved.bad").inner_text() == "Saved; complaints: 1"
    assert desk.page.evaluate("document.activeElement.tagName") == "TEXTAREA"  # typing goes on
    desk.keys(*["Backspace"] * len("\n- edema -"))
    desk.saved()
    assert desk.page.locator(".complaints li").count() == 0
    desk.keys("Escape")
    desk.row("Small left effusion")
    desk.keys("e", "End")
    desk.page.keyboard.type(" ; no=left")
    desk.keys("Escape", "u")  # undone
    assert desk.page.input_value(".row.on textarea").endswith("sev=Small")
    desk.select_words("Small", "left")
    desk.keys("e")
    assert desk.page.input_value(".row.on textarea").endswith("\n- Small left +")
    desk.keys("u")
    desk.row("No pneumothorax")
    desk.keys("e")
    desk.page.keyboard.type(" ; no=No")
    desk.keys("Escape")


def notation_mouse(desk):
    desk.page.click(".row:has(b:text-is('F Small left effusion.'))")
    desk.page.fill(".row.on textarea", "- effusion + #e ; loc=left")
    desk.page.click(".row.on .help summary")
    assert "loc=location" in desk.page.locator(".row.on .help pre").inner_text()


def judge_keys(desk):
    desk.select_words("right", "pleural", part=1)
    desk.keys("3")
    desk.select_words("No", part=1)
    desk.keys("Shift+1")
    assert desk.page.locator(".counters kbd").count() == 0, "a key is shown where pressing it does something"
    desk.keys("g")
    assert desk.page.locator(".counters kbd").count() > 6
    desk.keys("2")
    assert desk.page.locator("[data-count='2/significant']").inner_text() == "1", "counted without words"
    desk.keys("u")
    desk.row("Overall")
    desk.keys("2")
    assert desk.page.locator("#metrics").count() == 0  # hidden until submitted


def judge_mouse(desk):
    desk.drag_words("right", "pleural", part=1)
    desk.page.click("[data-count='3/significant']")
    desk.page.click(".row:has(b:text-is('Overall'))")
    desk.page.click(".row.on [data-field=rating] button:has-text('4')")


def compare_keys(desk):
    desk.keys("2")


def compare_mouse(desk):
    desk.page.click(".row.on [data-field=better] button:has-text('B')")


def ranking_keys(desk):
    for place in "132":
        desk.field("rank")
        desk.keys(place, "Enter")


def ranking_mouse(desk):
    for row, place in enumerate("122", 1):  # two of them tied
        desk.page.click(f".row:nth-child({row})")
        desk.page.click(f".row.on [data-field=rank] button:has-text('{place}')")


WORK = {
    "clear": (clear_keys, clear_mouse), "lunguage": (lunguage_keys, lunguage_mouse),
    "timeline": (timeline_keys, timeline_mouse), "radsem": (radsem_keys, radsem_mouse),
    "pairs": (pairs_keys, pairs_mouse), "srrg": (srrg_keys, srrg_mouse),
    "longitudinal": (longitudinal_keys, longitudinal_mouse), "notation": (notation_keys, notation_mouse),
    "judge": (judge_keys, judge_mouse),
    "compare": (compare_keys, compare_mouse), "ranking": (ranking_keys, ranking_mouse),
}  # fmt: skip


def invitation(curator, number, role="reader"):
    curator.page.goto(f"{curator.address}/studies/{number}")
    curator.page.click("text=Make a link")
    return curator.page.input_value("input.link")


def gold(store, number, name):
    with store.reading() as session:
        found = session.get_one(Study, number)
        return export(found, name, True).content(session, found).decode()


ALWAYS = {("compare", 1400), ("judge", 400), ("notation", 1400)}
"""One with a mouse and a keyboard, one on a telephone; every kind at every width with -m slow."""

RUNS = [
    pytest.param(
        kind,
        width,
        marks=[] if (kind, width) in ALWAYS else [pytest.mark.slow],
        id=f"{kind}-{width}",
    )
    for kind in WORK
    for width in WIDTHS
]


@pytest.mark.parametrize(("kind", "width"), RUNS)
def test_from_invitation_to_gold(kind, width, browser, items, sqlite_store):
    problems = []
    person(sqlite_store, "cora", admin=True)
    number = study(sqlite_store, SHEETS.get(kind, kind), items(kind))
    by_keys, by_mouse = WORK[kind]
    with running(sqlite_store) as address:
        curator = Desk(browser, address, width, problems)
        curator.sign_in("cora")
        first, second = (Desk(browser, address, width, problems) for _ in range(2))
        first.join(invitation(curator, number), "ada")
        second.join(invitation(curator, number), "ben")

        first.open(f"/studies/{number}/next")
        by_keys(first)
        first.saved()
        first.shoot(f"{kind}-keys")
        kept = first.page.locator(".rows .row").all_inner_texts()
        first.page.reload()
        first.page.wait_for_selector("body[data-ready]")
        assert len(first.page.locator(".rows .row").all()) == len(kept)  # autosaved
        first.hand_in_by_keys()

        second.open(f"/studies/{number}/next")
        by_mouse(second)
        second.saved()
        second.shoot(f"{kind}-mouse")
        second.hand_in_by_mouse()

        if kind == "judge":
            judged(second, problems)
        elif kind not in ("compare", "ranking"):
            decided(curator, number, kind)
        check_gold(kind, sqlite_store, number)
        for one in (curator, first, second):
            one.leave()
    assert problems == []


def judged(desk, problems):
    """The metric's verdict is there now, and can be judged."""
    desk.page.wait_for_selector("#metrics")
    assert "bleu-4" in desk.page.locator("#metrics").inner_text()
    desk.keys("2")
    desk.page.wait_for_function("() => document.getElementById('saved').textContent === 'Opinion kept'")
    desk.shoot("judge-verdict")


def decided(curator, number, kind):
    curator.page.goto(f"{curator.address}/studies/{number}")
    curator.page.click(".items a.button:has-text('Decide')")
    curator.page.wait_for_selector("body[data-ready]")
    assert "Ada" not in curator.page.locator("main").inner_text()
    assert curator.page.locator(".tag.differ").count()
    for _ in range(80):  # take the first reader's row wherever they differ
        if curator.page.evaluate("document.activeElement.id") == "submit":
            break
        if curator.page.locator(".row.on .tag.differ").count():
            curator.keys("Shift+1")
        curator.keys("Enter")
    curator.saved()
    curator.shoot(f"{kind}-decide")
    with curator.page.expect_response(lambda r: r.url.endswith("/submit")) as told:
        curator.keys("Enter")
    assert told.value.status == 200, told.value.text()
    found = curator.context.request.get(told.value.url.removesuffix("/submit")).json()
    assert set(found["readers"]) == {"Ada", "Ben"}  # names, now that it is decided
    differing = [
        row
        for row in found["rows"]
        if stands(found["votes"][row["id"]][0]) != stands(found["votes"][row["id"]][1])
    ]
    for row in differing:
        assert stands(row) == stands(found["votes"][row["id"]][0])  # as the reader who was taken had it
    assert differing or kind not in ("lunguage", "timeline", "radsem")


def stands(row):
    return row is not None and row.get("state") != "rejected"


NOTED = (("- pneumothorax -", "- pneumothorax - ; no=No"), (" ; sev=Small", ""))
"""What the first and the second reader changed; whose rows a curator sees first is drawn."""


def check_gold(kind, store, number):
    if kind == "judge":
        table = gold(store, number, "errors.csv")
        assert table.count(",3,True,1") == 2
        assert table.count(",1,False,1") == 1
    elif kind == "compare":
        assert (
            len(re.findall(r",1\.5,", gold(store, number, "preferences.csv"))) == 2
        )  # the first reader's tie
    elif kind == "ranking":
        rows = csv.DictReader(StringIO(gold(store, number, "preferences.csv")))
        assert sorted(float(row["place"]) for row in rows) == [1, 1, 2, 2, 2, 3]
    elif kind == "notation":
        with store.reading() as session:
            found = session.get_one(Study, number)
            told = export(found, "notation.zip", True).written(session, found)["notation/slice.txt"].decode()
        assert told in {SLICE.replace(one, other) for one, other in NOTED}
    else:
        assert len(gold(store, number, "gold.jsonl").splitlines()) == 1


def test_two_tabs_and_nothing_is_lost(browser, items, sqlite_store):
    problems = []
    reader = person(sqlite_store, "ada")
    number = study(sqlite_store, "clear", items("clear"), [reader], overlap=1)
    with running(sqlite_store) as address:
        desk = Desk(browser, address, 1400, [])
        desk.sign_in("ada")
        desk.open(f"/studies/{number}/next")
        other = desk.context.new_page()
        other.goto(desk.page.url)
        other.wait_for_selector("body[data-ready]")
        desk.row("Edema")
        desk.keys("1")
        desk.saved()
        other.keyboard.press("2")
        other.wait_for_selector("#keep-mine")
        assert "elsewhere" in other.locator("#notice").inner_text()
        other.click("#keep-mine")
        other.wait_for_function("() => document.getElementById('saved').textContent === 'Saved'")
        desk.leave()
    assert problems == []
    told = gold(store=sqlite_store, number=number, name="audit.jsonl")
    assert '"action":"refused"' in told


def test_the_server_goes_away_and_comes_back(browser, items, sqlite_store):
    reader = person(sqlite_store, "ada")
    number = study(sqlite_store, "clear", items("clear"), [reader], overlap=1)
    with running(sqlite_store) as address:
        desk = Desk(browser, address, 1400, [])
        desk.sign_in("ada")
        desk.open(f"/studies/{number}/next")
        desk.context.set_offline(True)
        desk.row("Edema")
        desk.keys("1")
        desk.page.wait_for_selector("#saved.bad")
        assert "Trying again" in desk.page.locator("#saved").inner_text()
        desk.context.set_offline(False)
        desk.saved()
        desk.page.reload()
        desk.page.wait_for_selector("body[data-ready]")
        assert "confidently present" in desk.page.locator(".row:has(b:text-is('Edema'))").inner_text()
        desk.leave()


def test_curators_and_administrators_see_their_pages(browser, items, sqlite_store):
    problems = []
    admin = person(sqlite_store, "cora", admin=True)
    readers = [person(sqlite_store, name) for name in ("ada", "ben")]
    number = study(sqlite_store, "lunguage", items("lunguage"), readers, [admin])
    with running(sqlite_store) as address:
        for width in WIDTHS:
            desk = Desk(browser, address, width, problems)
            desk.sign_in("cora")
            for name, path in {
                "home": "/", "study": f"/studies/{number}", "agreement": f"/studies/{number}/agreement",
                "exports": f"/studies/{number}/exports", "admin": "/admin", "audit": f"/studies/{number}/audit",
                "instructions": f"/studies/{number}/instructions", "me": "/me",
            }.items():  # fmt: skip
                desk.page.goto(address + path)
                desk.shoot(f"page-{name}")
            desk.leave()
    assert problems == []
