"""What F1-SRR compares: the lines two reports have under a header, pooled or one by one."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Literal

import msgspec
from msgspec import Struct

from overread.systems.srrg.averages import Average, Rows, Scores, averaged
from overread.systems.srrg.labels import Label, Space, SpaceName, space
from overread.systems.srrg.schema import HEADERS, SectionOfInterest, SrrgView, Utterance

Alignment = Literal["unaligned", "aligned"]
NOWHERE = Scores(0.0, 0.0, 0.0)
"""The scores of a header that only one side has."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
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

    def named(self) -> dict[str, str]:
        """For the signature beside the score.

        >>> Settings(space="upper").named()["space"]
        'upper'
        """
        found: dict[str, str] = msgspec.to_builtins(self)
        return found


class Cell(Struct, frozen=True):
    """One header of one pair (or its impression): the lines of both sides and what they score."""

    name: str
    reference: tuple[Utterance, ...]
    candidate: tuple[Utterance, ...]
    rows: Rows
    scores: Scores | None
    """None when neither side's lines hold a label of the space."""


def cells(reference: SrrgView, candidate: SrrgView, settings: Settings) -> Iterator[Cell]:
    """The headers either side has lines under, in the template's order."""
    one, two = by_header(reference, settings.section), by_header(candidate, settings.section)
    for name in ordered({*one, *two}):
        ours, theirs = one.get(name, ()), two.get(name, ())
        rows = paired(ours, theirs, settings)
        scores = averaged(rows, settings.of_a_pair) if ours and theirs else NOWHERE
        yield Cell(name, ours, theirs, rows, scores)


def by_header(view: SrrgView, section: SectionOfInterest) -> dict[str, tuple[Utterance, ...]]:
    """The lines of a section by header; the impression is one block called Impression."""
    found: dict[str, list[Utterance]] = {}
    for one in view.utterances:
        if one.section == section:
            found.setdefault(one.header or "Impression", []).append(one)
    return {name: tuple(lines) for name, lines in found.items()}


def ordered(names: set[str]) -> list[str]:
    known = [header for header in HEADERS if header in names]
    return [*known, *sorted(names.difference(HEADERS))]


def paired(one: tuple[Utterance, ...], two: tuple[Utterance, ...], settings: Settings) -> Rows:
    """The label sets to compare: pooled into one row, or line by line."""
    names = space(settings.space)
    ours, theirs = [labels(u, names) for u in one], [labels(u, names) for u in two]
    if settings.lines == "unaligned":
        return [(frozenset[str]().union(*ours), frozenset[str]().union(*theirs))]
    if settings.extra == "dropped":
        theirs = theirs[: len(ours)]
    return list(zip_longest(ours, theirs, fillvalue=frozenset[str]()))


def labels(utterance: Utterance, names: Space) -> frozenset[str]:
    return names.of(Label(one.label, one.status) for one in utterance.labels)
