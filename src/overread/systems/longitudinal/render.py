"""The longitudinal view of one report for the terminal."""

from rich.table import Table
from rich.text import Text

from overread.systems.longitudinal.schema import Item, LongitudinalReport

PROGRESSION_COLOURS = {"improved": "green", "worsened": "red", "no change": "blue", "unmentioned": "dim"}


def render(view: LongitudinalReport) -> Table:
    """A row per sentence; what compares is bright, with its diseases beside it."""
    compared = len(view.compared())
    title = (
        f"{view.id or 'report'}: {compared} of {len(view.sentences)} sentences compare with an earlier study"
    )
    grid = Table(title=Text(title), title_justify="left", expand=True, pad_edge=False)
    grid.add_column("section", no_wrap=True)
    grid.add_column("sentence", ratio=3)
    grid.add_column("compared", ratio=2)
    for sentence in view.sentences:
        style = "" if sentence.longitudinal else "dim"
        items = Text("\n").join(labelled(item) for item in sentence.items)
        whole = sentence.longitudinal and not sentence.items
        grid.add_row(
            sentence.section, Text(sentence.text, style=style), Text("as a whole") if whole else items
        )
    return grid


def labelled(item: Item) -> Text:
    if item.progression is None:
        return Text(item.disease)
    return Text(f"{item.disease}: ").append(item.progression, style=PROGRESSION_COLOURS[item.progression])
