"""RadSEM: findings as atomic sentences, matched under a ban on contradictions."""

from overread.systems.base import System
from overread.systems.radsem.by_rules import view
from overread.systems.radsem.schema import Atoms
from overread.systems.radsem.score import METRICS

SYSTEM = System(
    name="radsem",
    about="Findings as atomic sentences of one site and one finding each, with their normality",
    view=Atoms,
    by_rules=view,
    metrics=METRICS,
    by_llm="overread.systems.radsem.by_llm",
    render="overread.systems.radsem.render",
    panel="overread.systems.radsem.panel",
    next_step="overread score compares the sentences of two systems",
    titles={"radsem": "RadSEM", "radsem-alt": "RadSEM-Alt"},
)
