"""Files that are not what they should be: decoded whole, or refused with the file and the place."""

from pathlib import Path
from typing import Any, TypeVar
from xml.etree import ElementTree

import msgspec

from overread.errors import BadInput
from overread.sources.encoding import text_of

T = TypeVar("T")


def bad(where: str | Path, place: str, problem: str) -> BadInput:
    """One sentence: the file, the place in it, what is wrong there.

    >>> str(bad("a.json", "entry 3", "it has no text."))
    'a.json, entry 3: it has no text.'
    """
    return BadInput(f"{where}, {place}: {problem}" if place else f"{where}: {problem}")


def json_value(written: str | bytes, where: str | Path, place: str = "") -> Any:
    """Any JSON value."""
    return json_of(written, Any, where, place)


def json_of(written: str | bytes, kind: type[T], where: str | Path, place: str = "") -> T:
    """JSON of a known shape; the decoder's complaint names places and types and never quotes the text."""
    try:
        return msgspec.json.decode(written, type=kind)
    except RecursionError:
        raise bad(where, place, "it nests deeper than anything written for people; it is damaged.") from None
    except (msgspec.DecodeError, UnicodeError) as error:
        told = str(error).removeprefix("JSON is malformed: ")
        raise bad(where, place, f"not the JSON expected here ({told}).") from None


def json_file(path: Path, kind: type[T]) -> T:
    return json_of(text_of(path, None), kind, path)


def xml_file(path: Path) -> ElementTree.Element:
    """The root of an XML file without entities of its own, which can grow without end."""
    text = text_of(path, None)
    if "<!ENTITY" in text:
        raise bad(path, "", "it declares entities of its own, which are not read; save it without them.")
    try:
        return ElementTree.fromstring(text.encode("utf-8"), parser=utf8_parser())
    except ElementTree.ParseError as error:
        line, column = error.position
        raise bad(path, f"line {line}, column {column + 1}", "not well-formed XML.") from None
    except (ValueError, LookupError, RecursionError):
        raise bad(path, "", "not XML that can be read.") from None


def utf8_parser() -> ElementTree.XMLParser:
    """A parser of text that is UTF-8 already, whatever its first line declares."""
    return ElementTree.XMLParser(encoding="utf-8")
