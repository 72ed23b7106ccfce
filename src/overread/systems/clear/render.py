"""A CLEAR table, or two side by side, for the terminal."""

from rich.table import Table as Grid
from rich.text import Text

from overread.systems.clear.outcomes import CellVerdict, outcomes
from overread.systems.clear.schema import CHOICES, CONDITIONS, Cell, Table

SIGNS = {
    "confidently present": "++",
    "likely present": "+",
    "neutral": "·",
    "likely absent": "−",
    "confidently absent": "−−",
}
PRESENCE_COLOURS = {"positive": "red", "unclear": "dim", "negative": "green"}
VERDICT_SIGNS: dict[CellVerdict, tuple[str, str]] = {
    "match": ("=", "green"),
    "mismatch": ("≠", "red"),
    "missing": ("−", "yellow"),
    "invented": ("+", "magenta"),
}
SHORT = {"Enlarged Cardiomediastinum": "Enl. Cardiomed.", "Pleural Effusion": "Effusion"}
LEGEND = "++ present  + likely present  · unclear  − likely absent  −− absent"


def render(view: Table) -> Grid:
    """One report: a row per condition, a column per attribute."""
    grid = grid_of(f"{view.id or 'report'}: CLEAR", LEGEND)
    for name in ("condition", "is", "first", "change", "severity"):
        grid.add_column(name, no_wrap=True)
    grid.add_column("location", ratio=3)
    grid.add_column("recommendation", ratio=2)
    for condition in CONDITIONS:
        cell = view.conditions[condition]
        choices = (getattr(cell, name) or "" for name in CHOICES)
        grid.add_row(
            condition, sign(cell), *choices, *(one_per_line(p) for p in (cell.location, cell.recommendation))
        )
    return grid


def render_pair(reference: Table, candidate: Table) -> Grid:
    """Reference and candidate beside each other, row by row, each column's verdict on the right.

    The verdicts stand in the order presence, first occurrence, change, severity, location, recommendation;
    a condition both sides leave unclear is shown without any.
    """
    legend = f"{LEGEND}\n= match  ≠ mismatch  − missing  + invented: is/first/change/severity/location/advice"
    grid = grid_of(f"{reference.id or 'pair'}: reference and candidate", legend)
    grid.add_column("condition", no_wrap=True)
    for side in ("reference", "candidate"):
        grid.add_column("is", no_wrap=True)
        grid.add_column(side, ratio=1, overflow="fold")
    grid.add_column("cells", no_wrap=True)
    found = outcomes(reference, candidate)
    for condition in CONDITIONS:
        one, two = reference.conditions[condition], candidate.conditions[condition]
        marks = Text.assemble(*(VERDICT_SIGNS[o.verdict] for o in found if o.condition == condition))
        grid.add_row(
            SHORT.get(condition, condition), sign(one), cell_details(one), sign(two), cell_details(two), marks
        )
    return grid


def grid_of(title: str, legend: str) -> Grid:
    return Grid(
        title=Text(title),
        caption=legend,
        title_justify="left",
        caption_justify="left",
        expand=True,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )


def sign(cell: Cell) -> Text:
    return Text(SIGNS[cell.level], style=PRESENCE_COLOURS[cell.presence])


def cell_details(cell: Cell) -> Text:
    """Everything a cell says beyond presence, one thing per line."""
    choices = [v for name in CHOICES if (v := getattr(cell, name)) not in (None, "N/A")]
    parts = (", ".join(choices), *cell.location, *(f"→ {r}" for r in cell.recommendation))
    return one_per_line(tuple(part for part in parts if part))


def one_per_line(phrases: tuple[str, ...]) -> Text:
    """Phrases under each other, taken literally: report text is no markup."""
    return Text("\n".join(phrases))
