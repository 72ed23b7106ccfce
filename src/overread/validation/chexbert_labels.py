"""CheXbert as a labeller of reports and of lines, from the weights that `overread models get chexbert` fetches."""

from collections.abc import Iterable
from typing import Protocol

from overread.baselines.optional import NAMES, POSITIVE, UNCERTAIN, CheXbert
from overread.errors import BadInput
from overread.report import Report
from overread.systems.clear.schema import CONDITIONS, PRESENCE, Cell, Level, Table
from overread.weights import held

LEVELS: dict[int, Level] = {1: "confidently present", 2: "confidently absent", 3: "neutral"}


class Labels(Protocol):
    """What gives each of the fourteen conditions a class: 0 blank, 1 positive, 2 negative, 3 uncertain."""

    def classes(self, text: str) -> list[int]: ...


def chexbert() -> Labels:
    """The labeller in the folder that OVERREAD_MODELS names."""
    here = held("chexbert")
    if here is None:
        raise BadInput(
            "CheXbert's weights are not here. `overread models get chexbert --to FOLDER` puts them there, from a hub "
            "that you name or from a copy; then add --models FOLDER."
        )
    return CheXbert(here)


def tables(reports: Iterable[Report], labeller: Labels) -> dict[str, Table]:
    """A CLEAR table of each report, presence alone; what is blank is not mentioned."""
    return {one.id: table(one, labeller) for one in reports}


def table(report: Report, labeller: Labels) -> Table:
    said = dict(zip(NAMES, labeller.classes(report.text), strict=True))
    return Table(report.id, {name: cell(said[name]) for name in CONDITIONS})


def cell(said: int) -> Cell:
    level = LEVELS.get(said, "neutral")
    return Cell(PRESENCE[level], level, said in LEVELS)


def present(text: str, labeller: Labels) -> frozenset[str]:
    """The classes that are positive or uncertain."""
    told = zip(NAMES, labeller.classes(text), strict=True)
    return frozenset(name for name, said in told if said in (POSITIVE, UNCERTAIN))
