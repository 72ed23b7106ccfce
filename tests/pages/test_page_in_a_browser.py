"""The page in real Chromium: five tabs by mouse and keyboard, filters, links, exports; no error on the console."""

import json
import re

import pytest

from overread.pages.cases import CaseList
from overread.runner.folder import PAGE, Results

TABS = ("overview", "findings", "cases", "patients", "method")


@pytest.fixture
def page(visit, finished):
    return visit(finished / PAGE)


@pytest.fixture
def cases(visit, finished):
    page = visit(finished / PAGE, "#tab=cases")
    page.wait_for_selector("#case h2")
    return page


def on(page):
    return [tab for tab in TABS if page.locator(f"#{tab}").is_visible()]


def showing(page, id):
    page.wait_for_function(f"document.querySelector('#case h2')?.textContent.startsWith('{id}')")


def ids(page):
    return page.locator("#list .id").all_inner_texts()


def counted(page):
    return int(page.locator("#count").inner_text().split()[0].replace(",", ""))


# ---- tabs


def test_one_tab_is_shown_at_a_time(page):
    assert on(page) == ["overview"]
    for tab in TABS:
        page.get_by_role("tab", name=tab.title(), exact=True).click()
        assert on(page) == [tab]
        assert f"tab={tab}" in page.url or tab == "overview"


def test_tabs_by_keyboard(page):
    page.get_by_role("tab", name="Overview").focus()
    page.keyboard.press("ArrowRight")
    assert on(page) == ["findings"]
    assert page.evaluate("document.activeElement.id") == "tab-findings"
    page.keyboard.press("End")
    assert on(page) == ["method"]
    page.keyboard.press("ArrowRight")
    assert on(page) == ["overview"]
    page.locator("body").press("4")
    assert on(page) == ["patients"]


def test_back_goes_back(page):
    page.locator("#tab-findings").click()
    page.locator("#tab-method").click()
    page.go_back()
    assert on(page) == ["findings"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1000, 1400])
def test_every_tab_fits_the_window(visit, finished, width, scheme):
    page = visit(finished / PAGE, width=width, scheme=scheme)
    for tab in TABS:
        page.locator(f"#tab-{tab}").click()
        if tab == "cases":
            page.wait_for_selector("#case h2")
        if tab == "patients":
            page.wait_for_selector("#timeline svg")
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, tab
        assert page.locator(f"#{tab}").inner_text().strip()
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(246, 247, 249)", "dark": "rgb(16, 19, 26)"}[scheme]


def test_the_theme_can_be_chosen(page):
    dark = "getComputedStyle(document.body).backgroundColor === 'rgb(16, 19, 26)'"
    assert not page.evaluate(dark)
    page.locator("#theme").click()
    page.locator("#theme").click()
    assert page.evaluate(dark)


# ---- overview


def test_the_overview_says_who_is_better_and_that_word_overlap_disagrees(page):
    lead = page.locator(".lead").inner_text()
    assert lead.startswith("steady leads on ")
    assert "Word overlap prefers fluent (BLEU-4, ROUGE-L)" in lead
    boards = page.locator("#overview .board caption").all_inner_texts()
    assert [text.split(":")[0] for text in boards] == ["Clinical content", "Word overlap"]


def test_differences_against_any_baseline(page, finished):
    assert page.locator("#differences .sys").first.inner_text() == "fluent"
    page.locator("#baseline").select_option("fluent")
    rows = page.locator("#differences tbody tr")
    assert rows.count() == 2 * len(Results(finished).summary.metrics)
    ranking = next(m for m in Results(finished).summary.metrics if m.name == "overread")
    found = next(d for d in ranking.differences if {d.first, d.second} == {"steady", "fluent"})
    assert f"+{abs(found.difference):.3f}" in rows.first.inner_text()
    assert "baseline=fluent" in page.url


def test_a_number_of_the_overview_leads_to_its_cases(page):
    page.locator("a[href*='level=critical'][href*='system=fluent']").click()
    page.wait_for_selector("#case h2")
    assert on(page) == ["cases"]
    assert page.locator("#level").input_value() == "critical"
    assert counted(page) > 0
    assert set(page.locator("#list .level").all_inner_texts()) == {"critical"}


# ---- findings


