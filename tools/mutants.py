"""Break the code on purpose, one small edit at a time, and see whether the tests notice.

python tools/mutants.py                 # 60 mutants; goes on where it was stopped
python tools/mutants.py --list          # what would be tried
python tools/mutants.py --first 3       # a look

Mutants are drawn with a fixed seed from the code that reads, matches and decides. Each is made in a copy of the
tracked files, and tests run there until one fails: first those that import the file, then all of its package. The
network is never edited, and so it hears a text once for all mutants. What was found is kept beside the copy, by the
bytes of the changed file and of those tests: it is asked again only when one of them has changed.
"""

import argparse
import ast
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
CODE = ROOT / "src" / "overread"
WHERE = (
    "reader/**/*.py", "judge/*.py", "systems/ledger/**/*.py",
    "systems/*/match*.py", "systems/*/score.py", "systems/*/by_rules.py",
)  # fmt: skip
SPOKEN = {"panel.py", "render.py", "settings.py", "__init__.py"}
"""Files that show or set, and decide nothing."""

FLIPPED = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


GOLDEN = "tests/golden/test_readings_stay.py"


class Mutant(NamedTuple):
    kind: str
    path: str
    line: int
    old: str
    new: str
    span: tuple[int, int]
    """Bytes of the file that go."""

    @property
    def source(self) -> str:
        """The whole file with the edit in it."""
        whole = (ROOT / self.path).read_bytes()
        return (whole[: self.span[0]] + self.new.encode() + whole[self.span[1] :]).decode()

    def __str__(self) -> str:
        old, new = (" ".join(text.split())[:60] for text in (self.old, self.new))
        return f"{self.path}:{self.line}  {self.kind}: {old}  →  {new}"


def edits(node: ast.AST) -> Iterator[tuple[str, ast.expr, str]]:
    """Each way to break a node: what kind it is, the expression that goes, and what stands there instead."""
    match node:
        case ast.Compare(ops=[only]) if type(only) in FLIPPED:
            turned = ast.Compare(node.left, [FLIPPED[type(only)]()], node.comparators)
            yield "comparison flipped", node, f"({ast.unparse(turned)})"
        case ast.Constant(value=bool(truth)):
            yield "constant changed", node, str(not truth)
        case ast.Constant(value=int(number) | float(number)):
            yield "constant changed", node, str(number + 1 if isinstance(number, int) else number / 2 + 0.2)
        case ast.BoolOp(op, values):
            other: ast.boolop = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield "and/or swapped", node, f"({ast.unparse(ast.BoolOp(other, values))})"
        case ast.UnaryOp(ast.Not(), operand):
            yield "not dropped", node, f"({ast.unparse(operand)})"
        case ast.Return(ast.expr() as value):
            nothing = ast.unparse(value) in ("None", "False", "()", "[]", "{}", "''", "0", "0.0")
            yield "return value replaced", value, "True" if nothing else "None"
        case ast.If(test) if "TYPE_CHECKING" not in ast.unparse(test):
            yield "branch removed", test, "False"


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """Every node whose place in the text is known and that runs: no annotations, nothing within an f-string."""
    yield node
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                    yield from walk(child)


def all_mutants() -> Iterator[Mutant]:
    for path in sorted({path for pattern in WHERE for path in CODE.glob(pattern)}):
        if path.name in SPOKEN:
            continue
        source, name = path.read_bytes(), str(path.relative_to(ROOT))
        before = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
        for node in walk(ast.parse(source)):
            for kind, gone, new in edits(node):
                start = before[gone.lineno - 1] + gone.col_offset
                end = before[(gone.end_lineno or 0) - 1] + (gone.end_col_offset or 0)
                yield Mutant(kind, name, gone.lineno, source[start:end].decode(), new, (start, end))


def drawn(count: int, seed: int) -> list[Mutant]:
    """As many of each kind as there is room for, each from a file of its own as long as there are files."""
    chance, by_kind, seen = random.Random(seed), {}, set()
    for one in all_mutants():
        by_kind.setdefault(one.kind, []).append(one)
    found: list[Mutant] = []
    pools = [chance.sample(by_kind[kind], len(by_kind[kind])) for kind in sorted(by_kind)]
    while len(found) < count and any(pools):
        for pool in filter(None, pools):
            pool.sort(key=lambda one: one.path in seen)  # a stable sort: fresh files first
            found.append(pool.pop(0))
            seen.add(found[-1].path)
    return found[:count]


