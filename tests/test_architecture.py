"""Arrows point down only, and packages on one line do not know each other."""

import ast
from pathlib import Path

import pytest

import overread

ROOT = Path(overread.__file__).parent
LEVELS = [
    {"cli"},
    {"web", "review", "serve", "mcp"},
    {"pages", "validation", "trainers", "scale", "exports"},
    {"runner"},
    {"systems", "baselines"},
    {"reader", "llm", "encoders"},
    {"lexicon", "sources", "judge"},
    {"report", "stats", "examples"},
    {"extras", "signature", "plugins"},
    {"errors", "version"},
]
LEVEL = {name: n for n, names in enumerate(LEVELS) for name in names}
SYSTEMS = {p.name for p in (ROOT / "systems").iterdir() if (p / "__init__.py").exists()}
FILES = sorted(ROOT.rglob("*.py"))


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


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_arrows_point_down(path):
    here = path.relative_to(ROOT).with_suffix("").parts[0]
    if here == "__init__":
        return
    assert here in LEVEL, f"{here} has no place in the drawing"
    for module in imports(path):
        there = package(module)
        if there is not None and there != here:
            assert LEVEL[there] > LEVEL[here], f"{here} must not import {module}"


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


def test_no_file_has_a_name_that_says_nothing():
    vague = {"utils", "util", "common", "helpers", "core", "manager", "processor", "misc"}
    assert not [p for p in FILES if p.stem in vague]
