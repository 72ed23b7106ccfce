"""Plain text: one file per report, named by its id."""

from collections.abc import Iterator
from pathlib import Path

from overread.report import Report, parse
from overread.sources.encoding import text_of

FILE = "text file"
FOLDER = "folder of text files"


def file_report(path: Path, encoding: str | None) -> Iterator[Report]:
    """The one report of a text file."""
    yield parse(text_of(path, encoding), path.stem)


def is_folder(folder: Path) -> bool:
    return next(folder.rglob("*.txt"), None) is not None


def folder_reports(folder: Path, encoding: str | None) -> Iterator[Report]:
    """A report per `.txt` file at any depth; the path below `folder`, without `.txt`, is its id."""
    for path in sorted(folder.rglob("*.txt")):
        id = path.relative_to(folder).with_suffix("").as_posix()
        yield parse(text_of(path, encoding), id)
