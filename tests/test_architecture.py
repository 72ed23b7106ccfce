"""Arrows point down only, and packages on one line do not know each other."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import overread
from overread.formats.registry import FORMATS

ROOT = Path(overread.__file__).parent
REVIEW = ROOT.parents[1] / "packages" / "overread-review" / "src" / "overread_review"
LEVELS = [
    {"__main__"},
    {"cli"},
    {"serve", "mcp", "bench"},
    {"corpus"},
    {"pages", "validation", "trainers", "scale"},
    {"runner"},
    {"formats"},
    {"systems", "baselines"},
    {"reader", "llm", "encoders"},
    {"lexicon", "sources", "judge"},
    {"network"},
    {"report", "stats", "examples", "weights"},
    {"extras", "signature", "plugins", "whole"},
    {"errors", "version"},
]
LEVEL = {name: n for n, names in enumerate(LEVELS) for name in names}
SYSTEMS = {p.name for p in (ROOT / "systems").iterdir() if (p / "__init__.py").exists()}
FILES = sorted(ROOT.rglob("*.py"))
FILES_OF_REVIEW = sorted(REVIEW.rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Modules of ours that a file imports, at the top or inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("overread"):
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("overread")}
    return found


def package(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in LEVEL else None


HERE = {path: path.relative_to(ROOT).with_suffix("").parts[0] for path in FILES}


def test_the_drawing_shows_these_levels():
    page = (ROOT.parents[1] / "docs" / "architecture.md").read_text("utf-8")
    drawing = re.search(r"```\ncli\n(.*?)```", page, re.DOTALL)
    drawn = [set(line.split(" · ")) for line in ["cli", *drawing[1].splitlines()]]
    assert drawn == LEVELS[1:]


@pytest.mark.parametrize("here", sorted({*HERE.values()} - {"__init__"}))
def test_arrows_point_down(here):
    assert here in LEVEL, f"{here} has no place in the drawing"
    for module in {module for path in FILES if HERE[path] == here for module in imports(path)}:
        there = package(module)
        if there is not None and there != here:
            assert LEVEL[there] > LEVEL[here], f"{here} must not import {module}"


def test_the_review_app_is_above_everything_and_only_its_entry_point_leads_there():
    """The core knows no more of it than the name of its command; it takes nothing from packages beside it."""
    assert not [path for path in FILES if any(m.startswith("overread_") for m in imports(path))]
    taken = {m for path in FILES_OF_REVIEW for m in imports(path)}
    beside = {m for m in taken if package(m) in {"cli", "serve", "mcp", "bench", "pages"}}
    assert not {m for m in beside if not m.startswith("overread.cli.terminal.")}, (
        "but for what all commands share"
    )


def test_reports_of_users_are_loaded_in_any_format():
    """`sources.load` takes tables, texts and folders only; above `formats` it would leave out a hospital's files."""
    above = [
        path for path in FILES if LEVEL.get(HERE[path], len(LEVELS)) < LEVEL["formats"]
    ] + FILES_OF_REVIEW
    plain = re.compile(r"from overread\.sources import .*\bload\b(?!_)|\bsources\.load\(")
    assert not [path for path in above if plain.search(path.read_text("utf-8"))]


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_reads_and_writes_in_one_place(name):
    from overread.formats.registry import module_of

    module = module_of(name)
    assert callable(module.write)
    assert not FORMATS[name].layout or callable(module.read)


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_no_system_imports_another(name):
    for path in (ROOT / "systems" / name).rglob("*.py"):
        others = {m for m in imports(path) for s in SYSTEMS - {name} if m.startswith(f"overread.systems.{s}")}
        assert not others, f"{path.name} imports {others}"


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_scores_do_not_know_who_read(name):
    score = ROOT / "systems" / name / "score.py"
    if score.exists():
        readers = {
            m
            for m in imports(score)
            if m.startswith(("overread.reader", "overread.llm", "overread.report.parse"))
        }
        assert not readers, f"{score} imports {readers}"


def verbs(command, path: str = "") -> set[str]:
    """Every verb as the file it belongs in: `read`, `validate/ssree`."""
    below = getattr(command, "commands", {})
    return {path} - {""} | {one for name, child in below.items() for one in verbs(child, f"{path}/{name}")}


def test_every_file_of_the_cli_is_named_after_a_verb():
    """Verbs that belong together stand in the file of the first.

    What verbs share is in `cli/terminal/`; what they do is in the packages below.
    """
    from overread.cli.main import command

    known = {verb.strip("/").replace("-", "_") for verb in verbs(command())}
    here = (p.relative_to(ROOT / "cli") for p in FILES if p.is_relative_to(ROOT / "cli"))
    own = {
        str(p.parent if p.stem == "__init__" else p.with_suffix("")) for p in here if p.parts[0] != "terminal"
    }
    assert own - {".", "main"} <= known


def test_the_installed_command_imports_no_verb_before_it_runs():
    """Every worker process imports the script that started its parent."""
    settings = tomllib.loads((ROOT.parents[1] / "pyproject.toml").read_text("utf-8"))
    module, _, function = settings["project"]["scripts"]["overread"].partition(":")
    code = f"import sys; from {module} import {function}; sys.exit('typer' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_a_system_brings_its_parts_from_its_own_folder(name):
    """One registration: nothing else in the package has to be told of a system."""
    from overread.systems.registry import part, system

    found = system(name)
    assert found.main in {metric.name for metric in found.metrics}
    assert found.main in found.titles
    for module in filter(None, (found.by_llm, found.render, found.panel, found.settings)):
        assert module.startswith(f"overread.systems.{name}.")
    assert part(found.render, "render")
    assert part(found.panel, "outcomes")