def tests_of(path: str) -> tuple[str, ...]:
    """What speaks of a file: readings and scores kept from before, the tests of its package, the doctests beside it."""
    package = Path(path).relative_to("src/overread").parts
    if package[0] == "systems":
        return (GOLDEN, f"tests/systems/{package[1]}", f"src/overread/systems/{package[1]}")
    return (GOLDEN, "tests/judge", "tests/reader", f"src/overread/{package[0]}")


def nearest(path: str, folders: tuple[str, ...]) -> tuple[str, ...]:
    """What notices soonest: the doctests of the file, the tests that import it, the readings kept from before."""
    package, name = ".".join(Path(path).parent.parts[1:]), Path(path).stem
    imported = re.compile(rf"{package}\.{name}\b|from {package} import [^\n]*\b{name}\b")
    tests = [
        test
        for folder in folders
        if folder.startswith("tests/")
        for test in sorted((ROOT / folder).rglob("test_*.py"))
    ]
    near = [str(test.relative_to(ROOT)) for test in tests if imported.search(test.read_text("utf-8"))]
    return (path, *near, GOLDEN)


def copied(place: Path) -> Path:
    """A fresh copy of the tracked files."""
    tree = place / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    for name in subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0"):
        if name and (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
    return tree


def outcome(tree: Path, folders: tuple[str, ...], seconds: float, jobs: int) -> str:
    """`survived` where all these tests pass, else how it was noticed."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
    command += ["-n", str(jobs), *folders]
    heard = tree.parent / "heard"
    heard.mkdir(exist_ok=True)
    env = {**os.environ, "PYTHONPATH": str(tree / "src"), "OVERREAD_TESTS_HEARD": str(heard)}
    try:
        done = subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return "killed: out of time"
    if done.returncode == 0:
        return "survived"
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return f"killed: {failed[0][:100]}" if failed else f"killed: pytest ended with {done.returncode}"


def first_noticed(tree: Path, rounds: list[tuple[str, ...]], seconds: float, jobs: int) -> str:
    """The outcome of the first round of tests that notices, else `survived`."""
    found = (outcome(tree, tests, seconds, jobs) for tests in rounds)
    return next((one for one in found if one != "survived"), "survived")


def key_of(source: str, folders: tuple[str, ...]) -> str:
    """The bytes that decide an outcome: the changed file and the tests that may notice."""
    files = [
        path
        for name in folders
        for path in ([ROOT / name] if name.endswith(".py") else sorted((ROOT / name).rglob("*.py")))
    ]
    return hashlib.sha256(source.encode() + b"".join(path.read_bytes() for path in files)).hexdigest()


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--count", type=int, default=60)
    asked.add_argument("--seed", type=int, default=11)
    asked.add_argument("--first", type=int, help="try only so many of them")
    asked.add_argument("--seconds", type=float, default=900, help="for the tests of one mutant")
    asked.add_argument("--jobs", type=int, default=2, help="processes that test")
    asked.add_argument("--place", type=Path, default=Path(tempfile.gettempdir()) / "overread-mutants")
    asked.add_argument("--list", action="store_true", help="print the mutants and try none")
    given = asked.parse_args()
    mutants = drawn(given.count, given.seed)[: given.first]
    if given.list:
        print(*mutants, sep="\n")
        return
    given.place.mkdir(parents=True, exist_ok=True)
    kept = given.place / "outcomes.jsonl"
    known = dict(json.loads(line) for line in kept.read_text().splitlines()) if kept.exists() else {}
    tree = copied(given.place)

    def found(source: str, path: str | None, folders: tuple[str, ...]) -> str:
        key = key_of(source, folders)
        if key not in known:
            if path:
                (tree / path).write_text(source)
            rounds = [nearest(path, folders), folders] if path else [folders]
            known[key] = first_noticed(tree, rounds, given.seconds, given.jobs)
            if path:
                shutil.copy2(ROOT / path, tree / path)
            with kept.open("a") as file:
                file.write(json.dumps([key, known[key]]) + "\n")
        return known[key]

    outcomes = []
    for one in mutants:
        folders = tests_of(one.path)
        if (sound := found("", None, folders)) != "survived":
            sys.exit(f"{' '.join(folders)} must pass before anything is broken; {sound}.")
        outcomes.append(found(one.source, one.path, folders))
        print(f"{outcomes[-1].partition(':')[0]:9} {one}", flush=True)
    print(f"{sum(o != 'survived' for o in outcomes)} of {len(outcomes)} killed.")


if __name__ == "__main__":
    main()
