"""Findings as labelled stretches of text and links between them, the way annotation tools see them.

A finding is a piece labelled `finding`; each detail with a place is a piece labelled by its relation and linked from
its finding by `has`; `associate` and `evidence` link findings. What a tool has no place for rides in `facts` (choices a
person may change) and `note` (what only we read).
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from itertools import count, pairwise
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from overread.formats.annotated import Detail, Mark, Step, placed, words
from overread.report.span import Span
from overread.sources.encoding import leave_out

FINDING = "finding"
HAS = "has"
LINKS = ("associate", "evidence")
RELATIONS = (
    "location", "morphology", "distribution", "measurement", "severity", "comparison", "onset", "improved",
    "worsened", "no_change", "placement", "past_hx", "other_source", "assessment_limitations",
)  # fmt: skip
FACTS: dict[str, tuple[str, ...]] = {
    "status": ("positive", "negative"),
    "certainty": ("definitive", "tentative"),
    "category": ("PF", "CF", "OTH", "COF", "NCD", "PATIENT INFO"),
}
"""What a person may choose for a finding; the first is meant where nothing is chosen, but for category: OTH."""

OFFERED: Mapping[str, Any] = {
    "finding": FINDING, "relations": RELATIONS, "has": HAS, "links": LINKS, "facts": FACTS,
}  # fmt: skip
"""What the settings of a tool must offer, as their templates name it."""

Complaint = Callable[[str, str], Exception]
"""(key of the piece, what is wrong) → the error to raise."""


class Note(Struct, frozen=True, omit_defaults=True):
    """What no tool shows but a way back needs."""

    section: str = "findings"
    sentence: Span = Span(0, 0)
    concept: str | None = None
    level: str | None = None
    side: str | None = None
    gone: bool = False
    trace: tuple[Step, ...] = ()
    unplaced: tuple[Detail, ...] = ()
    """Details nobody can point at."""


NOTED = tuple(name for name in Note.__struct_fields__ if name != "unplaced")


class Carried(Struct, frozen=True, omit_defaults=True):
    """What rides along with a piece in a tool's field for remarks."""

    id: str | None = None
    """Of a finding: tools have keys of their own."""

    wording: str | None = None
    """How it reads, where that is not simply the words it covers."""

    note: Note | None = None


class Piece(Struct, frozen=True):
    """A labelled stretch of text."""

    key: str
    label: str
    spans: tuple[Span, ...]
    facts: dict[str, str] = field(default_factory=dict)
    rides: Any = None
    """`Carried`, also as a file has it: as text, or as JSON that is decoded already."""


class Link(Struct, frozen=True):
    """A labelled arrow between two pieces."""

    label: str
    start: str
    end: str


def taken_apart(text: str, marks: Iterable[Mark]) -> tuple[list[Piece], list[Link]]:
    """Marks as pieces and links, in order; a finding's details follow it."""
    pieces: list[Piece] = []
    links: list[Link] = []
    all_marks = tuple(marks)
    taken = {mark.id for mark in all_marks}
    for mark in all_marks:
        pieces.append(finding_piece(text, mark))
        free = (key for n in count(1) if (key := f"{mark.id}.{n}") not in taken)
        for detail, key in zip((d for d in mark.details if d.spans), free, strict=False):
            wording = unlike(text, detail.text, detail.spans)
            rides = None if wording is None else Carried(None, wording)
            pieces.append(Piece(key, detail.relation, detail.spans, rides=rides))
            links.append(Link(HAS, mark.id, key))
        links += [Link("associate", mark.id, other) for other in mark.associate]
        links += [Link("evidence", mark.id, other) for other in mark.evidence]
    return pieces, links


def finding_piece(text: str, mark: Mark) -> Piece:
    facts = {name: getattr(mark, name) for name in FACTS}
    noted = {name: getattr(mark, name) for name in NOTED}
    note = Note(**noted, unplaced=tuple(d for d in mark.details if not d.spans))
    rides = Carried(mark.id, unlike(text, mark.entity, mark.spans), note)
    return Piece(mark.id, FINDING, mark.spans, facts, rides)


def unlike(text: str, wording: str, spans: tuple[Span, ...]) -> str | None:
    return None if words(text, spans) == wording else wording


def read_carried(written: object, key: str, wrong: Complaint) -> Carried:
    if written is None or isinstance(written, Carried):
        return written or Carried()
    try:
        if isinstance(written, str):
            return msgspec.json.decode(written, type=Carried)
        return msgspec.convert(written, Carried)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        raise wrong(key, "its note is not one that overread wrote; remove it") from None


