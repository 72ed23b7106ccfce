"""What F1-SRR compares: the lines two reports have under a header, pooled or one by one, and how they are averaged."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Literal

from msgspec import Struct, structs

from overread.stats.agreement import Counts, counts_of_sets, pooled, total
from overread.systems.base import Score
from overread.systems.srrg.labels import SpaceName, space
from overread.systems.srrg.schema import HEADERS, SectionOfInterest, SrrgView, Utterance

# ---- averages
Average = Literal["weighted", "micro", "macro", "samples"]
Rows = Sequence[tuple[frozenset[str], frozenset[str]]]


class Scores(Struct, frozen=True):
    """The three numbers of a table's row; what is undefined counts 0."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, counts: Counts) -> "Scores":
        """
        >>> Scores.of(Counts(3, 1, 2)).f1, Scores.of(Counts()).recall
        (0.6666666666666666, 0.0)
        """
        return cls(counts.precision or 0.0, counts.recall or 0.0, counts.f1 or 0.0)


NOWHERE = Scores(0.0, 0.0, 0.0)
"""The scores of a header that only one side has."""


def per_label(rows: Rows) -> dict[str, Counts]:
    """Every label that occurs, over all rows."""
    return pooled(
        {label: counts_of_sets(one & {label}, two & {label}) for label in sorted(one | two)}
        for one, two in rows
    )


def averaged(rows: Rows, average: Average) -> Scores | None:
    """The average over all rows; None when no row holds a label.

        micro     from the summed counts of all labels
        macro     mean over labels
        weighted  mean over labels, each with its support in the reference
        samples   mean over rows that hold a label

    >>> rows = [(frozenset({"Edema", "Hernia"}), frozenset({"Edema"})), (frozenset(), frozenset())]
    >>> averaged(rows, "micro").f1, averaged(rows, "weighted").f1, averaged(rows, "samples").precision
    (0.6666666666666666, 0.5, 1.0)
    """
    if average == "samples":
        filled = [Scores.of(counts_of_sets(*row)) for row in rows if row[0] or row[1]]
        return weighted_mean(filled, [1.0] * len(filled))
    return of_labels(per_label(rows), average)


def of_labels(labels: dict[str, Counts], average: Average) -> Scores | None:
    """The average over a table of labels."""
    if average == "micro":
        return Scores.of(total(labels.values())) if labels else None
    weights = [one.support if average == "weighted" else 1.0 for one in labels.values()]
    return weighted_mean([Scores.of(one) for one in labels.values()], weights)


def weighted_mean(scores: Sequence[Scores], weights: Iterable[float]) -> Scores | None:
    """Weighted mean; 0 when there are scores but no weight (nothing to find, something invented)."""
    if not scores:
        return None
    shares = list(weights)
    if not any(shares):
        return NOWHERE
    columns = zip(*map(structs.astuple, scores), strict=True)
    return Scores(*(sum(x * w for x, w in zip(xs, shares, strict=True)) / sum(shares) for xs in columns))


# ---- cells
Alignment = Literal["unaligned", "aligned"]