def classes(path: Path) -> dict[str, set[str]]:
    """Every class of a file with the names of its bases."""
    found = (n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.ClassDef))
    return {c.name: {base.id for base in c.bases if isinstance(base, ast.Name)} for c in found}


def test_no_file_of_the_reader_is_an_inheritance_layer_of_another():
    own = {path: classes(path) for path in FILES if path.relative_to(ROOT).parts[0] == "reader"}
    for path, here in own.items():
        others = {name for other, found in own.items() if other != path for name in found}
        assert not {name: bases & others for name, bases in here.items() if bases & others}, path.name


def test_no_file_has_a_name_that_says_nothing():
    vague = {"utils", "util", "common", "helpers", "core", "manager", "processor", "misc"}
    assert not [p for p in (*FILES, *FILES_OF_REVIEW) if p.stem in vague]


CUTTERS = {
    "systems/ledger/claims/diseases.py": "words with their places and their case, for names of diseases",
    "systems/ledger/claims/naming.py": "hyphens stay inside a name",
}
"""Files outside `lexicon/words.py` that know what a word looks like; the list may only become shorter."""

ANY_WORD = ("opacity", "zorple", "heart")


ASKED_OF_EVERY_MODULE = frozenset(
    "SYSTEM METRICS metrics marks outcomes panel read render score view views write T __all__".split()
    + "GoldReport SHAPE View agreement compare picture".split()
)
"""Names that a registry looks up in each system, format or question of `validate structuring`."""


def top_level_names(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
    return found


def test_a_search_for_a_name_leads_to_two_places_at_most():
    places: dict[str, list[str]] = {}
    for path in FILES:
        for name in top_level_names(path) - ASKED_OF_EVERY_MODULE:
            places.setdefault(name, []).append(str(path.relative_to(ROOT)))
    many = {name: found for name, found in places.items() if len(found) > 2}
    assert many == {}, "give one of them a name of its own"


def patterns(path: Path) -> set[str]:
    """Every pattern that a file hands to `re`."""
    calls = (n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Call))
    named = (c for c in calls if isinstance(c.func, ast.Attribute) and isinstance(c.func.value, ast.Name))
    firsts = (c.args[0] for c in named if c.func.value.id == "re" and c.args)
    return {a.value for a in firsts if isinstance(a, ast.Constant) and isinstance(a.value, str)}


def cuts_words(pattern: str) -> bool:
    """Would it match any word whatever, and never two at once?"""
    found = re.compile(pattern, re.IGNORECASE)
    return all(found.fullmatch(word) for word in ANY_WORD) and not found.fullmatch("two words")


def test_text_is_cut_into_words_in_one_place():
    """`lexicon/words.py` says what a word is; the reader and the systems ask it."""
    files = [p for p in FILES if p.relative_to(ROOT).parts[0] in ("reader", "systems")]
    cutting = {str(p.relative_to(ROOT)) for p in files if any(map(cuts_words, patterns(p)))}
    assert cutting <= set(CUTTERS), "ask lexicon.words for words: `split` or `bare`"
    assert set(CUTTERS) <= cutting, "take these off the list"


NAMED_WORDS = 85
"""Patterns of the reader and the systems that name English words; words belong in tables, so this may only fall."""


def test_patterns_name_no_more_words_than_they_did():
    files = [p for p in FILES if p.relative_to(ROOT).parts[0] in ("reader", "systems")]
    naming = [p for file in files for p in patterns(file) if re.search("[a-z]{3}", plain_letters(p))]
    assert len(naming) <= NAMED_WORDS, "a word is a row of a table"


def plain_letters(pattern: str) -> str:
    """What a pattern asks for by name: without classes, names of groups and letters behind a backslash."""
    return re.sub(r"\\.|\(\?P<\w+>|\[[^\]]*\]", " ", pattern)


def test_what_is_read_begins_and_ends_with_a_word():
    """Whatever either points at begins and ends where a word of `lexicon/words.py` does."""
    from overread.lexicon.words import split
    from overread.reader import read
    from overread.report import parse

    text = (
        "FINDINGS: T2-weighted high-signal lesion of 2.5x3 cm at C5/6, non-displaced rib fracture. Air-fluid level in "
        "the patient's L4–L5 disc; follow-up of the port-a-cath, 1.5-cm left-sided nodule (series 3, image 12)."
    )
    reading, cut = read(parse(text)), split(text)
    starts, ends = {word.start for word in cut}, {word.end for word in cut}
    findings = [span for f in reading.findings for span in (f.span, *(a.span for a in f.attributes))]
    assert len(findings) > 8
    for span in findings:
        assert span.start in starts, reading.quote(span)
        assert span.end in ends, reading.quote(span)


def test_what_is_not_done_yet_names_tests_that_exist():
    tests = Path(__file__).parent
    rows = (tests / "not_yet.tsv").read_text("utf-8").splitlines()[1:]
    for test, case, reason in (row.split("\t") for row in rows):
        file, _, name = test.partition("::")
        assert f"def {name}(" in (tests.parent / file).read_text("utf-8"), test
        assert case
        assert reason
