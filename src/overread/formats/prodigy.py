"""Prodigy JSONL: a task a line with tokens, `spans` marked in `text` and `relations` between them."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from overread.formats.annotated import AnnotatedReport, Mark, Who
from overread.formats.pieces import Complaint, Link, Piece, put_together, taken_apart, tokens
from overread.formats.writing import write_lines
from overread.report.span import Span
from overread.sources.encoding import bad, complaint_at, json_of, numbered, readable


class ArrowEnd(Struct, frozen=True, kw_only=True):
    """Which span an arrow means."""

    start: int
    end: int
    label: str
    mark: str | None = None


class Stretch(ArrowEnd, frozen=True, kw_only=True):
    """One span as Prodigy has it; `mark`, `facts` and `overread` are ours."""

    facts: dict[str, str] = field(default_factory=dict)
    overread: Any = None


class Arrow(Struct, frozen=True):
    label: str
    head_span: ArrowEnd
    child_span: ArrowEnd


class ProdigyTask(Struct, frozen=True):
    """A line."""

    text: str
    spans: list[Stretch] | UnsetType = UNSET
    relations: list[Arrow] = field(default_factory=list)
    meta: dict[str, Any] = field(default_factory=dict)
    answer: str = "accept"


def read(path: Path) -> Iterator[AnnotatedReport]:
    """A report per line; one that names no id goes by its line. A task that was not accepted brings no marks."""
    tasks = ((number, json_of(line, ProdigyTask, path, f"line {number}")) for number, line in numbered(path))

    def report(numbered: tuple[int, ProdigyTask]) -> AnnotatedReport:
        number, task = numbered
        try:
            meta = msgspec.convert(task.meta, Who)
        except msgspec.ValidationError as error:
            raise bad(path, f"line {number}", f"its meta is not as expected ({error}).") from None
        marks = None if task.spans is UNSET or task.answer != "accept" else marks_of_task(task, path, number)
        return meta.report(number, task.text, marks)

    return readable(tasks, report)


def marks_of_task(task: ProdigyTask, path: Path, number: int) -> tuple[Mark, ...]:
    wrong = complaint_at(path, f"line {number}, mark")
    spans = task.spans or []
    grouped: dict[str, list[Stretch]] = {}
    for at, stretch in enumerate(spans, 1):
        grouped.setdefault(key_of_stretch(stretch, at), []).append(stretch)
    pieces = []
    for key, parts in grouped.items():
        first, places = parts[0], tuple(Span(part.start, part.end) for part in parts)
        pieces.append(Piece(key, first.label.lower(), places, first.facts, first.overread))
    links = (
        Link(one.label.lower(), *(end(spans, place, wrong) for place in (one.head_span, one.child_span)))
        for one in task.relations
    )
    return put_together(task.text, pieces, links, wrong)


def key_of_stretch(stretch: Stretch, at: int) -> str:
    return stretch.mark if stretch.mark is not None else f"s{at}"


def end(spans: list[Stretch], place: ArrowEnd, wrong: Complaint) -> str:
    """The mark an arrow's end means: by name, else by place and label."""
    for at, one in enumerate(spans, 1):
        same_place = (one.start, one.end, one.label) == (place.start, place.end, place.label)
        if same_place if place.mark is None else one.mark == place.mark:
            return key_of_stretch(one, at)
    raise wrong(f"{place.start}–{place.end}", "an arrow points at it, but nothing is marked there")


def write(reports: Iterable[AnnotatedReport], output: Path) -> None:
    write_lines(output, map(task, reports))


def task(report: AnnotatedReport) -> dict[str, Any]:
    """One report as a task."""
    pieces, links = taken_apart(report.text, report.marks or ())
    parts = with_space(report.text, tokens(report.text, (span for piece in pieces for span in piece.spans)))
    names = ("start", "end", "token_start", "token_end", "label", "mark")
    ends = {piece.key: {n: stretches(piece, parts)[0][n] for n in names} for piece in pieces}
    return {
        "text": report.text,
        "meta": report.about(),
        "tokens": [token(report.text, n, part) for n, part in enumerate(parts)],
        "spans": [one for piece in pieces for one in stretches(piece, parts)],
        "relations": [
            {
                "head": ends[link.start]["token_end"], "child": ends[link.end]["token_end"],
                "head_span": ends[link.start], "child_span": ends[link.end], "label": link.label,
            }
            for link in links
        ],
    }  # fmt: skip


def with_space(text: str, words: list[Span]) -> list[Span]:
    """The words, and as spaCy has it a token for every white space but one blank after a word: line ends are kept.

    >>> text = "Clear.\\n\\nNo  edema."
    >>> [part.of(text) for part in with_space(text, tokens(text, ()))]
    ['Clear', '.', '\\n\\n', 'No', ' ', 'edema', '.']
    """
    out: list[Span] = []
    for word in [*words, Span(len(text), len(text))]:
        behind = out[-1].end if out else 0
        start = behind + (bool(out) and text[behind : behind + 1] == " ")
        out += [Span(start, word.start)] if start < word.start else []
        out += [word] if word.start < word.end else []
    return out


def token(text: str, number: int, span: Span) -> dict[str, Any]:
    follows = text[span.end : span.end + 1] == " "
    return {"text": span.of(text), "start": span.start, "end": span.end, "id": number, "ws": follows}


def stretches(piece: Piece, parts: list[Span]) -> list[dict[str, Any]]:
    """A piece as one span, or as several under one mark; what rides along goes with the first."""
    out = []
    for span in piece.spans:
        inside = [n for n, part in enumerate(parts) if span.overlaps(part)]
        out.append({
            "start": span.start, "end": span.end, "token_start": inside[0], "token_end": inside[-1],
            "label": piece.label, "mark": piece.key,
        })  # fmt: skip
    out[0] |= {"facts": piece.facts} if piece.facts else {}
    out[0] |= {"overread": piece.rides} if piece.rides is not None else {}
    return out
