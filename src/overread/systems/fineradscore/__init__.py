"""FineRadScore: the lines of a candidate corrected against the reference, and how grave each error is."""

from overread.systems.base import System
from overread.systems.fineradscore.score import METRICS, Lines, lines_of

SYSTEM = System(
    name="fineradscore",
    about="Lines of findings and impression, for a language model to correct against the reference",
    view=Lines,
    by_rules=lambda reading: lines_of(reading.report),
    metrics=METRICS,
    by_llm="overread.systems.fineradscore.by_llm",
    render="overread.systems.fineradscore.render",
    panel="overread.systems.fineradscore.panel",
    titles={"fineradscore": "FineRadScore", "fineradscore-inverse": "1/FineRadScore"},
)
