"""Hospital and annotation formats: which one a file is, and the reports in it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from overread.errors import BadInput, UnknownName
from overread.report import Report
from overread.sources import bioc, brat, conll, dicom_sr, fhir, label_studio, omop, prodigy
from overread.sources.annotated import AnnotatedReport
from overread.sources.columns import usual_names
from overread.sources.encoding import detect, opened, reading, text_of
from overread.sources.source import Again, Source, Table

NAMES = ("bioc", "brat", "conll", "dicom-sr", "fhir", "label-studio", "prodigy")
HEAD = 65_536
"""Characters looked at to tell one JSON from another."""


class Format(Struct, frozen=True):
    """A format and how the file at hand is read as one."""

    name: str
    layout: str
    reports: Callable[[], Iterator[AnnotatedReport]]

    def source(self, path: Path) -> Source:
        """Its reports, marks aside."""
        return Source(Table(str(path), self.layout), Again(self.plain))

    def plain(self) -> Iterator[Report]:
        return (report.plain() for report in self.reports())


def recognised(path: Path) -> Format | None:
    """The format of a file or folder that is none of our own tables and text files; None for those."""
    with reading(path):
        path.stat()
    name = folder_format(path) if path.is_dir() else file_format(path)
    return opened_as(name, path) if name else None


def opened_as(name: str, path: Path) -> Format:
    """The file as the format somebody says it is."""
    if name not in NAMES:
        raise UnknownName("format to read", name, NAMES)
    if name == "fhir":
        export = fhir.Export(path)
        if not export.count:
            raise BadInput(f"{path} holds no DiagnosticReport of an imaging department.")
        return Format(name, export.layout(), export.reports)
    modules = {"bioc": bioc, "brat": brat, "conll": conll, "label-studio": label_studio, "prodigy": prodigy}
    module = modules.get(name, dicom_sr)
    if name == "brat" and not path.is_dir():
        raise BadInput(f"{path} is one file of a brat folder; name the folder it lies in.")
    return Format(name, module.LAYOUT, lambda: module.reports(path))


def folder_format(path: Path) -> str | None:
    if brat.is_folder(path):
        return "brat"
    if dicom_sr.is_folder(path):
        return "dicom-sr"
    bulk = [file for file in sorted([*path.glob("*.ndjson"), *path.glob("*.json")]) if is_fhir(file)]
    return "fhir" if bulk else None


def is_fhir(path: Path) -> bool:
    return file_format(path) == "fhir"


def file_format(path: Path) -> str | None:
    """By suffix where that is enough, else by how the file begins."""
    suffix = path.suffix.lower()
    if suffix in (".conll", ".conllu", ".bio", ".iob", ".iob2"):
        return "conll"
    if suffix == ".ann":
        return "brat"
    if suffix == ".xml":
        return "bioc"
    if suffix in (".jsonl", ".ndjson"):
        return line_format(path)
    if suffix == ".json":
        return json_format(path)
    if suffix in ("", ".dcm", ".sr", ".ima"):
        return "dicom-sr" if dicom_sr.is_file(path) else None
    return None


def line_format(path: Path) -> str | None:
    """What the first line with something on it is."""
    with opened(path, detect(path)) as file:
        first = next((line for line in file if line.strip()), "")
    try:
        task = msgspec.json.decode(first)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None  # a table, whose reader names the line
    if not isinstance(task, dict):
        return None
    if "resourceType" in task:
        return "fhir"
    hashed = "_input_hash" in task or "_task_hash" in task
    ids = {name.lower() for name in task} & set(usual_names()["id"])
    return (
        "prodigy" if "text" in task and not ids and (hashed or isinstance(task.get("spans"), list)) else None
    )


def json_format(path: Path) -> str | None:
    """By the shape of the whole; a list of plain objects is a table."""
    text = text_of(path, None)
    if text.lstrip()[:1] == "{":
        head = text[:HEAD]
        return "fhir" if '"resourceType"' in head else "bioc" if '"documents"' in head else None
    try:
        tasks = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None
    first = tasks[0] if isinstance(tasks, list) and tasks else None
    return "label-studio" if label_studio.looks_like(first) else None


def omop_folder(path: Path) -> Path:
    """The NOTE table of a folder of CDM tables; the path itself where it is none."""
    return (omop.note_file(path) or path) if path.is_dir() else path
