"""CLEAR: a table of 13 conditions × 6 attributes."""

from overread.systems.base import System
from overread.systems.clear.by_rules import view
from overread.systems.clear.schema import Table
from overread.systems.clear.score import METRICS

SYSTEM = System(
    name="clear",
    about="13 conditions with presence, first occurrence, change, severity, location and recommendation",
    view=Table,
    by_rules=view,
    metrics=METRICS,
    by_llm="overread.systems.clear.by_llm",
    render="overread.systems.clear.render",
    panel="overread.systems.clear.panel",
    settings="overread.systems.clear.by_rules",
    next_step="overread score compares the tables of two systems",
    titles={"clear": "CLEAR"},
)
