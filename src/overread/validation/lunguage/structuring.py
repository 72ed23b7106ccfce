"""Is the structuring right? Findings against a gold file, groups and episodes against a gold timeline.

Findings are paired one to one inside their sentence by fuzzy entity; then every (entity, relation) pair and every
(entity, relation, value) triplet counts once: fuzzily, where values alike in letters agree unless they differ in side,
level, number or direction, and exactly, where only the same words do. As written, without any pairing, a pair or
triplet is right where the other side has the very same entity, relation and words. Groups are judged by pairs of
observations: are two that belong together put together? Category, status and certainty count as relations; links are
counted apart.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from overread.stats.agreement import Counts
from overread.systems.lunguage.likeness import published
from overread.validation.annotated import GoldFinding, GoldObservation, GoldPatient, GoldReport
from overread.validation.drawing import svg
from overread.validation.fuzzy import closeness, likeness, opposed, pair_up, same, word_overlap
from overread.validation.tables import figure, in_columns

ENTITY = 0.7
VALUE = 0.6
OBSERVATION = 0.6
"""Least likeness of two entities, of two attribute values, of two observations of one study."""


class Agreement(Struct, frozen=True):
    """Soft counts of every level; None where the files hold nothing to compare."""

    reports: int = 0
    entities: Counts = Counts()
    relations: Counts = Counts()
    triplets: Counts = Counts()
    values: Counts = Counts()
    exact_triplets: Counts = Counts()
    exact_values: Counts = Counts()
    written_pairs: Counts = Counts()
    """The same entity and relation, letter for letter but for case."""

    written_triplets: Counts = Counts()
    evidence: Counts = Counts()
    associate: Counts = Counts()
    patients: int = 0
    observations: Counts = Counts()
    entity_groups: Counts = Counts()
    temporal_groups: Counts = Counts()

    def __add__(self, other: "Agreement") -> "Agreement":
        return Agreement(*(getattr(self, name) + getattr(other, name) for name in self.__struct_fields__))


# ---- findings
def compare_reports(gold: GoldReport, found: GoldReport) -> Agreement:
    """One report's findings against a person's."""
    mine, theirs = (list(side.findings) for side in (found, gold))
    places = [[sentence_text(f, side) for f in side.findings] for side in (found, gold)]
    table = [
        [finding_likeness(a, b, places[0][i], places[1][j]) for j, b in enumerate(theirs)]
        for i, a in enumerate(mine)
    ]
    pairs = pair_up(table, ENTITY)
    known = {name for one in theirs for name in fixed(one)}
    said = [[written(one, known) for one in side] for side in (mine, theirs)]
    total = Agreement(
        reports=1,
        entities=Counts(len(pairs), len(mine) - len(pairs), len(theirs) - len(pairs)),
        written_pairs=shared([[dict.fromkeys(w[:2] for w in one) for one in side] for side in said]),
        written_triplets=shared(said),
        evidence=link_counts(mine, theirs, pairs, lambda f: f.evidence),
        associate=link_counts(mine, theirs, pairs, lambda f: f.associate),
    )
    for i, j in pairs:
        total += triplet_counts(mine[i], theirs[j])
    for left, side in ((0, mine), (1, theirs)):
        taken = {pair[left] for pair in pairs}
        for finding in (f for n, f in enumerate(side) if n not in taken):
            total += unpaired(finding, Counts(0, 1, 0) if left == 0 else Counts(0, 0, 1))
    return total


def sentence_text(finding: GoldFinding, report: GoldReport) -> str | None:
    """The finding's sentence in plain words, where the file says which it is."""
    if finding.sentence is not None and finding.sentence.text:
        return " ".join(finding.sentence.text.lower().split())
    listed = [s.text for s in report.sentences if s.i == finding.i and finding.i is not None]
    return " ".join(listed[0].lower().split()) if listed else None


def finding_likeness(one: GoldFinding, other: GoldFinding, here: str | None, there: str | None) -> float:
    """Entity first; attributes and status settle which of several mentions is meant. Another sentence: 0."""
    if here is not None and there is not None and here not in there and there not in here:
        return 0.0
    entity = closeness(one.entity, other.entity)
    if entity < ENTITY or opposed(one.entity, other.entity):
        return 0.0
    words = [" ".join(w for ws in f.attributes.values() for w in ws) for f in (one, other)]
    return entity + 0.2 * word_overlap(*words) + 0.1 * (one.status == other.status)


def fixed(finding: GoldFinding) -> dict[str, str]:
    """The relations every finding has."""
    category = finding.category or finding.cat
    found = {} if category is None else {"category": category}
    return {**found, "status": finding.status, "certainty": finding.certainty}


def described(finding: GoldFinding) -> list[tuple[str, str]]:
    return [(name, value) for name, values in finding.attributes.items() for value in values]


