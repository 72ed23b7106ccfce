"""Published table layouts: how each is recognised, which columns matter, and what makes one row of a report."""

import re
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

from msgspec import Struct

from overread.errors import BadInput
from overread.report import SECTION_NAMES, SectionName
from overread.report.vocabulary import meaning_of
from overread.sources.columns import Names, plain
from overread.sources.table_files import Cells, Rows, cell


class Layout(Struct, frozen=True):
    """A table people have on disk, known by its column names."""

    name: str
    signs: frozenset[str]
    """Plain column names that together give it away."""

    columns: Names = {}
    """Roles whose columns are not found by their usual names."""

    prepare: Callable[[Rows], Rows] = lambda rows: rows
    """Turns its rows into one row per report, where they are not."""

    def fits(self, names: tuple[str, ...]) -> bool:
        return self.signs <= {plain(name) for name in names}


class Derived:
    """A table with one more column, computed from each row; rows without a value are left out."""

    def __init__(self, rows: Rows, name: str, value: Callable[[int, Cells], str | None]) -> None:
        self.rows = rows
        self.where, self.kind, self.names = rows.where, rows.kind, (*rows.names, name)
        self.name = name
        self.value = value

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        for line, cells in self.rows:
            value = self.value(line, cells)
            if value is not None:
                yield line, {**cells, self.name: value}


def spelled(names: tuple[str, ...], wanted: str) -> str:
    """A column's name as the file spells it.

    >>> spelled(("ID", "Sent"), "sent")
    'Sent'
    """
    return next((name for name in names if plain(name) == wanted), wanted)


class NestedStudies:
    """One row per study, the patient's own cells beside the study's."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.where, self.kind = rows.where, rows.kind
        self.column = spelled(rows.names, "studies")
        self.patient = spelled(rows.names, "patient")
        self.names = tuple(dict.fromkeys(name for _, cells in self for name in cells))

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        for line, cells in self.rows:
            studies = cells.get(self.column)
            if not isinstance(studies, list) or not all(isinstance(study, dict) for study in studies):
                raise BadInput(f"{self.where}, line {line}: {self.column} must be a list of objects.")
            for study in studies:
                yield line, {self.patient: cells.get(self.patient), **study}


STUDY = re.compile(r"(patient\d+)/(study\d+)/")
ID = "study_of_image"


class FirstImages:
    """The first image of each study, with the study's name (`patient42142/study5`) in a column of its own."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.where, self.kind, self.names = rows.where, rows.kind, (*rows.names, ID)
        self.column = spelled(rows.names, "path_to_image")

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        seen: set[str] = set()
        for line, cells in self.rows:
            study = self.study(line, cells)
            if study not in seen:
                seen.add(study)
                yield line, {**cells, ID: study}

    def study(self, line: int, cells: Cells) -> str:
        found = STUDY.search(cell(cells.get(self.column), self.where, line, self.column))
        if not found:
            raise BadInput(
                f"{self.where}, line {line}: {self.column} must name patient and study, as in "
                "train/patient1/study2/view1_frontal.jpg."
            )
        return f"{found[1]}/{found[2]}"


CHEXPERT_PLUS = Layout(
    "CheXpert Plus table",
    frozenset({"path_to_image", "report", "section_impression"}),
    {"id": (ID,), "patient": ("deid_patient_id",), "study": ("patient_report_date_order",)},
    FirstImages,
)


SHORT: dict[str, SectionName] = {"hist": "indication", "find": "findings", "impr": "impression"}
KEPT = ("subject_id", "study_id", "sequence", "date", "study_date", "day", "report")


