"""The atoms of one report for the terminal."""

from rich.table import Table
from rich.text import Text

from overread.systems.radsem.schema import Atoms

NORMALITY_COLOURS = {"abnormal": "red", "normal": "green"}


def render(view: Atoms) -> Table:
    """A row per atomic sentence, abnormal ones in red."""
    abnormal = sum(atom.normality == "abnormal" for atom in view.atoms)
    examined = [*([view.type] if view.type != "-" else []), *view.area]
    title = f"{view.id or 'report'}: {len(view.atoms)} atomic sentences, {abnormal} abnormal"
    title += f" ({', '.join(examined)})" if examined else ""
    grid = Table(title=Text(title), title_justify="left", expand=True, pad_edge=False)
    grid.add_column("sentence", ratio=4)
    grid.add_column("class", no_wrap=True)
    for atom in view.atoms:
        grid.add_row(Text(atom.text), Text(atom.normality, style=NORMALITY_COLOURS[atom.normality]))
    return grid
