"""Cases in real Chromium: the list with its filters, one case with its words, the keyboard, the address."""

import json
import re
from base64 import b64decode
from itertools import pairwise

import pytest

import overread
from overread.pages.build import write_page
from overread.runner.run.folder import PAGE, Results
from overread.sources import load_source


def ids(page):
    return page.locator("#list .id .who").all_inner_texts()


# ---- the list


def test_it_opens_on_the_gravest_complete_pair(cases, finished, showing):
    first = cases.locator("#list button").first
    assert first.locator(".level").inner_text() == "critical"
    assert first.get_attribute("aria-current") == "true"
    assert first.locator(".odd").count() == 0
    showing(cases, ids(cases)[0])
    assert cases.locator("#list .verdict").first.inner_text()


def test_search_finds_texts_findings_and_ids(cases):
    cases.locator("#q").fill("p03")
    cases.wait_for_function("() => document.getElementById('count').textContent.startsWith('12 cases')")
    cases.locator("#q").fill("kerley lines")
    cases.wait_for_function("() => document.getElementById('list').textContent.includes('P14-1')")
    assert set(ids(cases)) == {"P14-1"}
    cases.locator("#q").fill("hemothorax")
    cases.wait_for_function("() => document.getElementById('list').textContent.includes('P06-1')")


def test_filters_by_kind_level_finding_and_note(cases, counted):
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


def test_undefined_items_can_be_found(cases, finished, counted):
    cases.locator("#sort").select_option("longitudinal")
    cases.locator("#show").select_option("undefined")
    (ranking,) = [m for m in Results(finished).summary.metrics if m.name == "longitudinal"]
    assert counted(cases) == sum(one.undefined for one in ranking.systems.values())


def test_who_wins(cases, counted):
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


# ---- one case


def test_reference_and_all_systems_stand_side_by_side(visit, finished, showing):
    page = visit(finished / PAGE, "#tab=cases&case=P01-2&active=hasty")
    showing(page, "P01-2")
    heads = [text.strip() for text in page.locator(".side .side-head").all_inner_texts()]
    assert heads == ["Reference", "steady", "fluent", "hasty"]
    assert page.locator(".side.active .side-head").inner_text() == "hasty"
    assert page.locator("#case .one-line").count() == 3
    table = page.locator("#case table.told").first.inner_text()
    assert "wrong direction" in table
    assert "critical" in table or "significant" in table


def test_words_light_up_by_pointing_focus_and_click(visit, finished, showing):
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


def test_words_of_another_system_find_theirs_in_the_reference(visit, finished, showing):
    page = visit(finished / PAGE, "#tab=cases&case=P01-2&active=hasty")
    showing(page, "P01-2")
    page.locator(".side mark").last.scroll_into_view_if_needed()
    page.locator(".side", has=page.get_by_role("button", name="fluent")).locator("mark").first.hover()
    assert page.locator(".reference .lit").count() >= 1


def test_every_metric_explains_itself(visit, finished, showing):
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


def test_keyboard_all_the_way(cases, showing):
    first, second = ids(cases)[:2]
    showing(cases, first)
    cases.keyboard.press("j")
    showing(cases, second)
    cases.keyboard.press("k")
    showing(cases, first)
    cases.keyboard.press("ArrowRight")
    showing(cases, second)
    before = cases.locator(".side.active .side-head").inner_text()
    cases.keyboard.press("s")
    cases.wait_for_function(
        f"() => document.querySelector('.side.active .side-head').innerText !== '{before}'"
    )
    cases.keyboard.press("m")
    cases.locator(".lenses [aria-pressed=true]:not(:text('What is wrong'))").wait_for()
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


def test_the_whole_state_is_in_the_address(visit, cases, finished, showing):
    cases.locator("#system").select_option("hasty")
    cases.locator("#kind").select_option("missed")
    cases.locator("#list button").nth(2).click()
    chosen = ids(cases)[2]
    showing(cases, chosen)
    cases.locator(".lenses").get_by_role("button", name=re.compile("^CLEAR")).click()
    again = visit(finished / PAGE, "#" + cases.url.split("#")[1], fresh=True)
    showing(again, chosen)
    assert again.locator("#kind").input_value() == "missed"
    assert again.locator("#system").input_value() == "hasty"
    assert again.locator(".lenses [aria-pressed=true]").inner_text().startswith("CLEAR")


