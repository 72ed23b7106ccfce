"""The released annotation table as views and timelines: one row a finding, its relations in columns.

    study_id, section, sent_idx, sent, ent_idx, ent, cat, dx_status, dx_certainty, location, …, associate, evidence

and, of patients who were followed, `subject_id`, `sequence` or a date, `entity_group` and `temporal_group`. Spelling of
columns is forgiven in case, spaces and dashes; lists in a cell are parted by commas.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, cast, get_args

from msgspec import Struct

from overread.errors import BadInput
from overread.report import Report, Span
from overread.sources import load, patients
from overread.sources.encoding import NotDecoded
from overread.sources.layouts import LAYOUTS, section_of
from overread.sources.load import FORMATS, rows_of
from overread.systems.lunguage.asking import spans_of
from overread.systems.lunguage.schema import (
    Category,
    Quote,
    Relation,
    StructuredFinding,
    StructuredReport,
    both_ways,
)
from overread.systems.lunguage.timeline import Placed, StudyView, Timeline, assemble

RELATIONS: tuple[Relation, ...] = get_args(Relation)
CATEGORIES: tuple[Category, ...] = get_args(Category)
NAMES = {
    "study": ("study_id",),
    "patient": ("subject_id", "patient", "patient_id"),
    "section": ("section",),
    "sentence": ("sent", "sentence"),
    "number": ("ent_idx", "entity_idx"),
    "entity": ("ent", "entity"),
    "category": ("cat", "category"),
    "status": ("dx_status", "status"),
    "certainty": ("dx_certainty", "certainty"),
    "associate": ("associate",),
    "evidence": ("evidence",),
    "entity_group": ("entity_group", "ent_group", "entitygroup", "group_name"),
    "temporal_group": ("temporal_group", "temp_group", "temporalgroup", "episode"),
} | {relation: (relation,) for relation in RELATIONS}
SILENT = frozenset({"", "nan", "none", "null", "n/a"})
EPISODE = re.compile(r"\d+")


class Row(Struct, frozen=True):
    """One finding as the table has it."""

    where: str
    """File and line."""

    cells: Mapping[str, str]

    def __getitem__(self, role: str) -> str:
        return self.cells.get(role, "")


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
    reports = {report.id: report for report in load(path)}
    by_study = {study: list(group) for study, group in groupby(rows(path), key=lambda row: row["study"])}
    views = {id: view(reports[id], found) for id, found in by_study.items()}
    return Annotations(reports, views, timelines(reports, views, by_study))


def rows(path: Path) -> Iterator[Row]:
    table = rows_of(path, None)
    plain = {re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_"): name for name in table.names}
    columns = {role: plain[n] for role, names in NAMES.items() for n in names if n in plain}
    for line, cells in table:
        said = {role: str(cells.get(column) or "").strip() for role, column in columns.items()}
        yield Row(
            f"{path}, line {line}", {role: text for role, text in said.items() if text.lower() not in SILENT}
        )


def view(report: Report, found: Sequence[Row]) -> StructuredReport:
    """The findings of one study, with their words located in its text."""
    spans = sentence_spans(report, found)
    ids = [f"f{n}" for n in range(1, len(found) + 1)]
    told = [n for n, row in enumerate(found) if row["entity"]]
    linked = {n: links(n, found) for n in told}
    associates = both_ways({n: (*one, *other) for n, (one, other) in linked.items()})
    return StructuredReport(
        report.id,
        [
            finding(
                ids[n],
                found[n],
                spans[n],
                report,
                [ids[m] for m in sorted(associates.get(n, ()))],
                [ids[m] for m in linked[n][1]],
            )
            for n in told
        ],
    )


def sentence_spans(report: Report, found: Sequence[Row]) -> list[Span]:
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


def finding(
    id: str, row: Row, sentence: Span, report: Report, associate: list[str], evidence: list[str]
) -> StructuredFinding:
    attributes = {r: values(row[r]) for r in RELATIONS if values(row[r])}
    words: dict[str, list[str]] = {"entity": [row["entity"]]} | {str(r): v for r, v in attributes.items()}
    located = {
        name: [s for text in texts for s in spans_of(text, [sentence], report.text) or ()]
        for name, texts in words.items()
    }
    return StructuredFinding(
        id=id,
        section=section_of(row["section"]),
        sentence=Quote.of(sentence, report.text),
        entity=row["entity"],
        category=category(row),
        status=one_of(row, "status", {"pos": "positive", "neg": "negative"}),
        certainty=one_of(row, "certainty", {"def": "definitive", "ten": "tentative"}),
        attributes=attributes,
        associate=associate,
        evidence=evidence,
        spans={name: spans for name, spans in located.items() if spans},
    )


def values(cell: str) -> list[str]:
    """
    >>> values("right upper lobe, suprahilar"), values("")
    (['right upper lobe', 'suprahilar'], [])
    """
    parts = (part.strip() for part in cell.split(","))
    return [part for part in parts if part.lower() not in SILENT]


def category(row: Row) -> Category:
    said = row["category"].upper().replace("_", " ")
    found = next((known for known in CATEGORIES if known == said or known.split()[0] == said), None)
    if found is None:
        raise BadInput(f"{row.where}: a category is one of {', '.join(CATEGORIES)}.")
    return found


def one_of(row: Row, role: str, known: Mapping[str, str]) -> Any:
    """A word by its first three letters; certainty may be left out."""
    said = row[role].lower()[:3]
    if role == "certainty" and not said:
        return "definitive"
    if said not in known:
        raise BadInput(f"{row.where}: {role} is one of {', '.join(known.values())}.")
    return known[said]


def links(place: int, found: Sequence[Row]) -> tuple[list[int], list[int]]:
    """The rows a row is associated with, and those that are its evidence."""
    named = (values(found[place][role]) for role in ("associate", "evidence"))
    one, other = ([m for text in texts for m in linked_row(text, place, found)] for texts in named)
    return one, other


def linked_row(text: str, place: int, found: Sequence[Row]) -> list[int]:
    """The row meant by an entity's words or number: of the same sentence, else section, else report."""
    number = re.fullmatch(r"(?:.*\bidx[ _]?)?(\d+)", text.lower())
    for near in ("sentence", "section", ""):
        for m, other in enumerate(found):
            if m == place or (near and other[near] != found[place][near]):
                continue
            if (number and other["number"] == number[1]) or other["entity"].lower() == text.lower():
                return [m]
    return []


