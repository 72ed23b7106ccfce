"""Patients over time, and what can be taken along, in real Chromium."""

import json

import pytest

from overread.pages.book import Book
from overread.runner.run.folder import PAGE, Results

# ---- patients


def test_a_patient_on_a_true_time_axis(visit, finished):
    page = visit(finished / PAGE, "#tab=patients&patient=P01")
    page.wait_for_selector("#timeline text:has-text('day 31')")
    texts = page.locator("#timeline text.link").all()
    at = {text.inner_html().split("<")[0]: float(text.get_attribute("x")) for text in texts}
    assert (at["day 6"] - at["day 0"]) / (at["day 31"] - at["day 0"]) == pytest.approx(6 / 31, abs=0.01)
    names = page.locator("#timeline .strong").all_text_contents()
    assert any(name.startswith("right pleural effusion") for name in names)
    assert page.locator("#timeline text:has-text('⇄')").count() > 0, "reversed trends are marked"


def test_no_two_lanes_of_a_patient_share_a_name(visit, finished):
    page = visit(finished / PAGE, "#tab=patients&patient=P01&lanes=1")
    page.wait_for_selector("#timeline text:has-text('day 31')")
    names = page.locator("#timeline .strong title").all_text_contents()
    assert len(set(names)) == len(names) > 5
    assert page.locator("#patients .legend .who").all_inner_texts() == [
        "reference",
        "steady",
        "fluent",
        "hasty",
    ]


def test_a_study_of_the_timeline_opens_its_report(visit, finished, showing):
    page = visit(finished / PAGE, "#tab=patients&patient=P10")
    page.wait_for_selector("#timeline text:has-text('day 61')")
    page.locator("#timeline text.link[aria-label^='P10-2']").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#case h2")
    showing(page, "P10-2")


# ---- taking things along


def download(page, act):
    with page.expect_download() as waiting:
        act()
    return waiting.value


def test_csv_of_a_table(page):
    found = download(page, page.get_by_role("button", name="CSV of score and errors").click)
    lines = found.path().read_text("utf-8").splitlines()
    assert lines[0].startswith("System,Overread,95% CI,critical,significant")
    assert lines[1].startswith("steady,")


def test_pictures_as_svg_and_png(page, visit, finished):
    found = download(page, page.get_by_role("button", name="SVG of clinical content").click)
    text = found.path().read_text("utf-8")
    assert text.startswith("<svg")
    assert "steady" in text
    assert "var(" not in text
    other = visit(finished / PAGE, "#tab=patients")
    other.wait_for_selector("#timeline svg")
    image = download(other, other.get_by_role("button", name="PNG of timeline").click)
    assert image.path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert image.path().stat().st_size > 10_000


def test_standings_as_markdown_and_latex(page, finished):
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.taken = text; }")
    page.get_by_role("button", name="Markdown of the standings").click()
    text = page.evaluate("window.taken")
    assert text.startswith("| metric | steady | fluent | hasty |")
    ranking = Results(finished).summary.metrics[0]
    assert f"{ranking.systems['steady'].value:.3f}" in text
    assert ranking.signature in text
    page.get_by_role("button", name="LaTeX of the standings").click()
    assert page.evaluate("window.taken").startswith("\\begin{tabular}{lrrr}")


def test_a_link_to_a_case(visit, finished, showing):
    page = visit(finished / PAGE, "#tab=cases&case=P01-2")
    showing(page, "P01-2")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.taken = text; }")
    page.locator("#permalink").click()
    assert "case=P01-2" in page.evaluate("window.taken")


def test_the_list_knows_what_the_verdicts_know(finished):
    """What the browser filters by is what the ledger of each case says."""
    results = Results(finished)
    shown = {d.id: n for n, d in enumerate(d for d in results.details() if d.unit == "report")}
    assert Book(results, ["steady", "fluent", "hasty"]).list["notes"]["hasty"][shown["P08-3"]]
    ledger = next(json.loads(line) for line in (finished / "details.jsonl").read_bytes().splitlines())
    assert ledger["candidates"]["steady"]["scores"]["overread"]["verdict"]
