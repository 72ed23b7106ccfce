"""From a file of gold to worked examples: every view with the text it is about."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from overread.errors import BadInput
from overread.report import Report
from overread.runner.view_files import json_lines, load_view_file, views_kind
from overread.systems.banks import MAKERS, JsonObject, of_timeline


def examples_of(gold: Path, reports: Iterable[Report] | None = None) -> Iterator[JsonObject]:
    """The examples of every line, in order; a view without a text is an error that says what to give."""
    kind = views_kind(gold)
    if kind is None:
        raise BadInput(
            f"{gold} holds no views: give lines of `overread read` or `follow`, or an annotation table."
        )
    known = {report.id: report for report in reports or ()}
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    lines: Iterable[Any] = json_lines(gold, decode, lambda error: "not a JSON object.")
    if kind == "table":
        table, kind = load_view_file(str(gold)), "lunguage"
        known = {report.id: report for report in table.reports}
        lines = map(msgspec.to_builtins, table.views.values())
    for line in lines:
        if kind == "timeline":
            made, patient = of_timeline(line), line["patient"]
        else:
            report = known.get(str(line["id"]))
            text = report.text if report else line.pop("text", None)
            if text is None:
                raise BadInput(
                    f"Report {line['id']!r} of {gold} has no text: say where the reports are with --reports."
                )
            made, patient = MAKERS[kind](text, line), report.patient if report else line.get("patient")
        yield from ({**one, "patient": one.get("patient") or patient} for one in made)
