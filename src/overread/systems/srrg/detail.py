"""What a score was made of, for pages and people: plain JSON values with the words behind them."""

from typing import Any

from overread.systems.srrg.cells import Cell, Settings, labels
from overread.systems.srrg.labels import Label, space
from overread.systems.srrg.schema import Utterance


def told(cell: Cell, settings: Settings) -> dict[str, Any]:
    """One header for the page: its lines, and which labels were matched, missed, invented, contradicted."""
    names = space(settings.space)
    ours = frozenset[str]().union(*(labels(u, names) for u in cell.reference))
    theirs = frozenset[str]().union(*(labels(u, names) for u in cell.candidate))
    return {
        "header": cell.name,
        "f1": cell.scores.f1 if cell.scores else None,
        "reference": [line(u) for u in cell.reference],
        "candidate": [line(u) for u in cell.candidate],
        "matched": sorted(ours & theirs),
        "missed": sorted(ours - theirs),
        "invented": sorted(theirs - ours),
        "contradicted": sorted(contradicted(cell)),
    }


def line(utterance: Utterance) -> dict[str, Any]:
    return {
        "text": utterance.text,
        "start": utterance.start,
        "end": utterance.end,
        "labels": [str(Label(one.label, one.status)) for one in utterance.labels],
    }


def contradicted(cell: Cell) -> set[str]:
    """Diseases one side calls present and the other absent."""

    def called(side: tuple[Utterance, ...], status: str) -> set[str]:
        return {one.label for u in side for one in u.labels if one.status == status}

    ours, theirs = cell.reference, cell.candidate
    return (called(ours, "Present") & called(theirs, "Absent")) | (
        called(ours, "Absent") & called(theirs, "Present")
    )
