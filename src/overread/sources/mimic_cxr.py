"""MIMIC-CXR: the folder tree of reports (files/p10/p10000032/s50414267.txt)."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from overread.report import Report, parse
from overread.sources.days import days_since, first_moments, moment
from overread.sources.delimited import Delimited
from overread.sources.encoding import detect, reading, text_of
from overread.sources.layouts import spelled
from overread.sources.rows import Rows, cell

TREE = "MIMIC-CXR folder tree"
GROUP = re.compile(r"p\d{2}")
PATIENT = re.compile(r"p(\d{8})")
STUDY = re.compile(r"s(\d{8})\.txt")
METADATA = "mimic-cxr-2.0.0-metadata.csv"


def is_tree(folder: Path) -> bool:
    """Whether a folder is the tree, or any level of it above the reports."""
    return next(patients(folder), None) is not None


def patients(folder: Path) -> Iterator[Path]:
    """The patients' folders at or below `folder`, in order."""
    if PATIENT.fullmatch(folder.name):
        yield folder
        return
    with reading(folder):
        inner = sorted(path for path in folder.iterdir() if path.is_dir())
    for path in inner:
        if path.name == "files" or GROUP.fullmatch(path.name) or PATIENT.fullmatch(path.name):
            yield from patients(path)


def reports(folder: Path, encoding: str | None) -> Iterator[Report]:
    """One report per study; with the metadata table beside the tree also the day."""
    days = study_days(folder / METADATA) if (folder / METADATA).is_file() else {}
    for patient in patients(folder):
        for path in sorted(patient.iterdir()):
            if name := STUDY.fullmatch(path.name):
                study, text = name.group(1), text_of(path, encoding)
                yield parse(text, study, patient=patient.name[1:], study=study, day=days.get(study))


def study_days(metadata: Path) -> dict[str, float]:
    """Days since the patient's first study, by study, from the table of images."""
    rows = Delimited(metadata, detect(metadata))
    taken = {study: (patient, when) for patient, study, when in dated(rows)}
    first = first_moments(taken.values())
    return {study: days_since(first[patient], when) for study, (patient, when) in taken.items()}


def dated(rows: Rows) -> Iterator[tuple[str, str, datetime]]:
    """Patient, study and time of each image that has a date."""
    columns = [spelled(rows.names, name) for name in ("subject_id", "study_id", "studydate", "studytime")]
    for line, cells in rows:
        patient, study, date, time = (cell(cells.get(c), rows.where, line, c) for c in columns)
        if date:
            yield patient, study, moment(date, rows.where, line) + clock(time)


def clock(written: str) -> timedelta:
    """A time such as 213014.531: half past nine in the evening.

    >>> clock("213014.531")
    datetime.timedelta(seconds=77414)
    """
    digits = written.split(".")[0].zfill(6)[-6:]
    if not digits.isdecimal():
        return timedelta()
    return timedelta(hours=int(digits[:2]), minutes=int(digits[2:4]), seconds=int(digits[4:]))
