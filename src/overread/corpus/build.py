"""Annotated reports → lines (text, sentences, mentions with offsets, the LUNGUAGE layer), and lines → files.

Files are JSON lines, the formats of annotation tools, or a folder for Hugging Face `datasets`.
"""

import gzip
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from msgspec import Struct, field
from msgspec.json import encode
from msgspec.structs import asdict, replace

from overread.corpus.files import SPLITS, load_annotated, notation_files
from overread.corpus.records import ABOUT, Annotated, Mention, Quote, lay_out
from overread.errors import UnknownName
from overread.formats.annotated import AnnotatedReport, Detail, Mark
from overread.formats.marking import view_of
from overread.formats.pieces import LINKS
from overread.formats.registry import module_of
from overread.formats.writing import filled_template, whole_folder
from overread.report.span import Span
from overread.systems.lunguage import schema as lunguage

KINDS_OF_CUE = {"denied_by": "denial", "hedged_by": "hedge"}
AS_LUNGUAGE = {"previous_measurement": "measurement", "gone": "improved"}
"""Attributes that LUNGUAGE's annotation guide does not tell apart."""
MARKED_ALIKE = ("id", "entity", "spans", "category", "status", "certainty")
"""What a mention of a line and a mark in the text hold alike."""


class Words(Struct, frozen=True):
    """A value as it stands in the text; several spans where the quotation has a hole."""

    kind: str
    """Which attribute, or which kind of cue."""
    text: str
    spans: tuple[Span, ...]


class LineSentence(Struct, frozen=True):
    """One sentence, by its place in the text."""

    start: int
    end: int
    section: str
    kind: str
    """Why it has no mention; empty where it has."""


class MentionLink(Struct, frozen=True):
    """A link to another mention of the report: evidence, associate or same_as."""

    kind: str
    to: str


class LineMention(Struct, frozen=True):
    """One mention with everything its sentence says of it."""

    id: str
    sentence: int
    entity: str
    spans: tuple[Span, ...]
    category: str
    status: str
    certainty: str
    attributes: tuple[Words, ...]
    cues: tuple[Words, ...]
    links: tuple[MentionLink, ...]
    group: str


class LineAddition(Struct, frozen=True):
    """What a sentence that only points back adds to an earlier mention."""

    sentence: int
    to: str
    attributes: tuple[Words, ...]


class Line(Struct, frozen=True):
    """One report of the corpus; every line has every field."""

    id: str
    split: str
    modality: str
    setting: str
    style: str
    writer: str
    patient: str
    day: float | None
    text: str
    sentences: tuple[LineSentence, ...]
    mentions: tuple[LineMention, ...]
    alternatives: tuple[LineMention, ...]
    """Accepted instead of the mention with the same id."""
    additions: tuple[LineAddition, ...]
    findings: tuple[lunguage.StructuredFinding, ...] = field(default=())
    """The LUNGUAGE layer."""


def read_corpus(*paths: str | Path) -> Iterator[Line]:
    """Every report of notation files, or of folders of them such as `corpus/dev`."""
    return (line_of(split, report) for split, report in load_annotated(notation_files(map(Path, paths))))


def line_of(split: str, report: Annotated) -> Line:
    """
    >>> from overread.corpus.notation import parse_notation
    >>> [report], _ = parse_notation("# a\\nF No effusion.\\n- effusion -", "example")
    >>> line_of("dev", report).mentions[0].cues
    (Words(kind='denial', text='No', spans=(Span(start=10, end=12),)),)
    """
    laid = lay_out(report)
    told = laid.told
    mentions = [(n, at, m) for n, (at, sentence) in enumerate(told) for m in sentence.mentions]
    line = Line(
        id=report.id,
        split=split,
        **cast(Any, {key: report.about.get(key, "") for key in ABOUT if key != "day"}),
        day=float(report.about["day"]) if "day" in report.about else None,
        text=laid.text,
        sentences=tuple(LineSentence(at, at + len(s.text), s.section, s.kind) for at, s in told),
        mentions=tuple(line_mention(n, at, m) for n, at, m in mentions),
        alternatives=tuple(line_mention(n, at, other) for n, at, m in mentions for other in m.alternatives),
        additions=tuple(
            LineAddition(n, one.to, words_in_text(one.attributes, at))
            for n, (at, sentence) in enumerate(told)
            for one in sentence.additions
        ),
    )
    return replace(line, findings=tuple(view_of(as_annotated(line)).findings))


