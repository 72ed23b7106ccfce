"""BioC: a document per report, a passage per section, annotations and relations; XML for `.xml`, else JSON."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

import msgspec
from msgspec import Struct, field

from overread.errors import BadInput
from overread.formats.annotated import AnnotatedReport, Mark, assertion, words
from overread.formats.pieces import FACTS, Complaint, Link, Piece, put_together, taken_apart
from overread.formats.writing import write_list
from overread.report import parse
from overread.report.span import Span
from overread.sources.encoding import bad, complaint_at, json_of, text_of, xml_file
from overread.version import __version__

KEY_FILE = "overread.key"
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters XML has no way to write; each becomes one replacement character, so that offsets hold."""

XML_FIELDS = {
    "passage": ("offset", "text"), "sentence": ("offset", "text"), "annotation": ("id", "text"), "relation": ("id",),
    "location": ("offset", "length"), "node": ("refid", "role"), "document": ("id",),
}  # fmt: skip
"""XML elements, and what each holds beside infons and others of them, as attributes or elements."""

XML_ORDER = ("id", "infons", "offset", "locations", "nodes", "text", "annotations", "passages", "relations")
"""In which order an element holds them when written; short facts are attributes."""

XML_NUMBERS = frozenset({"offset", "length"})
LONGEST_GAP = 1_000_000
"""Passages further apart than any report is long: the offsets are damaged."""


class Location(Struct, frozen=True):
    offset: int
    length: int


class Annotation(Struct, frozen=True):
    id: str
    text: str = ""
    infons: dict[str, str] = field(default_factory=dict)
    locations: list[Location] = field(default_factory=list)


class RelationNode(Struct, frozen=True):
    refid: str
    role: str = ""


class BiocRelation(Struct, frozen=True):
    id: str = ""
    infons: dict[str, str] = field(default_factory=dict)
    nodes: list[RelationNode] = field(default_factory=list)


class Passage(Struct, frozen=True):
    """A stretch of a document; also a sentence of one, which is the same but smaller."""

    offset: int
    text: str = ""
    infons: dict[str, Any] = field(default_factory=dict)
    sentences: "list[Passage]" = field(default_factory=list)
    annotations: list[Annotation] = field(default_factory=list)
    relations: list[BiocRelation] = field(default_factory=list)


class Document(Struct, frozen=True):
    id: str
    infons: dict[str, Any] = field(default_factory=dict)
    passages: list[Passage] = field(default_factory=list)
    annotations: list[Annotation] = field(default_factory=list)
    relations: list[BiocRelation] = field(default_factory=list)


class Collection(Struct, frozen=True):
    documents: list[Document]


def read(path: Path) -> Iterator[AnnotatedReport]:
    """A report per document, its passages laid out at their offsets."""
    for number, document in enumerate(documents_of(path), 1):
        place = f"document {number}"
        told = {name: str(value) for name, value in document.infons.items() if value is not None}
        text = text_of_passages(document.passages, partial(bad, path, place))
        try:
            day = float(told["day"]) if "day" in told else None
        except ValueError:
            raise bad(path, place, "its day is not a number.") from None
        patient, study, date = map(told.get, ("patient", "study", "date"))
        marks = marks_of_document(document, text, complaint_at(path, f"{place}, annotation"))
        yield AnnotatedReport(document.id, text, patient, study, day, date, marks)


def text_of_passages(passages: list[Passage], wrong: Callable[[str], BadInput]) -> str:
    """The passages at their offsets, counted from the first; a gap becomes spaces."""
    text = ""
    for passage in (p for one in passages for p in ([one] if one.text else one.sentences)):
        gap = passage.offset - len(text)
        if not 0 <= gap <= LONGEST_GAP:
            raise wrong(f"a passage at {passage.offset} overlaps the one before it, or lies far away.")
        text += " " * gap + passage.text
    return text


def marks_of_document(document: Document, text: str, wrong: Complaint) -> tuple[Mark, ...] | None:
    """None where nothing is annotated and nobody says that it was looked at."""
    holders: list[Passage | Document] = [document, *document.passages]
    holders += [one for passage in document.passages for one in passage.sentences]
    annotations = [one for holder in holders for one in holder.annotations]
    if not annotations and document.infons.get("annotated") != "yes":
        return None

    def piece(one: Annotation) -> Piece:
        if any(abs(place.offset) + abs(place.length) > 2**40 for place in one.locations):
            raise wrong(one.id, "its location lies far outside the text")
        spans = tuple(Span(place.offset, place.offset + place.length) for place in one.locations)
        facts = {name: one.infons[name] for name in FACTS if name in one.infons}
        return Piece(one.id, one.infons.get("type", "").lower(), spans, facts, one.infons.get("overread"))

    def link(one: BiocRelation) -> Link:
        if len(one.nodes) != 2:
            raise wrong(one.id or "?", "a relation needs two nodes")
        return Link(one.infons.get("type", "").lower(), one.nodes[0].refid, one.nodes[1].refid)

    relations = (one for holder in holders for one in holder.relations)
    found = put_together(text, map(piece, annotations), map(link, relations), wrong)
    place = {id: n for n, id in enumerate(str(document.infons.get("order", "")).split(" "))}
    return tuple(sorted(found, key=lambda mark: place.get(quote(mark.id), len(place))))


def documents_of(path: Path) -> list[Document]:
    if path.suffix.lower() != ".xml":
        return json_of(text_of(path, None), Collection, path).documents
    root = xml_file(path)
    if root.tag != "collection":
        raise bad(path, "", f"it is no BioC collection: its outermost element is {root.tag[:30]!r}.")
    return [xml_document(path, n, one) for n, one in enumerate(root.iterfind("document"), 1)]


