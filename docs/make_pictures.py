"""Take the pictures of the documentation, light and dark, from the bundled example and the review demo, in a browser.

    python docs/make_pictures.py RESULTS-FOLDER

RESULTS-FOLDER is what `overread demo --no-open -o RESULTS-FOLDER` wrote.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

PICTURES = Path(__file__).with_name("pictures")
VIEWS = {
    "overview": ("#tab=overview", 1200, 760),
    "findings": ("#tab=findings", 1200, 760),
    "cases": ("#tab=cases&case=P11-1&active=fluent", 1400, 900),
    "patients": ("#tab=patients&patient=P01", 1200, 700),
}


def main(folder: Path) -> None:
    from playwright.sync_api import sync_playwright

    PICTURES.mkdir(exist_ok=True)
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        for (name, (anchor, width, height)), scheme in product(VIEWS.items(), ("light", "dark")):
            page = opened.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            page.goto((folder / "report.html").resolve().as_uri() + anchor)
            page.wait_for_selector(
                {"cases": "#case h2", "patients": "#timeline svg"}.get(name, f"#{name} h1")
            )
            page.wait_for_timeout(400)
            page.screenshot(path=picture(name, scheme))
        with review_demo() as address:
            for scheme in ("light", "dark"):
                page = opened.new_page(viewport={"width": 1200, "height": 700}, color_scheme=scheme)
                page.goto(f"{address}/login")
                page.fill("[name=login]", "reader-1")
                page.fill("[name=password]", "overread-demo")
                page.click("button.main")
                page.get_by_role("link", name="Correct findings and links").click()
                page.get_by_role("link", name="Continue").click()
                page.wait_for_selector("body[data-ready]")
                page.screenshot(path=picture("review", scheme))
        opened.close()


def picture(name: str, scheme: str) -> Path:
    return PICTURES / f"{name}{'-dark' if scheme == 'dark' else ''}.png"


@contextmanager
def review_demo() -> Iterator[str]:
    """The address of `overread review --demo` while it runs."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-u", "-m", "overread", "review", "start", folder, "--demo", "--no-open"]
        with subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            said = (re.search(r" at (http://\S+);", line) for line in running.stdout)
            yield next(found[1] for found in said if found)
            running.terminate()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
