"""One pair → its rows: the work that is done many times, in this process or in a pool of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Raw, Struct, json
from msgspec.structs import replace

from overread.baselines import registry as baselines
from overread.baselines.base import Baseline, Value, score_many
from overread.reader.check import Doubt
from overread.report import Patient, Report
from overread.runner.limits import Clock, Limits, attempted, describe, timed
from overread.runner.measures import Measure, measure
from overread.runner.results.rows import Direction, Note, Row, Unit
from overread.runner.results.summary import Breakdown, tally
from overread.runner.run.pairs import Pair
from overread.runner.run.workers import batches
from overread.runner.settings import Settings, body
from overread.runner.timelines import timeline
from overread.runner.traced import TracedFinding, traces
from overread.runner.view_files import load_view_file, relabelled
from overread.runner.views import Views, lexicon_of
from overread.sources.days import numbered_studies
from overread.systems import registry as systems
from overread.systems.base import Metric, Score, System
from overread.systems.definitions import chosen
from overread.systems.lunguage.schema import Timeline

if TYPE_CHECKING:
    from overread.llm import Client


FOREVER = 1e9
REFERENCE_ROLE = "reference"
UNCHARGED = "no candidate, for which this metric cannot charge"


class Visits(Struct, frozen=True, forbid_unknown_fields=True):
    """All pairs of one patient."""

    number: int
    patient: str
    pairs: tuple[Pair, ...]


class Explained(Struct, frozen=True, forbid_unknown_fields=True):
    """One candidate's text and what each metric makes of it."""

    text: str
    scores: dict[str, Raw]
    """Metric → its `Score.detail` as JSON, for the main metric of each system; variants differ in arithmetic alone.

    Written where it was scored, opened where it is shown: between pipes, journal and files nobody has to read it.
    """

    doubts: tuple[Doubt, ...] = ()
    """What is doubtful in the reading of the text, where it was checked."""

    trace: tuple[TracedFinding, ...] = ()
    """Why the text was read so; nothing where the embedded reader was not asked."""

    def opened(self) -> dict[str, Any]:
        """Metric → what its score was made of."""
        return {name: json.decode(detail) for name, detail in self.scores.items()}


