"""Label Studio JSON: tasks with our findings as predictions, and the labelling configuration they need."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from overread.errors import BadInput
from overread.exports.prodigy import about
from overread.exports.writing import whole_file
from overread.report.span import Span
from overread.sources.annotated import AnnotatedReport
from overread.sources.pieces import FACTS, FINDING, HAS, LINKS, RELATIONS, Link, Piece, carried, taken_apart
from overread.version import __version__
from overread.whole import STANDARD_OUTPUT

COLOURS = ("#c0392b", "#2471a3", "#7d3c98", "#117864", "#b9770e", "#a04000", "#5d6d7e", "#1e8449")


def write(reports: Iterable[AnnotatedReport], output: Path) -> None:
    """A list of tasks; the configuration goes beside it, `.xml` for `.json`."""
    if output == STANDARD_OUTPUT:
        raise BadInput("Label Studio takes tasks and a configuration, two files; name the first: tasks.json.")
    with whole_file(output) as part, part.open("wb") as file:
        file.write(b"[")
        for number, report in enumerate(reports):
            file.write((b",\n" if number else b"\n") + msgspec.json.encode(task(report)))
        file.write(b"\n]\n")
    with whole_file(output.with_suffix(".xml")) as part:
        part.write_text(configuration(), encoding="utf-8")


def task(report: AnnotatedReport) -> dict[str, Any]:
    """One report as a task."""
    pieces, links = taken_apart(report.text, report.marks or ())
    units = Units(report.text)
    results = [one for piece in pieces for one in regions(piece, units)]
    results += [arrow(link) for link in links]
    prediction = {"model_version": f"overread {__version__}", "result": results}
    return {"data": {"text": report.text, **about(report)}, "predictions": [prediction]}


class Units:
    """Offsets as Label Studio counts them, in UTF-16 units."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.plain = text.isascii() or max(text) < "\U00010000"  # no character takes two units

    def at(self, place: int) -> int:
        return place if self.plain else len(self.text[:place].encode("utf-16-le")) // 2


def regions(piece: Piece, units: Units) -> Iterator[dict[str, Any]]:
    """A region per stretch, then the choices made for the first."""
    rides = carried(piece)
    for n, span in enumerate(piece.spans):
        own = {"overread": msgspec.to_builtins(rides)} if rides is not None and not n else {}
        meta = {**own, **({"mark": piece.key} if len(piece.spans) > 1 else {})}
        key = piece.key if not n else f"{piece.key}+{n}"
        chosen = {**value(span, units), "labels": [piece.label]}
        yield {
            "id": key,
            "type": "labels",
            "from_name": "label",
            "to_name": "text",
            "meta": meta,
            "value": chosen,
        }
    for name, choice in piece.facts.items():
        yield {
            "id": piece.key, "type": "choices", "from_name": name, "to_name": "text",
            "value": {**value(piece.spans[0], units), "choices": [choice]},
        }  # fmt: skip


def value(span: Span, units: Units) -> dict[str, Any]:
    return {"start": units.at(span.start), "end": units.at(span.end), "text": span.of(units.text)}


def arrow(link: Link) -> dict[str, Any]:
    return {
        "type": "relation", "from_id": link.start, "to_id": link.end, "direction": "right", "labels": [link.label],
    }  # fmt: skip


def configuration() -> str:
    """The labelling interface: labels, arrows, and choices for the selected finding."""
    labels = "".join(
        f'    <Label value="{label}" background="{COLOURS[n % len(COLOURS)]}"/>\n'
        for n, label in enumerate((FINDING, *RELATIONS))
    )
    arrows = "".join(f'    <Relation value="{label}"/>\n' for label in (HAS, *LINKS))
    choices = "".join(
        f'  <Choices name="{name}" toName="text" perRegion="true" whenTagName="label" whenLabelValue="{FINDING}">\n'
        + "".join(f'    <Choice value="{one}"/>\n' for one in values)
        + "  </Choices>\n"
        for name, values in FACTS.items()
    )
    return (
        f'<View>\n  <Labels name="label" toName="text">\n{labels}  </Labels>\n'
        f'  <Relations>\n{arrows}  </Relations>\n  <Text name="text" value="$text"/>\n{choices}</View>\n'
    )
