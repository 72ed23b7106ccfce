"""BioC: a document per report, a passage per section, annotations and relations; XML for `.xml`, else JSON."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

import msgspec
from msgspec import Struct, field

from overread.errors import BadInput
from overread.formats.annotated import AnnotatedReport, Mark, assertion, words
from overread.formats.damage import bad, json_of, xml_file
from overread.formats.pieces import FACTS, Link, Piece, reunited, taken_apart
from overread.formats.writing import write_list
from overread.report import parse
from overread.report.span import Span
from overread.sources.encoding import text_of
from overread.version import __version__

LAYOUT = "BioC collection"
KEY = "overread.key"
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters XML has no way to write; each becomes one replacement character, so that offsets hold."""

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


class Node(Struct, frozen=True):
    refid: str
    role: str = ""


class Relation(Struct, frozen=True):
    id: str = ""
    infons: dict[str, str] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)


class Passage(Struct, frozen=True):
    """A stretch of a document; also a sentence of one, which is the same but smaller."""

    offset: int
    text: str = ""
    infons: dict[str, Any] = field(default_factory=dict)
    sentences: "list[Passage]" = field(default_factory=list)
    annotations: list[Annotation] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)


class Document(Struct, frozen=True):
    id: str
    infons: dict[str, Any] = field(default_factory=dict)
    passages: list[Passage] = field(default_factory=list)
    annotations: list[Annotation] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)


class Collection(Struct, frozen=True):
    documents: list[Document]
    source: str = "overread"
    date: str = ""
    key: str = ""
    infons: dict[str, Any] = field(default_factory=dict)


def read(path: Path) -> Iterator[AnnotatedReport]:
    """A report per document, its passages laid out at their offsets."""
    found = (
        xml_collection(path)
        if path.suffix.lower() == ".xml"
        else json_of(text_of(path, None), Collection, path)
    )
    for number, document in enumerate(found.documents, 1):
        yield Reader(path, number, document).report()


class Reader:
    """One document."""

    def __init__(self, path: Path, number: int, document: Document) -> None:
        self.path, self.number, self.document = path, number, document

    def wrong(self, key: str, problem: str) -> BadInput:
        return bad(self.path, f"document {self.number}, annotation {key}", f"{problem}.")

    def report(self) -> AnnotatedReport:
        told = {name: str(value) for name, value in self.document.infons.items() if value is not None}
        text = self.text()
        try:
            day = float(told["day"]) if "day" in told else None
        except ValueError:
            raise bad(self.path, f"document {self.number}", "its day is not a number.") from None
        patient, study, date = map(told.get, ("patient", "study", "date"))
        return AnnotatedReport(self.document.id, text, patient, study, day, date, self.marks(text))

    def stretches(self) -> Iterator[Passage]:
        for passage in self.document.passages:
            yield from [passage] if passage.text else passage.sentences

    def text(self) -> str:
        """The passages at their offsets, counted from the first; a gap becomes spaces."""
        text = ""
        for passage in self.stretches():
            gap = passage.offset - len(text)
            if not 0 <= gap <= LONGEST_GAP:
                problem = f"a passage at {passage.offset} overlaps the one before it, or lies far away."
                raise bad(self.path, f"document {self.number}", problem)
            text += " " * gap + passage.text
        return text

    def marks(self, text: str) -> tuple[Mark, ...] | None:
        """None where nothing is annotated and nobody says that it was looked at."""
        holders: list[Passage | Document] = [self.document, *self.document.passages]
        holders += [one for passage in self.document.passages for one in passage.sentences]
        annotations = [one for holder in holders for one in holder.annotations]
        relations = [one for holder in holders for one in holder.relations]
        if not annotations and self.document.infons.get("annotated") != "yes":
            return None
        rides = {one.id: one.infons.get("overread") for one in annotations}
        return reunited(text, map(self.piece, annotations), map(self.link, relations), rides, self.wrong)

    def piece(self, one: Annotation) -> Piece:
        if any(abs(place.offset) + abs(place.length) > 2**40 for place in one.locations):
            raise self.wrong(one.id, "its location lies far outside the text")
        spans = tuple(Span(place.offset, place.offset + place.length) for place in one.locations)
        facts = {name: one.infons[name] for name in FACTS if name in one.infons}
        return Piece(one.id, one.infons.get("type", "").lower(), spans, facts=facts)

    def link(self, one: Relation) -> Link:
        if len(one.nodes) != 2:
            raise self.wrong(one.id or "?", "a relation needs two nodes")
        return Link(one.infons.get("type", "").lower(), one.nodes[0].refid, one.nodes[1].refid)


def xml_collection(path: Path) -> Collection:
    root = xml_file(path)
    if root.tag != "collection":
        raise bad(path, "", f"it is no BioC collection: its outermost element is {root.tag[:30]!r}.")
    return Collection([XmlDocument(path, n).read(one) for n, one in enumerate(root.iterfind("document"), 1)])


