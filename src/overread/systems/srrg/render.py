"""The view as a table for the terminal."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from overread.systems.srrg.labels import NO_FINDING
from overread.systems.srrg.schema import OPENING, LabelRead, SrrgView

STATUS_COLOURS = {"Present": "red", "Uncertain": "yellow", "Absent": "green"}


def render(view: SrrgView) -> RenderableType:
    """Opening sections as lines, then a row per bullet and item with its labels."""
    opening = [(heading, getattr(view.structured, field)) for field, heading in OPENING.items()]
    lines = [Text.assemble((f"{heading}: ", "bold"), text) for heading, text in opening if text]
    table = Table(title=view.id or "report", title_justify="left", expand=False)
    for name in ("header", "statement", "labels"):
        table.add_column(name, overflow="fold")
    last = ""
    for one in view.utterances:
        header = one.header or "Impression"
        table.add_row(header if header != last else "", one.text, coloured_labels(one.labels))
        last = header
    return Group(*lines, table)


def coloured_labels(given: list[LabelRead]) -> Text:
    text = Text()
    for one in given:
        if one.label != NO_FINDING:
            style = STATUS_COLOURS.get(one.status or "", "")
            text.append(f"{', ' if text else ''}{one.label}", style).append(f" {one.status or ''}".rstrip())
    return text
