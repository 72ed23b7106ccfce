"""Folders of reports (MIMIC-CXR's tree, Open-i's XML, plain text), and text files: one report, or one a line."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

from overread.errors import BadInput
from overread.report import SECTION_NAMES, Report, SectionName, from_sections, parse
from overread.sources.days import day_counter, moment
from overread.sources.encoding import detect, reading, stated_encoding, text_of
from overread.sources.layouts import section_of, spelled
from overread.sources.source import Source, Table
from overread.sources.table_files import delimited

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
    """One report per XML file, in order of their numbers."""
    files = folder.glob("*.xml")  # 2.xml before 10.xml, those without a number last
    for path in sorted(files, key=lambda one: (int(one.stem) if one.stem.isdecimal() else 2**62, one.stem)):
        yield xml_report(path)


def xml_report(path: Path) -> Report:
    """The labelled abstract of one citation as a report."""
    root = xml_root(path)
    uid = root.find(".//uId")
    id = uid.get("id", path.stem) if uid is not None else path.stem
    found: dict[SectionName, str] = {}
    for part in root.iterfind(".//AbstractText"):
        name = section_of(part.get("Label", ""))
        text = "".join(part.itertext())
        found[name] = f"{found[name]}\n{text}" if name in found else text
    return from_sections({name: found[name] for name in SECTION_NAMES if name in found}, id)


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


def are_text_files(paths: Sequence[Path]) -> bool:
    return all(path.suffix.lower() == ".txt" and path.is_file() for path in paths)


def side_by_side(
    paths: Sequence[Path], encoding: str | None = None, by_line: bool | None = None
) -> list[Source]:
    """Text files that belong together, the reference first: by line, or each as one report.

    Left to itself (`by_line` None) it takes files of equal length without a gap in the reference as files of
    lines, and asks where that is not clear.
    """
    stated = stated_encoding(encoding)
    if by_line is None:
        check_lines(paths, [text_lines(path, stated) for path in paths])
    if by_line is False:
        return [whole_file_source(path, paths[0].stem, stated) for path in paths]
    return [
        Source(Table(str(path), "text file, one report a line"), partial(line_reports, path, stated))
        for path in paths
    ]


def check_lines(paths: Sequence[Path], found: Sequence[list[str]]) -> None:
    """Refuse what may be a file of lines or a single report."""
    counts = [len(lines) for lines in found]
    odd = next((n for n, count in enumerate(counts) if count != counts[0]), None)
    if odd is not None:
        raise BadInput(
            f"{paths[0]} has {counts[0]} lines and {paths[odd]} has {counts[odd]}. With one report a line they "
            "must have as many; where each file is one report, say --whole-files."
        )
    gap = next((n for n, line in enumerate(found[0], 1) if not line.strip()), None)
    if gap is not None:
        raise BadInput(
            f"Line {gap} of {paths[0]} is empty. Say --lines where each line is a report, or --whole-files where "
            "each file is one."
        )


def text_lines(path: Path, encoding: str | None) -> list[str]:
    """The lines of a file; the newline at its end begins no further one."""
    text = text_of(path, encoding)
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def line_reports(path: Path, encoding: str | None) -> Iterator[Report]:
    """Each line a report, its number the id."""
    return (parse(line, str(n)) for n, line in enumerate(text_lines(path, encoding), 1))


def whole_file_source(
    path: Path, id: str, encoding: str | None, layout: str = "text file, one report"
) -> Source:
    return Source(Table(str(path), layout), lambda: iter([parse(text_of(path, encoding), id)]))
