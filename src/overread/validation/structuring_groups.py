"""Which of our groups hold the findings of each of people's groups: the LUNGUAGE paper's Figure B.1 as a table."""

from collections.abc import Iterable, Mapping
from importlib.resources import files

from msgspec import Struct

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


# ---- the same as a picture
CELL, LEFT, HEAD, GAP = 22, 260, 150, 40


class Square(Struct, frozen=True):
    """Findings that two groups share."""

    row: int
    column: int
    count: int
    shade: float
    told: str


class Panel(Struct, frozen=True):
    """One patient: people's groups down, ours across."""

    title: str
    y: int
    top: int
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[Square, ...]


def picture(patients: Mapping[str, tuple[GoldPatient, GoldPatient]]) -> str:
    """Figure B.1: a matrix for each patient; one dark square a row and column is agreement."""
    from jinja2 import Environment

    table = rows(patients)[1:]
    panels, y, widest = [], 60, 1
    for id in patients:
        own = [(one, two, int(n)) for patient, one, two, n, _ in table if patient == id]
        ours, theirs = (
            tuple(dict.fromkeys(one for one, _, _ in own)),
            tuple(dict.fromkeys(two for _, two, _ in own)),
        )
        most = max((n for _, _, n in own), default=1)
        cells = tuple(
            Square(
                ours.index(one), theirs.index(two), n, round(0.2 + 0.8 * n / most, 2), f"{one} / {two}: {n}"
            )
            for one, two, n in own
        )
        panels.append(
            Panel(f"Patient {id}: people's groups down, ours across", y, y + HEAD, ours, theirs, cells)
        )
        y += HEAD + CELL * len(ours) + GAP
        widest = max(widest, len(theirs))
    template = files("overread.validation").joinpath("matrix.svg").read_text("utf-8")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    drawn = environment.from_string(template).render(
        title="Entity groups side by side",
        panels=panels,
        width=LEFT + CELL * widest + 180,
        height=y,
        left=LEFT,
        cell=CELL,
    )
    return drawn + "\n"
