"""A benchmark of follow-up reports: second and later studies, annotated sentence by sentence, split by patient.

A patient is in one split only. Without splits of the user's own, patients are put in an order that depends on
their id and the seed alone, and the order is cut by the shares.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Literal, get_args

from msgspec import Struct

from overread.errors import BadInput
from overread.report import Patient, Report
from overread.systems.longitudinal.schema import ComparedSentence, LongitudinalReport, ViewSection

Split = Literal["train", "validate", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
SHARES: dict[Split, float] = {"train": 0.8, "validate": 0.1, "test": 0.1}

Annotate = Callable[[list[Report]], Sequence[LongitudinalReport | None]]
"""Reports → their views, in order; None for one that could not be read, which is left out."""


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """One follow-up report of the benchmark: a line of its file."""

    id: str
    patient: str
    study: int
    """2 for the patient's second study, and so on."""

    day: float
    prior: str
    """Id of the study before it."""

    split: Split
    sentences: tuple[ComparedSentence, ...]
    text: str = ""
    """The report itself: offsets of the sentences index it."""

    sections: dict[str, str] = {}
    """Indication, comparison, technique and the others, in words."""

    prior_text: str = ""
    """The report before it, whole."""

    days_since_prior: float | None = None

    @property
    def longitudinal(self) -> bool:
        """Does any sentence compare?"""
        return any(s.longitudinal for s in self.sentences)


def build(
    patients: Iterable[Patient],
    annotate: Annotate,
    splits: Mapping[str, Split] | None = None,
    shares: Mapping[Split, float] = SHARES,
    seed: int = 0,
    sections: Iterable[ViewSection] = ("findings",),
) -> list[Entry]:
    """Every follow-up report that has one of these sections, annotated, in the order of the patients."""
    wanted = frozenset(sections)
    followed = [
        (p.id, before, study)
        for p in patients
        for before, study in pairwise(p.studies)
        if any(s.name in wanted and s.sentences for s in study.report.sections)
    ]
    ids = list(dict.fromkeys(id for id, _, _ in followed))
    if not ids:
        raise BadInput(
            "No patient has a second study with findings, so there is nothing to compare. "
            "Are patients and the order of their studies in the table?"
        )
    chosen = splits if splits is not None else split_by_shares(ids, shares, seed)
    if missing := [id for id in ids if id not in chosen]:
        raise BadInput(
            f"{len(missing)} patients have no split, {missing[0]!r} first; every patient with a second study "
            "needs a row."
        )
    views = annotate([study.report for _, _, study in followed])
    return [
        Entry(
            study.report.id,
            id,
            study.number,
            study.day,
            before.report.id,
            chosen[id],
            tuple(s for s in view.sentences if s.section in wanted),
            study.report.text,
            sections_of(study.report),
            before.report.text,
            study.day - before.day,
        )
        for (id, before, study), view in zip(followed, views, strict=True)
        if view is not None
    ]


def sections_of(report: Report) -> dict[str, str]:
    """Every section by name; several of one name are joined."""
    found: dict[str, list[str]] = {}
    for section in report.sections:
        if words := section.span.of(report.text).strip():
            found.setdefault(section.name, []).append(words)
    return {name: "\n".join(words) for name, words in found.items()}


def split_by_shares(ids: list[str], shares: Mapping[Split, float], seed: int) -> dict[str, Split]:
    """Patients cut into splits by share; which patient goes where depends on ids and seed alone.

    >>> list(split_by_shares(["a", "b", "c", "d"], {"train": 0.5, "validate": 0.25, "test": 0.25}, 0).values())
    ['train', 'train', 'validate', 'test']
    """
    total = sum(shares.values())
    if total <= 0 or any(share < 0 for share in shares.values()):
        raise BadInput("The shares of train, validate and test must not be negative and not all be 0.")
    ordered = sorted(ids, key=lambda id: sha256(f"{seed}/{id}".encode()).digest())
    found: dict[str, Split] = {}
    reached = 0.0
    for split in SPLITS:
        reached += shares.get(split, 0.0) / total
        for id in ordered[len(found) : round(reached * len(ordered))]:
            found[id] = split
    return found
