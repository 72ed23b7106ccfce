"""Patients over time: each finding of the reference beside what became of it in a candidate's reports."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from overread.pages.panels.lunguage import KINDS
from overread.pages.panels.lunguage import told as told_finding
from overread.pages.panels.panel import Cell, Kind, Table, TableRow, number
from overread.runner.breakdown import pair_outcome
from overread.runner.folder import Detail
from overread.systems.lunguage.schema import Relation
from overread.systems.lunguage.timeline import Observation, Timeline

TRENDS: tuple[Relation, ...] = ("worsened", "improved", "no_change")
METRIC = "lunguage-sequential"
HEAD = ["reference", "candidate", "match", "semantic", "temporal", "structural"]


class Dot(Struct, frozen=True, array_like=True):
    """A finding in one study."""

    study: int
    """Place among the studies."""

    present: bool
    trend: str
    """worsened, improved, no_change or nothing."""

    episode: int
    words: str


class Lane(Struct, frozen=True):
    """One finding through time; a side that never speaks of it has no dots."""

    name: str
    reference: list[Dot]
    candidate: list[Dot]
    candidate_name: str


class Followed(Struct, frozen=True):
    """One patient as the page draws it."""

    days: list[float]
    reports: list[str]
    lanes: dict[str, list[Lane]]
    """System → findings, those of the reference first."""

    pairs: dict[str, Table]
    """System → the pairs of the sequential score, worst first."""


def followed(details: Iterable[Detail]) -> dict[str, Followed]:
    """Every patient with a timeline."""
    return {d.id: one(d) for d in details if d.unit == "patient" and d.timelines}


def one(detail: Detail) -> Followed:
    reference = detail.timelines[""]
    candidates = {system: line for system, line in detail.timelines.items() if system}
    lanes = {
        system: side_by_side(reference, line, detail.candidates[system].scores.get(METRIC))
        for system, line in candidates.items()
    }
    days = [study.day for study in reference.studies]
    pairs = {system: pair_table(detail.candidates[system].scores.get(METRIC)) for system in candidates}
    return Followed(days, [study.report for study in reference.studies], lanes, pairs)


def pair_table(detail: Any) -> Table:
    """Every pair with its three factors."""
    found = sorted((detail or {}).get("pairs", ()), key=lambda pair: pair["match"])
    rows = [TableRow(pair_kind(pair), n, pair_cells(pair)) for n, pair in enumerate(found)]
    return Table("Pairs of the sequential score, worst first", HEAD, rows)


def pair_kind(pair: Any) -> Kind:
    outcome = pair_outcome(pair)
    return "" if outcome == "unrelated" else KINDS[outcome]


def pair_cells(pair: Any) -> list[Cell]:
    sides = [f"{pair[s]['report']}: {told_finding(pair[s])}" for s in ("reference", "candidate")]
    factors = ("semantic", "temporal", "structural")
    numbers = [Cell(number(pair.get(name))) for name in factors]
    return [*map(Cell, sides), Cell(number(pair["match"]), pair_kind(pair)), *numbers]


def side_by_side(reference: Timeline, candidate: Timeline, detail: Any) -> list[Lane]:
    """The groups of the reference, each with the candidate's group that matched it best; then the rest."""
    ours, theirs = by_group(reference), by_group(candidate)
    partner = partners(reference, candidate, detail)
    places = {study.study: n for n, study in enumerate(reference.studies)}
    lanes = []
    for name, members in ours.items():
        other = partner.get(name, "")
        lanes.append(Lane(name, dots(members, places), dots(theirs.get(other, []), places), other))
    taken = set(partner.values())
    return lanes + [Lane(name, [], dots(m, places), name) for name, m in theirs.items() if name not in taken]


def by_group(timeline: Timeline) -> dict[str, list[Observation]]:
    found: dict[str, list[Observation]] = {}
    for observation in timeline.observations:
        found.setdefault(observation.entity_group, []).append(observation)
    return found


def partners(reference: Timeline, candidate: Timeline, detail: Any) -> dict[str, str]:
    """Reference group → candidate group, one to one, by the summed match of their paired findings."""
    ours = {(o.report, o.id): o.entity_group for o in reference.observations}
    theirs = {(o.report, o.id): o.entity_group for o in candidate.observations}
    weight: dict[tuple[str, str], float] = {}
    for pair in (detail or {}).get("pairs", ()):
        key = (
            ours[pair["reference"]["report"], pair["reference"]["id"]],
            theirs[pair["candidate"]["report"], pair["candidate"]["id"]],
        )
        if pair["semantic"] >= 0.4:
            weight[key] = weight.get(key, 0.0) + pair["match"]
    found: dict[str, str] = {}
    for mine, other in sorted(weight, key=lambda key: (-weight[key], key)):
        if mine not in found and other not in found.values():
            found[mine] = other
    return found


def dots(members: Sequence[Observation], places: dict[str, int]) -> list[Dot]:
    """One dot per study: present if any sentence says so."""
    by_study: dict[int, list[Observation]] = {}
    for member in members:
        by_study.setdefault(places[member.study], []).append(member)
    return [dot(place, by_study[place]) for place in sorted(by_study)]


def dot(place: int, members: Sequence[Observation]) -> Dot:
    trend = next((t for t in TRENDS for m in members if m.attributes.get(t)), "")
    present = any(m.status == "positive" for m in members)
    words = "; ".join(dict.fromkeys(told(m) for m in members))
    return Dot(place, present, trend, members[-1].temporal_group, words)


def told(one: Observation) -> str:
    said = " ".join([one.entity, *one.location, *(w for words in one.attributes.values() for w in words)])
    return said if one.status == "positive" else f"no: {said}"
