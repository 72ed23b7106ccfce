"""Doubtful readings on the page: marked in the texts, explained in words, found by a filter."""

import pytest

from overread.pages.build import write_page
from overread.pages.panels import doubts_panel
from overread.reader.check import Doubt, Heard, Reason
from overread.report.span import Span
from overread.runner.given import source_of
from overread.runner.results.summary import Draws
from overread.runner.run.folder import PAGE, Results
from overread.runner.run.job import Job
from overread.runner.run.run import run
from overread.runner.settings import Settings

ODD = "FINDINGS: What looked like a pneumothorax was a skin fold. The heart is enlarged."
REFERENCES = {"odd": ODD, "plain": "FINDINGS: Small right effusion."}
CANDIDATES = {
    "odd": "FINDINGS: What looked like a pneumothorax was a skin fold. Cardiomegaly.",
    "plain": "FINDINGS: Small left effusion.",
}


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """The folder of a run whose readings were checked, page included."""
    place = tmp_path_factory.mktemp("checked")
    sources = source_of(REFERENCES, "references"), {"ours": source_of(CANDIDATES, "ours")}
    settings = Settings(("overread", "lunguage"), check=True)
    run(Job(*sources, settings, draws=Draws(resamples=20, shuffles=20)), place)
    write_page(place)
    return place


@pytest.fixture
def case(visit, checked):
    def shown(address):
        page = visit(checked / PAGE, f"#tab=cases&{address}")
        page.wait_for_selector("#case h2")
        return page

    return shown


def test_details_hold_the_doubts_of_both_sides(checked):
    by_id = {detail.id: detail for detail in Results(checked).details()}
    assert [d.words for d in by_id["odd"].doubts] == ["skin fold"]
    assert [d.words for d in by_id["odd"].candidates["ours"].doubts] == ["skin fold"]
    assert by_id["plain"].doubts == by_id["plain"].candidates["ours"].doubts == ()


def test_doubtful_words_are_marked_beside_the_colours_of_every_metric(case):
    for lens in ("errors", "lunguage"):
        page = case(f"case=odd&lens={lens}")
        assert page.locator("mark.doubtful").all_inner_texts() == ["skin fold", "skin fold"]
    page.locator("mark.doubtful").first.hover()
    told = page.locator("#told-of").inner_text()
    assert "read: There is skin fold. (“skin fold” entity" in told
    assert "held against the text:" in told


def test_a_lens_of_their_own_gives_both_reasons(case):
    page = case("case=odd")
    page.get_by_role("button", name="Doubtful 2").click()
    page.wait_for_selector("#case caption:has-text('Doubtful readings')")
    rows = page.locator("#case table.told tbody tr").all_inner_texts()
    assert len(rows) == 2
    assert "What looked like a pneumothorax was a skin fold." in rows[0]
    assert "said" in rows[0]
    page.locator("#case table.told tbody tr").first.hover()
    assert page.locator("mark.doubtful.lit").all_inner_texts() == ["skin fold"]


def test_doubtful_cases_can_be_filtered(case, counted):
    page = case("case=odd")
    assert counted(page) == 2
    page.locator("#show").select_option("doubtful")
    page.wait_for_function("() => document.getElementById('count').textContent === '1 case'")
    assert page.locator("#list .doubts").all_inner_texts() == ["2 doubtful"]
    assert "show=doubtful" in page.url


def test_a_page_of_a_run_that_was_not_checked_says_nothing_of_doubts(cases):
    assert cases.locator("#show option[value=doubtful]").count() == 0
    assert cases.locator("mark.doubtful, #list .doubts").count() == 0


def test_doubts_of_both_sides_are_told():
    doubt = Doubt(
        "side",
        "f1",
        0,
        "Left <b>.",
        "nodule",
        Span(0, 4),
        "no side",
        (Reason("x", "R1"),),
        Heard(0.1, 0.8, 0.1),
    )
    found = doubts_panel([doubt], [doubt])
    assert [mark.side for mark in found.marks] == ["r", "c"]
    assert found.lead == "Doubtful in the reference: 1, in the candidate: 1."
    assert doubts_panel([], []) is None
