"""Pairs of a report and the same with errors put in by others, such as ReXErr's tables.

A row has the original, the changed text and the kinds of its errors; ReXErr puts several into one report, and such a
row counts under each of them.
"""

import re
from pathlib import Path

from overread.errors import BadInput
from overread.sources.rows import Cells
from overread.validation.clear_files import rows_of
from overread.validation.injected import Pair

ORIGINAL = ("original_report", "original_sentence", "original", "reference")
CHANGED = ("error_report", "error_sentence", "modified_report", "changed", "candidate")
KINDS = ("errors_sampled", "error_types", "error_type", "errors", "kind")
IDS = ("study_id", "dicom_id", "id")


def load_pairs(path: Path) -> list[Pair]:
    """Every row whose text was changed, once for each kind of error."""
    found: list[Pair] = []
    for line, row in rows_of(path):
        original, changed = cell(row, ORIGINAL, path), cell(row, CHANGED, path)
        if not original.strip() or not changed.strip() or original == changed:
            continue
        id = next((str(row[name]) for name in IDS if row.get(name)), str(line))
        for kind in kinds(cell(row, KINDS, path)):
            found.append(Pair(id, kind, kind, True, original, changed))
    if not found:
        raise BadInput(f"{path} has no row whose text was changed.")
    return found


def cell(row: Cells, names: tuple[str, ...], path: Path) -> str:
    named = next((name for name in names if name in row), None)
    if named is None:
        raise BadInput(
            f"{path} has none of the columns {', '.join(names)}; it has {', '.join(map(str, row))}. Rename one."
        )
    return str(row[named] or "")


def kinds(text: str) -> list[str]:
    """Kinds of errors as a list is written in a cell.

    >>> kinds("['False Negation', 'Change Severity']"), kinds("add typo; remove finding"), kinds("")
    (['false negation', 'change severity'], ['add typo', 'remove finding'], ['error'])
    """
    parts = (part.strip().lower() for part in re.split(r"[\[\]'\";|,]+", text))
    return list(dict.fromkeys(part for part in parts if part)) or ["error"]
