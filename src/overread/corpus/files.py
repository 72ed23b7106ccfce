"""Where the notation files are, and which split each belongs to."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from overread.corpus.notation import parse_file
from overread.corpus.records import Annotated, Complaint
from overread.errors import BadInput

T = TypeVar("T")

SPLITS = ("train", "dev", "test")
OTHERS = (".rank", ".layers")
"""Endings of rankings and of layers, which are no notation of reports."""
BLIND = "blind"
"""The folder with the annotations that test was adjudicated from: compared with each other, never built."""


def notation_files(paths: Iterable[Path]) -> list[Path]:
    """The files named, and those in the folders named, in order."""
    found = [file for path in paths if path.suffix not in OTHERS for file in files_below(path)]
    return list(dict.fromkeys(found))


def files_below(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    if not path.is_dir():
        raise BadInput(
            f"{path} is not there. Name notation files, or a folder that holds them (as corpus/ does)."
        )
    below = [file for file in sorted(path.rglob("*.txt")) if BLIND not in file.relative_to(path).parts]
    if not below and not any(files_beside([path], ending) for ending in OTHERS):
        raise BadInput(f"{path} holds no notation files (*.txt).")
    yield from below


def files_beside(paths: Iterable[Path], ending: str) -> list[Path]:
    """Files with another ending (`.rank`, `.layers`) among those named and in the folders named."""
    found = [sorted(path.rglob(f"*{ending}")) if path.is_dir() else [path] for path in paths]
    return list(dict.fromkeys(file for some in found for file in some if file.suffix == ending))


def split_of(file: Path) -> str:
    """The split whose folder a file lies in; train where it lies in none.

    >>> split_of(Path("corpus/dev/seed-a.txt")), split_of(Path("mine.txt"))
    ('dev', 'train')
    """
    return next((part for part in reversed(file.parent.parts) if part in SPLITS), "train")


def load(files: Iterable[Path]) -> Iterator[tuple[str, Annotated]]:
    """Every report with its split; a file with complaints is refused."""
    for file in files:
        yield from ((split_of(file), report) for report in sound(file, *parse_file(file)))


def sound(file: Path, read: list[T], complaints: list[Complaint]) -> list[T]:
    """What was read of a file, if nothing is wrong with it."""
    if complaints:
        more = f" and {len(complaints) - 1} more complaints" if len(complaints) > 1 else ""
        raise BadInput(f"{complaints[0]}{more}. Run `overread corpus check {file}` and correct them first.")
    return read
