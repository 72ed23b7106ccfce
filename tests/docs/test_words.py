"""Words a stranger knows: our own are defined or left out."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
AT_HOME = {"radsem.md", "papers.md", "glossary.md", "cli.md"}
"""Pages that speak of atoms because the paper does, and say what they are."""


def prose(page):
    """The page without its code."""
    return re.sub(r"```.*?```|`[^`]*`", "", page.read_text("utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_no_private_words(page):
    found = re.findall(r"(?i)\btold\b|\bSRR leaves\b|\btelling right\b", prose(page))
    if page.name not in AT_HOME:
        found += re.findall(r"(?i)\batoms\b", prose(page))
    assert found == []


def test_the_glossary_defines_our_own_words():
    text = (DOCS / "glossary.md").read_text("utf-8")
    for word in (
        "atom",
        "leaf",
        "view",
        "ledger",
        "undefined",
        "signature",
        "episode",
        "reading",
        "clinical",
    ):
        assert re.search(rf"^\| [^|]*\b{word}\b[^|]* \|", text, re.MULTILINE), word
