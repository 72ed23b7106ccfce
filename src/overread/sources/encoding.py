"""Bytes on disk → text, with the place named where that fails."""

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

from overread.errors import BadInput

ENCODING_MARKS = (  # the longer mark first: UTF-32 begins like UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def detect(path: Path) -> str:
    """The encoding a file's first bytes declare; UTF-8 when they declare none."""
    with reading(path), path.open("rb") as file:
        start = file.read(4)
    return next((name for mark, name in ENCODING_MARKS if start.startswith(mark)), "utf-8")


def stated_encoding(encoding: str | None) -> str | None:
    """The encoding a user names, if Python knows it; None where a file's first bytes are to decide."""
    try:
        stated = codecs.lookup(encoding or "utf-8").name
    except LookupError:
        raise BadInput(
            f"{encoding!r} is not an encoding Python knows; try utf-8, latin-1 or cp1252."
        ) from None
    return None if stated == "utf-8" else stated


class NotDecoded(BadInput):
    """A file in another encoding than expected."""


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn what goes wrong with a file into a sentence about it."""
    try:
        yield
    except FileNotFoundError:
        raise BadInput(f"There is no file or folder {path}.") from None
    except PermissionError:
        raise BadInput(f"{path} cannot be read: permission denied.") from None
    except IsADirectoryError:
        raise BadInput(f"{path} is a folder where a file was expected; name the file in it.") from None
    except NotADirectoryError:
        raise BadInput(f"{path} is a file where a folder was expected; name the folder around it.") from None
    except UnicodeError as error:
        raise NotDecoded(undecodable(path, error)) from None


def undecodable(path: Path, error: UnicodeError) -> str:
    """Which byte on which line is not in the encoding expected."""
    with path.open("rb") as file:
        if b"\0" in file.read(4096):
            return f"{path} is not a text file; export the reports as CSV, JSONL or text."
    encoding = getattr(error, "encoding", "its encoding")
    place = bad_byte(path) if encoding.startswith("utf-8") else ""
    return f"{path} is not {encoding}{place}; if another program wrote it, try --encoding latin-1."


def bad_byte(path: Path) -> str:
    """The first byte that is not UTF-8, in words."""
    offset = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                return f": byte 0x{line[error.start]:02x} at offset {offset + error.start}, line {number}"
            offset += len(line)
    return ""


@contextmanager
def opened_text(path: Path, encoding: str) -> Iterator[TextIOWrapper]:
    """The file as text, line ends untouched."""
    with reading(path), path.open(encoding=encoding, newline="") as file:
        yield file


def numbered(path: Path, encoding: str | None = None) -> Iterator[tuple[int, str]]:
    """The lines on which something stands, with their numbers from 1."""
    with opened_text(path, encoding or detect(path)) as file:
        yield from ((number, line) for number, line in enumerate(file, 1) if line.strip())


def text_of(path: Path, encoding: str | None) -> str:
    """All of a small file, line ends untouched."""
    with opened_text(path, encoding or detect(path)) as file:
        return file.read()
