"""The ledger: every error of a candidate report, its significance, and a score made of them."""

from overread.systems.base import System
from overread.systems.ledger.by_rules import view
from overread.systems.ledger.schema import Account
from overread.systems.ledger.score import METRICS

SYSTEM = System(
    name="ledger",
    about="what a report claims, one entry per finding; scored by the errors a radiologist would list",
    view=Account,
    by_rules=view,
    metrics=METRICS,
    render="overread.systems.ledger.render",
    panel="overread.systems.ledger.panel",
    settings="overread.systems.ledger.score",
    titles={"overread": "Overread"},
)
