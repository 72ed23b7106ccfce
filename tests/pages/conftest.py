"""A finished run of the bundled example, small and made once, and its page; a browser to look at it with."""

import os
import shutil
from fcntl import LOCK_EX, flock

import pytest

from overread import examples
from overread.pages.build import write_page
from overread.runner.results.summary import Draws
from overread.runner.run.folder import PAGE
from overread.runner.run.job import Job
from overread.runner.run.run import run
from overread.runner.settings import Settings
from overread.sources import load_source

METRICS = (
    "overread", "lunguage", "radsem", "clear", "f1-srr-statuses", "longitudinal", "lunguage-sequential", "bleu-4",
    "rouge-l",
)  # fmt: skip
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LOCAL = ("file:", "data:", "blob:")


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """The folder of the run, page included: made once, whichever process of the test run comes first."""
    root = tmp_path_factory.getbasetemp()
    root = root.parent if "PYTEST_XDIST_WORKER" in os.environ else root
    with (root / "example.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not (root / "example" / PAGE).exists():
            make_example(root / "example")
    return root / "example"


def make_example(place):
    with examples.folder() as folder:
        systems = {name: load_source(folder / f"{name}.jsonl") for name in examples.SYSTEMS}
        job = Job(
            load_source(folder / examples.REFERENCES),
            systems,
            Settings(METRICS),
            draws=Draws(resamples=50, shuffles=200),
        )
        run(job, place)
    write_page(place)


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


@pytest.fixture(scope="module")
def window(browser):
    """One window for all tests of a file, with what went wrong in it: opening a page costs more than most tests do."""
    context = browser.new_context(viewport={"width": 1400, "height": 900}, accept_downloads=True)
    context.set_default_timeout(60_000)  # a busy machine is no defect
    page, problems = context.new_page(), []
    page.on("console", lambda m: problems.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda e: problems.append(str(e)))
    page.on("request", lambda r: None if r.url.startswith(LOCAL) else problems.append(r.url))
    yield page, problems
    context.close()


@pytest.fixture
def visit(window):
    """Show a page at a size and in a scheme; at the end nothing may have gone wrong or been asked of the network.

    The page that is open already only changes its address, which holds its whole state; `fresh` loads it anew.
    """
    page, problems = window
    problems.clear()

    def make(path, anchor="#tab=overview", width=1400, height=900, scheme="light", fresh=False):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        if fresh:
            page.goto("about:blank")
        page.goto(path.as_uri() + anchor)
        page.wait_for_selector("html.live")
        page.mouse.move(0, 0)
        return page

    yield make
    assert problems == []


@pytest.fixture
def page(visit, finished):
    """The page of the example, on its first tab."""
    page = visit(finished / PAGE)
    page.wait_for_selector("#overview", state="visible")
    return page


@pytest.fixture
def cases(visit, finished):
    """The same on the tab of cases."""
    page = visit(finished / PAGE, "#tab=cases")
    page.wait_for_selector("#case h2")
    return page


@pytest.fixture(scope="session")
def showing():
    """Wait until a case is shown."""
    return lambda page, id: page.wait_for_function(
        f"() => document.querySelector('#case h2')?.textContent.startsWith('{id}')"
    )


@pytest.fixture(scope="session")
def counted():
    """How many cases the list holds."""
    return lambda page: int(page.locator("#count").inner_text().split()[0].replace(",", ""))
