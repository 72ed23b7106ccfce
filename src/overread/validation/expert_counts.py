"""What radiologists counted: one judgement per rater and candidate, and the items they make up."""

import csv
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec
from msgspec import Struct

from overread.errors import BadInput

NAMELESS = "errors"
"""The category of errors that nobody named, and of a rater who found none."""


class Judgement(Struct, frozen=True):
    """One rater on one candidate."""

    study: str
    source: str
    """Where the candidate comes from: a system, or the metric that picked it; `-` when nobody says."""

    rater: str
    reference: str
    candidate: str
    errors: dict[str, float] = {}
    """Category → errors of any significance."""

    significant: dict[str, float] | None = None
    """Category → clinically significant errors; None where nobody told them apart."""

    rating: float | None = None
    """An overall mark, higher is better."""


class Item(Struct, frozen=True):
    """One candidate with all its raters."""

    study: str
    source: str
    reference: str
    candidate: str
    raters: dict[str, Judgement]


def items(found: Iterable[Judgement]) -> list[Item]:
    """Judgements gathered by study, source and candidate, in order of appearance."""
    gathered: dict[tuple[str, str, str], dict[str, Judgement]] = {}
    first: dict[tuple[str, str, str], Judgement] = {}
    for one in found:
        key = (one.study, one.source, one.candidate)
        own = gathered.setdefault(key, {})
        if one.rater in own:
            raise BadInput(
                f"Rater {one.rater!r} judges study {one.study!r}, source {one.source!r} twice; "
                "give each judgement once."
            )
        own[one.rater] = one
        first.setdefault(key, one)
    return [Item(key[0], key[1], first[key].reference, key[2], raters) for key, raters in gathered.items()]


def targets(found: Iterable[Item]) -> tuple[str, ...]:
    """What can be correlated with: all errors, significant ones, each category, the rating."""
    judged = [j for item in found for j in item.raters.values()]
    categories = sorted({c for j in judged for c in j.errors})
    counted = ["errors"] if categories else []
    categories = [c for c in categories if c != NAMELESS]
    counted += ["significant errors"] if any(j.significant is not None for j in judged) else []
    rated = ["rating"] if any(j.rating is not None for j in judged) else []
    return (*counted, *(f"category {c}" for c in categories if len(categories) > 1), *rated)


def amount(judgement: Judgement, target: str) -> float | None:
    """What one rater gives under one target, turned so that higher is better.

    >>> one = Judgement("1", "-", "r", "", "", {"1": 2.0, "2": 1.0}, {"1": 1.0}, 4.0)
    >>> [amount(one, t) for t in ("errors", "significant errors", "category 2", "rating")]
    [-3.0, -1.0, -1.0, 4.0]
    """
    if target == "rating":
        return judgement.rating
    if target == "errors":
        return -sum(judgement.errors.values()) if judgement.errors else None
    if target == "significant errors":
        return None if judgement.significant is None else -sum(judgement.significant.values())
    return -judgement.errors.get(target.removeprefix("category "), 0.0)


def mean_of(item: Item, target: str, without: str | None = None) -> float | None:
    """The mean over the raters, or over all but one."""
    given = [amount(j, target) for rater, j in item.raters.items() if rater != without]
    known = [v for v in given if v is not None]
    return fmean(known) if known else None


PAIR = re.compile(r"(?P<name>[^:=,;\n\d][^:=,;\n]*?)\s*[:=]\s*(?P<count>-?\d+(?:\.\d+)?)")
LETTERED = re.compile(r"\(?\b(?P<name>[a-f]|[1-6])\)\s*(?P<count>\d+(?:\.\d+)?)")
NUMBERS = re.compile(r"\s*\[?\s*\d+(?:\.\d+)?(?:\s*[,;\s]\s*\d+(?:\.\d+)?)*\s*\]?\s*")


