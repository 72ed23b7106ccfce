"""Files that are not what they should be: refused with the file and the place, or left out and named."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar
from warnings import warn
from xml.etree import ElementTree

import msgspec

from overread.errors import BadInput
from overread.sources.encoding import text_of

T = TypeVar("T")
U = TypeVar("U")


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
