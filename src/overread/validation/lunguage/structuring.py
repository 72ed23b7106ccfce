"""Is the structuring right? Findings against a gold file, groups and episodes against a gold timeline.

Findings are paired one to one inside their sentence by fuzzy entity; then every (entity, relation) pair and every
(entity, relation, value) triplet counts once: fuzzily, where values alike in letters agree unless they differ in side,
level, number or direction, and exactly, where only the same words do. As written, without any pairing, a pair or
triplet is right where the other side has the very same entity, relation and words. Groups are judged by pairs of
observations: are two that belong together put together? Category, status and certainty count as relations; links are
counted apart.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from msgspec import Struct

from overread.stats.agreement import Counts, counts_of_sets
from overread.systems.lunguage.likeness import lunguage_constants
from overread.validation.annotated import GoldFinding, GoldObservation, GoldPatient, GoldReport
from overread.validation.fuzzy import closeness, likeness, likest_pairs, opposed, same, word_overlap
from overread.validation.shown import NOTES, figure, shipped_rows, svg, table

ENTITY = 0.7
VALUE = 0.6
OBSERVATION = 0.6
"""Least likeness of two entities, of two attribute values, of two observations of one study."""


SideItem = TypeVar("SideItem")
SideBySide = Sequence[tuple[SideItem | None, SideItem | None]]
"""What two sides have, paired or alone; None on a side that does not have it."""


class StructuringAgreement(Struct, frozen=True):
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

    def __add__(self, other: "StructuringAgreement") -> "StructuringAgreement":
        return StructuringAgreement(
            *(getattr(self, name) + getattr(other, name) for name in self.__struct_fields__)
        )


# ---- findings
def compare_reports(gold: GoldReport, found: GoldReport) -> StructuringAgreement:
    """One report's findings against a person's: paired findings get one number, then what both sides say is counted."""
    places = {id(f): sentence_text(f, side) for side in (found, gold) for f in side.findings}

    def alike(one: GoldFinding, other: GoldFinding) -> float:
        return finding_likeness(one, other, places[id(one)], places[id(other)])

    beside = likest_pairs(found.findings, gold.findings, alike, ENTITY)
    known = {name for one in gold.findings for name in fixed(one)}
    of_both = [set.intersection(*(set(fixed(one)) for one in pair if one)) for pair in beside]

    def always(n: int, one: GoldFinding) -> list[tuple[int, str, str]]:
        """Of the relations every finding has, those that both findings of a pair give."""
        return [(n, name, value) for name, value in fixed(one).items() if name in of_both[n]]

    def relations(n: int, one: GoldFinding) -> set[tuple[int, str]]:
        return {(n, name) for _, name, _ in always(n, one)} | {(n, name) for name, _ in relation_values(one)}

    def written(_: int, one: GoldFinding) -> list[tuple[str, str, str]]:
        """As it stands there; of the relations every finding has, those that the gold gives somewhere."""
        own = [(name, value) for name, value in fixed(one).items() if name in known]
        return [(one.entity.lower(), name, value.lower()) for name, value in (*own, *relation_values(one))]

    values, exact = (sum((value_counts(*pair, how) for pair in beside), Counts()) for how in (likeness, same))
    own = said_by_both(beside, always)
    return StructuringAgreement(
        reports=1,
        entities=said_by_both(beside, lambda n, _: [n]),
        relations=said_by_both(beside, relations),
        triplets=values + own,
        values=values,
        exact_triplets=exact + own,
        exact_values=exact,
        written_pairs=said_by_both(beside, lambda n, one: {said[:2] for said in written(n, one)}),
        written_triplets=said_by_both(beside, written),
        evidence=link_counts(beside, "evidence"),
        associate=link_counts(beside, "associate"),
    )


def said_by_both(
    beside: SideBySide[GoldFinding], said: Callable[[int, GoldFinding], Iterable[Hashable]]
) -> Counts:
    """What both sides say of their findings, each as often as it is said.

    >>> pair = (GoldFinding("a", "positive"), GoldFinding("b", "positive"))
    >>> said_by_both([pair], lambda _, one: [one.entity, one.status])
    Counts(tp=1, fp=1, fn=1)
    """
    ours, gold = (
        Counter(one for n, pair in enumerate(beside) if (f := pair[side]) for one in said(n, f))
        for side in (0, 1)
    )
    return Counts((ours & gold).total(), (ours - gold).total(), (gold - ours).total())


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


def relation_values(finding: GoldFinding) -> list[tuple[str, str]]:
    return [(name, value) for name, values in finding.attributes.items() for value in values]


def value_counts(
    mine: GoldFinding | None, theirs: GoldFinding | None, alike: Callable[[str, str], float]
) -> Counts:
    """Values of one relation paired one to one, from `VALUE` on."""
    ours, gold = (relation_values(one) if one else [] for one in (mine, theirs))
    pairs = likest_pairs(ours, gold, lambda a, b: alike(a[1], b[1]) if a[0] == b[0] else 0.0, VALUE)
    agreed = sum(None not in pair for pair in pairs)
    return Counts(agreed, len(ours) - agreed, len(gold) - agreed)


def link_counts(beside: SideBySide[GoldFinding], relation: str) -> Counts:
    """Links between findings, with gold ids translated through the pairs."""
    to_mine = {theirs.id: mine.id for mine, theirs in beside if mine and theirs}
    ours = {(f.id, target) for f, _ in beside if f for target in getattr(f, relation)}
    links = [(f.id, target) for _, f in beside if f for target in getattr(f, relation)]
    agreed = sum((to_mine.get(one), to_mine.get(other)) in ours for one, other in links)
    return Counts(agreed, len(ours) - agreed, len(links) - agreed)


# ---- timelines
def compare_patients(gold: GoldPatient, found: GoldPatient) -> StructuringAgreement:
    """One patient's groups against a person's: pairs of observations that both sides have."""
    beside = observations_beside(gold, found)
    pairs = [pair for pair in beside if all(pair)]

    def together(*fields: str) -> Counts:
        """Pairs of observations that are in one group."""
        groups = [[[getattr(pair[side], name) for name in fields] for pair in pairs] for side in (0, 1)]
        numbers = list(combinations(range(len(pairs)), 2))
        return counts_of_sets(*({(i, j) for i, j in numbers if own[i] == own[j]} for own in groups))

    missed, extra = (sum(pair[side] is None for pair in beside) for side in (1, 0))
    return StructuringAgreement(
        patients=1,
        observations=Counts(len(pairs), extra, missed),
        entity_groups=together("entity_group"),
        temporal_groups=together("entity_group", "temporal_group"),
    )


def observations_beside(gold: GoldPatient, found: GoldPatient) -> SideBySide[GoldObservation]:
    """A person's and ours, one to one, inside each study."""
    return likest_pairs(gold.observations, found.observations, observation_likeness, OBSERVATION)


