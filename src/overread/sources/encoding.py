"""Bytes on disk → text, JSON, XML; what is not as it should be is refused with its place, or left out and named."""

import codecs
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TypeVar
from warnings import warn
from xml.etree import ElementTree

import msgspec

from overread.errors import BadInput

T = TypeVar("T")
U = TypeVar("U")

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
        file.seek(0)
        encoding, place, offset = getattr(error, "encoding", "its encoding"), "", 0
        for number, line in enumerate(file if encoding.startswith("utf-8") else (), 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as found:
                place = f": byte 0x{line[found.start]:02x} at offset {offset + found.start}, line {number}"
                break
            offset += len(line)
    return f"{path} is not {encoding}{place}; if another program wrote it, try --encoding latin-1."


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


def bad(where: str | Path, place: str, problem: str) -> BadInput:
    """One sentence: the file, the place in it, what is wrong there.

    >>> str(bad("a.json", "entry 3", "it has no text."))
    'a.json, entry 3: it has no text.'
    """
    return BadInput(f"{where}, {place}: {problem}" if place else f"{where}: {problem}")


def complaint_at(where: Path, place: str) -> Callable[[str, str], BadInput]:
    """(key, what is wrong) → the error, for things of a place that go by keys.

    >>> str(complaint_at(Path("a.json"), "task 1, region")("f1", "it has no place in the text"))
    'a.json, task 1, region f1: it has no place in the text.'
    """
    return lambda key, problem: bad(where, f"{place} {key}", f"{problem}.")


def json_of(written: str | bytes, kind: type[T], where: str | Path, place: str = "") -> T:
    """JSON of a known shape; the decoder's complaint names places and types and never quotes the text."""
    try:
        return msgspec.json.decode(written, type=kind)
    except RecursionError:
        raise bad(where, place, "it nests deeper than anything written for people; it is damaged.") from None
    except (msgspec.DecodeError, UnicodeError) as error:
        told = str(error).removeprefix("JSON is malformed: ")
        raise bad(where, place, f"not the JSON expected here ({told}).") from None


def xml_file(path: Path) -> ElementTree.Element:
    """The root of an XML file without entities of its own, which can grow without end."""
    text = text_of(path, None)
    if "<!ENTITY" in text:
        raise bad(path, "", "it declares entities of its own, which are not read; save it without them.")
    try:
        # the text is UTF-8 already, whatever its first line declares
        return ElementTree.fromstring(text.encode("utf-8"), parser=ElementTree.XMLParser(encoding="utf-8"))
    except ElementTree.ParseError as error:
        line, column = error.position
        raise bad(path, f"line {line}, column {column + 1}", "not well-formed XML.") from None
    except (ValueError, LookupError, RecursionError):
        raise bad(path, "", "not XML that can be read.") from None


class LeftOut(UserWarning):
    """Something of a file was left out; the text says where it stands and why."""


def readable(items: Iterable[T], work: Callable[[T], U]) -> Iterator[U]:
    """What the work gives for each item it can read; where it can read none, the first complaint is the error."""
    untold: list[BadInput] = []
    any_read = False
    for item in items:
        try:
            found = work(item)
        except BadInput as error:
            untold.append(error)
            found = None
        if any_read or found is not None:
            any_read = True
            for one in untold:
                leave_out(str(one))
            untold.clear()
        if found is not None:
            yield found
    if untold:
        raise untold[0]


def leave_out(problem: str) -> None:
    """Tell it as Python tells warnings; `overread convert` shows and counts them, `--strict` makes errors of them."""
    warn(f"{problem} Left out.", LeftOut, stacklevel=3)
