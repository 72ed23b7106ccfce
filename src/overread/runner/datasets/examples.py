"""From a file of gold to worked examples: every view with the text it is about."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from overread.errors import BadInput
from overread.report import Report
from overread.runner.view_files import json_lines, load_view_file, views_kind
from overread.systems.banks import MAKERS, Line, of_timeline


def examples_of(gold: Path, reports: Iterable[Report] | None = None) -> Iterator[Line]:
    """The examples of every line, in order; a view without a text is an error that says what to give."""
    kind = views_kind(gold)
    if kind is None:
        raise BadInput(
            f"{gold} holds no views: give lines of `overread read` or `follow`, or an annotation table."
        )
    if kind == "timeline":
        for line in gold_lines(gold):
            yield from with_patient(of_timeline(line), line["patient"])
        return
    known = {report.id: report for report in reports or ()}
    found: Iterable[Any]
    if kind == "table":
        table = load_view_file(str(gold))
        known = {report.id: report for report in table.reports}
        found = map(msgspec.to_builtins, table.views.values())
    else:
        found = gold_lines(gold)
    for line in found:
        report = known.get(str(line["id"]))
        text = report.text if report else line.pop("text", None)
        if text is None:
            raise BadInput(
                f"Report {line['id']!r} of {gold} has no text: say where the reports are with --reports."
            )
        patient = report.patient if report else line.get("patient")
        maker = MAKERS["lunguage" if kind == "table" else kind]
        yield from with_patient(maker(text, line), patient)


def with_patient(found: Iterable[Line], patient: str | None) -> Iterator[Line]:
    for one in found:
        yield {**one, "patient": one.get("patient") or patient}


def gold_lines(path: Path) -> Iterator[dict[str, Any]]:
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    return json_lines(path, decode, lambda error: "not a JSON object.")
