"""Layouts that people have on disk: published tables, and folders (MIMIC-CXR's tree, Open-i's XML, plain text).

How each is recognised, which columns matter, and what makes one report of its rows or files.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from xml.etree import ElementTree

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from overread.errors import BadInput
from overread.report import SECTION_NAMES, Report, SectionName, from_sections, parse
from overread.report.headings import meaning_of
from overread.sources.columns import Names, plain
from overread.sources.days import day_counter, moment
from overread.sources.encoding import bad, detect, reading, text_of
from overread.sources.table_files import Cells, Rows, columns_in, delimited


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
            told = f"{column} must name patient and study, as in train/patient1/study2/view1_frontal.jpg."
            raise bad(rows.where, f"line {line}", told)
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

GROUP = re.compile(r"p\d{2}")
PATIENT = re.compile(r"p(\d{8})")
STUDY_FILE = re.compile(r"s(\d{8})\.txt")
METADATA = "mimic-cxr-2.0.0-metadata.csv"


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


def mimic_reports(folder: Path, encoding: str | None) -> Iterator[Report]:
    """One report per study; with the metadata table beside the tree also the day."""
    days = {}
    if (folder / METADATA).is_file():  # days since the patient's first study, from the table of images
        taken = {study: (patient, when) for patient, study, when in dated_images(folder / METADATA)}
        day_of = day_counter(taken.values())
        days = {study: day_of(*one) for study, one in taken.items()}
    for place in patients(folder):
        for path in sorted(place.iterdir()):
            if name := STUDY_FILE.fullmatch(path.name):
                study, text = name.group(1), text_of(path, encoding)
                yield parse(text, study, patient=place.name[1:], study=study, day=days.get(study))


def dated_images(metadata: Path) -> Iterator[tuple[str, str, datetime]]:
    """Patient, study and time of each image that has a date."""
    rows = delimited(metadata, detect(metadata))
    columns = [spelled(rows.names, name) for name in ("subject_id", "study_id", "studydate", "studytime")]
    for line, cells in rows:
        patient, study, date, time = (rows.value(line, cells, column) for column in columns)
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


def openi_reports(folder: Path, encoding: str | None) -> Iterator[Report]:
    """One report per XML file, of its labelled abstract, in order of their numbers."""
    files = folder.glob("*.xml")  # 2.xml before 10.xml, those without a number last
    for path in sorted(files, key=lambda one: (int(one.stem) if one.stem.isdecimal() else 2**62, one.stem)):
        root = xml_root(path)
        uid = root.find(".//uId")
        id = uid.get("id", path.stem) if uid is not None else path.stem
        found: dict[SectionName, list[str]] = {}
        for part in root.iterfind(".//AbstractText"):
            found.setdefault(section_of(part.get("Label", "")), []).append("".join(part.itertext()))
        yield from_sections({name: "\n".join(found[name]) for name in SECTION_NAMES if name in found}, id)


def xml_root(path: Path) -> ElementTree.Element:
    with reading(path):
        try:
            return ElementTree.parse(path).getroot()
        except ElementTree.ParseError as error:
            line = error.position[0]
            raise BadInput(f"{path}, line {line}: not well-formed XML; download the file again.") from None
        except (ValueError, LookupError):
            raise BadInput(f"{path}: XML in an encoding that cannot be read; save it as UTF-8.") from None


def text_reports(folder: Path, encoding: str | None) -> Iterator[Report]:
    """A report per `.txt` file at any depth; the path below `folder`, without `.txt`, is its id."""
    for path in sorted(folder.rglob("*.txt")):
        id = path.relative_to(folder).with_suffix("").as_posix()
        yield parse(text_of(path, encoding), id)


FOLDERS: tuple[tuple[str, Callable[[Path], bool], Callable[[Path, str | None], Iterator[Report]]], ...] = (
    ("MIMIC-CXR folder tree", lambda folder: any(patients(folder)), mimic_reports),
    ("Open-i XML folder", lambda folder: any(folder.glob("*.xml")), openi_reports),
    ("folder of text files", lambda folder: any(folder.rglob("*.txt")), text_reports),
)
"""What a folder is called, how it is recognised, and its reports; the first that fits."""
