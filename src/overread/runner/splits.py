"""Shares of a corpus and splits by patient, as people write them down."""

import csv
from pathlib import Path

from overread.errors import BadInput
from overread.sources.encoding import reading
from overread.systems.longitudinal.benchmark import Split

PATIENTS = ("patient", "patient_id", "subject_id", "subject")

NAMES: dict[str, Split] = {
    "train": "train",
    "validate": "validate",
    "validation": "validate",
    "valid": "validate",
    "val": "validate",
    "dev": "validate",
    "test": "test",
}


def percentages(text: str) -> dict[Split, float]:
    """
    >>> percentages("70, 10, 20")
    {'train': 70.0, 'validate': 10.0, 'test': 20.0}
    """
    try:
        train, validate, test = map(float, text.split(","))
    except ValueError:
        train = validate = test = -1.0
    if min(train, validate, test) < 0 or not train + validate + test:
        raise BadInput(f"--shares takes three numbers such as 80,10,10, not {text!r}.")
    return {"train": train, "validate": validate, "test": test}


REPORTS = ("report", "id", "report_id", "study_id", "study")


def read_ids(path: Path) -> frozenset[str]:
    """Ids of reports: one a line, or a CSV with one of the usual columns."""
    with reading(path), path.open(encoding="utf-8-sig", newline="") as file:
        lines = [line for line in file.read().splitlines() if line.strip()]
    if not lines:
        raise BadInput(f"{path} names no report.")
    header = [name.strip().lower() for name in lines[0].split(",")]
    column = next((header.index(name) for name in REPORTS if name in header), None)
    if column is None and len(header) > 1:
        raise BadInput(f"{path} needs a column {' or '.join(REPORTS)}, or one id a line.")
    rows = list(csv.reader(lines[column is not None :]))
    return frozenset(row[column or 0].strip() for row in rows if len(row) > (column or 0))


def read_splits(path: Path) -> dict[str, Split]:
    """Patient → split from a CSV; rows of one patient must agree."""
    with reading(path), path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    names = {name.lower(): name for name in (rows[0] if rows else {})}
    patient = next((names[name] for name in PATIENTS if name in names), None)
    if patient is None or "split" not in names:
        raise BadInput(f"{path} needs a column split and one of {', '.join(PATIENTS)}.")
    found: dict[str, Split] = {}
    for number, row in enumerate(rows, 2):
        id, name = str(row[patient]).strip(), str(row[names["split"]]).strip().lower()
        if name not in NAMES:
            raise BadInput(f"{path}, line {number}: a split is train, validate or test.")
        if found.setdefault(id, NAMES[name]) != NAMES[name]:
            raise BadInput(f"{path}, line {number}: patient {id!r} is in two splits; a patient needs one.")
    return found
