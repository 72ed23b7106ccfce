"""BioC: a document per report, a passage per section; XML for `.xml`, JSON for `.json`."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import msgspec

from overread.exports.assertion import assertion
from overread.exports.prodigy import about
from overread.exports.writing import whole_file
from overread.report import parse
from overread.sources.annotated import AnnotatedReport, words
from overread.sources.bioc import Annotation, Document, Location, Node, Passage, Relation
from overread.sources.pieces import Link, Piece, carried, taken_apart
from overread.version import __version__

NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters XML has no way to write; each becomes one replacement character, so that offsets hold."""

KEY = "overread.key"


def write(reports: Iterable[AnnotatedReport], output: Path) -> None:
    encoded = xml_document if output.suffix.lower() == ".xml" else json_document
    start, between, end = FRAMES[output.suffix.lower() == ".xml"]
    with whole_file(output) as part, part.open("w", encoding="utf-8", newline="") as file:
        file.write(start)
        for number, report in enumerate(reports):
            file.write((between if number else "\n") + encoded(document(report)))
        file.write(end)


FRAMES = {
    True: (
        f"<?xml version='1.0' encoding='UTF-8'?>\n<!DOCTYPE collection SYSTEM \"BioC.dtd\">\n"
        f"<collection><source>overread {__version__}</source><date></date><key>{KEY}</key>",
        "\n",
        "\n</collection>\n",
    ),
    False: (
        f'{{"source":"overread {__version__}","date":"","key":"{KEY}","infons":{{}},"documents":[',
        ",\n",
        "\n]}\n",
    ),
}


def document(report: AnnotatedReport) -> Document:
    """One report."""
    pieces, links = taken_apart(report.text, report.marks or ())
    infons = {name: str(value) for name, value in about(report).items() if name != "id"}
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
    rides = carried(piece)
    infons = {"type": piece.label, **piece.facts, **said}
    infons |= {} if rides is None else {"overread": msgspec.json.encode(rides).decode()}
    places = [Location(span.start, span.end - span.start) for span in piece.spans]
    return Annotation(piece.key, words(text, piece.spans), infons, places)


def relation(number: int, link: Link) -> Relation:
    roles = ("finding", "detail") if link.label == "has" else ("finding", "other")
    nodes = [Node(link.start, roles[0]), Node(link.end, roles[1])]
    return Relation(f"R{number}", {"type": link.label}, nodes)


def json_document(one: Document) -> str:
    return msgspec.json.encode(one).decode()


def xml_document(one: Document) -> str:
    """
    >>> xml_document(Document("a&b", {}, [Passage(0, "Clear.")]))
    '<document><id>a&amp;b</id><passage><offset>0</offset><text>Clear.</text></passage></document>'
    """
    passages = "".join(xml_passage(each) for each in one.passages)
    relations = "".join(xml_relation(each) for each in one.relations)
    return f"<document><id>{said(one.id)}</id>{xml_infons(one.infons)}{passages}{relations}</document>"


def xml_passage(one: Passage) -> str:
    inside = "".join(xml_annotation(each) for each in one.annotations)
    place = f"<offset>{one.offset}</offset>"
    return f"<passage>{xml_infons(one.infons)}{place}<text>{said(one.text)}</text>{inside}</passage>"


def xml_annotation(one: Annotation) -> str:
    places = "".join(f'<location offset="{p.offset}" length="{p.length}"/>' for p in one.locations)
    inside = f"{xml_infons(one.infons)}{places}<text>{said(one.text)}</text>"
    return f"<annotation id={attribute(one.id)}>{inside}</annotation>"


def xml_relation(one: Relation) -> str:
    nodes = "".join(f"<node refid={attribute(n.refid)} role={attribute(n.role)}/>" for n in one.nodes)
    return f"<relation id={attribute(one.id)}>{xml_infons(one.infons)}{nodes}</relation>"


def xml_infons(infons: dict[str, str]) -> str:
    return "".join(f"<infon key={attribute(key)}>{said(value)}</infon>" for key, value in infons.items())


def said(text: str) -> str:
    """Text between tags; a carriage return would be lost unless it is written as a number."""
    return escape(NOT_XML.sub("\ufffd", text), {"\r": "&#13;"})


def attribute(text: str) -> str:
    return quoteattr(NOT_XML.sub("\ufffd", text), {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;"})
