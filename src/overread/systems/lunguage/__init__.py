"""LUNGUAGE: entities, relations and attributes of one report, and a patient's findings through time."""

from overread.systems.base import System
from overread.systems.lunguage.by_rules import view
from overread.systems.lunguage.metrics import metrics_with
from overread.systems.lunguage.schema import StructuredReport

SYSTEM = System(
    name="lunguage",
    about="Entities with status, certainty, attributes and links, quoted from the report",
    view=StructuredReport,
    by_rules=view,
    metrics=metrics_with(),
    by_llm="overread.systems.lunguage.by_llm",
    render="overread.systems.lunguage.render",
    panel="overread.systems.lunguage.panel",
    settings="overread.systems.lunguage.metrics",
    next_step="overread follow REPORTS follows the same findings through each patient's studies",
    titles={"lunguage": "LUNGUAGE", "lunguage-sequential": "LUNGUAGE, sequential"},
)