def timelines(
    reports: Mapping[str, Report],
    views: Mapping[str, StructuredReport],
    rows_by_study: Mapping[str, list[Row]],
) -> dict[str, Timeline]:
    """Patients of whom every finding is in a group."""
    known = [r for r in reports.values() if r.patient is not None and r.id in views]
    grouped = {
        id for id, rows in rows_by_study.items() if all(r["entity_group"] for r in rows if r["entity"])
    }
    return {
        patient.id: timeline(patient.id, [(s.day, s.report) for s in patient.studies], views, rows_by_study)
        for patient in patients(known)
        if all(study.report.id in grouped for study in patient.studies)
    }


def timeline(
    patient: str,
    studies: Iterable[tuple[float, Report]],
    views: Mapping[str, StructuredReport],
    rows_by_study: Mapping[str, list[Row]],
) -> Timeline:
    dated = [StudyView(r.study or str(n), day, views[r.id]) for n, (day, r) in enumerate(studies, 1)]
    names: dict[str, int] = {}
    placed = []
    for study in dated:
        told = [row for row in rows_by_study[study.view.id] if row["entity"]]
        for row, one in zip(told, study.view.findings, strict=True):
            group = names.setdefault(row["entity_group"], len(names))
            episode = EPISODE.search(row["temporal_group"])
            placed.append(Placed(study, one, group, int(episode[0]) if episode else 1, cast(Any, one.status)))
    return assemble(patient, dated, placed, list(names))
