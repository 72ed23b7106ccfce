"""The documentation as a site: every page is built without a network and fetches nothing; made pages are as made."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest

import overread

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
BIN = Path(sys.executable).parent


class Resources(HTMLParser):
    """What a page would fetch."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        own = dict(attrs)
        if tag in ("script", "img", "iframe", "source"):
            self.found.append(own.get("src") or "")
        if tag == "link" and own.get("rel") in ("stylesheet", "preconnect", "preload", "icon"):
            self.found.append(own.get("href") or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Built with every way out closed: proxies that lead nowhere."""
    zensical = shutil.which("zensical", path=str(BIN))
    if zensical is None:
        pytest.skip("zensical is not installed (extra `site`)")
    place = tmp_path_factory.mktemp("site")
    shutil.copytree(DOCS, place / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "mkdocs.yml", place)
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    done = subprocess.run(
        [zensical, "build", "--strict", "-f", "mkdocs.yml"], cwd=place, capture_output=True, text=True,
        env={**os.environ, **nowhere, "NO_COLOR": "1"}, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return place / "site"


def test_every_page_is_built_and_fetches_nothing(site):
    for page in PAGES:
        built = site / page.relative_to(DOCS).with_suffix(".html")
        assert built.exists(), built
        away = [
            found for found in Resources(built.read_text("utf-8")).found if re.match(r"(https?:)?//", found)
        ]
        assert not away, (built.name, away)


def test_pictures_and_search_are_there(site):
    assert {path.name for path in (site / "pictures").glob("*.png")} == {
        f"{view}{scheme}.png"
        for view in ("overview", "findings", "cases", "patients", "review")
        for scheme in ("", "-dark")
    }
    assert "pneumothorax" in (site / "search.json").read_text("utf-8")


@pytest.mark.parametrize(
    "query",
    [  # a student who trains a generator; a radiologist; a reviewer of methods and a data engineer
        "confidence interval", "multiple references", "huggingface", "hallucination", "checkpoint comparison",
        "RadCliQ", "GRPO", "ground truth", "laterality", "false positive", "omission", "limitations", "anonymise",
        "PACS", "inter-rater agreement", "Spanish", "multiple comparisons", "reproducibility",
        "sensitivity specificity", "data leakage", "docker", "how to cite bibtex", "subgroup", "images beside",
        "SNOMED",
    ],
)  # fmt: skip
def test_search_finds_the_words_of_the_field(site, query):
    """Every word begins a word of one section."""
    sections = json.loads((site / "search.json").read_text("utf-8"))["items"]
    known = [set(re.findall(r"\w+", f"{one['title']} {one['text']}".lower())) for one in sections]
    asked = query.lower().replace("-", " ").split()
    assert any(all(any(w.startswith(a) for w in words) for a in asked) for words in known)


def made_by(script):
    with redirect_stdout(StringIO()) as told:
        runpy.run_path(str(DOCS / script), run_name="__main__")
    return told.getvalue()


def test_metric_cards_are_the_pages_own():
    assert (DOCS / "metrics.md").read_text("utf-8") == made_by("make_metric_cards.py"), "run `make docs`"


def test_the_api_reference_is_the_code_s_own():
    text = (DOCS / "api.md").read_text("utf-8")
    assert text == made_by("make_api.py"), "run `make docs`"
    assert [name for name in overread.PLACES if f"## overread.{name}\n" not in text] == []


def test_llms_txt_lists_every_page():
    text = (DOCS / "llms.txt").read_text("utf-8")
    assert text == made_by("make_llms_txt.py"), "run `make docs`"
    assert [page for page in PAGES if f"({page.relative_to(DOCS).as_posix()})" not in text] == []
