"""Label Studio JSON: a list of tasks, regions and relations in `annotations` (people) or `predictions` (programs)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from overread.errors import BadInput
from overread.report.span import Span
from overread.sources.annotated import AnnotatedReport, Mark
from overread.sources.damage import bad, json_of, json_value
from overread.sources.encoding import text_of
from overread.sources.left_out import readable
from overread.sources.pieces import FACTS, Carried, Link, Piece, convert_carried, named, put_together

LAYOUT = "Label Studio JSON"


class Result(Struct, frozen=True):
    """A region, a choice made for a region, or a relation."""

    type: str
    id: str | None = None
    value: dict[str, Any] = field(default_factory=dict)
    from_name: str = ""
    meta: dict[str, Any] = field(default_factory=dict)
    from_id: str | None = None
    to_id: str | None = None
    labels: list[str] = field(default_factory=list)


class Annotation(Struct, frozen=True):
    result: list[Result]
    was_cancelled: bool = False


class Data(Struct, frozen=True):
    text: str
    id: str | int | None = None
    patient: str | None = None
    study: str | None = None
    day: float | None = None
    date: str | None = None


class Task(Struct, frozen=True):
    data: Data
    id: int | str | None = None
    annotations: list[Annotation | int] = field(default_factory=list)
    predictions: list[Annotation | int] = field(default_factory=list)
    """Whole as we write them; an export has only their numbers."""


def reports(path: Path) -> Iterator[AnnotatedReport]:
    """A report per task: the last annotation nobody cancelled, else the last prediction."""
    text = text_of(path, None)
    if is_min(json_value(text, path)):
        raise BadInput(
            f"{path} is Label Studio's JSON_MIN, which leaves out relations; export it again as JSON."
        )

    def report(numbered: tuple[int, Task]) -> AnnotatedReport:
        number, task = numbered
        data = task.data
        id = data.id if data.id is not None else task.id if task.id is not None else number
        people = [one for one in task.annotations if isinstance(one, Annotation) and not one.was_cancelled]
        chosen = people or [one for one in task.predictions if isinstance(one, Annotation)]
        marks = Regions(path, number, data.text, chosen[-1].result).marks() if chosen else None
        return AnnotatedReport(str(id), data.text, data.patient, data.study, data.day, data.date, marks)

    return readable(enumerate(json_of(text, list[Task], path), 1), report)


class Regions:
    """What one annotation of one task says."""

    def __init__(self, path: Path, task: int, text: str, results: list[Result]) -> None:
        self.path = path
        self.task = task
        self.text = text
        self.results = results
        self.units = text.encode("utf-16-le")

    def wrong(self, key: str, problem: str) -> BadInput:
        return bad(self.path, f"task {self.task}, region {key}", f"{problem}.")

    def marks(self) -> tuple[Mark, ...]:
        regions: dict[str, list[Result]] = {}
        facts: dict[str, dict[str, str]] = {}
        links = []
        for at, one in enumerate(self.results, 1):
            key = str(one.meta.get("mark", one.id if one.id is not None else f"r{at}"))
            if one.type == "labels":
                regions.setdefault(key, []).append(one)
            elif one.type == "choices" and one.from_name in FACTS:
                facts.setdefault(key, {})[one.from_name] = self.only(one.value.get("choices"), key)
            elif one.type == "relation":
                links.append(Link(self.only(one.labels, key).lower(), str(one.from_id), str(one.to_id)))
        rides = {key: self.rides(parts[0], key) for key, parts in regions.items()}
        pieces = [self.piece(key, parts, facts.get(key, {}), rides[key]) for key, parts in regions.items()]
        ids = {key: one.id for key, one in rides.items() if one.id is not None}
        return put_together(self.text, *named(pieces, links, ids), self.wrong)

    def only(self, values: object, key: str) -> str:
        if not isinstance(values, list) or len(values) != 1 or not isinstance(values[0], str):
            raise self.wrong(key, "it needs exactly one label or choice")
        return values[0]

    def rides(self, result: Result, key: str) -> Carried:
        rides = result.meta.get("overread")
        return Carried() if rides is None else convert_carried(rides, key, self.wrong)

    def piece(self, key: str, parts: list[Result], facts: dict[str, str], rides: Carried) -> Piece:
        label = self.only(parts[0].value.get("labels"), key).lower()
        spans = tuple(self.span(part, key) for part in parts)
        return Piece(key, label, spans, rides.wording, facts, rides.note)

    def span(self, part: Result, key: str) -> Span:
        """Where a region stands. Label Studio counts UTF-16 units, programs that write for it often characters."""
        start, end, quoted = part.value.get("start"), part.value.get("end"), part.value.get("text")
        if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(self.units) // 2:
            raise self.wrong(key, "its start and end are not places in the text")
        counted = self.characters(start, end)
        if quoted is None or counted.of(self.text) == quoted:
            return counted
        if Span(start, end).of(self.text) == quoted:
            return Span(start, end)
        raise self.wrong(key, "its words are not those at its offsets in the text")

    def characters(self, start: int, end: int) -> Span:
        before = self.units[: 2 * start].decode("utf-16-le", "replace")
        inside = self.units[2 * start : 2 * end].decode("utf-16-le", "replace")
        return Span(len(before), len(before) + len(inside))


def looks_like(first: object) -> bool:
    """Is the first item of a JSON list a task?"""
    whole = isinstance(first, dict) and isinstance(first.get("data"), dict) and "text" in first["data"]
    return whole or is_min([first])


def is_min(tasks: object) -> bool:
    """The export that keeps labels but neither their ids nor the arrows between them."""
    first = tasks[0] if isinstance(tasks, list) and tasks else None
    return isinstance(first, dict) and {"annotation_id", "annotator", "lead_time"} <= set(first)
