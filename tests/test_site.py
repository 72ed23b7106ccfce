"""The documentation as a site: built without a network, its commands and snippets run, its figures agree."""

import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from overread import examples
from overread.cli.main import command

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
BIN = Path(sys.executable).parent


class Resources(HTMLParser):
    """What a page would fetch."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        own = dict(attrs)
        if tag in ("script", "img", "iframe", "source"):
            self.found.append(own.get("src") or "")
        if tag == "link" and own.get("rel") in ("stylesheet", "preconnect", "preload", "icon"):
            self.found.append(own.get("href") or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Built with every way out closed: proxies that lead nowhere."""
    zensical = shutil.which("zensical", path=str(BIN))
    if zensical is None:
        pytest.skip("zensical is not installed (extra `site`)")
    place = tmp_path_factory.mktemp("site")
    shutil.copytree(DOCS, place / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "mkdocs.yml", place)
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    done = subprocess.run(
        [zensical, "build", "--strict", "-f", "mkdocs.yml"], cwd=place, capture_output=True, text=True,
        env={**os.environ, **nowhere, "NO_COLOR": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return place / "site"


def test_every_page_is_built_and_fetches_nothing(site):
    for page in PAGES:
        built = site / page.relative_to(DOCS).with_suffix(".html")
        assert built.exists(), built
        away = [
            found for found in Resources(built.read_text("utf-8")).found if re.match(r"(https?:)?//", found)
        ]
        assert not away, (built.name, away)


def test_pictures_and_search_are_there(site):
    assert {path.name for path in (site / "pictures").glob("*.png")} == {
        "overview.png", "findings.png", "cases.png", "patients.png"
    }  # fmt: skip
    assert "pneumothorax" in (site / "search.json").read_text("utf-8")


def made_by(script):
    return subprocess.run(
        [sys.executable, str(DOCS / script)], capture_output=True, text=True, check=True
    ).stdout


def test_metric_cards_are_the_pages_own():
    assert (DOCS / "metrics.md").read_text("utf-8") == made_by("make_metric_cards.py"), "run `make docs`"


def test_llms_txt_lists_every_page():
    text = (DOCS / "llms.txt").read_text("utf-8")
    assert text == made_by("make_llms_txt.py"), "run `make docs`"
    assert [page for page in PAGES if f"({page.relative_to(DOCS).as_posix()})" not in text] == []


def test_notebooks_are_what_their_script_writes():
    sys.path.insert(0, str(DOCS))
    try:
        import make_notebooks
    finally:
        sys.path.remove(str(DOCS))
    for name, cells in make_notebooks.NOTEBOOKS.items():
        assert (DOCS / "notebooks" / f"{name}.ipynb").read_text("utf-8") == make_notebooks.notebook(cells)
        assert (DOCS / "notebooks" / f"{name}.md").read_text("utf-8") == make_notebooks.page(name, cells)


@pytest.mark.parametrize("name", ["score_my_model", "build_a_data_set"])
def test_notebooks_run(name):
    nbformat = pytest.importorskip("nbformat", reason="nbclient is not installed")
    client = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    notebook = nbformat.read(DOCS / "notebooks" / f"{name}.ipynb", as_version=4)
    client.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    assert all(cell.outputs for cell in notebook.cells if cell.cell_type == "code")


@pytest.mark.judge
def test_what_metrics_hear_is_as_the_page_says():
    """Measured again; a rule that changes one or two of eight pairs moves a cell by 25 points at most."""
    shown = table_of((DOCS / "which-metric.md").read_text("utf-8"))
    found = table_of(made_by("hearing.py"))
    assert set(shown) == set(found)
    for metric, row in found.items():
        for was, now in zip(shown[metric], row, strict=True):
            assert abs(was - now) <= 25, f"{metric}: run `make docs`"
    assert shown["overread"][:4] > shown["bleu-4"][:4]


def table_of(text):
    rows = re.findall(r"^\| `([\w-]+)` \|((?: +\d+ % \|)+)$", text, re.MULTILINE)
    return {name: [int(n) for n in re.findall(r"\d+", cells)] for name, cells in rows}


# ---- commands


def shell_blocks(page):
    return re.findall(r"```(?:sh|console)\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


def commands_of(page):
    for block in shell_blocks(page):
        for line in block.replace("\\\n", " ").splitlines():
            line = line.strip().removeprefix("$ ").removeprefix("uv run ")
            if line.startswith("overread "):
                yield line.split("  #")[0].strip()


def verb_of(words):
    found, path = command(), []
    while words and words[0] in getattr(found, "commands", {}):
        path.append(words[0])
        found = found.commands[words.pop(0)]
    return found, path


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_every_option_that_is_shown_exists(page):
    for line in commands_of(page):
        verb, path = verb_of(shlex.split(line, comments=True)[1:])
        known = {"--help", "--version", "--install-completion"} | {
            name
            for own in (verb, *getattr(verb, "commands", {}).values())  # a group may pass options on
            for one in own.params
            for name in (*one.opts, *one.secondary_opts)
        }
        used = [
            word.split("=")[0] for word in shlex.split(line, comments=True) if re.match(r"--?[a-zA-Z]", word)
        ]
        assert [word for word in used if word not in known] == [], f"{' '.join(path)} in {page.name}"


RUN = ("install.md", "tutorial.md", "files.md", "validate.md")


@pytest.fixture(scope="module")
def workplace(tmp_path_factory):
    """A folder with the files that the pages speak of."""
    place = tmp_path_factory.mktemp("work")
    with examples.folder() as folder:
        for path in folder.glob("*.jsonl"):  # the first patients, to be quick
            (place / path.name).write_text("".join(path.read_text("utf-8").splitlines(True)[:8]), "utf-8")
    import csv

    files = (
        ("references", "references", "report"),
        ("ours", "steady", "generated"),
        ("theirs", "fluent", "report"),
    )
    for name, source, column in files:
        rows = [json.loads(line) for line in (place / f"{source}.jsonl").read_text("utf-8").splitlines()][:6]
        with (place / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["id", column])
            writer.writerows([row["id"], row["report"]] for row in rows)
    return place


LINES = [line for name in RUN for line in commands_of(DOCS / name)]


@pytest.mark.parametrize("line", [line for line in LINES if "demo" not in line])  # tests/cli runs the demo
def test_commands_of_the_first_pages_run(line, workplace):
    words = shlex.split(line)
    done = subprocess.run(
        [str(BIN / "overread"), *words[1:]], cwd=workplace, capture_output=True, text=True, timeout=120
    )
    assert done.returncode in ((0, 1) if words[1] == "errors" else (0,)), done.stderr
    assert done.stdout.strip() or done.stderr.strip()


# ---- snippets and figures

TESTED_ELSEWHERE = {"python.md", "statistics.md"}


@pytest.mark.parametrize(
    "page",
    [p for p in PAGES if ">>>" in p.read_text("utf-8") and p.name not in TESTED_ELSEWHERE],
    ids=lambda p: p.name,
)
def test_snippets_run(page):
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried
    assert not failed


def test_figures_of_the_readme_are_those_of_how_good_it_is():
    readme = (ROOT / "README.md").read_text("utf-8")
    section = readme[readme.index("## How good is it") : readme.index("## More")]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    figures = set(re.findall(r"(?<![\d.])\.\d{2,3}\b", "\n".join(rows)))
    there = (DOCS / "how-good-is-it.md").read_text("utf-8")
    rounded = {f"{float(n):.2f}".lstrip("0") for n in re.findall(r"0?\.\d{2,4}", there)}
    assert [one for one in sorted(figures) if one not in there and one not in rounded] == []


def test_the_glossary_defines_our_own_words():
    text = (DOCS / "glossary.md").read_text("utf-8")
    for word in ("atom", "leaf", "told", "view", "ledger", "undefined", "signature", "episode", "reading"):
        assert re.search(rf"^\| [^|]*\b{word}\b[^|]* \|", text, re.MULTILINE), word
