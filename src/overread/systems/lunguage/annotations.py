"""The released annotation table as views and timelines: one row a finding, its relations in columns.

    study_id, section, sent_idx, sent, ent_idx, ent, cat, dx_status, dx_certainty, location, …, associate, evidence

and, of patients who were followed, `subject_id`, `sequence` or a date, `entity_group` and `temporal_group`. Spelling of
columns is forgiven in case, spaces and dashes; lists in a cell are parted by commas.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, get_args

from msgspec import Struct

from overread.errors import BadInput
from overread.report import Report, Span
from overread.sources import load_source, patients
from overread.sources.encoding import NotDecoded
from overread.sources.layouts import LAYOUTS, section_of
from overread.sources.load import FORMATS, rows_of
from overread.systems.lunguage.asking import Asked, Said, SaidFinding, SectionFindings, grounded
from overread.systems.lunguage.schema import (
    Category,
    Relation,
    StructuredReport,
    StudyView,
    Timeline,
    assemble,
)
from overread.systems.tables import facts_in

ALL_RELATIONS: tuple[Relation, ...] = get_args(Relation)
ANNOTATION_COLUMNS: dict[str, list[str]] = facts_in("lunguage", "columns.toml") | {
    n: [n] for n in ALL_RELATIONS
}
"""What a column is for → what it may be called."""

SILENT = frozenset({"", "nan", "none", "null", "n/a"})


FindingRow = dict[str, str]
"""One finding as the table has it: role → words, empty where there are none; `where` is file and line."""


class Annotations(Struct, frozen=True):
    """Everything a table holds."""

    reports: dict[str, Report]
    views: dict[str, StructuredReport]
    timelines: dict[str, Timeline]
    """Of the patients all of whose findings are in groups."""


def is_table(path: Path) -> bool:
    """Has this file the columns of the released table?"""
    if path.suffix.lower() not in FORMATS or not path.is_file():
        return False
    try:
        return LAYOUTS["LUNGUAGE table"].fits(rows_of(path, None).names)
    except NotDecoded:  # the released table is UTF-8; another encoding is for whoever loads it
        return False


def load_annotations(path: Path) -> Annotations:
    """Reports, their findings, and the groups of patients who were followed."""
    reports = {report.id: report for report in load_source(path)}
    by_study = {
        study: list(group) for study, group in groupby(finding_rows(path), key=lambda row: row["study"])
    }
    views = {id: view(reports[id], found) for id, found in by_study.items()}
    return Annotations(reports, views, timelines(reports, views, by_study))


def finding_rows(path: Path) -> Iterator[FindingRow]:
    table = rows_of(path, None)
    plain = {re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_"): name for name in table.names}
    columns = {role: plain[n] for role, names in ANNOTATION_COLUMNS.items() for n in names if n in plain}
    for line, cells in table:
        said = {role: str(cells.get(column) or "").strip() for role, column in columns.items()}
        told = {role: text for role, text in said.items() if text.lower() not in SILENT}
        yield {"where": f"{path}, line {line}", **dict.fromkeys(ANNOTATION_COLUMNS, ""), **told}


def view(report: Report, found: Sequence[FindingRow]) -> StructuredReport:
    """The findings of one study, with their words located in its text."""
    spans = sentence_spans(report, found)
    sections = (section_of(row["section"]) for row in found)
    asked = Asked(report, tuple(zip(sections, spans, strict=True)))
    told = SectionFindings([said_finding(n, found) for n, row in enumerate(found, 1) if row["entity"]])
    return StructuredReport(report.id, grounded(asked, told, keep=True)[0])


def said_finding(number: int, found: Sequence[FindingRow]) -> SaidFinding:
    row = found[number - 1]
    return SaidFinding(
        number=number,
        sentences=[number],
        entity=row["entity"],
        category=one_of(row, "category"),
        status=one_of(row, "status"),
        certainty=one_of(row, "certainty"),
        attributes=[Said(relation, values(row[relation])) for relation in ALL_RELATIONS],
        associate=[m for text in values(row["associate"]) for m in linked_row(text, number, found)],
        evidence=[m for text in values(row["evidence"]) for m in linked_row(text, number, found)],
    )


def sentence_spans(report: Report, found: Sequence[FindingRow]) -> list[Span]:
    """Where each row's sentence stands; the same sentence of a section stands once."""
    places: dict[tuple[str, str], Span] = {}
    for section in report.sections:
        position = section.span.start
        for row in found:
            key = (section_of(row["section"]), row["sentence"])
            if key[0] != section.name or key in places or not key[1]:
                continue
            start = report.text.find(key[1], position)
            start = start if start >= 0 else report.text.find(key[1], section.span.start)
            if start >= 0:
                places[key] = Span(start, start + len(key[1]))
                position = start + len(key[1])
    return [places.get((section_of(r["section"]), r["sentence"]), Span(0, len(report.text))) for r in found]


def values(cell: str) -> list[str]:
    """
    >>> values("right upper lobe, suprahilar"), values("")
    (['right upper lobe', 'suprahilar'], [])
    """
    parts = (part.strip() for part in cell.split(","))
    return [part for part in parts if part.lower() not in SILENT]


KNOWN: dict[str, dict[str, str]] = {
    "category": {**{one: one for one in get_args(Category)}, "PATIENT": "PATIENT INFO"},
    "status": {"POS": "positive", "NEG": "negative"},
    "certainty": {"DEF": "definitive", "TEN": "tentative", "": "definitive"},
}
"""What a cell may say; status and certainty by their first three letters."""


def one_of(row: FindingRow, role: str) -> Any:
    said, known = row[role].upper().replace("_", " "), KNOWN[role]
    found = known.get(said if role == "category" else said[:3])
    if found is None:
        what = f"a {role}" if role == "category" else role
        raise BadInput(f"{row['where']}: {what} is one of {', '.join(dict.fromkeys(known.values()))}.")
    return found


def linked_row(text: str, number: int, found: Sequence[FindingRow]) -> list[int]:
    """The row meant by an entity's words or index: of the same sentence, else section, else report."""
    index = re.fullmatch(r"(?:.*\bidx[ _]?)?(\d+)", text.lower())
    for near in ("sentence", "section", ""):
        for m, other in enumerate(found, 1):
            if m == number or (near and other[near] != found[number - 1][near]):
                continue
            if (index and other["number"] == index[1]) or other["entity"].lower() == text.lower():
                return [m]
    return []


def timelines(
    reports: Mapping[str, Report],
    views: Mapping[str, StructuredReport],
    rows_by_study: Mapping[str, list[FindingRow]],
) -> dict[str, Timeline]:
    """Patients of whom every finding is in a group."""
    told = {id: [row for row in rows if row["entity"]] for id, rows in rows_by_study.items()}
    grouped = {id for id, rows in told.items() if all(row["entity_group"] for row in rows)}
    found = {}
    for patient in patients([r for r in reports.values() if r.patient is not None and r.id in views]):
        if all(study.report.id in grouped for study in patient.studies):
            reports_in_order = enumerate(((s.day, s.report) for s in patient.studies), 1)
            studies = [StudyView(r.study or str(n), day, views[r.id]) for n, (day, r) in reports_in_order]
            placed = [
                (study, one, row["entity_group"], int(episode[0]), one.status)
                for study in studies
                for row, one in zip(told[study.view.id], study.view.findings, strict=True)
                for episode in [re.findall(r"\d+", row["temporal_group"]) or "1"]
            ]
            names = dict.fromkeys(group for _, _, group, *_ in placed)
            found[patient.id] = assemble(patient.id, studies, placed, names)
    return found
