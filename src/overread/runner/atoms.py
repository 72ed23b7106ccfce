"""Where RadSEM's sentences stand in the two reports, and which of them deny each other: for the page."""

from typing import Any

from overread.systems.radsem.match import matching
from overread.systems.radsem.schema import Atoms


def with_atoms(detail: dict[str, Any], reference: Atoms, candidate: Atoms) -> dict[str, Any]:
    """The detail of a score, with every atom's place and the pairs that were refused as contradictions."""
    refs, gens = reference.atoms, candidate.atoms
    refused = [(refs[i].text, gens[j].text) for i, j in matching(refs, gens).contradicted]
    return {**detail, "reference": placed(reference), "candidate": placed(candidate), "contradicted": refused}


def placed(view: Atoms) -> list[dict[str, Any]]:
    return [{"text": a.text, "normality": a.normality, "start": a.start, "end": a.end} for a in view.atoms]