class JoinedSentences:
    """One row per study: each section's sentences, first occurrence first, on lines of their own."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.where, self.kind = rows.where, rows.kind
        self.kept = [name for wanted in KEPT if (name := spelled(rows.names, wanted)) in rows.names]
        self.names = (*self.kept, "indication", "findings", "impression", "other")

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        seen: set[str] = set()
        for study, group in groupby(self.rows, key=self.study):
            if study in seen:
                raise BadInput(f"{self.where}: the rows of study {study!r} are apart; sort by study_id.")
            seen.add(study)
            yield self.joined(list(group))

    def study(self, row: tuple[int, Cells]) -> str:
        return self.value(row, "study_id")

    def value(self, row: tuple[int, Cells], wanted: str) -> str:
        line, cells = row
        column = spelled(self.rows.names, wanted)
        return cell(cells.get(column), self.where, line, column)

    def joined(self, group: list[tuple[int, Cells]]) -> tuple[int, Cells]:
        sections: dict[str, dict[str, str]] = {}
        for row in group:
            sentence = self.value(row, "sent")
            section = sections.setdefault(section_of(self.value(row, "section")), {})
            section.setdefault(self.value(row, "sent_idx") or sentence, sentence)
        line, cells = group[0]
        texts = {name: "\n".join(sentences.values()) for name, sentences in sections.items()}
        return line, {**{name: cells.get(name) for name in self.kept}, **texts}


def section_of(written: str) -> SectionName:
    """
    >>> section_of("HIST"), section_of("Impression"), section_of("?")
    ('indication', 'impression', 'other')
    """
    short = SHORT.get(written.strip().lower()[:4])
    meaning = short or meaning_of(written, settled=True)
    return meaning if meaning in SECTION_NAMES else "other"


LUNGUAGE = Layout(
    "LUNGUAGE table",
    frozenset({"study_id", "section", "sent", "ent"}),
    {"other": ("other",)},
    JoinedSentences,
)


def bare_ids(rows: Rows) -> Rows:
    """The table of sections writes s50414267 where every other table has 50414267."""
    column = spelled(rows.names, "study")

    def number(line: int, cells: Cells) -> str:
        return cell(cells.get(column), rows.where, line, column).removeprefix("s")

    return Derived(rows, "study_id", number)


OMOP_NOTE = Layout(
    "OMOP NOTE table",
    frozenset({"note_id", "note_text", "person_id"}),
    {
        "id": ("note_id",),
        "text": ("note_text",),
        "patient": ("person_id",),
        "date": ("note_datetime", "note_date"),
    },
)


def note_file(folder: Path) -> Path | None:
    """The NOTE table in a folder of OMOP CDM tables, whatever the case of its name."""
    kinds = (".csv", ".tsv", ".parquet")
    return min(
        (p for p in folder.iterdir() if p.stem.lower() == "note" and p.suffix.lower() in kinds), default=None
    )


CLEAR_BENCH = """study_id enlarged_cardiomediastinum cardiomegaly lung_opacity lung_lesion edema consolidation pneumonia
atelectasis pneumothorax pleural_effusion pleural_other fracture support_devices"""
LAYOUTS = (
    Layout("Open-i table", frozenset({"uid", "mesh", "problems"}), {"id": ("uid",), "exam": ("image",)}),
    CHEXPERT_PLUS,
    Layout("MIMIC-CXR table of sections", frozenset({"study", "last_paragraph"}), prepare=bare_ids),
    # Of ReXVal and the ladder the references are read unless --text names a candidate (radgraph, bleu, L1, …).
    Layout("ReXVal table", frozenset({"gt_report"}), {"id": ("study_number",), "text": ("gt_report",)}),
    Layout("CLEAR-Bench table", frozenset(CLEAR_BENCH.split()), {"id": ("study_id",)}),
    Layout(
        "RadSEM cases",
        frozenset({"examined_area", "examined_type"}),
        {"id": ("name", "case_name", "id"), "text": ("rewritten_report", "english_report", "report")},
    ),
    Layout("RadSEM ladder", frozenset({"reference", "l1", "l2", "l3", "l4", "l5"}), {"text": ("reference",)}),
    LUNGUAGE,
    Layout("patients with studies", frozenset({"patient", "studies"}), prepare=NestedStudies),
    OMOP_NOTE,
)
