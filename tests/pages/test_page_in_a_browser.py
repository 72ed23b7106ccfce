"""The page in real Chromium: it opens fast, filters, sorts, drills down, follows a patient; no error on the console."""

import shutil
import time

import pytest

from overread.runner.folder import PAGE, Results

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

LOCAL = ("file:", "data:", "blob:")


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def visit(browser):
    """Open a page; at the end nothing may have gone wrong and nothing may have been asked of the network."""
    problems = []
    contexts = []

    def make(path, width=1360, height=900, scheme="light", anchor=""):
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: problems.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda e: problems.append(str(e)))
        page.on("request", lambda r: None if r.url.startswith(LOCAL) else problems.append(r.url))
        page.goto(path.as_uri() + anchor)
        page.wait_for_selector("#case h3")
        return page

    yield make
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture
def page(visit, finished):
    return visit(finished / PAGE)


def values(page):
    return [float(text) for text in page.locator("#list .val").all_inner_texts() if text != "–"]


def test_worst_first_then_best_first(page):
    found = values(page)
    assert found == sorted(found)
    page.locator("#best-first").check()
    found = values(page)
    assert found == sorted(found, reverse=True)


def test_sort_by_a_metric_and_one_system(page):
    page.locator("#by-metric").select_option("radsem")
    page.locator("#by-system").select_option("steady")
    found = values(page)
    assert len(found) == 44
    assert found == sorted(found)


def test_filters(page, finished):
    page.locator("#find").fill("p03")
    assert page.locator("#count").inner_text() == "8 cases"
    page.locator("#find").fill("")
    page.locator("#by-note").select_option("odd")
    ids = page.locator("#list .id").all_inner_texts()
    assert sorted(ids) == ["P06-2", "P08-3"]
    page.locator("#by-note").select_option("undefined")
    page.locator("#by-metric").select_option("longitudinal")
    (ranking,) = [m for m in Results(finished).summary.metrics if m.name == "longitudinal"]
    undefined = sum(one.undefined for one in ranking.systems.values())
    assert page.locator("#count").inner_text() == f"{undefined} cases"


def test_one_report_in_full(page):
    page.locator("#find").fill("P01-2")
    page.locator("#by-system").select_option("hasty")
    page.locator("#list button").first.click()
    page.wait_for_function("document.querySelector('#case h3').textContent.startsWith('P01-2')")
    for lens, title in (
        ("LUNGUAGE", "Pairs"),
        ("RadSEM", "Links"),
        ("CLEAR", "Conditions"),
        ("F1-SRR", "Disease labels by header"),
        ("Longitudinal", "Trends"),
    ):
        page.locator(".lenses").get_by_role("tab", name=lens).click()
        page.wait_for_selector(f"#case caption:has-text('{title}')")
        assert page.locator("#case mark").count() > 0
    assert "wrong trend" in page.locator("#case .told").inner_text()


def test_pointing_at_words_shows_their_counterpart(page):
    page.locator("#find").fill("P09-1")
    page.locator("#list button").first.click()
    page.wait_for_function("document.querySelector('#case h3').textContent.startsWith('P09-1')")
    page.locator("#case mark.matched").first.hover()
    assert page.locator("#case mark.lit").count() >= 2
    assert page.locator("#case tr.lit").count() == 1


def test_arrow_keys_go_from_case_to_case(page):
    first, second = page.locator("#list .id").all_inner_texts()[:2]
    page.wait_for_function(f"document.querySelector('#case h3').textContent.startsWith('{first}')")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"document.querySelector('#case h3').textContent.startsWith('{second}')")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"document.querySelector('#case h3').textContent.startsWith('{first}')")


def test_an_address_leads_to_a_case(visit, finished):
    page = visit(finished / PAGE, anchor="#case=P11-1&system=hasty")
    page.wait_for_function("document.querySelector('#case h3').textContent.startsWith('P11-1')")
    assert page.get_by_role("tab", name="hasty").get_attribute("aria-selected") == "true"


def test_a_patient_over_days(page):
    page.locator("#patient").select_option("P10")
    page.locator("#patient-system").select_option("hasty")
    page.wait_for_selector("#timeline text:has-text('day 61')")
    assert page.locator("#timeline circle").count() > 10


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1360])
def test_it_fits_the_window_in_both_schemes(visit, finished, width, scheme):
    page = visit(finished / PAGE, width=width, scheme=scheme)
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(247, 246, 242)", "dark": "rgb(17, 20, 26)"}[scheme]


def test_the_theme_can_be_chosen(page):
    dark = "getComputedStyle(document.body).backgroundColor === 'rgb(17, 20, 26)'"
    assert not page.evaluate(dark)
    page.locator("#theme").click()
    page.locator("#theme").click()
    assert page.evaluate(dark)


@pytest.mark.slow
def test_two_thousand_reports_open_fast(visit, tmp_path):
    """The example over and over: 2,000 pairs of two systems, opened in under two seconds."""
    from overread import examples
    from overread.pages.build import write_page
    from overread.runner.job import Job
    from overread.runner.run import run
    from overread.runner.summary import Draws
    from overread.sources import from_records, load

    with examples.folder() as folder:
        texts = {
            n: {r.id: r.text for r in load(folder / f"{n}.jsonl")} for n in ("references", *examples.SYSTEMS)
        }
    ids = list(texts["references"])

    def many(name):
        return from_records(
            [{"id": f"{n:04}", "text": texts[name].get(ids[n % len(ids)], "")} for n in range(2000)],
            name=name,
        )

    metrics = ("lunguage", "radsem", "clear", "f1-srr", "longitudinal", "rouge-l")
    job = Job(many("references"), {n: many(n) for n in examples.SYSTEMS}, metrics, draws=Draws(20, 20))
    run(job, tmp_path)
    start = time.monotonic()
    page = visit(write_page(tmp_path))
    assert page.locator("#count").inner_text() == "4,000 cases"
    opened = page.evaluate("performance.getEntriesByType('navigation')[0].domComplete")
    size = (tmp_path / PAGE).stat().st_size / 1e6
    print(f"{size:.1f} MB, {opened / 1000:.2f} s to open, {time.monotonic() - start:.1f} s with building")
    assert opened < 2000