def test_every_cell_of_the_heat_map_leads_to_its_cases(page):
    page.locator("#tab-findings").click()
    cell = page.locator("#findings .heat.findings a").first
    count, label = int(cell.inner_text()), cell.get_attribute("aria-label")
    finding, system, kind, _ = re.match(r"(.*), (\w+), (.*): (\d+)", label).groups()
    cell.click()
    page.wait_for_selector("#case h2")
    assert 1 <= counted(page) <= count
    assert page.locator("#finding").input_value() == finding
    assert page.locator("#system").input_value() == system
    assert page.locator("#kind").input_value() == kind


def test_confusion_matrices_count_and_lead_to_cases(page):
    page.locator("#tab-findings").click()
    page.wait_for_selector("#matrices table")
    page.locator("#of-presence").select_option("Pneumothorax")
    cell = page.get_by_role("link", name=re.compile("fluent: reference negative, system positive"))
    count = int(cell.inner_text())
    assert count > 10
    cell.click()
    page.wait_for_selector("#case h2")
    assert counted(page) == count
    assert page.locator(".chip").first.inner_text() == "Pneumothorax: negative → positive ×"
    page.locator(".chip").first.click()
    assert counted(page) == 44


# ---- cases: the list


def test_it_opens_on_the_gravest_complete_pair(cases, finished):
    first = cases.locator("#list button").first
    assert first.locator(".level").inner_text() == "critical"
    assert first.get_attribute("aria-current") == "true"
    assert first.locator(".odd").count() == 0
    showing(cases, ids(cases)[0])
    assert cases.locator("#list .verdict").first.inner_text()


def test_search_finds_texts_findings_and_ids(cases):
    cases.locator("#q").fill("p03")
    cases.wait_for_function("document.getElementById('count').textContent === '12 cases'")
    cases.locator("#q").fill("kerley lines")
    cases.wait_for_function("document.getElementById('list').textContent.includes('P14-1')")
    assert set(ids(cases)) == {"P14-1"}
    cases.locator("#q").fill("hemothorax")
    cases.wait_for_function("document.getElementById('list').textContent.includes('P06-1')")


def test_filters_by_kind_level_finding_and_note(cases):
    cases.locator("#kind").select_option("invented")
    cases.locator("#finding").select_option("pneumothorax")
    cases.locator("#system").select_option("fluent")
    found = counted(cases)
    assert 10 < found < 44
    assert "kind=invented" in cases.url
    assert "finding=pneumothorax" in cases.url
    cases.get_by_role("button", name="clear all").click()
    assert counted(cases) == 132
    cases.locator("#show").select_option("odd")
    assert sorted(ids(cases)) == ["P06-2", "P08-3"]


def test_undefined_items_can_be_found(cases, finished):
    cases.locator("#sort").select_option("longitudinal")
    cases.locator("#show").select_option("undefined")
    (ranking,) = [m for m in Results(finished).summary.metrics if m.name == "longitudinal"]
    assert counted(cases) == sum(one.undefined for one in ranking.systems.values())


def test_who_wins(cases):
    cases.locator("#sort").select_option("overread")
    cases.locator("#wins").select_option("fluent>steady")
    fluent = counted(cases)
    cases.locator("#wins").select_option("steady>fluent")
    assert counted(cases) > fluent


def test_order_by_a_metric_both_ways(cases):
    cases.locator("#sort").select_option("radsem")
    cases.locator("#system").select_option("steady")

    def values():
        return [float(text) for text in cases.locator("#list .val").all_inner_texts() if text != "–"]

    assert values() == sorted(values())
    assert len(values()) == 44
    cases.locator("#best").check()
    assert values() == sorted(values(), reverse=True)


# ---- cases: one case


def test_reference_and_all_systems_stand_side_by_side(visit, finished):
    page = visit(finished / PAGE, "#tab=cases&case=P01-2&active=hasty")
    showing(page, "P01-2")
    heads = [text.strip() for text in page.locator(".side h3").all_inner_texts()]
    assert heads == ["Reference", "steady", "fluent", "hasty"]
    assert page.locator(".side.active h3").inner_text() == "hasty"
    assert page.locator("#case .one-line").count() == 3
    table = page.locator("#case table.told").first.inner_text()
    assert "wrong direction" in table
    assert "critical" in table or "significant" in table


def test_words_light_up_by_pointing_focus_and_click(visit, finished):
    page = visit(finished / PAGE, "#tab=cases&case=P01-2&active=fluent")
    showing(page, "P01-2")
    mark = page.locator(".side.active mark").first
    for act in (mark.hover, mark.focus):
        page.mouse.move(0, 0)
        act()
        assert page.locator(".reference mark.lit").count() >= 1
        assert page.locator("#told-of").inner_text()
    mark.click()
    page.mouse.move(0, 0)
    assert page.locator(".reference mark.lit").count() >= 1, "a click keeps the words lit"
    page.keyboard.press("Escape")
    assert page.locator("#case .lit").count() == 0


