"""Which of our groups hold the findings of each of people's groups: the LUNGUAGE paper's Figure B.1 as a table."""

from collections.abc import Iterable, Mapping

from overread.validation.structuring import GoldObservation, GoldPatient, paired_observations

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
