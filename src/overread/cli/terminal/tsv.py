"""Rows to a tab-separated file."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from overread.cli.terminal.voice import note
from overread.whole import write


def write_tsv(path: Path, rows: Iterable[Sequence[str]]) -> None:
    """Tabs and line breaks inside a cell become blanks."""
    lines = ["\t".join(" ".join(cell.split()) for cell in row) for row in rows]
    write(path, ("\n".join(lines) + "\n").encode())
    note(f"wrote {path}: {len(lines) - 1} rows")
