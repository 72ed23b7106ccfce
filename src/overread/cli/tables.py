"""A view as a table for the terminal."""

from typing import Any

from rich.console import RenderableType
from rich.pretty import Pretty
from rich.table import Table

from overread.systems.base import System
from overread.systems.lunguage.schema import StructuredReport


def table(system: System, view: Any) -> RenderableType:
    """The system's own table where it has one, else the view as it is."""
    if isinstance(view, StructuredReport):
        return findings(view)
    if system.render is not None:
        from importlib import import_module

        rendered: RenderableType = import_module(system.render).render(view)
        return rendered
    return Pretty(view, max_length=60)


def findings(view: StructuredReport) -> Table:
    """LUNGUAGE findings, one row each."""
    found = Table(
        title=f"{view.id or 'report'}: {len(view.findings)} findings", title_justify="left", expand=False
    )
    for name in ("id", "section", "entity", "category", "status", "certainty", "attributes", "links"):
        found.add_column(name, overflow="fold")
    for f in view.findings:
        attributes = "; ".join(f"{k}: {', '.join(v)}" for k, v in f.attributes.items())
        links = " ".join(
            [*(f"≈{i}" for i in f.associate if i not in f.evidence), *(f"←{i}" for i in f.evidence)]
        )
        colour = "red" if f.status == "positive" else "green"
        found.add_row(
            f.id, f.section, f.entity, f.category, f"[{colour}]{f.status}[/]", f.certainty, attributes, links
        )
    return found
