"""The page at three widths, light and dark, and the leaderboard as the documentation shows it."""

import shutil
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from overread.bench.page import chart, free
from overread.bench.run import Bench
from overread.bench.tables import comparable, leaderboard, submissions
from overread.errors import BadInput

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def page(bench, kept):
    """Made by the first test that looks at it."""
    if not (made := kept / "bench.html").exists():
        done = bench("--sample", 6, "-m", "overread,rouge-l,bleu-4,cider", "--reader", "overread", into=kept)
        assert done.exit_code == 0, done.output
    return made


class Ids(HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids, self.links = set(), set()

    def handle_starttag(self, tag, attributes):
        told = dict(attributes)
        self.ids.add(told.get("id"))
        self.links |= {told["href"]} if tag == "a" else set()


def test_the_page_is_whole_and_fits_every_width(page):
    found = Ids()
    found.feed(page.read_text())
    assert found.links
    assert {link.removeprefix("#") for link in found.links} <= found.ids
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            view, problems = browser.new_page(color_scheme=scheme), []
            view.on("console", lambda message, told=problems: told.append(message.text))
            view.on("pageerror", lambda error, told=problems: told.append(str(error)))
            view.on("request", lambda r, told=problems: told.append(r.url) if fetched(r.url) else None)
            for width in (390, 820, 1400):
                view.set_viewport_size({"width": width, "height": 900})
                looks_right(view, page, width, scheme)
            assert problems == []
        browser.close()


def fetched(url):
    return not url.startswith(("file:", "data:"))


def looks_right(view, path, width, scheme):
    """Nothing stands out at the side, and the scheme is followed."""
    view.goto(path.as_uri())
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    dark = view.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(16, 19, 26)"
    assert dark == (scheme == "dark")
    view.click("#theme")
    view.click("#theme")
    assert view.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(16, 19, 26)"


def test_labels_of_the_chart_never_cover_each_other(page):
    found = msgspec.json.decode((page.parent / "bench.json").read_bytes(), type=Bench).metrics.standings
    points = chart(found * 5)["points"]
    for side in (True, False):
        heights = sorted(p["label"] for p in points if p["turned"] == side)
        assert all(two - one >= 12.9 for one, two in pairwise(heights))
    assert free(10.0, []) == 10.0


def test_the_documentation_shows_what_was_sent():
    """`make site` draws both from bench/results/."""
    pages = [ROOT / "docs" / name for name in ("leaderboard.md", "which-metric.md")]
    before = [page.read_text("utf-8") for page in pages]
    try:
        subprocess.run([sys.executable, ROOT / "docs" / "make_leaderboard.py"], check=True)
        assert [page.read_text("utf-8") for page in pages] == before
    finally:
        for page, text in zip(pages, before, strict=True):
            page.write_text(text, "utf-8")
    assert "| RadSEM |" in before[0]
    assert "| RadSEM |" in before[1]


def test_only_whole_benches_of_the_same_sets_are_compared(bench, tmp_path):
    folder = tmp_path / "out" / "submissions"
    bench("--set", "rankings", "-m", "rouge-l,bleu-4")
    sampled = tmp_path / "sampled" / "submissions"
    bench("--set", "rankings", "--sample", 1, "-m", "cider", into="sampled")
    shutil.copy(sampled / "cider.json", folder)
    assert {one.name for one in comparable(list(submissions(folder)))} == {"ROUGE-L", "BLEU-4"}
    text = leaderboard(folder)
    assert "Not comparable with the table above: CIDEr" in text


def test_a_leaderboard_without_submissions_says_so(tmp_path):
    assert "Nothing has been sent yet." in leaderboard(tmp_path)


def test_a_file_that_is_no_submission_is_an_error(tmp_path):
    (tmp_path / "mine.json").write_text('{"name": "Mine"}')
    with pytest.raises(BadInput, match=r"mine\.json is no submission"):
        list(submissions(tmp_path))
