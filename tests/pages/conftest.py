"""A finished run of the bundled example, small and made once, and its page; a browser to look at it with."""

import shutil

import pytest

from overread import examples
from overread.pages.build import write_page
from overread.runner.job import Job
from overread.runner.run import run
from overread.runner.summary import Draws
from overread.sources import load

METRICS = (
    "overread", "lunguage", "radsem", "clear", "f1-srr", "longitudinal", "lunguage-sequential", "bleu-4", "rouge-l",
)  # fmt: skip
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LOCAL = ("file:", "data:", "blob:")


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """The folder of the run, page included."""
    place = tmp_path_factory.mktemp("example")
    with examples.folder() as folder:
        systems = {name: load(folder / f"{name}.jsonl") for name in examples.SYSTEMS}
        job = Job(
            load(folder / examples.REFERENCES), systems, METRICS, draws=Draws(resamples=50, shuffles=200)
        )
        run(job, place)
    write_page(place)
    return place


@pytest.fixture(scope="module")
def browser():
    """One per file: while a driver runs, no other test of the process can start an event loop."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with sync_api.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def visit(browser):
    """Open a page; at the end nothing may have gone wrong and nothing may have been asked of the network."""
    problems = []
    contexts = []

    def make(path, anchor="", width=1400, height=900, scheme="light"):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, accept_downloads=True
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: problems.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda e: problems.append(str(e)))
        page.on("request", lambda r: None if r.url.startswith(LOCAL) else problems.append(r.url))
        page.goto(path.as_uri() + anchor)
        page.wait_for_selector("html.live")
        return page

    yield make
    for context in contexts:
        context.close()
    assert problems == []
