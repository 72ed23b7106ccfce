"""One pair → its rows: the work that is done many times, in this process or in a pool of them."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from overread.baselines import registry as baselines
from overread.baselines.base import Baseline, Value
from overread.report import Report, SectionName
from overread.runner.breakdown import Tally, tally
from overread.runner.failure import describe
from overread.runner.measures import Measure, measure
from overread.runner.pairs import Pair
from overread.runner.rows import Note, Row, Unit
from overread.runner.text import SECTIONS, body
from overread.runner.views import Views, words_of
from overread.systems import registry as systems
from overread.systems.base import Score


class Recipe(Struct, frozen=True, forbid_unknown_fields=True):
    """All that a worker must be told, small enough to send."""

    metrics: tuple[str, ...]
    by: str = "rules"
    lexicon: str | None = None
    """A user's own lexicon rows."""

    tokenisation: str | None = None
    sections: tuple[SectionName, ...] = SECTIONS
    explain: bool = True
    """Keep what every score was made of, for the page."""


class Visits(Struct, frozen=True, forbid_unknown_fields=True):
    """All pairs of one patient."""

    number: int
    patient: str
    pairs: tuple[Pair, ...]


class Explained(Struct, frozen=True, forbid_unknown_fields=True):
    """One candidate's text and what each metric makes of it."""

    text: str
    scores: dict[str, Any]
    """Metric → its `Score.detail`."""


class Finished(Struct, frozen=True, forbid_unknown_fields=True):
    """One unit of work, done."""

    unit: Unit
    id: str
    number: int
    """Place among the references, or among the patients."""

    rows: tuple[Row, ...]
    tallies: dict[str, Tally]
    """System → how often each kind of finding was matched, missed, …"""

    reference: str | None = None
    """The reference's text, where it is to be explained."""

    candidates: dict[str, Explained] = {}
    studies: tuple[tuple[str, float], ...] = ()
    """Of a patient: report id and day of each study, in order."""


class Scorer:
    """Scores pairs by a recipe; holds what is worth building once per process."""

    def __init__(self, recipe: Recipe, fitted: Mapping[str, Baseline] | None = None) -> None:
        self.recipe = recipe
        self.measures = [measure(name, recipe.tokenisation) for name in recipe.metrics]
        self.baselines = {
            m.name: baselines.lookup(m.name, recipe.tokenisation) for m in self.measures if m.family == "text"
        } | dict(fitted or {})
        self.systems = systems.metrics() if any(m.family in systems.SYSTEMS for m in self.measures) else {}
        self.words = words_of(recipe.lexicon)

    def __call__(self, item: Pair | Visits) -> Finished:
        return self.pair(item) if isinstance(item, Pair) else self.patient(item)

    def views(self, report: Report) -> Views:
        return Views(report, self.words)

    def pair(self, pair: Pair) -> Finished:
        """Every metric on one reference and its candidates; the reference is read once for all of them."""
        reference = self.views(pair.reference)
        rows: list[Row] = []
        explained, tallies = {}, {}
        for system, report in pair.candidates.items():
            candidate, note = self.views(report), pair.note(system)
            found = {
                m.name: self.outcome(m, reference, candidate) for m in self.measures if m.unit == "report"
            }
            rows += [row(pair, system, m, found[m.name], note) for m in self.measures if m.name in found]
            details = {name: one.detail for name, one in found.items() if isinstance(one, Score)}
            tallies[system] = tally(details)
            if self.recipe.explain:
                kept = {name: detail for name, detail in details.items() if detail is not None}
                explained[system] = Explained(report.text, kept)
        text = pair.reference.text if self.recipe.explain else None
        return Finished("report", pair.reference.id, pair.number, tuple(rows), tallies, text, explained)

    def patient(self, visits: Visits) -> Finished:
        raise NotImplementedError

    def outcome(self, m: Measure, reference: Views, candidate: Views) -> Score | str:
        """The score, or what went wrong."""
        try:
            return self.score(m, reference, candidate)
        except Exception as error:
            return describe(error)

    def score(self, m: Measure, reference: Views, candidate: Views) -> Score:
        if m.family in systems.SYSTEMS:
            system, metric = self.systems[m.name]
            return metric.score(reference.of(system), candidate.of(system))
        texts = (body(side.report, self.recipe.sections) for side in (reference, candidate))
        return from_value(self.baselines[m.name].score(*texts))


def from_value(value: Value) -> Score:
    return Score(value.value, value.why, counts=value.counts)


def row(pair: Pair, system: str, m: Measure, found: Score | str, note: Note | None) -> Row:
    """A line of results.jsonl from a score or a failure."""
    id, patient = pair.reference.id, pair.reference.patient
    if isinstance(found, str):
        return Row(id, system, m.name, None, direction=m.direction, failed=found, note=note, patient=patient)
    return Row(
        id,
        system,
        m.name,
        found.value,
        found.precision,
        found.recall,
        "higher" if found.higher_is_better else "lower",
        found.counts,
        found.why,
        note=note,
        patient=patient,
    )