def test_words_of_another_system_find_theirs_in_the_reference(visit, finished):
    page = visit(finished / PAGE, "#tab=cases&case=P01-2&active=hasty")
    showing(page, "P01-2")
    page.locator(".side mark").last.scroll_into_view_if_needed()
    page.locator(".side", has=page.get_by_role("button", name="fluent")).locator("mark").first.hover()
    assert page.locator(".reference .lit").count() >= 1


def test_every_metric_explains_itself(visit, finished):
    page = visit(finished / PAGE, "#tab=cases&case=P01-2&active=hasty")
    showing(page, "P01-2")
    for lens, title in (
        ("LUNGUAGE", "Pairs"),
        ("RadSEM", "Links"),
        ("CLEAR", "Conditions"),
        ("F1-SRR", "Disease labels by header"),
        ("Longitudinal", "Trends"),
        ("What is wrong", "What is wrong"),
    ):
        page.locator(".lenses").get_by_role("button", name=re.compile(f"^{lens}")).click()
        page.wait_for_selector(f"#case caption:has-text('{title}')")
        assert page.locator("#case mark").count() > 0


def test_keyboard_all_the_way(cases):
    first, second = ids(cases)[:2]
    showing(cases, first)
    cases.keyboard.press("j")
    showing(cases, second)
    cases.keyboard.press("k")
    showing(cases, first)
    cases.keyboard.press("ArrowRight")
    showing(cases, second)
    before = cases.locator(".side.active h3").inner_text()
    cases.keyboard.press("s")
    cases.wait_for_function(f"document.querySelector('.side.active h3').innerText !== '{before}'")
    cases.keyboard.press("m")
    cases.wait_for_function(
        "document.querySelectorAll('.lenses [aria-pressed=true]')[0].innerText !== 'What is wrong'"
    )
    cases.keyboard.press("/")
    assert cases.evaluate("document.activeElement.id") == "q"
    cases.keyboard.press("Escape")
    cases.keyboard.press("?")
    assert cases.locator("#help").is_visible()
    cases.keyboard.press("Escape")
    cases.locator("#list button").nth(3).focus()
    cases.keyboard.press("Enter")
    showing(cases, ids(cases)[3])
    cases.locator("#case mark").first.focus()
    cases.keyboard.press("Enter")
    assert cases.locator("#case .pinned").count() == 1


def test_the_whole_state_is_in_the_address(visit, cases, finished):
    cases.locator("#system").select_option("hasty")
    cases.locator("#kind").select_option("missed")
    cases.locator("#list button").nth(2).click()
    chosen = ids(cases)[2]
    showing(cases, chosen)
    cases.locator(".lenses").get_by_role("button", name=re.compile("^CLEAR")).click()
    again = visit(finished / PAGE, "#" + cases.url.split("#")[1])
    showing(again, chosen)
    assert again.locator("#kind").input_value() == "missed"
    assert again.locator("#system").input_value() == "hasty"
    assert again.locator(".lenses [aria-pressed=true]").inner_text().startswith("CLEAR")


def test_an_address_of_the_former_page_still_leads_to_its_case(visit, finished):
    page = visit(finished / PAGE, "#case=P11-1&active=hasty")
    showing(page, "P11-1")


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


def test_a_study_of_the_timeline_opens_its_report(visit, finished):
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
    found = download(page, page.get_by_role("button", name="CSV of errors by significance").click)
    lines = found.path().read_text("utf-8").splitlines()
    assert lines[0].startswith("System,critical,significant")
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


def test_a_link_to_a_case(visit, finished):
    page = visit(finished / PAGE, "#tab=cases&case=P01-2")
    showing(page, "P01-2")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.taken = text; }")
    page.locator("#permalink").click()
    assert "case=P01-2" in page.evaluate("window.taken")


def test_the_list_knows_what_the_verdicts_know(finished):
    """What the browser filters by is what the ledger of each case says."""
    results = Results(finished)
    shown = {d.id: n for n, d in enumerate(d for d in results.details() if d.unit == "report")}
    assert CaseList(results.rows(), shown, ["steady", "fluent", "hasty"]).notes["hasty"][shown["P08-3"]]
    ledger = next(json.loads(line) for line in (finished / "details.jsonl").read_bytes().splitlines())
    assert ledger["candidates"]["steady"]["scores"]["overread"]["verdict"]