def line_mention(number: int, at: int, mention: Mention) -> LineMention:
    said = {name: quotes for name, quotes in mention.attributes.items() if name not in KINDS_OF_CUE}
    cues = {KINDS_OF_CUE[name]: quotes for name, quotes in mention.attributes.items() if name in KINDS_OF_CUE}
    return LineMention(
        id=mention.id,
        sentence=number,
        entity=mention.words.text,
        spans=spans_in_text(mention.words, at),
        category=mention.category,
        status="positive" if mention.positive else "negative",
        certainty="tentative" if mention.tentative else "definitive",
        attributes=words_in_text(said, at),
        cues=words_in_text(cues, at),
        links=tuple(MentionLink(kind, to) for kind, ids in mention.links.items() for to in ids),
        group=mention.group,
    )


def words_in_text(attributes: dict[str, tuple[Quote, ...]], at: int) -> tuple[Words, ...]:
    return tuple(
        Words(name, one.text, spans_in_text(one, at)) for name, quotes in attributes.items() for one in quotes
    )


def spans_in_text(quote: Quote, at: int) -> tuple[Span, ...]:
    return tuple(span.shift(at) for span in quote.spans)


def as_annotated(line: Line) -> AnnotatedReport:
    """The LUNGUAGE layer as marks in the text: no cues, no same-as; a size before is a measurement, what has gone has
    improved, and links are associations of both."""
    associates: dict[str, set[str]] = {mention.id: set() for mention in line.mentions}
    for mention in line.mentions:
        for link in mention.links:
            if link.kind in LINKS:
                associates[mention.id].add(link.to)
                associates[link.to].add(mention.id)
    marks = []
    for mention in line.mentions:
        said = line.sentences[mention.sentence]
        details = (Detail(AS_LUNGUAGE.get(d.kind, d.kind), d.text, d.spans) for d in mention.attributes)
        same: dict[str, Any] = {name: getattr(mention, name) for name in MARKED_ALIKE}
        marks.append(
            Mark(
                **same,
                section=said.section,
                sentence=Span(said.start, said.end),
                details=tuple(details),
                associate=tuple(sorted(associates[mention.id], key=lambda id: int(id[1:]))),
                evidence=tuple(link.to for link in mention.links if link.kind == "evidence"),
            )
        )
    return AnnotatedReport(line.id, line.text, line.patient or None, day=line.day, marks=tuple(marks))


FORMAT_SUFFIXES = {
    "jsonl": ".jsonl",
    "conll": ".conll",
    "brat": "",
    "label-studio": ".json",
    "datasets": ".jsonl.gz",
}
"""Format → what the file, or the folder, of a split ends in."""


def write_corpus(
    lines: Iterable[Line],
    output: Path,
    name: str,
    beside: Mapping[str, Sequence[object]] = MappingProxyType({}),
) -> dict[str, int]:
    """Write a folder in one format, and JSON lines of what stands beside the reports; how many of each there are."""
    known_format(name)
    kept = list(lines)
    parts = {split: [line for line in kept if line.split == split] for split in SPLITS}
    with whole_folder(output) as folder:
        for split, own in parts.items():
            if own:
                write_split(name, own, folder / f"{split}{FORMAT_SUFFIXES[name]}")
        for more, rows in beside.items():
            (folder / f"{more}.jsonl").write_bytes(as_lines(rows))
        if name == "datasets":
            sizes = [
                (split, len(own), sum(len(x.sentences) for x in own)) for split, own in parts.items() if own
            ]
            card = filled_template("card.md", {"rows": sizes}, escaped=False, package="overread.corpus")
            (folder / "README.md").write_text(card, "utf-8")
    return {name: len(rows) for name, rows in {**parts, **beside}.items()}


def as_lines(rows: Iterable[object]) -> bytes:
    return b"".join(encode(row) + b"\n" for row in rows)


def write_split(name: str, lines: Sequence[Line], path: Path) -> None:
    """The reports of a split; `datasets` wants the same keys and types in every line: no LUNGUAGE layer, which leaves
    out empty keys."""
    if name == "jsonl":
        path.write_bytes(as_lines(lines))
    elif name == "datasets":
        plain = [{**asdict(line), "day": "" if line.day is None else f"{line.day:g}"} for line in lines]
        for one in plain:
            del one["findings"]
        path.write_bytes(gzip.compress(as_lines(plain), mtime=0))
    else:
        module_of(name).write(map(as_annotated, lines), path)


def known_format(name: str) -> None:
    """An error for a format that the corpus is not written in."""
    if name not in FORMAT_SUFFIXES:
        raise UnknownName("format of the corpus", name, FORMAT_SUFFIXES)
