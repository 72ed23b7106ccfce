"""F1-SRR: SrrgView × SrrgView → Score.

Findings are compared header by header, the impression as one block. A row is a header with the labels of all its
lines pooled (unaligned), or one line held against the line of the same number (aligned); what only one side has
is held against nothing.

The score of a corpus is the average over labels from their counts in all rows of all pairs, as a classification
report gives it. The score of one pair is the micro F1 of its rows: averaging by support would weigh only what the
reference names, and an invented disease would cost a single pair nothing.
"""

from collections.abc import Iterable, Mapping

import msgspec

from overread.systems.base import Score
from overread.systems.srrg.averages import Rows, Scores, Tally, averaged, compare, of_labels, tallies
from overread.systems.srrg.cells import Cell, Settings, cells, ordered
from overread.systems.srrg.detail import told
from overread.systems.srrg.labels import space
from overread.systems.srrg.schema import SrrgView

PARTS = Tally.__struct_fields__


def score(reference: SrrgView, candidate: SrrgView, settings: Settings) -> Score:
    """F1-SRR of one pair."""
    found = list(cells(reference, candidate, settings))
    counts = counted(found)
    one = mean_of_cells(counts) if settings.by_cell else averaged(rows_of(found), settings.of_a_pair)
    if one is None:
        missing = "a label of this space" if found else "a line"
        return Score(None, why=f"neither report has {missing} in its {settings.section}", counts=counts)
    return Score(
        value=one.f1,
        precision=one.precision,
        recall=one.recall,
        counts=counts,
        detail={"settings": settings.named(), "headers": [told(cell, settings) for cell in found]},
    )


def rows_of(found: list[Cell]) -> Rows:
    return [row for cell in found for row in cell.rows]


def mean_of_cells(counts: Mapping[str, float]) -> Scores | None:
    """The released code's way: the mean over headers, whatever they hold."""
    if not counts.get("cells"):
        return None
    return Scores(*(counts[part] / counts["cells"] for part in Scores.__struct_fields__))


def counted(found: list[Cell]) -> dict[str, float]:
    """Sufficient statistics: cells and their sums, by header too; header presence; labels; rows."""
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
    for label, tally in tallies(rows_of(found)).items():
        for name, amount in msgspec.structs.asdict(tally).items():
            counts[f"{name}:{label}"] = amount
    return counts | row_counts(rows_of(found))


def row_counts(rows: Rows) -> dict[str, float]:
    """Rows that hold a label, and the sum of what each of them scores."""
    filled = [compare(*row).scores.f1 for row in rows if row[0] or row[1]]
    return {"rows": float(len(filled)), "rows:f1": sum(filled)}


def header_counts(found: list[Cell]) -> dict[str, float]:
    """Headers both sides have, only the candidate has, only the reference has."""
    both = sum(1 for cell in found if cell.reference and cell.candidate)
    invented = sum(1 for cell in found if not cell.reference)
    return {"hit": both, "invented": invented, "missed": len(found) - both - invented}


def corpus(counts: Mapping[str, float], settings: Settings) -> float | None:
    """The average over all rows of all pairs; labels weigh by how often the references of the corpus have them."""
    if settings.by_cell:
        found = mean_of_cells(counts)
    elif settings.average == "samples":
        return counts["rows:f1"] / counts["rows"] if counts.get("rows") else None
    else:
        found = of_labels(labels_of(counts, space(settings.space).names), settings.average)
    return found.f1 if found else None


def labels_of(counts: Mapping[str, float], names: Iterable[str]) -> dict[str, Tally]:
    """The labels that occur, with their counts."""
    found = {name: Tally(*(counts.get(f"{part}:{name}", 0.0) for part in PARTS)) for name in names}
    return {name: one for name, one in found.items() if one.hit or one.invented or one.missed}


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
    return labels_of(counts, [key.partition(":")[2] for key in counts if key.startswith("hit:")])


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
