"""Files of JSON lines that a benchmark is given; what is wrong with one is said in words."""

import json
import sys
from pathlib import Path
from typing import Any


def rows(path: Path, *needed: str) -> list[dict[str, Any]]:
    """The lines of a file, each an object with these fields."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(
            f"Cannot read {path}: {getattr(error, 'strerror', None) or 'it is not a text file in UTF-8'}."
        )
    found = [checked(path, number, line, needed) for number, line in enumerate(lines, 1) if line.strip()]
    return found or sys.exit(f"{path} is empty.")


def checked(path: Path, number: int, line: str, needed: tuple[str, ...]) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError:
        sys.exit(f"{path}, line {number}: no JSON object. Give one object a line.")
    lacking = [name for name in needed if not isinstance(row, dict) or name not in row]
    if lacking:
        sys.exit(f"{path}, line {number}: no field {lacking[0]!r}; this benchmark needs {', '.join(needed)}.")
    return row
