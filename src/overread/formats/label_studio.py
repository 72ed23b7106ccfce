"""Label Studio JSON: a list of tasks, regions and relations in `annotations` (people) or `predictions` (programs).

Our findings are predictions; the labelling configuration that they need is written beside them.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from overread.errors import BadInput
from overread.formats.annotated import AnnotatedReport, Mark, WhoseText
from overread.formats.pieces import FACTS, OFFERED, Complaint, Link, Piece, put_together, taken_apart
from overread.formats.writing import filled_template, opened_whole, write_list
from overread.report.span import Span
from overread.sources.encoding import complaint_at, json_of, readable, text_of
from overread.version import __version__
from overread.whole import STANDARD_OUTPUT


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


class StudioTask(Struct, frozen=True):
    data: WhoseText
    id: int | str | None = None
    annotations: list[Annotation | int] = field(default_factory=list)
    predictions: list[Annotation | int] = field(default_factory=list)
    """Whole as we write them; an export has only their numbers."""


def read(path: Path) -> Iterator[AnnotatedReport]:
    """A report per task: the last annotation nobody cancelled, else the last prediction."""
    text = text_of(path, None)
    if is_min(json_of(text, Any, path)):
        raise BadInput(
            f"{path} is Label Studio's JSON_MIN, which leaves out relations; export it again as JSON."
        )

    def report(numbered: tuple[int, StudioTask]) -> AnnotatedReport:
        number, task = numbered
        people = [one for one in task.annotations if isinstance(one, Annotation) and not one.was_cancelled]
        chosen = people or [one for one in task.predictions if isinstance(one, Annotation)]
        wrong = complaint_at(path, f"task {number}, region")
        marks = marks_of_results(task.data.text, chosen[-1].result, wrong) if chosen else None
        return task.data.report(number if task.id is None else task.id, task.data.text, marks)

    return readable(enumerate(json_of(text, list[StudioTask], path), 1), report)


def marks_of_results(text: str, results: list[Result], wrong: Complaint) -> tuple[Mark, ...]:
    """What one annotation of one task says."""
    regions: dict[str, list[Result]] = {}
    facts: dict[str, dict[str, str]] = {}
    links = []
    for at, one in enumerate(results, 1):
        key = str(one.meta.get("mark", one.id if one.id is not None else f"r{at}"))
        if one.type == "labels":
            regions.setdefault(key, []).append(one)
        elif one.type == "choices" and one.from_name in FACTS:
            facts.setdefault(key, {})[one.from_name] = only(one.value.get("choices"), key, wrong)
        elif one.type == "relation":
            links.append(Link(only(one.labels, key, wrong).lower(), str(one.from_id), str(one.to_id)))
    pieces = []
    for key, parts in regions.items():
        label = only(parts[0].value.get("labels"), key, wrong).lower()
        spans = tuple(region_span(part, key, text, wrong) for part in parts)
        pieces.append(Piece(key, label, spans, facts.get(key, {}), parts[0].meta.get("overread")))
    return put_together(text, pieces, links, wrong)


def only(values: object, key: str, wrong: Complaint) -> str:
    if not isinstance(values, list) or len(values) != 1 or not isinstance(values[0], str):
        raise wrong(key, "it needs exactly one label or choice")
    return values[0]


def region_span(part: Result, key: str, text: str, wrong: Complaint) -> Span:
    """Where a region stands, in UTF-16 units; programs that write for Label Studio often count characters."""
    start, end, quoted = part.value.get("start"), part.value.get("end"), part.value.get("text")
    units = text.encode("utf-16-le")
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(units) // 2:
        raise wrong(key, "its start and end are not places in the text")
    before, inside = (
        len(part.decode("utf-16-le", "replace")) for part in (units[: 2 * start], units[2 * start : 2 * end])
    )
    for span in (Span(before, before + inside), Span(start, end)):
        if quoted is None or span.of(text) == quoted:
            return span
    raise wrong(key, "its words are not those at its offsets in the text")


def looks_like(first: object) -> bool:
    """Is the first item of a JSON list a task?"""
    whole = isinstance(first, dict) and isinstance(first.get("data"), dict) and "text" in first["data"]
    return whole or is_min([first])


def is_min(tasks: object) -> bool:
    """The export that keeps labels but neither their ids nor the arrows between them."""
    first = tasks[0] if isinstance(tasks, list) and tasks else None
    return isinstance(first, dict) and {"annotation_id", "annotator", "lead_time"} <= set(first)


def write(reports: Iterable[AnnotatedReport], output: Path) -> None:
    """A list of tasks; the configuration goes beside it, `.xml` for `.json`."""
    if output == STANDARD_OUTPUT:
        raise BadInput("Label Studio takes tasks and a configuration, two files; name the first: tasks.json.")
    write_list(output, (msgspec.json.encode(task(report)) for report in reports), b"[", b"]")
    with opened_whole(output.with_suffix(".xml")) as file:
        file.write(filled_template("label_studio.xml.j2", OFFERED).encode())


def task(report: AnnotatedReport) -> dict[str, Any]:
    """One report as a task."""
    pieces, links = taken_apart(report.text, report.marks or ())
    results = [one for piece in pieces for one in regions(piece, report.text)]
    results += [
        {
            "type": "relation", "from_id": link.start, "to_id": link.end, "direction": "right",
            "labels": [link.label],
        }
        for link in links
    ]  # fmt: skip
    prediction = {"model_version": f"overread {__version__}", "result": results}
    return {"data": {"text": report.text, **report.about()}, "predictions": [prediction]}


def regions(piece: Piece, text: str) -> Iterator[dict[str, Any]]:
    """A region per stretch, then the choices made for the first."""
    rides = piece.rides
    for n, span in enumerate(piece.spans):
        own = {"overread": msgspec.to_builtins(rides)} if rides is not None and not n else {}
        meta = {**own, **({"mark": piece.key} if len(piece.spans) > 1 else {})}
        key = piece.key if not n else f"{piece.key}+{n}"
        yield {
            "id": key, "type": "labels", "from_name": "label", "to_name": "text", "meta": meta,
            "value": {**stretch_value(span, text), "labels": [piece.label]},
        }  # fmt: skip
    for name, choice in piece.facts.items():
        yield {
            "id": piece.key, "type": "choices", "from_name": name, "to_name": "text",
            "value": {**stretch_value(piece.spans[0], text), "choices": [choice]},
        }  # fmt: skip


def stretch_value(span: Span, text: str) -> dict[str, Any]:
    """A place as Label Studio counts it."""
    start, end = (len(text[:place].encode("utf-16-le")) // 2 for place in (span.start, span.end))
    return {"start": start, "end": end, "text": span.of(text)}
