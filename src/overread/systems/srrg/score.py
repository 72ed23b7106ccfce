"""F1-SRR: SrrgView × SrrgView → Score.

Findings are compared header by header, the impression as one block. Inside a header the labels of all lines
are pooled (unaligned), or the n-th line is held against the n-th (aligned). The score of a pair is the mean
over its headers, the score of a corpus the mean over all headers of all pairs; a header that only one side
has scores 0.
"""

from collections.abc import Mapping

import msgspec

from overread.systems.base import Score
from overread.systems.srrg.averages import Scores, Tally, tallies
from overread.systems.srrg.cells import Cell, Settings, cells, ordered
from overread.systems.srrg.detail import told
from overread.systems.srrg.schema import SrrgView


def score(reference: SrrgView, candidate: SrrgView, settings: Settings) -> Score:
    """F1-SRR of one pair."""
    found = list(cells(reference, candidate, settings))
    defined = [(cell, cell.scores) for cell in found if cell.scores is not None]
    counts = counted(found)
    if not defined:
        missing = "a label of this space" if found else "a line"
        return Score(None, why=f"neither report has {missing} in its {settings.section}", counts=counts)
    return Score(
        value=counts["f1"] / counts["cells"],
        precision=counts["precision"] / counts["cells"],
        recall=counts["recall"] / counts["cells"],
        counts=counts,
        detail={"settings": settings.named(), "headers": [told(cell, settings) for cell in found]},
    )


def counted(found: list[Cell]) -> dict[str, float]:
    """Sufficient statistics: cells and their sums, by header too; header presence; labels."""
    counts: dict[str, float] = {"cells": 0, "f1": 0, "precision": 0, "recall": 0, "undefined": 0}
    for cell in found:
        if cell.scores is None:
            counts["undefined"] += 1
            continue
        amounts = {"cells": 1.0, **msgspec.structs.asdict(cell.scores)}
        for name, amount in amounts.items():
            counts[name] += amount
            counts[f"{name}|{cell.name}"] = amount
    for name, amount in header_counts(found).items():
        counts[f"headers:{name}"] = amount
    for label, tally in tallies([row for cell in found for row in cell.rows]).items():
        for name, amount in msgspec.structs.asdict(tally).items():
            counts[f"{name}:{label}"] = amount
    return counts


def header_counts(found: list[Cell]) -> dict[str, float]:
    """Headers both sides have, only the candidate has, only the reference has."""
    both = sum(1 for cell in found if cell.reference and cell.candidate)
    invented = sum(1 for cell in found if not cell.reference)
    return {"hit": both, "invented": invented, "missed": len(found) - both - invented}


def corpus(counts: Mapping[str, float]) -> float | None:
    """Mean over all cells of all pairs."""
    return counts["f1"] / counts["cells"] if counts.get("cells") else None


def per_header(counts: Mapping[str, float]) -> dict[str, Scores]:
    """The table of organs: mean over the cells of each header."""
    names = [key.partition("|")[2] for key in counts if key.startswith("cells|")]
    return {
        name: Scores(
            *(counts[f"{part}|{name}"] / counts[f"cells|{name}"] for part in Scores.__struct_fields__)
        )
        for name in ordered({*names})
    }


def per_label(counts: Mapping[str, float]) -> dict[str, Tally]:
    """The table of labels: hits, inventions and misses of each over the corpus."""
    names = [key.partition(":")[2] for key in counts if key.startswith("hit:")]
    return {name: Tally(*(counts[f"{part}:{name}"] for part in Tally.__struct_fields__)) for name in names}


def headers(reference: SrrgView, candidate: SrrgView) -> Score:
    """F1 of the headers that are present: did the candidate speak of the same organ systems?"""
    found = list(cells(reference, candidate, Settings()))
    if not found:
        return Score(None, why="neither report has a line in its findings")
    counts = header_counts(found)
    one = Tally(**counts).scores
    return Score(one.f1, precision=one.precision, recall=one.recall, counts=counts)


def headers_corpus(counts: Mapping[str, float]) -> float | None:
    return Tally(**counts).scores.f1 if any(counts.values()) else None
