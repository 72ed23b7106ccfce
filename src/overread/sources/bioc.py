"""BioC, as XML or as JSON: documents of passages, with annotations and relations."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from msgspec import Struct, field

from overread.errors import BadInput
from overread.report.span import Span
from overread.sources.annotated import AnnotatedReport, Mark
from overread.sources.damage import bad, json_file, xml_file
from overread.sources.pieces import FACTS, Carried, Link, Piece, named, put_together, read_carried

LAYOUT = "BioC collection"
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


def reports(path: Path) -> Iterator[AnnotatedReport]:
    """A report per document, its passages laid out at their offsets."""
    found = xml_collection(path) if path.suffix.lower() == ".xml" else json_file(path, Collection)
    for number, document in enumerate(found.documents, 1):
        yield Read(path, number, document).report()


class Read:
    """One document."""

    def __init__(self, path: Path, number: int, document: Document) -> None:
        self.path, self.number, self.document = path, number, document

    def wrong(self, key: str, problem: str) -> BadInput:
        return bad(self.path, f"document {self.number}, annotation {key}", f"{problem}.")

    def report(self) -> AnnotatedReport:
        infons = self.document.infons
        day = infons.get("day")
        return AnnotatedReport(
            self.document.id,
            text := self.text(),
            infon(infons, "patient"),
            infon(infons, "study"),
            None if day is None else self.number_of(day),
            infon(infons, "date"),
            self.marks(text),
        )

    def number_of(self, day: object) -> float:
        try:
            return float(str(day))
        except ValueError:
            raise bad(self.path, f"document {self.number}", "its day is not a number.") from None

    def stretches(self) -> Iterator[Passage]:
        for passage in self.document.passages:
            yield from [passage] if passage.text else passage.sentences

    def text(self) -> str:
        """The passages at their offsets, counted from the first; a gap becomes spaces."""
        text = ""
        for passage in self.stretches():
            gap = passage.offset - len(text)
            if not 0 <= gap <= LONGEST_GAP:
                raise bad(
                    self.path,
                    f"document {self.number}",
                    f"a passage at {passage.offset} overlaps the one before it, or lies far away.",
                )
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
        rides = {one.id: self.rides(one) for one in annotations}
        pieces = [self.piece(one, rides[one.id]) for one in annotations]
        ids = {key: one.id for key, one in rides.items() if one.id is not None}
        return put_together(text, *named(pieces, [self.link(one) for one in relations], ids), self.wrong)

    def rides(self, one: Annotation) -> Carried:
        written = one.infons.get("overread")
        return Carried() if written is None else read_carried(written, one.id, self.wrong)

    def piece(self, one: Annotation, rides: Carried) -> Piece:
        if any(abs(place.offset) + abs(place.length) > 2**40 for place in one.locations):
            raise self.wrong(one.id, "its location lies far outside the text")
        spans = tuple(Span(place.offset, place.offset + place.length) for place in one.locations)
        facts = {name: one.infons[name] for name in FACTS if name in one.infons}
        return Piece(one.id, one.infons.get("type", "").lower(), spans, rides.wording, facts, rides.note)

    def link(self, one: Relation) -> Link:
        if len(one.nodes) != 2:
            raise self.wrong(one.id or "?", "a relation needs two nodes")
        return Link(one.infons.get("type", "").lower(), one.nodes[0].refid, one.nodes[1].refid)


def infon(infons: dict[str, Any], name: str) -> str | None:
    value = infons.get(name)
    return None if value is None else str(value)


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
        return Document(words(one, "id"), infons(one), passages, self.annotations(one), self.relations(one))

    def passage(self, one: Element) -> Passage:
        sentences = [self.passage(each) for each in one.iterfind("sentence")]
        offset = self.whole(words(one, "offset"))
        return Passage(
            offset, words(one, "text"), infons(one), sentences, self.annotations(one), self.relations(one)
        )

    def annotations(self, one: Element) -> list[Annotation]:
        return [
            Annotation(
                each.get("id", ""),
                words(each, "text"),
                infons(each),
                [
                    Location(self.whole(p.get("offset", "")), self.whole(p.get("length", "")))
                    for p in each.iterfind("location")
                ],
            )
            for each in one.iterfind("annotation")
        ]

    def relations(self, one: Element) -> list[Relation]:
        return [
            Relation(
                each.get("id", ""),
                infons(each),
                [Node(n.get("refid", ""), n.get("role", "")) for n in each.iterfind("node")],
            )
            for each in one.iterfind("relation")
        ]

    def whole(self, written: str) -> int:
        if not written.strip().isdecimal() or len(written) > 15:
            raise bad(self.path, f"document {self.number}", "an offset or length is not a whole number.")
        return int(written)


def words(one: Element, tag: str) -> str:
    found = one.find(tag)
    return "" if found is None else "".join(found.itertext())


def infons(one: Element) -> dict[str, str]:
    return {each.get("key", ""): "".join(each.itertext()) for each in one.iterfind("infon")}