def observation_likeness(one: GoldObservation, other: GoldObservation) -> float:
    if str(one.study) != str(other.study):
        return 0.0
    entity = closeness(one.entity, other.entity)
    if entity < OBSERVATION or opposed(one.entity, other.entity):
        return 0.0
    places = [o.location if isinstance(o.location, str) else " ".join(o.location) for o in (one, other)]
    return entity + 0.3 * word_overlap(*places) + 0.1 * (one.status == other.status)


def agreement(
    reports: Mapping[str, tuple[GoldReport, GoldReport]],
    patients: Mapping[str, tuple[GoldPatient, GoldPatient]],
) -> StructuringAgreement:
    """All (gold, ours) pairs summed up."""
    found = [compare_reports(*pair) for pair in reports.values()]
    return sum((*found, *(compare_patients(*pair) for pair in patients.values())), StructuringAgreement())


def render(found: StructuringAgreement, unmatched: int = 0) -> str:
    """Counts as precision, recall and F1, the thresholds of the fuzzy match below."""
    lines = [f"{found.reports} reports, {found.patients} patients compared"]
    if unmatched:
        lines.append(f"{unmatched} of the gold file without a view or timeline: not counted")
    cells: list[tuple[str, ...]] = [("", "precision", "recall", "F1", "published F1")]
    for line in shipped_rows("lunguage/levels.tsv", "of", "depth", "name", "level", "task"):
        if getattr(found, line["of"]):
            counts = getattr(found, line["level"])
            printed = lunguage_constants()["structuring"].get(line["task"])
            told = map(figure, (counts.precision, counts.recall, counts.f1))
            name = "  " * int(line["depth"]) + line["name"]
            cells.append((name, *told, f"{printed['published'][0]:.2f}" if printed else ""))
    lines += table(*cells)
    lines.append(NOTES["structuring"].format(entity=ENTITY, value=VALUE, observation=OBSERVATION))
    return "\n".join(lines) + "\n"


GROUP_COLUMNS = ("patient", "people's group", "our group", "findings", "which")
NONE = "–"
"""On a side that does not have the finding."""


def group_rows(patients: Mapping[str, tuple[GoldPatient, GoldPatient]]) -> list[tuple[str, ...]]:
    """A row for each two groups that share findings; findings that one side lacks stand opposite a dash."""
    found: list[tuple[str, ...]] = [GROUP_COLUMNS]
    for id, both in patients.items():
        cells: dict[tuple[str, ...], list[str]] = {}
        for beside in observations_beside(*both):
            said = next(one for one in beside if one)
            groups = tuple(one.entity_group if one else NONE for one in beside)
            cells.setdefault(groups, []).append(f"{said.study}: {said.entity}")
        found += [(id, *groups, str(len(which)), "; ".join(which)) for groups, which in sorted(cells.items())]
    return found


def picture(patients: Mapping[str, tuple[GoldPatient, GoldPatient]]) -> str:
    """Figure B.1: a matrix for each patient; one dark square a row and column is agreement."""
    shared: dict[str, dict[tuple[str, str], int]] = {id: {} for id in patients}
    for id, one, two, n, _ in group_rows(patients)[1:]:
        shared[id][one, two] = int(n)
    panels = []
    for id, counts in shared.items():
        theirs, ours = (list(dict.fromkeys(groups[side] for groups in counts)) for side in (0, 1))
        panels.append((id, theirs, ours, counts, max(counts.values(), default=1)))
    return svg("matrix", panels=panels)
