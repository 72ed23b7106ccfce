"""The page in real Chromium: tabs, overview and findings by mouse and keyboard, at three widths, light and dark."""

import re

import pytest

from overread.runner.run.folder import PAGE, Results

TABS = ("overview", "findings", "cases", "patients", "method")


def on(page):
    return [tab for tab in TABS if page.locator(f"#{tab}").is_visible()]


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


def test_the_best_of_every_row_is_marked_at_a_glance(page, finished):
    rows = {row.locator("th").inner_text(): row for row in page.locator(".glance tbody tr:has(td)").all()}
    systems = list(Results(finished).summary.accounts)
    for ranking in Results(finished).summary.metrics:
        best = max(ranking.systems, key=lambda s: ranking.systems[s].value)
        cells = rows[ranking.title].locator("td").all_inner_texts()
        assert [s for s, text in zip(systems, cells, strict=True) if text[0] in "•◦"] == [best], ranking.name


def test_each_system_has_its_score_interval_and_errors_above_the_fold(page, finished):
    summary = Results(finished).summary
    standing = next(m for m in summary.metrics if m.name == "overread").systems
    rows = page.locator("table[data-name='score and errors'] tbody tr")
    assert rows.count() == len(standing)
    for row, (system, one) in zip(rows.all(), standing.items(), strict=True):
        shown = row.inner_text()
        assert system in shown
        assert f"{one.value:.3f}" in shown
        assert f"{one.low:.3f} – {one.high:.3f}" in shown
        assert row.locator("a[href*='level=significant']").count() == 1
    box = rows.last.bounding_box()
    assert box["y"] + box["height"] < 900


def test_errors_by_kind_stand_on_the_overview_and_lead_to_their_cases(page, counted):
    link = page.locator("table[data-name='errors by kind'] a[href*='system=fluent'][href*='false%20finding']")
    errors = int(link.inner_text())
    link.click()
    page.wait_for_selector("#case h2")
    assert 1 <= counted(page) <= errors
    assert page.locator("#system").input_value() == "fluent"


def test_what_is_not_heard_is_said_in_one_line_each(page, finished):
    lines = page.locator("#blind-spots tr").all_inner_texts()
    names = ", ".join(line.split("\t")[0] for line in lines).split(", ")
    titles = ", ".join(m.title for m in Results(finished).summary.metrics).split(", ")
    assert sorted(names) == sorted(titles)
    said = " ".join(lines).lower()
    assert [word for word in ("negation", "side", "change", "impression") if word not in said] == []


def test_differences_against_any_baseline(page, finished):
    assert page.locator("#differences .sys").first.inner_text() == "fluent"
    page.locator("#baseline").select_option("fluent")
    rows = page.locator("#differences tbody tr")
    assert rows.count() == 2 * len(Results(finished).summary.metrics)
    ranking = next(m for m in Results(finished).summary.metrics if m.name == "overread")
    found = next(d for d in ranking.differences if {d.first, d.second} == {"steady", "fluent"})
    assert f"+{abs(found.difference):.3f}" in rows.first.inner_text()
    assert "baseline=fluent" in page.url


def test_differences_of_metrics_from_0_to_1_share_one_axis(page, finished):
    """Twice the difference lies twice as far from the middle, whatever the metric."""
    scale = []
    for row in page.locator("#differences tbody tr").all():
        value = float(row.locator("td.num").first.inner_text().replace("−", "-"))
        mark = row.locator("svg.whisker > svg").get_attribute("x")
        scale.append((float(mark.rstrip("%")) - 50) / value)
    assert max(scale) / min(scale) < 1.02, scale


def test_a_number_of_the_overview_leads_to_its_cases(page, counted):
    page.locator("a[href*='level=critical'][href*='system=fluent']").click()
    page.wait_for_selector("#case h2")
    assert on(page) == ["cases"]
    assert page.locator("#level").input_value() == "critical"
    assert counted(page) > 0
    assert set(page.locator("#list .level").all_inner_texts()) == {"critical"}


# ---- words


def test_the_page_speaks_plainly(page):
    for tab in TABS:
        page.locator(f"#tab-{tab}").click()
        shown = page.locator(f"#{tab}").inner_text()
        assert re.findall(r"(?i)\b(?:told|leaf|leaves|atoms?)\b", shown) == [], tab


# ---- findings


def test_rare_findings_come_when_asked_for(page):
    page.locator("#tab-findings").click()
    rows = page.locator("#findings .heat.findings").first.locator("tbody tr:visible")
    before = rows.count()
    page.locator("#all-findings").click()
    assert rows.count() > before == 20


def test_errors_are_counted_and_shares_are_shares(page):
    page.locator("#tab-findings").click()
    errors = page.locator("figure[data-name='errors (overread)'] .pct").all_inner_texts()
    findings = page.locator("figure[data-name='findings (overread)'] .pct").all_inner_texts()
    assert not any("%" in text for text in errors)
    assert any("%" in text for text in findings)
    names = page.locator("figure[data-name='findings (overread)'] .what").all_inner_texts()
    assert "pleural effusion" in names


# ---- method


def test_the_method_has_signatures_settings_formulas_and_published_anchors(page, finished):
    page.locator("#tab-method").click()
    shown = page.locator("#method").inner_text()
    for ranking in Results(finished).summary.metrics:
        assert ranking.signature in shown
    for word in ("bootstrap resamples", "sha256", "Formula", "Published", "Empty cases", "Does not see"):
        assert word in shown
    tests = page.locator("table[data-name='tests']")
    assert not tests.is_visible()
    page.get_by_text("Every pair of systems under every metric").click()
    assert tests.is_visible()


def test_every_cell_of_the_heat_map_leads_to_its_cases(page, counted):
    page.locator("#tab-findings").click()
    cell = page.locator("#findings .heat.findings a").first
    count, label = int(cell.locator(".count").inner_text()), cell.get_attribute("aria-label")
    finding, system, kind, _ = re.match(r"(.*), (\w+), (.*): (\d+)", label).groups()
    cell.click()
    page.wait_for_selector("#case h2")
    assert 1 <= counted(page) <= count
    assert page.locator("#finding").input_value() == finding
    assert page.locator("#system").input_value() == system
    assert page.locator("#kind").input_value() == kind


def test_confusion_matrices_count_and_lead_to_cases(page, counted):
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


def test_the_heat_map_shows_rates_when_asked(page):
    page.locator("#tab-findings").click()
    cell = page.locator("#findings .heat.findings a").first
    assert "%" not in cell.inner_text()
    page.locator("#rates").check()
    assert cell.inner_text().endswith("%")
    page.locator("#rates").uncheck()