class XmlDocument:
    """One `<document>` → the same shape as from JSON."""

    def __init__(self, path: Path, number: int) -> None:
        self.path, self.number = path, number

    def read(self, one: Element) -> Document:
        passages = [self.passage(each) for each in one.iterfind("passage")]
        return Document(inner_text(one, "id"), infons(one), passages, self.annotations(one), relations(one))

    def passage(self, one: Element) -> Passage:
        sentences = [self.passage(each) for each in one.iterfind("sentence")]
        offset, text = self.whole(inner_text(one, "offset")), inner_text(one, "text")
        return Passage(offset, text, infons(one), sentences, self.annotations(one), relations(one))

    def annotations(self, one: Element) -> list[Annotation]:
        return [
            Annotation(each.get("id", ""), inner_text(each, "text"), infons(each), self.locations(each))
            for each in one.iterfind("annotation")
        ]

    def locations(self, one: Element) -> list[Location]:
        places = one.iterfind("location")
        return [Location(*(self.whole(place.get(n, "")) for n in ("offset", "length"))) for place in places]

    def whole(self, written: str) -> int:
        if not written.strip().isdecimal() or len(written) > 15:
            raise bad(self.path, f"document {self.number}", "an offset or length is not a whole number.")
        return int(written)


def relations(one: Element) -> list[Relation]:
    return [
        Relation(
            each.get("id", ""), infons(each), [Node(n.get("refid", ""), n.get("role", "")) for n in nodes]
        )
        for each in one.iterfind("relation")
        for nodes in [each.iterfind("node")]
    ]


def inner_text(one: Element, tag: str) -> str:
    found = one.find(tag)
    return "" if found is None else "".join(found.itertext())


def infons(one: Element) -> dict[str, str]:
    return {each.get("key", ""): "".join(each.itertext()) for each in one.iterfind("infon")}


def write(reports: Iterable[AnnotatedReport], output: Path) -> None:
    documents = map(document, reports)
    if output.suffix.lower() == ".xml":
        before = "<?xml version='1.0' encoding='UTF-8'?>\n<!DOCTYPE collection SYSTEM \"BioC.dtd\">\n"
        before += f"<collection><source>overread {__version__}</source><date></date><key>{KEY}</key>"
        written = (xml_document(one).encode() for one in documents)
        write_list(output, written, before.encode(), b"</collection>", between=b"")
    else:
        before = f'{{"source":"overread {__version__}","date":"","key":"{KEY}","infons":{{}},"documents":['
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
        homes[home(passages, one)].append(one)
    kept = [msgspec.structs.replace(p, annotations=inside) for p, inside in zip(passages, homes, strict=True)]
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


def home(passages: list[Passage], one: Annotation) -> int:
    first = one.locations[0].offset
    return max(n for n, passage in enumerate(passages) if passage.offset <= first)


def annotation(text: str, piece: Piece, said: Mapping[str, str]) -> Annotation:
    rides = piece.carried()
    infons = {"type": piece.label, **piece.facts, **said}
    infons |= {} if rides is None else {"overread": msgspec.json.encode(rides).decode()}
    places = [Location(span.start, span.end - span.start) for span in piece.spans]
    return Annotation(piece.key, words(text, piece.spans), infons, places)


def relation(number: int, link: Link) -> Relation:
    roles = ("finding", "detail") if link.label == "has" else ("finding", "other")
    nodes = [Node(link.start, roles[0]), Node(link.end, roles[1])]
    return Relation(f"R{number}", {"type": link.label}, nodes)


def xml_document(one: Document) -> str:
    """
    >>> xml_document(Document("a&b", {}, [Passage(0, "Clear.")]))
    '<document><id>a&amp;b</id><passage><offset>0</offset><text>Clear.</text></passage></document>'
    """
    passages = "".join(xml_passage(each) for each in one.passages)
    relations = "".join(xml_relation(each) for each in one.relations)
    return element("document", element("id", said(one.id)), xml_infons(one.infons), passages, relations)


def xml_passage(one: Passage) -> str:
    inside = "".join(xml_annotation(each) for each in one.annotations)
    place = element("offset", str(one.offset))
    return element("passage", xml_infons(one.infons), place, element("text", said(one.text)), inside)


def xml_annotation(one: Annotation) -> str:
    places = "".join(f'<location offset="{p.offset}" length="{p.length}"/>' for p in one.locations)
    return element("annotation", xml_infons(one.infons), places, element("text", said(one.text)), id=one.id)


def xml_relation(one: Relation) -> str:
    nodes = "".join(f"<node refid={attribute(n.refid)} role={attribute(n.role)}/>" for n in one.nodes)
    return element("relation", xml_infons(one.infons), nodes, id=one.id)


def xml_infons(infons: dict[str, str]) -> str:
    return "".join(element("infon", said(value), key=key) for key, value in infons.items())


def element(name: str, *inside: str, **attributes: str) -> str:
    shown = "".join(f" {key}={attribute(value)}" for key, value in attributes.items())
    return f"<{name}{shown}>{''.join(inside)}</{name}>"


def said(text: str) -> str:
    """Text between tags; a carriage return would be lost unless it is written as a number."""
    return escape(NOT_XML.sub("\ufffd", text), {"\r": "&#13;"})


def attribute(text: str) -> str:
    return quoteattr(NOT_XML.sub("\ufffd", text), {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;"})
