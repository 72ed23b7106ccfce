"""Images beside the reports: found by id in a local folder, for those who may read the report, shown in the editor."""

import shutil
import struct
import zlib

import pytest
from typer.testing import CliRunner

from house import PASSWORD, assignments, person, report_items, running, study
from overread.errors import BadInput
from overread_review.commands import app as review
from overread_review.site.images import find_images
from overread_review.work.studies import NewItem


def png(width=40, height=30):
    """A grey picture."""
    lines = b"".join(b"\0" + bytes(range(width)) for _ in range(height))
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(lines)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )


@pytest.fixture
def folder(tmp_path):
    """r1 has one image, r2 two; the rest of the files is none of our business."""
    made = tmp_path / "images"
    (made / "r2").mkdir(parents=True)
    for name in ("r1.PNG", "r2/frontal.png", "r2/lateral.png"):
        (made / name).write_bytes(png())
    (made / "r3.dcm").write_bytes(b"DICM")
    (made / "r3.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")
    (tmp_path / "secret.png").write_bytes(png())
    return made


def test_images_are_found_by_the_id_of_the_report(folder):
    found = find_images(folder)
    assert {id: [path.name for path in paths] for id, paths in found.items()} == {
        "r1": ["r1.PNG"],
        "r2": ["frontal.png", "lateral.png"],
    }


def test_a_folder_without_images_is_refused_before_anything_is_made(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="holds no images"):
        find_images(tmp_path / "empty")
    for name in ("empty", "missing"):
        done = CliRunner().invoke(
            review, [str(tmp_path / "new"), "--no-open", "--images", str(tmp_path / name)]
        )
        assert done.exit_code != 0
        assert not (tmp_path / "new").exists()


def test_they_are_for_those_who_may_read_the_report_and_carry_no_names(sqlite_store, visitor, folder):
    ids = [person(sqlite_store, name) for name in ("ann", "ben")]
    items = [*report_items(3), NewItem("../secret", {"id": "../secret", "text": "No edema."}, {})]
    study(sqlite_store, "clear", items, ids[:1], overlap=1)
    with running(sqlite_store, images=find_images(folder)) as address:
        ann, ben = visitor(address, "ann"), visitor(address, "ben")
        counts = {}
        for one in assignments(sqlite_store, ids[0]):
            source = f"/api/work/{one.id}"
            sent = ann.client.get(source)
            assert "frontal" not in sent.text
            assert "r1.PNG" not in sent.text
            shown = sent.json()["images"]
            counts[one.item] = len(shown)
            assert [image["part"] for image in shown] == [0] * len(shown)
            for image in shown:
                reply = ann.client.get(image["source"])
                assert reply.content == png()
                assert (reply.headers["content-type"], reply.headers["cache-control"]) == (
                    "image/png",
                    "no-store",
                )
                assert "content-disposition" not in reply.headers
                assert ben.client.get(image["source"]).status_code == 404
            assert ann.client.get(f"{source}/images/{len(shown) + 1}").status_code == 404
            assert ann.client.get(f"{source}/images/0").status_code in (404, 422)
        assert sorted(counts.values()) == [0, 0, 1, 2]


def test_a_timeline_shows_each_study_with_its_own_images(sqlite_store, visitor, folder):
    ann = person(sqlite_store, "ann")
    studies = [
        {"study": id, "day": day, "report": id, "text": "Small effusion."}
        for day, id in enumerate(("r1", "r3", "r2"))
    ]
    item = NewItem("p", {"patient": "p", "studies": studies}, {})
    study(sqlite_store, "timeline", [item], [ann], overlap=1)
    with running(sqlite_store, images=find_images(folder)) as address:
        (one,) = assignments(sqlite_store, ann)
        shown = visitor(address, "ann").client.get(f"/api/work/{one.id}").json()["images"]
    assert [image["part"] for image in shown] == [0, 2, 2]


def test_the_editor_shows_them(sqlite_store, folder):
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium on this machine")
    ann = person(sqlite_store, "ann")
    study(sqlite_store, "clear", report_items(2)[1:], [ann], overlap=1)
    (one,) = assignments(sqlite_store, ann)
    with running(sqlite_store, images=find_images(folder)) as address, sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{address}/login")
        page.fill("[name=login]", "ann")
        page.fill("[name=password]", PASSWORD)
        page.click("button.main")
        for width, beside in ((1400, True), (400, False)):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(f"{address}/work/{one.id}")
            page.wait_for_selector(".images img")
            widths = page.evaluate(
                "Promise.all([...document.images].map((one) => one.decode().then(() => one.naturalWidth)))"
            )
            assert widths == [40, 40]
            image, text = page.locator(".images").bounding_box(), page.locator(".text").bounding_box()
            assert (image["x"] + image["width"] <= text["x"]) == beside
            assert (image["y"] >= text["y"] + text["height"]) == (not beside)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        browser.close()
