"""Tables of judgements as rows: CSV, TSV, JSON and JSON lines, alone or in folders."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from overread.errors import BadInput


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