class LabelScoring(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that decides the number; the defaults are the paper's (Tables 5 and 7)."""

    section: SectionOfInterest = "findings"
    space: SpaceName = "leaves"
    lines: Alignment = "unaligned"
    average: Average = "weighted"
    extra: Literal["errors", "dropped"] = "errors"
    """Candidate lines beyond the reference's last, when aligned; the released code drops them."""

    over: Literal["labels", "sections"] = "labels"
    """Averaged over labels of the whole corpus, or section by section with 0 where only one side has it."""

    @property
    def by_cell(self) -> bool:
        """Is every header scored alone and their mean taken? The released code does that too."""
        return self.extra == "dropped" or self.over == "sections"

    @property
    def of_a_pair(self) -> Average:
        """How the rows of a single pair are averaged: by support, what is invented would cost nothing."""
        return "samples" if self.average == "samples" else "micro"


class HeaderCell(Struct, frozen=True):
    """One header of one pair (or its impression): the lines of both sides and what they score."""

    name: str
    reference: tuple[Utterance, ...]
    candidate: tuple[Utterance, ...]
    rows: Rows
    scores: Scores | None
    """None when neither side's lines hold a label of the space."""


def cells(reference: SrrgView, candidate: SrrgView, settings: LabelScoring) -> Iterator[HeaderCell]:
    """The headers either side has lines under, in the template's order."""
    one, two = by_header(reference, settings.section), by_header(candidate, settings.section)
    for name in ordered({*one, *two}):
        ours, theirs = one.get(name, ()), two.get(name, ())
        rows = label_set_rows(ours, theirs, settings)
        scores = averaged(rows, settings.of_a_pair) if ours and theirs else NOWHERE
        yield HeaderCell(name, ours, theirs, rows, scores)


def by_header(view: SrrgView, section: SectionOfInterest) -> dict[str, tuple[Utterance, ...]]:
    """The lines of a section by header; the impression is one block called Impression."""
    found: dict[str, list[Utterance]] = {}
    for one in view.utterances:
        if one.section == section:
            found.setdefault(one.header or "Impression", []).append(one)
    return {name: tuple(lines) for name, lines in found.items()}


def ordered(names: set[str]) -> list[str]:
    return [*(h for h in HEADERS if h in names), *sorted(names.difference(HEADERS))]


def label_set_rows(one: tuple[Utterance, ...], two: tuple[Utterance, ...], settings: LabelScoring) -> Rows:
    """The label sets to compare: pooled into one row, or line by line."""
    names = space(settings.space)
    ours, theirs = [names.of(u.labels) for u in one], [names.of(u.labels) for u in two]
    if settings.lines == "unaligned":
        return [(frozenset[str]().union(*ours), frozenset[str]().union(*theirs))]
    if settings.extra == "dropped":
        theirs = theirs[: len(ours)]
    return list(zip_longest(ours, theirs, fillvalue=frozenset[str]()))


# ---- what a score was made of
def cell_told(cell: HeaderCell, settings: LabelScoring) -> dict[str, Any]:
    """One header for the page: its lines, and which labels were matched, missed, invented, contradicted."""
    [(ours, theirs)] = label_set_rows(
        cell.reference, cell.candidate, structs.replace(settings, lines="unaligned")
    )
    return {
        "header": cell.name,
        "f1": cell.scores.f1 if cell.scores else None,
        "reference": lines_told(cell.reference),
        "candidate": lines_told(cell.candidate),
        "matched": sorted(ours & theirs),
        "missed": sorted(ours - theirs),
        "invented": sorted(theirs - ours),
        "contradicted": sorted(contradicted_in(cell)),
    }


def lines_told(side: Iterable[Utterance]) -> list[dict[str, Any]]:
    return [{"text": u.text, "start": u.start, "end": u.end, "labels": [*map(str, u.labels)]} for u in side]


def contradicted_in(cell: HeaderCell) -> set[str]:
    """Diseases one side calls present and the other absent."""
    sides = (cell.reference, cell.candidate)
    ours, theirs = ({(one.label, one.status) for u in side for one in u.labels} for side in sides)
    turned = {"Present": "Absent", "Absent": "Present"}
    return {label for label, status in ours if status in turned and (label, turned[status]) in theirs}


# ---- text metrics
def text_score(
    reference: SrrgView,
    candidate: SrrgView,
    measure: Callable[[str, str], float | None],
    settings: LabelScoring | None = None,
) -> Score:
    """A text metric (BLEU, ROUGE-L, …) in the same way: pooled or aligned lines, mean over headers.

    A header or an aligned line that one side lacks scores 0; so does what the metric leaves undefined.
    """
    settings = settings or LabelScoring()
    values = []
    for cell in cells(reference, candidate, settings):
        ours, theirs = [u.text for u in cell.reference], [u.text for u in cell.candidate]
        if settings.lines == "unaligned":
            ours, theirs = [" ".join(ours)], [" ".join(theirs)]
        pairs = list(zip_longest(ours, theirs, fillvalue=""))
        values.append(sum((measure(a, b) or 0.0) if a and b else 0.0 for a, b in pairs) / len(pairs))
    if not values:
        return Score(None, why=f"neither report has a line in its {settings.section}")
    total = sum(values)
    return Score(total / len(values), counts={"cells": float(len(values)), "f1": total})
