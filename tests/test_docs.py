"""Docs are tested like code: links lead somewhere, commands exist, the CLI reference is the commands' own help."""

import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from tests.cli.as_typed import overread

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")]
)
LINK = re.compile(r"\[[^\]]+\]\((?!https?:|#)([^)#]+)")
COMMAND = re.compile(r"^\s*(?:\$ |uv run )?overread ([a-z][a-z-]*)", re.MULTILINE)


@cache
def commands() -> set[str]:
    from overread.cli.main import command

    return set(command().commands)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_commands_that_are_shown_exist(page):
    blocks = "\n".join(re.findall(r"```(?:sh|console)\n(.*?)```", page.read_text("utf-8"), re.DOTALL))
    assert set(COMMAND.findall(blocks)) <= commands()


def test_every_page_is_in_the_menu_of_the_site():
    assert "docs/index.md" in (ROOT / "README.md").read_text("utf-8")
    menu = (ROOT / "mkdocs.yml").read_text("utf-8")
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if f": {page}\n" not in menu] == [], "add the page to nav in mkdocs.yml"


def test_the_two_commands_of_the_readme_are_in_the_makefile():
    readme, makefile = (ROOT / "README.md").read_text("utf-8"), (ROOT / "Makefile").read_text("utf-8")
    for target in ("demo", "test"):
        assert f"make {target}" in readme
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_the_cli_reference_is_what_the_commands_say():
    made = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "make_cli_reference.py")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert (ROOT / "docs" / "cli.md").read_text("utf-8") == made, "run `make docs`"


@pytest.mark.parametrize("name", ["README.md", "docs/tutorial.md", "docs/ledger.md"])
def test_output_that_is_shown_is_what_the_command_prints(name):
    shown = re.search(r"\$ overread (errors .*)\n((?s:.*?))```", (ROOT / name).read_text("utf-8"))
    assert shown is not None
    assert shown[2] == overread(*shlex.split(shown[1]), COLUMNS="120", NO_COLOR="1").stdout


def test_the_readme_fits_on_a_screen_or_two_and_shows_the_page():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(readme.splitlines()) <= 110
    top = readme[: readme.index("## Quick start")]
    assert "docs/pictures/cases.png" in top
    assert "docs/pictures/cases-dark.png" in top
    assert "@software{" in readme


def test_one_version_is_cited():
    from overread.version import __version__

    for name in ("README.md", "CITATION.cff"):
        text = (ROOT / name).read_text("utf-8")
        assert re.findall(r"^\s*version\s*[:=]\s*\{?([\w.]+)", text, re.MULTILINE) == [__version__]
