"""What users read uses the words of the field, by the list in CONTRIBUTING.md; our own are defined or left out."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from overread.cli.main import command

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SOURCE = ROOT / "src" / "overread"
SOURCES = (SOURCE, ROOT / "packages" / "overread-review" / "src" / "overread_review")
ROOTS = ("README", "CONTRIBUTING", "CHANGELOG", "SECURITY")
PAGES = [*(ROOT / f"{name}.md" for name in ROOTS), *sorted(DOCS.rglob("*.md"))]
AT_HOME = {"radsem.md", "papers.md", "glossary.md", "cli.md"}
"""Pages that speak of atoms because the paper does, and say what they are."""

SPEAKING = {"note", "echo", "print", "wrote"}
"""Functions whose words a user reads."""

ALLOWED = {
    "kept back": ("licences.md",),  # the texts of others' licences
    "by rules": (
        "radsem.md",
        "measurements.md",
    ),  # levels that rules build; an earlier version that had no network
}
TABLE = re.compile(r"## Words\n.*?(\n\|.*?)\n\n", re.DOTALL)


def old_words():
    """The left column of the table in CONTRIBUTING.md."""
    found = TABLE.search((ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    rows = [line.split("|")[1] for line in found[1].strip().splitlines()[2:]]
    return [word.strip() for row in rows for word in row.split(",")]


OLD = old_words()
PATTERN = re.compile(r"\b(?:" + "|".join(re.escape(word) for word in OLD) + r")(?!\w)", re.IGNORECASE)


def prose(page):
    """The page without its code, and without the table of words itself."""
    text = TABLE.sub("", page.read_text("utf-8"))
    return re.sub(r"```.*?```|`[^`]*`|<!--.*?-->", "", text, flags=re.DOTALL)


def found_in(text, name=""):
    return [word for word in PATTERN.findall(text) if name not in ALLOWED.get(word.lower(), ())]


def test_there_is_a_list():
    assert len(OLD) > 30
    assert found_in("Scores that were kept back; what would mend it.") == ["kept back", "mend"]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_pages_use_the_words_of_the_field(page):
    found = found_in(prose(page), page.name)
    if page.name not in AT_HOME:
        found += re.findall(r"(?i)\batoms\b", prose(page))
    assert found == []


def helps(verb, path="overread"):
    yield path, verb.help or ""
    for one in verb.params:
        yield f"{path} {one.opts[0]}", getattr(one, "help", None) or ""
    for name, child in getattr(verb, "commands", {}).items():
        yield from helps(child, f"{path} {name}")


def test_help_uses_the_words_of_the_field():
    assert {where: found for where, text in helps(command()) if (found := found_in(text))} == {}


def test_cards_use_the_words_of_the_field():
    cards = tomllib.loads((SOURCE / "pages" / "cards.toml").read_text("utf-8"))
    assert {name: found for name, card in cards.items() if (found := found_in(" ".join(card.values())))} == {}


def said(path):
    """The words of errors that are raised and of lines that are printed."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        call = node.exc if isinstance(node, ast.Raise) else node
        if not isinstance(call, ast.Call):
            continue
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        if isinstance(node, ast.Raise) or name in SPEAKING:
            for one in ast.walk(call):
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield one.value


def test_messages_use_the_words_of_the_field():
    found = {
        f"{path.relative_to(source)}: {text}": words
        for source in SOURCES
        for path in sorted(source.rglob("*.py"))
        for text in said(path)
        if (words := found_in(text, path.name)) and text not in ("heard", "told")  # names of fields
    }
    assert found == {}


@pytest.mark.parametrize(
    "table", [f"systems/ledger/tables/{name}" for name in ("significance", "diseases", "moves")]
)
def test_reasons_that_are_shown_use_the_words_of_the_field(table):
    """The last column of these tables stands under *why it matters* and in `overread explain`."""
    lines = (SOURCE / f"{table}.tsv").read_text("utf-8").splitlines()
    reasons = {line.split("\t")[-1] for line in lines}
    assert {reason: found for reason in sorted(reasons) if (found := found_in(reason))} == {}


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
        "confidence interval",
        "laterality",
        "held-out",
        "hallucination",
        "model",
    ):
        assert re.search(rf"^\| .*\b{word}\b.* \|", text, re.MULTILINE), word
