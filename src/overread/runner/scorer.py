"""One pair → its rows: the work that is done many times, in this process or in a pool of them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from overread.baselines import registry as baselines
from overread.baselines.base import Baseline, Value
from overread.report import Report
from overread.runner.breakdown import READERS, Tally, tally
from overread.runner.failure import describe
from overread.runner.measures import Measure, measure
from overread.runner.pairs import Pair
from overread.runner.recipe import Recipe
from overread.runner.rows import Direction, Note, Row, Unit
from overread.runner.text import body
from overread.runner.timelines import patient_of, timeline
from overread.runner.views import AskedViews, Views, words_of
from overread.systems import registry as systems
from overread.systems.base import Score
from overread.systems.definitions import chosen
from overread.systems.lunguage.timeline import Timeline

if TYPE_CHECKING:
    from overread.llm import Client


UNCHARGED = "no candidate, for which this metric cannot charge"


class Visits(Struct, frozen=True, forbid_unknown_fields=True):
    """All pairs of one patient."""

    number: int
    patient: str
    pairs: tuple[Pair, ...]


class Explained(Struct, frozen=True, forbid_unknown_fields=True):
    """One candidate's text and what each metric makes of it."""

    text: str
    scores: dict[str, Any]
    """Metric → its `Score.detail`, for the main metric of each system; variants differ in arithmetic alone."""


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
    timelines: dict[str, Timeline] = {}
    """Of a patient: the reference under "", then each system."""


class Scorer:
    """Scores pairs by a recipe; holds what is worth building once per process."""

    def __init__(
        self, recipe: Recipe, fitted: Mapping[str, Baseline] | None = None, client: "Client | None" = None
    ) -> None:
        self.recipe = recipe
        self.client = client
        self.measures = [measure(name, recipe.tokenisation) for name in recipe.metrics]
        self.baselines = {
            m.name: baselines.lookup(m.name, recipe.tokenisation if m.family == "text" else None)
            for m in self.measures
            if m.family in ("text", "trained")
        } | dict(fitted or {})
        self.systems = systems.metrics() if any(m.family in systems.SYSTEMS for m in self.measures) else {}
        self.words = words_of(recipe.lexicon)
        self.definitions = chosen(recipe.definitions)

    def __call__(self, item: Pair | Visits) -> Finished:
        return self.pair(item) if isinstance(item, Pair) else self.patient(item)

    def views(self, report: Report) -> Views:
        if self.client is not None:
            return AskedViews(report, self.client)
        return Views(report, self.words, self.definitions)

    def pair(self, pair: Pair) -> Finished:
        """Every metric on one reference and its candidates; the reference is read once for all of them.

        Trained metrics of others are not asked here: their models are loaded once, see `trained`.
        """
        reference = self.views(pair.reference)
        asked = [m for m in self.measures if m.unit == "report" and m.family != "trained"]
        rows: list[Row] = []
        explained, tallies = {}, {}
        for system, report in pair.candidates.items():
            candidate, note = self.views(report), pair.note(system)
            found = {m.name: self.outcome(m, reference, candidate) for m in asked}
            rows += [row(pair, system, m, found[m.name], note) for m in asked]
            details = {name: one.detail for name, one in found.items() if isinstance(one, Score)}
            tallies[system] = tally(details)
            if self.recipe.explain:
                kept = {name: d for name, d in details.items() if d is not None and name in READERS}
                explained[system] = Explained(report.text, kept)
        text = pair.reference.text if self.recipe.explain else None
        return Finished("report", pair.reference.id, pair.number, tuple(rows), tallies, text, explained)

    def patient(self, visits: Visits) -> Finished:
        """Sequential metrics on one patient; both sides are dated by the references."""
        patient = patient_of(visits.patient, (pair.reference for pair in visits.pairs))
        lunguage = systems.system("lunguage")
        own = {pair.reference.id: self.views(pair.reference) for pair in visits.pairs}
        reference = timeline(patient, own, lunguage)
        rows: list[Row] = []
        explained, timelines = {}, {"": reference}
        for system in visits.pairs[0].candidates:
            theirs = {pair.reference.id: self.views(pair.candidates[system]) for pair in visits.pairs}
            candidate = timelines[system] = timeline(patient, theirs, lunguage)
            found = {
                m.name: self.compared(m, reference, candidate) for m in self.measures if m.unit == "patient"
            }
            rows += [patient_row(visits, system, m, found[m.name]) for m in self.measures if m.name in found]
            details = {name: one.detail for name, one in found.items() if isinstance(one, Score)}
            explained[system] = Explained("", {name: detail for name, detail in details.items() if detail})
        if not self.recipe.explain:
            return Finished("patient", visits.patient, visits.number, tuple(rows), {})
        return Finished(
            "patient",
            visits.patient,
            visits.number,
            tuple(rows),
            {},
            candidates=explained,
            timelines=timelines,
        )

    def compared(self, m: Measure, reference: Timeline, candidate: Timeline) -> Score | str:
        _, metric = self.systems[m.name]
        try:
            return metric.score(reference, candidate)
        except Exception as error:
            return describe(error)

    def outcome(self, m: Measure, reference: Views, candidate: Views) -> Score | str:
        """The score, or what went wrong."""
        try:
            return self.score(m, reference, candidate)
        except Exception as error:
            return describe(error)

    def score(self, m: Measure, reference: Views, candidate: Views) -> Score:
        if m.family in systems.SYSTEMS:
            system, metric = self.systems[m.name]
            return reference.score(system, metric, candidate)
        texts = (body(side.report, self.recipe.sections) for side in (reference, candidate))
        return from_value(self.baselines[m.name].score(*texts))


def from_value(value: Value) -> Score:
    return Score(value.value, value.why, counts=value.counts)


def row(pair: Pair, system: str, m: Measure, found: Score | str, note: Note | None) -> Row:
    """A line of results.jsonl from a score or a failure."""
    told = charged(found, m) if note == "no candidate" and isinstance(found, Score) else found
    return replace(line(pair.reference.id, system, m, told), note=note, patient=pair.reference.patient)


def charged(found: Score, m: Measure) -> Score:
    """What a reference without a candidate scores: what an empty report does, and never nothing.

    Where an empty report leaves a mean without a value the system gets 0: what it did not write must not drop out
    of its average. A metric that adds up counts has nothing to add; it stays undefined and says so.
    """
    if found.value is not None:
        return found
    if m.corpus is None and found.higher_is_better:
        return Score(0.0, counts=found.counts)
    return Score(None, f"{UNCHARGED} ({found.why})", counts=found.counts)


def patient_row(visits: Visits, system: str, m: Measure, found: Score | str) -> Row:
    return replace(line(visits.patient, system, m, found), unit="patient", patient=visits.patient)


def line(id: str, system: str, m: Measure, found: Score | str) -> Row:
    if isinstance(found, str):
        return Row(id, system, m.name, None, direction=m.direction, failed=found)
    direction: Direction = "higher" if found.higher_is_better else "lower"
    counts = dict(sorted(found.counts.items()))  # in whatever order a system gathered them
    return Row(id, system, m.name, found.value, found.precision, found.recall, direction, counts, found.why)
