"""Where RadSEM's sentences stand in the two reports, and which of them deny each other: for the page."""

from typing import Any

from overread.systems.radsem.match import compared
from overread.systems.radsem.schema import Atoms

PLACE, FINDING = 0.5, 0.8
"""How alike place and finding of two sentences must be to say that one denies the other: `no pneumothorax` denies
an apical one."""


def with_atoms(detail: dict[str, Any], reference: Atoms, candidate: Atoms) -> dict[str, Any]:
    """The detail of a score, with every atom's place and the pairs that were refused as contradictions."""
    refs, gens = reference.atoms, candidate.atoms
    _, against = compared(refs, gens)
    refused = [
        (refs[i].text, gens[j].text)
        for (i, j), (place, finding) in sorted(against.items())
        if place >= PLACE and finding >= FINDING
    ]
    return {**detail, "reference": placed(reference), "candidate": placed(candidate), "contradicted": refused}


def placed(view: Atoms) -> list[dict[str, Any]]:
    return [{"text": a.text, "normality": a.normality, "start": a.start, "end": a.end} for a in view.atoms]