def put_together(
    text: str, found: Iterable[Piece], arrows: Iterable[Link], wrong: Complaint
) -> tuple[Mark, ...]:
    """The marks of a tool's file, under the ids that rode along; `wrong` makes the error for what cannot be."""
    read = [replace(piece, rides=read_carried(piece.rides, piece.key, wrong)) for piece in found]
    ids = {piece.key: piece.rides.id for piece in read if piece.rides.id is not None}
    pieces = [replace(piece, key=ids.get(piece.key, piece.key)) for piece in read]
    links = [Link(one.label, ids.get(one.start, one.start), ids.get(one.end, one.end)) for one in arrows]
    known = {piece.key: piece for piece in pieces}
    if len(known) < len(pieces):
        twice = next(p.key for n, p in enumerate(pieces) if p.key in {q.key for q in pieces[:n]})
        raise wrong(twice, "two marks have this id")
    for piece in pieces:
        check_spans(text, piece, wrong)
    for link in links:
        check_link(link, known, wrong)
    owned = {link.end for link in links if link.label == HAS}
    for piece in pieces:
        if piece.label != FINDING and piece.key not in owned:
            leave_out(str(wrong(piece.key, f"no finding has this {piece.label}; link one to it ({HAS})")))
    by_start: dict[str, list[Link]] = {}
    for link in links:
        by_start.setdefault(link.start, []).append(link)
    findings = [piece for piece in pieces if piece.label == FINDING]
    return placed(
        text, tuple(mark_of_piece(text, p, by_start.get(p.key, []), known, wrong) for p in findings)
    )


def check_spans(text: str, piece: Piece, wrong: Complaint) -> None:
    if piece.label != FINDING and piece.label not in RELATIONS:
        told = f"the label {clip(piece.label)} is neither {FINDING} nor a relation ({', '.join(RELATIONS)})"
        raise wrong(piece.key, told)
    if not piece.spans:
        raise wrong(piece.key, "it has no place in the text")
    for span in piece.spans:
        if not 0 <= span.start < span.end <= len(text):
            raise wrong(piece.key, f"{span.start}–{span.end} lies outside the text of {len(text)} characters")


def check_link(link: Link, known: dict[str, Piece], wrong: Complaint) -> None:
    if link.label not in (HAS, *LINKS):
        raise wrong(link.start, f"the link {clip(link.label)} is none of {HAS}, {', '.join(LINKS)}")
    for end in (link.start, link.end):
        if end not in known:
            raise wrong(end, f"a link ({link.label}) leads to it, but no mark has this id")
    if known[link.start].label != FINDING or (known[link.end].label == FINDING) != (link.label != HAS):
        told = f"{HAS} leads from a finding to a detail, {' and '.join(LINKS)} from finding to finding"
        raise wrong(link.start, told)


def clip(name: str) -> str:
    """A name from a file, cut where it is no name."""
    return repr(name if len(name) <= 30 else name[:30] + "…")


def mark_of_piece(
    text: str, piece: Piece, links: list[Link], known: dict[str, Piece], wrong: Complaint
) -> Mark:
    note = piece.rides.note or Note()
    check_note(text, piece.key, note, wrong)
    parts = [known[link.end] for link in links if link.label == HAS]
    details = tuple(Detail(one.label, wording_of_piece(text, one), one.spans) for one in parts)
    told: dict[str, Any] = {name: getattr(note, name) for name in NOTED}
    told |= {name: fact(piece, name, wrong) for name in ("category", "status", "certainty")}
    told |= {name: tuple(link.end for link in links if link.label == name) for name in LINKS}
    entity = wording_of_piece(text, piece)
    return Mark(id=piece.key, entity=entity, spans=piece.spans, details=details + note.unplaced, **told)


def check_note(text: str, key: str, note: Note, wrong: Complaint) -> None:
    for span in (note.sentence, *(step.span for step in note.trace)):
        if not 0 <= span.start <= span.end <= len(text):
            told = f"its note points at {span.start}–{span.end}, outside the text of {len(text)} characters"
            raise wrong(key, told)
    if any(d.relation not in RELATIONS or d.spans for d in note.unplaced):
        raise wrong(key, "its note holds a detail of no known relation, or one with a place")


def wording_of_piece(text: str, piece: Piece) -> str:
    said: str | None = piece.rides.wording
    return words(text, piece.spans) if said is None else said


def fact(piece: Piece, name: str, wrong: Complaint) -> Any:
    """What was chosen, whatever the case it is written in."""
    written = piece.facts.get(name, "OTH" if name == "category" else FACTS[name][0])
    found = next((choice for choice in FACTS[name] if choice.lower() == written.strip().lower()), None)
    if found is None:
        raise wrong(piece.key, f"its {name} {clip(written)} is none of {', '.join(FACTS[name])}")
    return found


WORD_OR_MARK = re.compile(r"\w+|[^\w\s]")


def tokens(text: str, spans: Iterable[Span]) -> list[Span]:
    """Words and marks of punctuation, cut also where a span begins or ends.

    >>> [t.of("X-ray: 3cm") for t in tokens("X-ray: 3cm", [Span(7, 8)])]
    ['X', '-', 'ray', ':', '3', 'cm']
    """
    cuts = sorted({edge for span in spans for edge in (span.start, span.end)})
    found: list[Span] = []
    for start, end in (word.span() for word in WORD_OR_MARK.finditer(text)):
        inside = cuts[bisect_right(cuts, start) : bisect_left(cuts, end)]
        found += [Span(*ends) for ends in pairwise([start, *inside, end])]
    return found
