"""The lines of one report for the terminal."""

from rich.table import Table
from rich.text import Text

from overread.systems.fineradscore.score import Lines


def render(view: Lines) -> Table:
    grid = Table(title=Text(f"{view.id or 'report'}: {len(view.lines)} lines"), title_justify="left")
    grid.add_column("line", justify="right")
    grid.add_column("text")
    for number, line in enumerate(view.lines, 1):
        grid.add_row(str(number), Text(line.text))
    return grid
