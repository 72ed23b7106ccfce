"""Which of our groups hold the findings of each of people's groups: the LUNGUAGE paper's Figure B.1 as a table."""

from collections.abc import Iterable, Mapping

from overread.validation.drawing import svg
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


def picture(patients: Mapping[str, tuple[GoldPatient, GoldPatient]]) -> str:
    """Figure B.1: a matrix for each patient; one dark square a row and column is agreement."""
    table = rows(patients)[1:]
    panels, y, widest = [], 60, 1
    for id in patients:
        own = [(one, two, int(n)) for patient, one, two, n, _ in table if patient == id]
        ours, theirs = (
            list(dict.fromkeys(one for one, _, _ in own)),
            list(dict.fromkeys(two for _, two, _ in own)),
        )
        most = max((n for _, _, n in own), default=1)
        cells = [
            {"row": ours.index(one), "column": theirs.index(two), "shade": round(0.2 + 0.8 * n / most, 2)}
            | {"count": n, "told": f"{one} / {two}: {n}"}
            for one, two, n in own
        ]
        title = f"Patient {id}: people's groups down, ours across"
        panels.append(
            {"title": title, "y": y, "top": y + HEAD, "rows": ours, "columns": theirs, "cells": cells}
        )
        y += HEAD + CELL * len(ours) + GAP
        widest = max(widest, len(theirs))
    width = LEFT + CELL * widest + 180
    title = "Entity groups side by side"
    return svg("matrix", title=title, panels=panels, width=width, height=y, left=LEFT, cell=CELL)