def triplet_counts(mine: GoldFinding, theirs: GoldFinding) -> Agreement:
    """Relations and triplets of two findings that are one."""
    ours, gold = described(mine), described(theirs)
    values = value_counts(ours, gold, likeness)
    exact = value_counts(ours, gold, lambda a, b: float(same(a, b)))
    known = fixed(mine).keys() & fixed(theirs).keys()
    equal = sum(fixed(mine)[name] == fixed(theirs)[name] for name in known)
    one, other = ({name for name, _ in side} for side in (ours, gold))
    relations = Counts(len(known) + len(one & other), len(one - other), len(other - one))
    own = Counts(equal, len(known) - equal, len(known) - equal)
    return Agreement(
        relations=relations,
        values=values,
        triplets=values + own,
        exact_values=exact,
        exact_triplets=exact + own,
    )


def value_counts(
    ours: Sequence[tuple[str, str]], gold: Sequence[tuple[str, str]], alike: Callable[[str, str], float]
) -> Counts:
    """Values of one relation paired one to one, from `VALUE` on."""
    table = [[alike(a[1], b[1]) if a[0] == b[0] else 0.0 for b in gold] for a in ours]
    agreed = len(pair_up(table, VALUE))
    return Counts(agreed, len(ours) - agreed, len(gold) - agreed)


def unpaired(finding: GoldFinding, cost: Counts) -> Agreement:
    """What a finding costs that only one side has: `cost` for each relation and value."""
    names = [name for name, _ in described(finding)]
    values, own = sum([cost] * len(names), Counts()), sum([cost] * len(fixed(finding)), Counts())
    return Agreement(
        relations=sum([cost] * len(set(names)), own),
        triplets=own + values,
        values=values,
        exact_triplets=own + values,
        exact_values=values,
    )


def written(finding: GoldFinding, known: set[str]) -> list[tuple[str, ...]]:
    """The finding's triplets as they stand there; of the relations every finding has, those that the gold gives."""
    own = [(name, value) for name, value in fixed(finding).items() if name in known]
    return [(finding.entity.lower(), name, value.lower()) for name, value in (*own, *described(finding))]


def shared(sides: Iterable[Iterable[Iterable[tuple[str, ...]]]]) -> Counts:
    """What both sides say of their findings, each as often as it is said.

    >>> shared([[[("a", "b")], [("a", "b")]], [[("a", "b"), ("c", "d")], [("e", "f")]]])
    Counts(tp=1, fp=1, fn=2)
    """
    ours, gold = (Counter(said for one in side for said in one) for side in sides)
    both = (ours & gold).total()
    return Counts(both, ours.total() - both, gold.total() - both)


def link_counts(
    mine: Sequence[GoldFinding],
    theirs: Sequence[GoldFinding],
    pairs: Iterable[tuple[int, int]],
    links: Callable[[GoldFinding], Sequence[str]],
) -> Counts:
    """Links between findings, with gold ids translated through the pairs."""
    to_mine = {theirs[j].id: mine[i].id for i, j in pairs}
    ours = {(f.id, target) for f in mine for target in links(f)}
    gold = [(to_mine.get(f.id), to_mine.get(target)) for f in theirs for target in links(f)]
    agreed = sum(link in ours for link in gold)
    return Counts(agreed, len(ours) - agreed, len(gold) - agreed)


# ---- timelines
def compare_patients(gold: GoldPatient, found: GoldPatient) -> Agreement:
    """One patient's groups against a person's: pairs of observations that both sides have."""
    pairs = paired_observations(gold.observations, found.observations)
    entity, temporal = Counts(0.0, 0.0, 0.0), Counts(0.0, 0.0, 0.0)
    for (a, x), (b, y) in combinations(pairs, 2):
        together, ours = a.entity_group == b.entity_group, x.entity_group == y.entity_group
        entity += outcome(together, ours)
        same = together and a.temporal_group == b.temporal_group
        temporal += outcome(same, ours and x.temporal_group == y.temporal_group)
    missed, extra = len(gold.observations) - len(pairs), len(found.observations) - len(pairs)
    return Agreement(
        patients=1,
        observations=Counts(len(pairs), extra, missed),
        entity_groups=entity,
        temporal_groups=temporal,
    )


def outcome(gold: bool, ours: bool) -> Counts:
    return Counts(gold and ours, ours and not gold, gold and not ours)


def paired_observations(
    gold: Sequence[GoldObservation], found: Sequence[GoldObservation]
) -> list[tuple[GoldObservation, GoldObservation]]:
    """(gold, ours) one to one, inside each study."""
    pairs = []
    for study in dict.fromkeys(str(o.study) for o in gold):
        theirs = [o for o in gold if str(o.study) == study]
        mine = [o for o in found if str(o.study) == study]
        table = [[observation_likeness(a, b) for b in mine] for a in theirs]
        pairs += [(theirs[i], mine[j]) for i, j in pair_up(table, OBSERVATION)]
    return pairs


def observation_likeness(one: GoldObservation, other: GoldObservation) -> float:
    entity = closeness(one.entity, other.entity)
    if entity < OBSERVATION or opposed(one.entity, other.entity):
        return 0.0
    places = [o.location if isinstance(o.location, str) else " ".join(o.location) for o in (one, other)]
    return entity + 0.3 * word_overlap(*places) + 0.1 * (one.status == other.status)