def test_an_address_of_the_former_page_still_leads_to_its_case(visit, finished, showing):
    page = visit(finished / PAGE, "#case=P11-1&active=hasty")
    showing(page, "P11-1")


def test_on_a_phone_a_row_of_errors_is_a_card(visit, finished, showing):
    page = visit(finished / PAGE, "#tab=cases&case=P01-2&active=fluent", width=400)
    showing(page, "P01-2")
    cells = page.locator("#case table.told tbody tr").first.locator("td")
    boxes = [cell.bounding_box() for cell in cells.all() if cell.is_visible()]
    assert len(boxes) >= 5
    assert all(one["y"] + one["height"] <= two["y"] + 1 for one, two in pairwise(boxes))
    assert all(box["x"] + box["width"] <= 400 for box in boxes)
    assert cells.nth(2).evaluate("one => getComputedStyle(one, '::before').content").startswith('"finding')


def test_why_a_finding_was_read_so(visit, finished, showing):
    page = visit(finished / PAGE, "#tab=cases&case=P01-2&active=hasty")
    showing(page, "P01-2")
    page.locator("#why-read").click()
    page.wait_for_selector("#case caption:has-text('Findings of the reference')")
    rows = page.locator("#case table.told").first.inner_text()
    assert "entity “" in rows
    assert re.search(r"FI\d{4} findings: ", rows), "a lexicon row is named"
    assert re.search(r"\d+ ?%", rows), "and how sure the network was"
    assert "lens=reading" in page.url


def test_a_misreading_is_flagged_and_saved_as_reports_that_review_takes(visit, finished, showing):
    page = visit(finished / PAGE, "#tab=cases&case=P01-2&active=hasty")
    showing(page, "P01-2")
    page.locator(".misread input").fill("the effusion is new")
    page.locator("#flag").click()
    with page.expect_download() as begun:
        page.locator("#save-flags").click()
    (line,) = begun.value.path().read_text("utf-8").splitlines()
    kept = json.loads(line)
    assert (kept["id"], kept["report"], kept["comment"]) == ("P01-2 hasty", "P01-2", "the effusion is new")
    saved = finished.parent / "misreadings.jsonl"
    saved.write_text(line + "\n")
    (report,) = load_source(saved)
    assert report.text == kept["text"]
    page.locator(".misread").get_by_role("button", name="clear").click()
    assert page.locator("#save-flags").count() == 0


def test_images_of_the_study_stand_beside_the_reports(visit, tmp_path):
    dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    (tmp_path / "films").mkdir()
    (tmp_path / "films" / "a pa.png").write_bytes(b64decode(dot))
    (tmp_path / "refs.csv").write_text(
        "id,film,report\na,films/a pa.png;films/a.dcm,Small left effusion.\nb,,No edema.\n"
    )
    asked = {"metrics": "overread", "resamples": 20, "output": tmp_path / "out"}
    texts = {"a": "Small right effusion.", "b": "No edema."}
    overread.score(tmp_path / "refs.csv", texts, image="film", **asked)
    written = write_page(tmp_path / "out")
    page = visit(written, "#tab=cases&case=a")
    page.wait_for_function("() => document.querySelector('.films img')?.naturalWidth === 1")
    assert page.locator(".films img").count() == 1
    assert str(tmp_path) not in written.read_text("utf-8")
    page = visit(written, "#tab=cases&case=b")
    page.wait_for_function("() => document.querySelector('#case h2')?.textContent === 'b'")
    assert page.locator(".films").count() == 0
    with pytest.raises(overread.OverreadError, match="names no image file"):
        overread.score(tmp_path / "refs.csv", texts, image="report", **asked)
    overread.score(tmp_path / "refs.csv", texts, **asked)
    assert "file:" not in write_page(tmp_path / "out").read_text("utf-8").split("img-src")[1][:40]
