"""Formats by name: where each lives, which files are one, and the reports of any path."""

import tomllib
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from overread import sources
from overread.errors import BadInput, UnknownName
from overread.formats.annotated import AnnotatedReport
from overread.sources.columns import Side, requested, usual_names
from overread.sources.encoding import numbered, reading, stated_encoding, text_of
from overread.sources.load import WantedColumns
from overread.sources.source import Source, Table

FIRST_CHARACTERS = 65_536
"""Characters looked at to tell one JSON from another."""


class Format(Struct, frozen=True):
    """A format: its file or folder in this package, and how names of files give it away (`formats.toml`)."""

    module: str
    endings: tuple[str, ...]
    layout: str = ""
    """What a file of it is called; empty where it has no `read`: tables are read by `sources`."""

    suffixes: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    needs_marks: bool = True


FORMATS = msgspec.convert(
    tomllib.loads((files("overread.formats") / "formats.toml").read_text("utf-8")), dict[str, Format]
)


def module_of(name: str) -> Any:
    """The module of a format, imported when asked for."""
    return import_module(f"overread.formats.{FORMATS[name].module}")


def target_of(output: Path, named: str | None) -> str:
    """The format asked for, or the one the file name means."""
    if named is not None:
        if named not in FORMATS:
            raise UnknownName("format to write", named, FORMATS)
        return named
    lowered = output.name.lower()
    fits = [(len(end), name) for name, one in FORMATS.items() for end in one.endings if lowered.endswith(end)]
    if not fits:
        raise BadInput(f"{output} does not say which format to write; add --to: {', '.join(FORMATS)}.")
    return max(fits)[1]


def write(name: str, reports: Iterable[AnnotatedReport], output: Path, options: dict[str, object]) -> None:
    """Write, or say which option the format has no use for."""
    given = {option: value for option, value in options.items() if value}
    useless = next((option for option in given if option not in FORMATS[name].options), None)
    if useless:
        users = [one for one, format in FORMATS.items() if useless in format.options]
        flag = useless.replace("_", "-")
        raise BadInput(f"--{flag} says nothing to {name}; it is for {' and '.join(users)}.")
    module_of(name).write(reports, output, **given)


class FormatFile(Struct, frozen=True):
    """A file in a format: what it is called there, and its reports, read afresh each time."""

    layout: str
    reports: Callable[[], Iterator[AnnotatedReport]]


def load(
    path: str | PathLike[str],
    columns: WantedColumns = None,
    *,
    encoding: str | None = None,
    side: Side = "either",
) -> Source:
    """The reports at `path`: a table (CSV, TSV, JSONL, JSON, Parquet, Excel), a text file, a folder of reports, or a
    format of hospitals and annotation tools.

    `columns` says which column holds what where names alone do not; `encoding` is only for files that are
    neither UTF-8 nor marked as UTF-16; `side` says whose file it is where it may be either's.
    `source.table.describe()` says how the file was understood.
    """
    place, wanted = Path(path), requested(columns)
    stated_encoding(encoding)  # refused before the file is looked at
    if found := recognised(place):
        kept = found.reports  # read without their marks
        return Source(Table(str(place), found.layout), lambda: (report.plain() for report in kept()))
    return sources.load_source(place, wanted, encoding=encoding, side=side)


def recognised(path: Path) -> FormatFile | None:
    """The format of a file or folder that is none of our own tables and text files; None for those."""
    with reading(path):
        path.stat()
    name = folder_format(path) if path.is_dir() else file_format(path)
    return opened_as(name, path) if name else None


def opened_as(name: str, path: Path) -> FormatFile:
    """The file as the format somebody says it is."""
    layout, module = FORMATS[name].layout, module_of(name)
    if name == "brat" and not path.is_dir():
        raise BadInput(f"{path} is one file of a brat folder; name the folder it lies in.")
    if name == "fhir":
        export = module.read(path)
        return FormatFile(layout + export.left_out_told(), export.reports)
    return FormatFile(layout, lambda: module.read(path))


def folder_format(path: Path) -> str | None:
    if sources.note_file(path):
        return None
    for name, ending in (("brat", "*.ann"), ("dicom-sr", "*.dcm")):
        if next(path.rglob(ending), None) is not None:
            return name
    bulk = sorted([*path.glob("*.ndjson"), *path.glob("*.json")])
    return "fhir" if any(file_format(file) == "fhir" for file in bulk) else None


def file_format(path: Path) -> str | None:
    """By suffix where that is enough, else by how the file begins."""
    suffix = path.suffix.lower()
    known = next((name for name, one in FORMATS.items() if suffix in one.suffixes), None)
    if known:
        return known
    if suffix in (".jsonl", ".ndjson"):
        return line_format(path)
    if suffix == ".json":
        return json_format(path)
    if suffix in ("", ".sr", ".ima"):  # the mark at byte 128
        with reading(path), path.open("rb") as file:
            return "dicom-sr" if file.read(132)[128:] == b"DICM" else None
    return "dicom-sr" if suffix == ".dcm" else None


def json_value(written: str) -> Any:
    """Any JSON; None where it is none, for the reader of tables to complain about."""
    try:
        return msgspec.json.decode(written)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None


def first_line(path: Path) -> Any:
    """The first line with something on it."""
    return json_value(next((line for _, line in numbered(path)), ""))


def line_format(path: Path) -> str | None:
    task = first_line(path)
    if not isinstance(task, dict):
        return None
    if "resourceType" in task:
        return "fhir"
    hashed = "_input_hash" in task or "_task_hash" in task
    ids = {name.lower() for name in task} & set(usual_names()["id"])
    spans = hashed or isinstance(task.get("spans"), list)
    return "prodigy" if "text" in task and not ids and spans else None


def is_overread(path: Path) -> bool:
    """Does the first line of a file hold a text and findings, as `convert` writes them?"""
    line = first_line(path) if path.suffix.lower() == ".jsonl" else None
    return (
        isinstance(line, dict)
        and isinstance(line.get("text"), str)
        and isinstance(line.get("findings"), list)
    )


def json_format(path: Path) -> str | None:
    """By the shape of the whole; a list of plain objects is a table."""
    text = text_of(path, None)
    if text.lstrip()[:1] == "{":
        head = text[:FIRST_CHARACTERS]
        return "fhir" if '"resourceType"' in head else "bioc" if '"documents"' in head else None
    tasks = json_value(text)
    first = tasks[0] if isinstance(tasks, list) and tasks else None
    return "label-studio" if module_of("label-studio").looks_like(first) else None
