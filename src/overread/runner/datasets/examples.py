"""From a file of gold to worked examples: every view with the text it is about."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from overread.errors import BadInput
from overread.report import Report
from overread.runner.view_files import kind_of, load_views
from overread.sources.encoding import reading
from overread.systems.banks import MAKERS, Line, of_timeline


def examples_of(gold: Path, reports: Iterable[Report] | None = None) -> Iterator[Line]:
    """The examples of every line, in order; a view without a text is an error that says what to give."""
    kind = kind_of(gold)
    if kind is None:
        raise BadInput(
            f"{gold} holds no views: give lines of `overread read` or `follow`, or an annotation table."
        )
    if kind == "timeline":
        for line in lines(gold):
            yield from kept(of_timeline(line), line["patient"])
        return
    known = {report.id: report for report in reports or ()}
    if kind == "table":
        known = {report.id: report for report in load_views(str(gold)).reports}
    for line in table_lines(gold) if kind == "table" else lines(gold):
        report = known.get(str(line["id"]))
        text = report.text if report else line.pop("text", None)
        if text is None:
            raise BadInput(
                f"Report {line['id']!r} of {gold} has no text: say where the reports are with --reports."
            )
        patient = report.patient if report else line.get("patient")
        maker = MAKERS["lunguage" if kind == "table" else kind]
        yield from kept(maker(text, line, patient), patient)


def kept(found: Iterable[Line], patient: str | None) -> Iterator[Line]:
    for one in found:
        yield {**one, "patient": one.get("patient") or patient}


def table_lines(gold: Path) -> Iterator[Any]:
    for view in load_views(str(gold)).views.values():
        yield msgspec.to_builtins(view)


def lines(path: Path) -> Iterator[Any]:
    with reading(path):
        content = path.read_bytes().splitlines()
    for number, line in enumerate(content, 1):
        if line.strip():
            try:
                yield msgspec.json.decode(line, type=dict[str, Any])
            except msgspec.DecodeError:
                raise BadInput(f"{path}, line {number}: not a JSON object.") from None