def agreement(
    reports: Mapping[str, tuple[GoldReport, GoldReport]],
    patients: Mapping[str, tuple[GoldPatient, GoldPatient]],
) -> Agreement:
    """All (gold, ours) pairs summed up."""
    total = Agreement()
    for gold, found in reports.values():
        total += compare_reports(gold, found)
    for known, followed in patients.values():
        total += compare_patients(known, followed)
    return total


WIDTHS = 34, 10, 10, 10, 15


def render(found: Agreement, unmatched: int = 0) -> str:
    """Counts as precision, recall and F1, the thresholds of the fuzzy match below."""
    lines = [f"{found.reports} reports, {found.patients} patients compared"]
    if unmatched:
        lines.append(f"{unmatched} of the gold file without a view or timeline: not counted")
    lines.append(in_columns(("", "precision", "recall", "F1", "published F1"), *WIDTHS))
    if found.reports:
        lines += [
            row("entities", found.entities),
            row("entity-relation pairs", found.relations, "entity-relation"),
            row("  as written", found.written_pairs),
            row("entity-relation-value triplets", found.triplets, "triplet"),
            row("  the same words only", found.exact_triplets),
            row("  as written", found.written_triplets),
            row("attribute values alone", found.values),
            row("  the same words only", found.exact_values),
            row("evidence links", found.evidence),
            row("associate links", found.associate),
        ]
    if found.patients:
        lines += [
            row("observations found", found.observations),
            row("entity groups, same-group pairs", found.entity_groups, "entity groups"),
            row("temporal groups, same-group pairs", found.temporal_groups, "temporal groups"),
        ]
    lines += [
        f"Fuzzy match by the letters two phrases share (plural and small words aside): entities from {ENTITY:.2f},",
        f"attribute values from {VALUE:.2f}, observations from {OBSERVATION:.2f}; another side, level, number or",
        "direction never matches. As written: the very same entity, relation and words, nothing paired beforehand.",
        "Same-group pairs are counted over the observations that both sides have.",
        "Published: best language model with five examples, Table 1.",
    ]
    return "\n".join(lines) + "\n"


def row(name: str, counts: Counts, task: str | None = None) -> str:
    known = f"{published()['structuring'][task]['published'][0]:.2f}" if task else ""
    return in_columns((name, *map(figure, (counts.precision, counts.recall, counts.f1)), known), *WIDTHS)


COLUMNS = ("patient", "people's group", "our group", "findings", "which")
NONE = "–"
"""On a side that does not have the finding."""


def rows(patients: Mapping[str, tuple[GoldPatient, GoldPatient]]) -> list[tuple[str, ...]]:
    """A row for each two groups that share findings; findings that one side lacks stand opposite a dash."""
    found: list[tuple[str, ...]] = [COLUMNS]
    for id, (gold, ours) in patients.items():
        cells: dict[tuple[str, str], list[str]] = {}
        for theirs, mine in held(gold, ours):
            said = theirs or mine
            assert said is not None
            both = group_of(theirs), group_of(mine)
            cells.setdefault(both, []).append(f"{said.study}: {said.entity}")
        found += [(id, *both, str(len(which)), "; ".join(which)) for both, which in sorted(cells.items())]
    return found


def held(
    gold: GoldPatient, ours: GoldPatient
) -> Iterable[tuple[GoldObservation | None, GoldObservation | None]]:
    pairs = paired_observations(gold.observations, ours.observations)
    yield from pairs
    known = {id(one) for pair in pairs for one in pair}
    yield from ((one, None) for one in gold.observations if id(one) not in known)
    yield from ((None, one) for one in ours.observations if id(one) not in known)


def group_of(one: GoldObservation | None) -> str:
    return NONE if one is None else one.entity_group


# ---- the same as a picture
CELL, LEFT, HEAD, GAP = 22, 260, 150, 40


def picture(patients: Mapping[str, tuple[GoldPatient, GoldPatient]]) -> str:
    """Figure B.1: a matrix for each patient; one dark square a row and column is agreement."""
    table = rows(patients)[1:]
    panels, y, widest = [], 60, 1
    for id in patients:
        own = [(one, two, int(n)) for patient, one, two, n, _ in table if patient == id]
        ours, theirs = (list(dict.fromkeys(one[side] for one in own)) for side in (0, 1))
        most = max((n for _, _, n in own), default=1)
        cells = [
            {"row": ours.index(one), "column": theirs.index(two), "shade": round(0.2 + 0.8 * n / most, 2)}
            | {"count": n, "told": f"{one} / {two}: {n}"}
            for one, two, n in own
        ]
        head = {"title": f"Patient {id}: people's groups down, ours across", "y": y, "top": y + HEAD}
        panels.append({**head, "rows": ours, "columns": theirs, "cells": cells})
        y += HEAD + CELL * len(ours) + GAP
        widest = max(widest, len(theirs))
    width = LEFT + CELL * widest + 180
    sizes = {"width": width, "height": y, "left": LEFT, "cell": CELL}
    return svg("matrix", title="Entity groups side by side", panels=panels, **sizes)
