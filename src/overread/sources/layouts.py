"""Published table layouts: how each is recognised, which columns matter, and what makes one row of a report."""

import re
import tomllib
from collections.abc import Callable, Iterator
from importlib.resources import files
from itertools import groupby
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from overread.errors import BadInput
from overread.report import SECTION_NAMES, SectionName
from overread.report.headings import meaning_of
from overread.sources.columns import Names, plain
from overread.sources.table_files import Cells, Rows, columns_in


class Layout(Struct, frozen=True):
    """A table people have on disk, as `layouts.toml` describes it."""

    signs: frozenset[str]
    """Plain column names that together give it away."""

    columns: Names = {}
    """Roles whose columns are not found by their usual names."""

    def fits(self, names: tuple[str, ...]) -> bool:
        return self.signs <= {plain(name) for name in names}


def with_column(rows: Rows, name: str, value: Callable[[int, Cells], str]) -> Rows:
    """One more column, computed from each row."""

    def made() -> Iterator[tuple[int, Cells]]:
        return ((line, {**cells, name: value(line, cells)}) for line, cells in rows)

    return replace(rows, names=(*rows.names, name), start=made)


def spelled(names: tuple[str, ...], wanted: str) -> str:
    """A column's name as the file spells it.

    >>> spelled(("ID", "Sent"), "sent")
    'Sent'
    """
    return next((name for name in names if plain(name) == wanted), wanted)


def nested_studies(rows: Rows) -> Rows:
    """One row per study, the patient's own cells beside the study's."""
    column, patient = spelled(rows.names, "studies"), spelled(rows.names, "patient")

    def made() -> Iterator[tuple[int, Cells]]:
        for line, cells in rows:
            studies = cells.get(column)
            if not isinstance(studies, list) or not all(isinstance(study, dict) for study in studies):
                raise BadInput(f"{rows.where}, line {line}: {column} must be a list of objects.")
            for study in studies:
                yield line, {patient: cells.get(patient), **study}

    return replace(rows, names=columns_in(cells for _, cells in made()), start=made)


STUDY_OF_PATH = re.compile(r"(patient\d+)/(study\d+)/")
ID = "study_of_image"


def first_images(rows: Rows) -> Rows:
    """The first image of each study, with the study's name (`patient42142/study5`) in a column of its own."""
    column = spelled(rows.names, "path_to_image")

    def study(line: int, cells: Cells) -> str:
        found = STUDY_OF_PATH.search(rows.value(line, cells, column))
        if not found:
            raise BadInput(
                f"{rows.where}, line {line}: {column} must name patient and study, as in "
                "train/patient1/study2/view1_frontal.jpg."
            )
        return f"{found[1]}/{found[2]}"

    named = with_column(rows, ID, study)

    def made() -> Iterator[tuple[int, Cells]]:
        seen: set[object] = set()
        for line, cells in named:
            if cells[ID] not in seen:
                seen.add(cells[ID])
                yield line, cells

    return replace(named, start=made)


SECTION_LETTERS: dict[str, SectionName] = {"hist": "indication", "find": "findings", "impr": "impression"}
KEPT_COLUMNS = ("subject_id", "study_id", "sequence", "date", "study_date", "day", "report")


def joined_sentences(rows: Rows) -> Rows:
    """One row per study: each section's sentences, first occurrence first, on lines of their own."""
    kept = [name for wanted in KEPT_COLUMNS if (name := spelled(rows.names, wanted)) in rows.names]

    def value(row: tuple[int, Cells], wanted: str) -> str:
        return rows.value(*row, spelled(rows.names, wanted))

    def joined(group: list[tuple[int, Cells]]) -> tuple[int, Cells]:
        sections: dict[str, dict[str, str]] = {}
        for row in group:
            sentence = value(row, "sent")
            section = sections.setdefault(section_of(value(row, "section")), {})
            section.setdefault(value(row, "sent_idx") or sentence, sentence)
        line, cells = group[0]
        texts = {name: "\n".join(sentences.values()) for name, sentences in sections.items()}
        return line, {**{name: cells.get(name) for name in kept}, **texts}

    def made() -> Iterator[tuple[int, Cells]]:
        seen: set[str] = set()
        for study, group in groupby(rows, key=lambda row: value(row, "study_id")):
            if study in seen:
                raise BadInput(f"{rows.where}: the rows of study {study!r} are apart; sort by study_id.")
            seen.add(study)
            yield joined(list(group))

    return replace(rows, names=(*kept, "indication", "findings", "impression", "other"), start=made)


def section_of(written: str) -> SectionName:
    """
    >>> section_of("HIST"), section_of("Impression"), section_of("?")
    ('indication', 'impression', 'other')
    """
    short = SECTION_LETTERS.get(written.strip().lower()[:4])
    meaning = short or meaning_of(written, settled=True)
    return meaning if meaning in SECTION_NAMES else "other"


def bare_ids(rows: Rows) -> Rows:
    """The table of sections writes s50414267 where every other table has 50414267."""
    column = spelled(rows.names, "study")
    return with_column(
        rows, "study_id", lambda line, cells: rows.value(line, cells, column).removeprefix("s")
    )


def note_file(folder: Path) -> Path | None:
    """The NOTE table in a folder of OMOP CDM tables, whatever the case of its name."""
    kinds = (".csv", ".tsv", ".parquet")
    return min(
        (p for p in folder.iterdir() if p.stem.lower() == "note" and p.suffix.lower() in kinds), default=None
    )


LAYOUTS = msgspec.convert(
    tomllib.loads((files("overread.sources") / "layouts.toml").read_text("utf-8")), dict[str, Layout]
)
PREPARED: dict[str, Callable[[Rows], Rows]] = {
    "CheXpert Plus table": first_images,
    "MIMIC-CXR table of sections": bare_ids,
    "LUNGUAGE table": joined_sentences,
    "patients with studies": nested_studies,
}
"""Layout → what makes one row per report of its rows, where they are not."""
