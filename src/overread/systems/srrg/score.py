"""F1-SRR: SrrgView × SrrgView → Score, and its metrics by name: the paper's setting, and each setting changed alone.

Findings are compared header by header, the impression as one block. A row is a header with the labels of all its
lines pooled (unaligned), or one line held against the line of the same number (aligned); what only one side has
is held against nothing.

The score of a corpus is the average over labels from their counts in all rows of all pairs, as a classification
report gives it. The score of one pair is the micro F1 of its rows: averaging by support would weigh only what the
reference names, and an invented disease would cost a single pair nothing."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import msgspec
from msgspec.structs import asdict, astuple

from overread.stats.agreement import Counts, counts_of_sets
from overread.systems.base import Metric, Score
from overread.systems.srrg.cells import (
    NOWHERE,
    Average,
    HeaderCell,
    LabelScoring,
    Rows,
    Scores,
    averaged,
    cell_told,
    cells,
    of_labels,
    ordered,
    per_label,
)
from overread.systems.srrg.labels import space
from overread.systems.srrg.schema import HEADERS, SrrgView
from overread.systems.tables import facts_in

PARTS = ("hit", "invented", "missed")
"""What the counts of a label are called in files."""
Summed = Callable[[Mapping[str, float]], Scores | None]
"""What summed counts come to."""

FOR_TABLES = "organ|"
"""What names of counts begin with that only tables of a finished run use; no score is made from them."""


def score(reference: SrrgView, candidate: SrrgView, settings: LabelScoring) -> Score:
    """F1-SRR of one pair."""
    found = list(cells(reference, candidate, settings))
    rows = [row for cell in found for row in cell.rows]
    counts = statistics_of(found, rows)
    one = mean_of_cells(counts) if settings.by_cell else averaged(rows, settings.of_a_pair)
    if one is None:
        missing = "a label of this space" if found else "a line"
        return Score(None, why=f"neither report has {missing} in its {settings.section}", counts=counts)
    told = [cell_told(cell, settings) for cell in found]
    detail = {"settings": msgspec.to_builtins(settings), "headers": told}
    return Score(one.f1, None, one.precision, one.recall, counts, detail=detail)


def mean_of_cells(counts: Mapping[str, float]) -> Scores | None:
    """The released code's way: the mean over headers, whatever they hold."""
    if not counts.get("cells"):
        return None
    return Scores(*(counts[part] / counts["cells"] for part in Scores.__struct_fields__))


def statistics_of(found: list[HeaderCell], rows: Rows) -> dict[str, float]:
    """Sufficient statistics: cells and their sums, by header too; header presence; labels; rows."""
    counts: dict[str, float] = {"cells": 0, "f1": 0, "precision": 0, "recall": 0, "undefined": 0}
    for cell in found:
        if cell.scores is None:
            counts["undefined"] += 1
            continue
        for name, amount in {"cells": 1.0, **asdict(cell.scores)}.items():
            counts[name] += amount
            counts[f"{name}|{cell.name}"] = amount
        own = label_counts(cell.rows, f"{FOR_TABLES}{cell.name}|{{}}|{{}}")
        counts |= {name: amount for name, amount in own.items() if amount}
    filled = [Scores.of(counts_of_sets(*row)).f1 for row in rows if row[0] or row[1]]
    counts |= {f"headers:{name}": amount for name, amount in header_counts(found).items()}
    return counts | label_counts(rows) | {"rows": float(len(filled)), "rows:f1": sum(filled)}


BY_LABEL = "{}:{}"
"""How the counts of a label are named: part and label."""


def label_counts(rows: Rows, named: str = BY_LABEL) -> dict[str, float]:
    return {
        named.format(part, label): amount
        for label, one in per_label(rows).items()
        for part, amount in zip(PARTS, astuple(one), strict=True)
    }


def labels_of(counts: Mapping[str, float], names: Iterable[str], named: str = BY_LABEL) -> dict[str, Counts]:
    """The labels that occur, with their counts."""
    found = {name: Counts(*(counts.get(named.format(p, name), 0.0) for p in PARTS)) for name in names}
    return {name: one for name, one in found.items() if any(astuple(one))}


def header_counts(found: list[HeaderCell]) -> dict[str, float]:
    """Headers both sides have, only the candidate has, only the reference has."""
    told = [outcome(cell) for cell in found]
    return {part: told.count(part) for part in PARTS}


def corpus_f1(counts: Mapping[str, float], settings: LabelScoring) -> float | None:
    """The average over all rows of all pairs; labels weigh by how often the references of the corpus have them."""
    if settings.average == "samples" and not settings.by_cell:
        return counts["rows:f1"] / counts["rows"] if counts.get("rows") else None
    return f1(counts, partial(corpus_scores, settings=settings))