def counts_in(cell: str, where: str) -> tuple[dict[str, float], dict[str, float] | None]:
    """Errors by category, and the significant ones where the categories say so.

    >>> counts_in("1, 0, 2", "row 1")
    ({'1': 1.0, '2': 0.0, '3': 2.0}, None)
    >>> counts_in("false finding (significant): 1; false finding (insignificant): 2", "row 1")
    ({'false finding': 3.0}, {'false finding': 1.0})
    """
    found = pairs_in(cell)
    if not found:
        raise BadInput(
            f"{where}: the cell {cell.strip()[:40]!r} holds no counts. "
            "Write `1, 0, 2`, `name: 1; other: 0` or a JSON object."
        )
    if any(count < 0 for _, count in found):
        raise BadInput(f"{where}: a count of errors cannot be negative.")
    return told_apart(found)


def pairs_in(cell: str) -> list[tuple[str, float]]:
    text = cell.strip()
    if text.startswith("{"):
        try:
            made = msgspec.json.decode(text.replace("'", '"'))
        except msgspec.DecodeError:
            made = None
        if isinstance(made, dict) and all(isinstance(v, int | float) for v in made.values()):
            return [(str(name), float(value)) for name, value in made.items()]
        return []
    if NUMBERS.fullmatch(text):
        return [(str(n), float(v)) for n, v in enumerate(re.findall(r"\d+(?:\.\d+)?", text), 1)]
    named = [(m["name"].strip(), float(m["count"])) for m in PAIR.finditer(text)]
    return named or [(m["name"], float(m["count"])) for m in LETTERED.finditer(text)]


SIGNIFICANCE = re.compile(r"\W*\b(?:clinically\s+)?(in|non-?|not\s+)?significant\b\W*", re.IGNORECASE)


def told_apart(found: list[tuple[str, float]]) -> tuple[dict[str, float], dict[str, float] | None]:
    """All errors, and those whose category says `significant`."""
    errors: dict[str, float] = {}
    grave: dict[str, float] = {}
    apart = False
    for name, count in found:
        mark = SIGNIFICANCE.search(name)
        plain = SIGNIFICANCE.sub(" ", name).strip() or NAMELESS
        errors[plain] = errors.get(plain, 0.0) + count
        if mark is not None:
            apart = True
            grave[plain] = grave.get(plain, 0.0) + (0.0 if mark[1] else count)
    return errors, grave if apart else None


class Opened(Struct, frozen=True):
    """One file: its name and its rows."""

    path: Path
    rows: list[dict[str, Any]]

    @property
    def columns(self) -> frozenset[str]:
        return frozenset(self.rows[0]) if self.rows else frozenset()


def listed(paths: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(p for p in path.rglob("*") if p.suffix in (".csv", ".tsv", ".json", ".jsonl"))
        elif path.exists():
            found.append(path)
        else:
            raise BadInput(f"There is no file {path}.")
    return found


def opened_file(path: Path) -> Opened:
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"Cannot read {path}: {error}.") from None
    if path.suffix in (".json", ".jsonl"):
        return Opened(path, json_rows(text, path))
    delimiter = "\t" if path.suffix == ".tsv" else ","
    rows = list(csv.DictReader(text.splitlines(keepends=True), delimiter=delimiter))
    for number, row in enumerate(rows, 2):
        if None in row or None in row.values():
            raise BadInput(f"{path}, row {number}: another number of cells than the header has.")
    return Opened(path, rows)


def json_rows(text: str, path: Path) -> list[dict[str, Any]]:
    try:
        if path.suffix == ".jsonl":
            made: Any = [msgspec.json.decode(line) for line in text.splitlines() if line.strip()]
        else:
            made = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise BadInput(f"{path} is not JSON: {error}.") from None
    made = (
        list(made.values())
        if isinstance(made, dict) and all(isinstance(v, dict) for v in made.values())
        else made
    )
    if not isinstance(made, list) or not all(isinstance(row, dict) for row in made):
        raise BadInput(f"{path}: expected a list of objects.")
    return made


def named(columns: Sequence[str] | frozenset[str], names: Sequence[str]) -> str | None:
    """The first of these columns that is there, whatever its case."""
    lower = {c.lower(): c for c in columns}
    return next((lower[name] for name in names if name in lower), None)


def number(value: Any, where: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise BadInput(f"{where}: {str(value)[:30]!r} is not a number.") from None