class Detail(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of details.jsonl: the texts of one unit and what every score was made of."""

    unit: Unit
    id: str
    number: int
    """Place among the references, or among the patients."""

    reference: str | None = None
    """The reference's text, where it is to be explained."""

    candidates: dict[str, Explained] = {}
    patient: str | None = None
    timelines: dict[str, Timeline] = {}
    """Of a patient: the reference under "", then each system."""

    doubts: tuple[Doubt, ...] = ()
    """What is doubtful in the reading of the reference, where it was checked."""

    trace: tuple[TracedFinding, ...] = ()
    """Why the reference was read so."""


class Finished(Detail, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One unit of work, done."""

    rows: tuple[Row, ...]
    tallies: dict[str, Breakdown] = {}
    """System → how often each kind of finding was matched, missed, …"""

    @property
    def detail(self) -> Detail:
        return Detail(**{name: getattr(self, name) for name in Detail.__struct_fields__})


class Scorer:
    """Scores pairs by a settings; holds what is worth building once per process."""

    def __init__(
        self,
        settings: Settings,
        fitted: Mapping[str, Baseline] | None = None,
        limits: Limits | None = None,
        client: "Client | None" = None,
    ) -> None:
        self.settings = settings
        self.limits = limits or Limits()
        self.client = client
        self.measures = [measure(name, settings.tokenisation) for name in settings.metrics]
        self.baselines = {
            m.name: baselines.lookup(m.name, settings.tokenisation if m.family == "text" else None)
            for m in self.measures
            if m.of_texts
        } | dict(fitted or {})
        self.systems = systems.metrics() if any(not m.of_texts for m in self.measures) else {}
        self.systems |= under_settings(settings) if self.systems else {}
        self.given = {role: load_view_file(path) for role, path in settings.given.items()}
        self.words = lexicon_of(settings.lexicon)
        self.definitions = chosen(settings.definitions)

    def __call__(self, item: Pair | Visits) -> Finished:
        """The item, scored; a language model takes its time under its own limits."""
        with timed(self.limits.seconds if self.client is None else FOREVER) as clock:
            return self.pair(item, clock) if isinstance(item, Pair) else self.patient(item, clock)

    def views(self, report: Report, role: str = REFERENCE_ROLE) -> Views:
        """What the systems see in a report of the reference, or of the system called `role`."""
        file = self.given.get(role)
        if self.client is not None:
            return Views(report, client=self.client, file=file)
        check = self.settings.check and self.settings.explain and file is None
        return Views(report, self.words, self.definitions, self.settings.labels, check, file=file)

    def pair(self, pair: Pair, clock: Clock) -> Finished:
        """Every metric on one reference and its candidates; the reference is read once for all of them.

        Trained metrics of others are not asked here: their models are loaded once, see `trained`.
        """
        reference = self.views(pair.reference)
        asked = [m for m in self.measures if m.unit == "report" and m.family != "trained"]
        rows: list[Row] = []
        explained, tallies = {}, {}
        for system, report in pair.candidates.items():
            candidate, note = self.views(report, system), pair.note(system)
            large = self.limits.too_large("reference", pair.reference.text)
            large = large or self.limits.too_large("candidate", report.text)
            found = {m.name: large or self.outcome(m, reference, candidate, clock) for m in asked}
            rows += [row_of_pair(pair, system, m, found[m.name], note) for m in asked]
            details = {name: one.detail for name, one in found.items() if isinstance(one, Score)}
            tallies[system] = tally(details)
            kept = {name: d for name, d in details.items() if d is not None and systems.explained_by(name)}
            explained[system] = Explained(self.shown(report), closed(kept), *self.behind(candidate, clock))
        show = self.settings.explain
        doubts, trace = self.behind(reference, clock)
        return Finished(
            "report", pair.reference.id, pair.number, self.shown(pair.reference) if show else None,
            explained if show else {}, pair.reference.patient, doubts=doubts, trace=trace, rows=tuple(rows),
            tallies=tallies,
        )  # fmt: skip

    def behind(self, views: Views, clock: Clock) -> tuple[tuple[Doubt, ...], tuple[TracedFinding, ...]]:
        """What is doubtful in a reading and why it was read so, where a metric has asked for it.

        Nothing where it could not be made in its time, which its scores say.
        """
        if not self.settings.explain or self.limits.too_large("report", views.report.text):
            return (), ()
        doubts = attempted(lambda: views.doubts, clock)
        read = "reading" in vars(views) and views.file is None
        trace = attempted(lambda: traces(views.reading, self.words), clock) if read else ()
        return () if isinstance(doubts, str) else doubts, () if isinstance(trace, str) else trace

    def shown(self, report: Report) -> str:
        """The text for the page, which a report past the limit must not fill."""
        return report.text[: self.limits.characters]

    def patient(self, visits: Visits, clock: Clock) -> Finished:
        """Sequential metrics on one patient; both sides are dated by the references."""
        patient = Patient(visits.patient, numbered_studies([pair.reference for pair in visits.pairs]))
        sides = {REFERENCE_ROLE: {p.reference.id: p.reference for p in visits.pairs}}
        for system in visits.pairs[0].candidates:
            sides[system] = {p.reference.id: p.candidates[system] for p in visits.pairs}
        reference, *others = (self.followed(patient, one, role, clock) for role, one in sides.items())
        candidates = dict(zip(visits.pairs[0].candidates, others, strict=True))
        asked = [m for m in self.measures if m.unit == "patient"]
        rows: list[Row] = []
        explained = {}
        for system, candidate in candidates.items():
            found = {m.name: self.compared(m, reference, candidate, clock) for m in asked}
            made = (result_row(visits.patient, system, m, found[m.name]) for m in asked)
            rows += [replace(row, unit="patient", patient=visits.patient) for row in made]
            details = {name: one.detail for name, one in found.items() if isinstance(one, Score)}
            explained[system] = Explained("", closed({name: d for name, d in details.items() if d}))
        show = self.settings.explain
        followed = {"": reference, **candidates}  # for the page; none at all where one of them failed
        drawn = {name: one for name, one in followed.items() if isinstance(one, Timeline)}
        return Finished(
            "patient", visits.patient, visits.number, None, explained if show else {}, visits.patient,
            drawn if show and len(drawn) == len(sides) else {}, rows=tuple(rows),
        )  # fmt: skip

    def followed(
        self, patient: Patient, reports: Mapping[str, Report], role: str, clock: Clock
    ) -> Timeline | str:
        """One side's timeline, as a file gives it or followed here; or what went wrong."""
        ready = self.given[role].timelines.get(patient.id) if role in self.given else None
        if ready is not None:
            return relabelled(ready, {study.report.id: str(study.number) for study in patient.studies})
        large = (self.limits.too_large("report of a study", report.text) for report in reports.values())
        why = next((one for one in large if one is not None), None)
        if why is not None:
            return why
        side = {id: self.views(report, role) for id, report in reports.items()}
        asked = None if role in self.given else self.client
        return attempted(lambda: timeline(patient, side, systems.system("lunguage"), asked), clock)

    def compared(
        self, m: Measure, reference: Timeline | str, candidate: Timeline | str, clock: Clock
    ) -> Score | str:
        if isinstance(reference, str) or isinstance(candidate, str):
            return reference if isinstance(reference, str) else str(candidate)
        _, metric = self.systems[m.name]
        return attempted(lambda: metric.score(reference, candidate), clock)

    def outcome(
        self, m: Measure, reference: Views, candidate: Views, clock: Clock | None = None
    ) -> Score | str:
        """The score, or what went wrong."""
        return attempted(lambda: self.score(m, reference, candidate), clock or Clock(FOREVER))

    def score(self, m: Measure, reference: Views, candidate: Views) -> Score:
        if not m.of_texts:
            system, metric = self.systems[m.name]
            return reference.score(system, metric, candidate)
        texts = (body(side.report, self.settings.sections) for side in (reference, candidate))
        return from_value(self.baselines[m.name].score(*texts))


def under_settings(settings: Settings) -> dict[str, tuple[System, Metric]]:
    """The metrics that other settings than the usual ones change, by name."""
    families = {m.family for m in map(measure, settings.metrics) if not m.of_texts}
    found: dict[str, tuple[System, Metric]] = {}
    for system in map(systems.system, sorted(families)):
        chosen = systems.part(system.settings, "metrics")
        found |= {metric.name: (system, metric) for metric in chosen(settings)} if chosen is not None else {}
    return found


def closed(details: Mapping[str, Any]) -> dict[str, Raw]:
    """Each detail as JSON."""
    return {name: Raw(json.encode(detail)) for name, detail in details.items()}


def from_value(value: Value) -> Score:
    return Score(value.value, value.why, counts=value.counts)


def row_of_pair(pair: Pair, system: str, m: Measure, found: Score | str, note: Note | None) -> Row:
    """A line of results.jsonl from a score or a failure."""
    told = charged(found, m) if note == "no candidate" and isinstance(found, Score) else found
    return replace(result_row(pair.reference.id, system, m, told), note=note, patient=pair.reference.patient)


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


def result_row(id: str, system: str, m: Measure, found: Score | str) -> Row:
    if isinstance(found, str):
        return Row(id, system, m.name, None, direction=m.direction, failed=found)
    direction: Direction = "higher" if found.higher_is_better else "lower"
    counts = dict(sorted(found.counts.items()))  # in whatever order a system gathered them
    return Row(id, system, m.name, found.value, found.precision, found.recall, direction, counts, found.why)


TRAINED_BATCH = 64


def with_trained(
    done: Iterable[tuple[Pair, Finished]], measures: list[Measure], settings: Settings
) -> Iterator[tuple[Pair, Finished]]:
    """The stream of finished pairs with the rows of trained metrics put in their place."""
    trained = [m for m in measures if m.family == "trained"]
    for batch in batches(done, TRAINED_BATCH if trained else 1):
        added = [more for m in trained for more in batch_rows([pair for pair, _ in batch], m, settings)]
        for pair, finished in batch:
            own = [one for one in added if one.id == pair.reference.id]
            yield pair, replace(finished, rows=in_asked_order([*finished.rows, *own], pair, settings))


def batch_rows(pairs: list[Pair], m: Measure, settings: Settings) -> Iterator[Row]:
    """One trained metric on every candidate of a batch."""
    asked = [(pair, system) for pair in pairs for system in pair.candidates]
    references = [body(pair.reference, settings.sections) for pair, _ in asked]
    candidates = [body(pair.candidates[system], settings.sections) for pair, system in asked]
    try:
        values: Sequence[Value | str] = score_many(baselines.lookup(m.name), references, candidates)
    except Exception as error:  # the package fails on a batch: what went wrong, for each of its pairs
        values = [describe(error)] * len(asked)
    for (pair, system), found in zip(asked, values, strict=True):
        score = found if isinstance(found, str) else from_value(found)
        yield row_of_pair(pair, system, m, score, pair.note(system))


def in_asked_order(rows: list[Row], pair: Pair, settings: Settings) -> tuple[Row, ...]:
    """By system, then by metric as asked for."""
    systems = {name: n for n, name in enumerate(pair.candidates)}
    metrics = {name: n for n, name in enumerate(settings.metrics)}
    return tuple(sorted(rows, key=lambda one: (systems[one.system], metrics[one.metric])))
