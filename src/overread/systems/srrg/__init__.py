"""SRRG: one template for every report, 55 disease labels for every line of it, and F1-SRR over both."""

from overread.systems.base import System
from overread.systems.srrg.by_rules import view
from overread.systems.srrg.schema import SrrgView
from overread.systems.srrg.score import METRICS

SYSTEM = System(
    name="srrg",
    about="The report in one template, header by header, each line with its disease labels",
    view=SrrgView,
    by_rules=view,
    metrics=METRICS,
    by_llm="overread.systems.srrg.by_llm",
    render="overread.systems.srrg.render",
    panel="overread.systems.srrg.panel",
    settings="overread.systems.srrg.labellers",
    next_step="overread lint checks the structured reports against the originals",
    titles={"f1-srr": "F1-SRR", "f1-srr-statuses": "F1-SRR with statuses"},
    default="f1-srr-statuses",
)
