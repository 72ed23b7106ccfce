"""Patients over time: each finding of the reference above what became of it in every candidate's reports."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from overread.pages.lane_names import lane_name
from overread.runner.run.folder import Detail
from overread.systems.lunguage.naming import unique
from overread.systems.lunguage.outcome import pair_outcome
from overread.systems.lunguage.panel import KINDS
from overread.systems.lunguage.panel import told as told_finding
from overread.systems.lunguage.schema import Relation
from overread.systems.lunguage.timeline import Observation, Timeline
from overread.systems.panel import Cell, Kind, Table, TableRow, number

TRENDS: tuple[Relation, ...] = ("worsened", "improved", "no_change")
METRIC = "lunguage-sequential"
HEAD = ["reference", "candidate", "match", "semantic", "temporal", "structural"]
ABOUT_THE_PATIENT = "PATIENT INFO"
"""Complaints and history: they are followed, and drawn last."""


class Dot(Struct, frozen=True, array_like=True):
    """A finding in one study."""

    study: int
    """Place among the studies."""

    present: bool
    trend: str
    """worsened, improved, no_change or nothing."""

    episode: int
    words: str


class Track(Struct, frozen=True, array_like=True):
    """One candidate's course of a finding, under the candidate's own name for it."""

    name: str
    dots: list[Dot]


class Lane(Struct, frozen=True):
    """One finding through time; a side that never speaks of it has no dots."""

    name: str
    reference: list[Dot]
    systems: dict[str, Track]
    weight: int
    """How much there is to see: the order of the lanes."""


class Followed(Struct, frozen=True):
    """One patient as the page draws it."""

    days: list[float]
    reports: list[str]
    lanes: list[Lane]
    pairs: dict[str, Table]
    """System → the pairs of the sequential score, worst first."""


Groups = dict[str, list[Observation]]


def followed(details: Iterable[Detail]) -> dict[str, Followed]:
    """Every patient with a timeline."""
    return {d.id: one(d) for d in details if d.unit == "patient" and d.timelines}


def one(detail: Detail) -> Followed:
    reference = detail.timelines[""]
    candidates = {system: line for system, line in detail.timelines.items() if system}
    scores = {system: detail.candidates[system].opened().get(METRIC) for system in candidates}
    lanes = sorted(side_by_side(reference, candidates, scores), key=lambda lane: -lane.weight)
    named = unique([lane.name for lane in lanes])
    lanes = [replace(lane, name=name) for lane, name in zip(lanes, named, strict=True)]
    days = [study.day for study in reference.studies]
    pairs = {system: pair_table(scores[system]) for system in candidates}
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


def side_by_side(reference: Timeline, candidates: dict[str, Timeline], scores: dict[str, Any]) -> list[Lane]:
    """The groups of the reference, each with every candidate's group that matched it best; then the rest."""
    places = {study.study: n for n, study in enumerate(reference.studies)}
    ours = by_group(reference)
    theirs = {system: by_group(line) for system, line in candidates.items()}
    partner = {system: partners(reference, line, scores[system]) for system, line in candidates.items()}
    lanes = []
    for name, members in ours.items():
        found = {s: theirs[s].get(partner[s].get(name, ""), []) for s in candidates}
        lanes.append(lane(members, found, places))
    for system, groups in theirs.items():
        taken = set(partner[system].values())
        lanes += [lane([], {system: m}, places) for name, m in groups.items() if name not in taken]
    return lanes


def lane(members: list[Observation], found: dict[str, list[Observation]], places: dict[str, int]) -> Lane:
    tracks = {s: Track(lane_name(m), dots(m, places)) for s, m in found.items() if m}
    all_members = [*members, *(one for m in found.values() for one in m)]
    return Lane(
        lane_name(members or all_members), dots(members, places), tracks, weight(members, all_members)
    )


def weight(members: Sequence[Observation], everywhere: Sequence[Observation]) -> int:
    """Findings that are there and change come first, complaints last."""
    if all(one.category == ABOUT_THE_PATIENT for one in everywhere):
        return 0
    present = sum(one.status == "positive" for one in members)
    moving = sum(bool(one.attributes.get(trend)) for one in everywhere for trend in TRENDS)
    return 1 + 4 * present + 2 * len(members) + moving + len(everywhere)


def by_group(timeline: Timeline) -> Groups:
    found: Groups = {}
    for observation in timeline.observations:
        found.setdefault(observation.entity_group, []).append(observation)
    return found


def partners(reference: Timeline, candidate: Timeline, detail: Any) -> dict[str, str]:
    """Reference group → candidate group, one to one, by the summed match of their paired findings."""
    ours = {(o.report, o.id): o.entity_group for o in reference.observations}
    theirs = {(o.report, o.id): o.entity_group for o in candidate.observations}
    found_weight: dict[tuple[str, str], float] = {}
    for pair in (detail or {}).get("pairs", ()):
        key = (
            ours[pair["reference"]["report"], pair["reference"]["id"]],
            theirs[pair["candidate"]["report"], pair["candidate"]["id"]],
        )
        if pair["semantic"] >= 0.4:
            found_weight[key] = found_weight.get(key, 0.0) + pair["match"]
    found: dict[str, str] = {}
    for mine, other in sorted(found_weight, key=lambda key: (-found_weight[key], key)):
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