def xml_document(path: Path, number: int, one: Element) -> Document:
    """One `<document>` → the same shape as from JSON."""

    def plain(one: Element) -> dict[str, Any]:
        inner = {name: one.find(name) for name in XML_FIELDS[one.tag]}
        texts = {name: "" if at is None else "".join(at.itertext()) for name, at in inner.items()}
        found: dict[str, Any] = {name: one.get(name, text) for name, text in texts.items()}
        for name in XML_NUMBERS & found.keys():
            if not found[name].strip().isdecimal() or len(found[name]) > 15:
                raise bad(path, f"document {number}", "an offset or length is not a whole number.")
            found[name] = int(found[name])
        inside = {f"{tag}s": [plain(each) for each in one.iterfind(tag)] for tag in XML_FIELDS}
        infons = {each.get("key", ""): "".join(each.itertext()) for each in one.iterfind("infon")}
        return found | inside | {"infons": infons}

    return msgspec.convert(plain(one), Document)


def write(reports: Iterable[AnnotatedReport], output: Path) -> None:
    documents = map(document, reports)
    if output.suffix.lower() == ".xml":
        before = "<?xml version='1.0' encoding='UTF-8'?>\n<!DOCTYPE collection SYSTEM \"BioC.dtd\">\n"
        before += f"<collection><source>overread {__version__}</source><date></date><key>{KEY_FILE}</key>"
        written = (xml("document", one).encode() for one in documents)
        write_list(output, written, before.encode(), b"</collection>", between=b"")
    else:
        before = (
            f'{{"source":"overread {__version__}","date":"","key":"{KEY_FILE}","infons":{{}},"documents":['
        )
        write_list(output, map(msgspec.json.encode, documents), before.encode(), b"]}")


def document(report: AnnotatedReport) -> Document:
    """One report."""
    pieces, links = taken_apart(report.text, report.marks or ())
    infons = {name: str(value) for name, value in report.about().items() if name != "id"}
    infons |= {} if report.marks is None else {"annotated": "yes"}
    relations = [relation(n, link) for n, link in enumerate(links, 1)]
    said = {mark.id: {"assertion": assertion(mark)} for mark in report.marks or ()}
    annotations = [annotation(report.text, piece, said.get(piece.key, {})) for piece in pieces]
    passages = list(passages_of(report.text))
    homes: list[list[Annotation]] = [[] for _ in passages]
    for one in annotations:
        first = one.locations[0].offset
        homes[max(n for n, passage in enumerate(passages) if passage.offset <= first)].append(one)
    kept = [msgspec.structs.replace(p, annotations=inside) for p, inside in zip(passages, homes, strict=True)]
    marks = [mark.id for mark in report.marks or ()]
    if [one.id for inside in homes for one in inside if one.id in marks] != marks:
        infons["order"] = " ".join(map(quote, marks))  # passages hold them by their place
    return Document(report.id, infons, kept, [], relations)


def passages_of(text: str) -> Iterator[Passage]:
    """The sections, heading and the space behind them included, so that together they are the text."""
    starts = [(min(s.heading.start, s.span.start), s.name) for s in parse(text).sections]
    starts = sorted({place: (place, name) for place, name in reversed(starts)}.values())
    if not starts or starts[0][0] > 0:
        starts = [(0, "other"), *starts]
    ends = [place for place, _ in starts[1:]] + [len(text)]
    for (start, name), end in zip(starts, ends, strict=True):
        yield Passage(start, text[start:end], {"type": name})


def annotation(text: str, piece: Piece, said: Mapping[str, str]) -> Annotation:
    infons = {"type": piece.label, **piece.facts, **said}
    infons |= {} if piece.rides is None else {"overread": msgspec.json.encode(piece.rides).decode()}
    places = [Location(span.start, span.end - span.start) for span in piece.spans]
    return Annotation(piece.key, words(text, piece.spans), infons, places)


def relation(number: int, link: Link) -> BiocRelation:
    roles = ("finding", "detail") if link.label == "has" else ("finding", "other")
    nodes = [RelationNode(link.start, roles[0]), RelationNode(link.end, roles[1])]
    return BiocRelation(f"R{number}", {"type": link.label}, nodes)


def xml(name: str, one: Struct) -> str:
    """A value as an XML element: short facts as attributes, texts and what is inside it as elements.

    >>> xml("document", Document("a&b", {}, [Passage(0, "Clear.")]))
    '<document><id>a&amp;b</id><passage><offset>0</offset><text>Clear.</text></passage></document>'
    """
    own = msgspec.structs.asdict(one)
    short = own if name in ("location", "node") else ("id",) if name in ("annotation", "relation") else ()
    inside = []
    for part in XML_ORDER:
        value = own.get(part)
        if part in short or value is None:
            continue
        if part == "infons":
            inside += [f"<infon{xml_attributes({'key': k})}>{xml_text(v)}</infon>" for k, v in value.items()]
        elif isinstance(value, list):
            inside += [xml(part[:-1], each) for each in value]
        else:
            inside.append(f"<{part}>{xml_text(str(value))}</{part}>")
    head = name + xml_attributes({each: own[each] for each in short})
    return f"<{head}>{''.join(inside)}</{name}>" if inside else f"<{head}/>"


def xml_text(text: str) -> str:
    """Text between tags; a carriage return would be lost unless it is written as a number."""
    return escape(NOT_XML.sub("\ufffd", text), {"\r": "&#13;"})


def xml_attributes(given: Mapping[str, object]) -> str:
    """Values in a tag, each behind a blank."""
    numbered = {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}
    shown = ((key, quoteattr(NOT_XML.sub("\ufffd", str(value)), numbered)) for key, value in given.items())
    return "".join(f" {key}={value}" for key, value in shown)