def corpus_scores(counts: Mapping[str, float], settings: LabelScoring) -> Scores | None:
    """Precision, recall and F1 of many pairs, as the paper's tables have them; samples are averaged for F1 alone."""
    if settings.by_cell:
        return mean_of_cells(counts)
    if settings.average == "samples":
        return None
    return of_labels(labels_of(counts, space(settings.space).names), settings.average)


def f1(counts: Mapping[str, float], scores: Summed) -> float | None:
    found = scores(counts)
    return found.f1 if found else None


def precision_and_recall(counts: Mapping[str, float], scores: Summed) -> tuple[float, float] | None:
    """Precision and recall of many pairs."""
    found = scores(counts)
    return (found.precision, found.recall) if found else None


class Organ(Scores, frozen=True, forbid_unknown_fields=True):
    """One header over a corpus: averages over its labels, weighted by how often the references have them (Table 8)."""

    mean: float
    """Mean F1 of the reports that have it on either side; 0 where only one side has it."""

    reports: int
    """How many these are."""


def per_header(counts: Mapping[str, float]) -> dict[str, Organ]:
    """The table of organs, each from its own rows of the whole corpus."""
    found = {}
    for name in ordered({key.partition("|")[2] for key in counts if key.startswith("cells|")}):
        start = f"{FOR_TABLES}{name}|"
        labels = {key.split("|")[3] for key in counts if key.startswith(start)}
        one = of_labels(labels_of(counts, labels, start + "{}|{}"), "weighted") or NOWHERE
        reports = int(counts[f"cells|{name}"])
        found[name] = Organ(**asdict(one), mean=counts[f"f1|{name}"] / reports, reports=reports)
    return found


def headers(reference: SrrgView, candidate: SrrgView) -> Score:
    """F1 of the headers that are present: did the candidate speak of the same organ systems?"""
    found = list(cells(reference, candidate, LabelScoring()))
    if not found:
        return Score(None, why="neither report has a line in its findings")
    counts = header_counts(found)
    one = Scores.of(Counts(*(counts[part] for part in PARTS)))
    each = {f"{outcome(cell)}:{cell.name}": 1.0 for cell in found}
    return Score(one.f1, precision=one.precision, recall=one.recall, counts=counts | each)


def outcome(cell: HeaderCell) -> str:
    if not cell.reference:
        return "invented"
    return "hit" if cell.candidate else "missed"


def header_scores(counts: Mapping[str, float], average: Average) -> Scores | None:
    """Headers as the labels of a classification report (Category in the paper, which weighs by support)."""
    return of_labels(labels_of(counts, HEADERS), average)


def variants() -> dict[str, LabelScoring]:
    """Name → settings: the paper's, and each setting changed alone, for findings and for the impression."""
    changed = {"": {}, **facts_in("srrg", "variants.toml")}
    return {
        f"{name}{behind}": msgspec.convert({"section": section, **changes}, LabelScoring)
        for name, section in (("f1-srr", "findings"), ("f1-srr-impression", "impression"))
        for behind, changes in changed.items()
    }


SRRG_LAWS = frozenset({"identity", "bounded", "symmetric"})


def metric_of(name: str, settings: LabelScoring) -> Metric:
    """The metric of these settings; one of a space without statuses says what it cannot hear."""
    statuses, dropped = settings.space.endswith("statuses"), settings.extra == "dropped"
    labels = "55 diseases" if settings.space.startswith("leaves") else "groups of diseases"
    labels += " with statuses" if statuses else ""
    average = "mean over sections" if settings.over == "sections" else f"{settings.average} average"
    about = f"F1 of SRR labels, {settings.section}: {labels}, lines {settings.lines}, {average}"
    about += ", extra lines dropped" if dropped else ""
    about += "" if statuses else "; blind to negation (a label counts whether affirmed or denied)"
    return Metric(
        name,
        about,
        partial(score, settings=settings),
        partial(corpus_f1, settings=settings),
        SRRG_LAWS - ({"symmetric"} if dropped else set()),
        negation=statuses,
        rates=partial(precision_and_recall, scores=partial(corpus_scores, settings=settings)),
    )


def headers_metric(average: Average) -> Metric:
    """Which headers are there, over a corpus as the paper has it (weighted) or of the pooled counts."""
    scores = partial(header_scores, average=average)
    return Metric(
        "srr-headers" if average == "weighted" else f"srr-headers-{average}",
        f"F1 of the template's headers that are present (Category in the paper), {average} average",
        headers,
        partial(f1, scores=scores),
        SRRG_LAWS,
        negation=False,
        rates=partial(precision_and_recall, scores=scores),
    )


METRICS: tuple[Metric, ...] = (
    *(metric_of(name, settings) for name, settings in variants().items()),
    headers_metric("weighted"),
    headers_metric("micro"),
)
