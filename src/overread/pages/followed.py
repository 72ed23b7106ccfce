"""Patients over time: each finding of the reference above what became of it in every candidate's reports."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from overread.runner.run.scorer import Detail
from overread.systems.lunguage.follow import commonest, unique
from overread.systems.lunguage.panel import pair_outcome
from overread.systems.lunguage.panel import told as told_finding
from overread.systems.lunguage.schema import Observation, Relation, Timeline
from overread.systems.panel import Cell, Kind, PanelTable, TableRow, number

BEFORE = frozenset(
    "left right bilateral unilateral bibasilar biapical upper lower mid middle apical basal basilar lateral medial "
    "anterior posterior hilar perihilar retrocardiac pleural pulmonary central peripheral proximal distal lingular "
    "right-sided left-sided diffuse".split()
)
"""A place that begins so stands before its finding: left pleural effusion."""

LOOKS = frozenset("clear normal unremarkable hyperinflated hyperexpanded enlarged".split())
"""What a structure looks like stands before it: clear lungs."""

PREPOSITIONS = frozenset(
    "in at on of along over within around near above below behind into throughout under".split()
)


def lane_name(members: Sequence[Observation]) -> str:
    """The commonest words for the finding, with the commonest place."""
    entity = commonest([one.entity.lower() for one in members])
    places = [one.location[0].lower() for one in members if one.location]
    return placed(entity, commonest(places)) if places else entity


def placed(entity: str, place: str) -> str:
    """
    >>> placed("pneumothorax", "left apical"), placed("fracture", "seventh rib"), placed("nodules", "both lungs")
    ('left apical pneumothorax', 'fracture of the seventh rib', 'nodules in both lungs')
    """
    words = place.split()
    if not words or place in entity:
        return entity
    if words[0] in PREPOSITIONS or entity in LOOKS:
        return f"{entity} {place}"
    if words[0] == "both":
        return f"{entity} in {place}"
    return f"{place} {entity}" if words[0] in BEFORE else f"{entity} of the {place}"


TREND_ORDER: tuple[Relation, ...] = ("worsened", "improved", "no_change")
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


class Lane(Struct, frozen=True):
    """One finding through time; a side that never speaks of it has no dots."""

    name: str
    reference: list[Dot]
    systems: dict[str, tuple[str, list[Dot]]]
    """Each candidate's own name for it, and its course."""

    weight: int
    """How much there is to see: the order of the lanes."""


class Followed(Struct, frozen=True):
    """One patient as the page draws it."""

    days: list[float]
    reports: list[str]
    lanes: list[Lane]
    pairs: dict[str, PanelTable]
    """System → the pairs of the sequential score, worst first."""


def followed(details: Iterable[Detail]) -> dict[str, Followed]:
    """Every patient with a timeline."""
    return {d.id: one(d) for d in details if d.unit == "patient" and d.timelines}


def one(detail: Detail) -> Followed:
    reference = detail.timelines[""]
    candidates = {system: line for system, line in detail.timelines.items() if system}
    scores = {system: detail.candidates[system].opened().get(METRIC) for system in candidates}
    lanes = sorted(side_by_side(reference, candidates, scores), key=lambda lane: -lane.weight)
    named = zip(lanes, unique([lane.name for lane in lanes]), strict=True)
    return Followed(
        [study.day for study in reference.studies],
        [study.report for study in reference.studies],
        [replace(lane, name=name) for lane, name in named],
        {system: pair_table(scores[system]) for system in candidates},
    )


def pair_table(detail: Any) -> PanelTable:
    """Every pair with its three factors."""
    found = sorted((detail or {}).get("pairs", ()), key=lambda pair: pair["match"])
    rows = []
    for n, pair in enumerate(found):
        outcome = pair_outcome(pair)
        kind: Kind = "" if outcome == "unrelated" else outcome
        sides = [Cell(f"{pair[s]['report']}: {told_finding(pair[s])}") for s in HEAD[:2]]
        factors = [Cell(number(pair.get(name))) for name in HEAD[3:]]
        rows.append(TableRow(kind, n, [*sides, Cell(number(pair["match"]), kind), *factors]))
    return PanelTable("Pairs of the sequential score, worst first", HEAD, rows)


def side_by_side(reference: Timeline, candidates: dict[str, Timeline], scores: dict[str, Any]) -> list[Lane]:
    """The groups of the reference, each with every candidate's group that matched it best; then the rest."""
    places = {study.study: n for n, study in enumerate(reference.studies)}
    theirs = {system: by_group(line) for system, line in candidates.items()}
    partner = {system: partners(reference, line, scores[system]) for system, line in candidates.items()}
    lanes = [
        lane(members, {s: theirs[s].get(partner[s].get(name, ""), []) for s in candidates}, places)
        for name, members in by_group(reference).items()
    ]
    for system, groups in theirs.items():
        taken = set(partner[system].values())
        lanes += [lane([], {system: m}, places) for name, m in groups.items() if name not in taken]
    return lanes


def lane(members: list[Observation], found: dict[str, list[Observation]], places: dict[str, int]) -> Lane:
    tracks = {s: (lane_name(m), dots(m, places)) for s, m in found.items() if m}
    everywhere = [*members, *chain(*found.values())]
    return Lane(lane_name(members or everywhere), dots(members, places), tracks, weight(members, everywhere))


def weight(members: Sequence[Observation], everywhere: Sequence[Observation]) -> int:
    """Findings that are there and change come first, complaints last."""
    if all(one.category == ABOUT_THE_PATIENT for one in everywhere):
        return 0
    present = sum(one.status == "positive" for one in members)
    moving = sum(bool(one.attributes.get(trend)) for one in everywhere for trend in TREND_ORDER)
    return 1 + 4 * present + 2 * len(members) + moving + len(everywhere)


def by_group(timeline: Timeline) -> dict[str, list[Observation]]:
    found: dict[str, list[Observation]] = {}
    for observation in timeline.observations:
        found.setdefault(observation.entity_group, []).append(observation)
    return found


def partners(reference: Timeline, candidate: Timeline, detail: Any) -> dict[str, str]:
    """Reference group → candidate group, one to one, by the summed match of their paired findings."""
    ours, theirs = (
        {(o.report, o.id): o.entity_group for o in one.observations} for one in (reference, candidate)
    )
    weights: defaultdict[tuple[str, str], float] = defaultdict(float)
    for pair in (detail or {}).get("pairs", ()):
        mine, other = ((pair[side]["report"], pair[side]["id"]) for side in HEAD[:2])
        if pair["semantic"] >= 0.4:
            weights[ours[mine], theirs[other]] += pair["match"]
    found: dict[str, str] = {}
    for one, two in sorted(weights, key=lambda key: (-weights[key], key)):
        if one not in found and two not in found.values():
            found[one] = two
    return found


def dots(members: Sequence[Observation], places: dict[str, int]) -> list[Dot]:
    """One dot per study: present if any sentence says so."""
    by_study: dict[int, list[Observation]] = {}
    for member in members:
        by_study.setdefault(places[member.study], []).append(member)
    found = []
    for place, own in sorted(by_study.items()):
        trend = next((t for t in TREND_ORDER for m in own if m.attributes.get(t)), "")
        present = any(m.status == "positive" for m in own)
        words = "; ".join(dict.fromkeys(observation_words(m) for m in own))
        found.append(Dot(place, present, trend, own[-1].temporal_group, words))
    return found


def observation_words(one: Observation) -> str:
    said = " ".join([one.entity, *one.location, *(w for words in one.attributes.values() for w in words)])
    return said if one.status == "positive" else f"no: {said}"
