"""Take the pictures of the documentation, light and dark, from the page of the bundled example, in a real browser.

    python docs/make_pictures.py RESULTS-FOLDER

RESULTS-FOLDER is what `overread demo --no-open -o RESULTS-FOLDER` wrote.
"""

import shutil
import sys
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
            page.screenshot(path=PICTURES / f"{name}{'-dark' if scheme == 'dark' else ''}.png")
        opened.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
