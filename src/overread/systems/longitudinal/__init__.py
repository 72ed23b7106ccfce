"""Longitudinal: which sentences compare with an earlier study, which disease, which way."""

from overread.systems.base import System
from overread.systems.longitudinal.by_rules import view
from overread.systems.longitudinal.schema import LongitudinalReport
from overread.systems.longitudinal.score import METRICS

SYSTEM = System(
    name="longitudinal",
    about="Sentences that compare with an earlier study, the diseases they compare, and the trend of each",
    view=LongitudinalReport,
    by_rules=view,
    metrics=METRICS,
    by_llm="overread.systems.longitudinal.by_llm",
    render="overread.systems.longitudinal.render",
    panel="overread.systems.longitudinal.panel",
    titles={"longitudinal": "Longitudinal"},
)
