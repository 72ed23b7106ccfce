"""Prodigy JSONL: a task a line, `spans` marked in `text`, `relations` between them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from overread.errors import BadInput
from overread.report.span import Span
from overread.sources.annotated import AnnotatedReport, Mark
from overread.sources.damage import bad, json_of
from overread.sources.encoding import detect, opened
from overread.sources.left_out import readable
from overread.sources.pieces import Carried, Complaint, Link, Piece, convert_carried, named, put_together

LAYOUT = "Prodigy JSONL"


class Stretch(Struct, frozen=True):
    """One span as Prodigy has it; `mark`, `facts` and `overread` are ours."""

    start: int
    end: int
    label: str
    mark: str | None = None
    facts: dict[str, str] = field(default_factory=dict)
    overread: Any = None


class Place(Struct, frozen=True):
    """Which span an arrow means."""

    start: int
    end: int
    label: str
    mark: str | None = None


class Arrow(Struct, frozen=True):
    label: str
    head_span: Place
    child_span: Place


class Task(Struct, frozen=True):
    """A line."""

    text: str
    spans: list[Stretch] | UnsetType = UNSET
    relations: list[Arrow] = field(default_factory=list)
    meta: dict[str, Any] = field(default_factory=dict)
    answer: str = "accept"


class Meta(Struct, frozen=True):
    """What we write into `meta`."""

    id: str | int | None = None
    patient: str | None = None
    study: str | None = None
    day: float | None = None
    date: str | None = None


def reports(path: Path) -> Iterator[AnnotatedReport]:
    """A report per line; one that names no id goes by its line. A task that was not accepted brings no marks."""
    with opened(path, detect(path)) as file:
        tasks = (
            (json_of(line, Task, path, f"line {number}"), number)
            for number, line in enumerate(file, 1)
            if line.strip()
        )
        yield from readable(tasks, lambda one: report(one[0], path, one[1]))


def report(task: Task, path: Path, number: int) -> AnnotatedReport:
    try:
        meta = msgspec.convert(task.meta, Meta)
    except msgspec.ValidationError as error:
        raise bad(path, f"line {number}", f"its meta is not as expected ({error}).") from None
    id = str(number if meta.id is None else meta.id)
    marks = None if task.spans is UNSET or task.answer != "accept" else marks_of(task, path, number)
    return AnnotatedReport(id, task.text, meta.patient, meta.study, meta.day, meta.date, marks)


def marks_of(task: Task, path: Path, number: int) -> tuple[Mark, ...]:
    def wrong(key: str, problem: str) -> BadInput:
        return bad(path, f"line {number}, mark {key}", f"{problem}.")

    spans = task.spans or []
    grouped: dict[str, list[Stretch]] = {}
    for at, stretch in enumerate(spans, 1):
        grouped.setdefault(key_of(stretch, at), []).append(stretch)
    rides = {key: rides_of(parts[0], key, wrong) for key, parts in grouped.items()}
    pieces = [piece(key, parts, rides[key]) for key, parts in grouped.items()]
    links = [
        Link(one.label.lower(), *(end(spans, place, wrong) for place in (one.head_span, one.child_span)))
        for one in task.relations
    ]
    ids = {key: one.id for key, one in rides.items() if one.id is not None}
    return put_together(task.text, *named(pieces, links, ids), wrong)


def key_of(stretch: Stretch, at: int) -> str:
    return stretch.mark if stretch.mark is not None else f"s{at}"


def rides_of(stretch: Stretch, key: str, wrong: Complaint) -> Carried:
    return Carried() if stretch.overread is None else convert_carried(stretch.overread, key, wrong)


def piece(key: str, parts: list[Stretch], rides: Carried) -> Piece:
    spans = tuple(Span(part.start, part.end) for part in parts)
    return Piece(key, parts[0].label.lower(), spans, rides.wording, parts[0].facts, rides.note)


def end(spans: list[Stretch], place: Place, wrong: Complaint) -> str:
    """The mark an arrow's end means: by name, else by place and label."""
    for at, one in enumerate(spans, 1):
        if place.mark is not None and one.mark == place.mark:
            return key_of(one, at)
        if place.mark is None and (one.start, one.end, one.label) == (place.start, place.end, place.label):
            return key_of(one, at)
    raise wrong(f"{place.start}–{place.end}", "an arrow points at it, but nothing is marked there")
