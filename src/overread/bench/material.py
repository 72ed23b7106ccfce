"""What the sets are made of: rankings, groups of statements and annotated reports of one corpus folder."""

import gzip
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Protocol, TypeVar
from zlib import crc32

import msgspec
from msgspec import Struct

from overread.corpus.files import load, notation_files, sound
from overread.corpus.rankings import Ranking, rankings
from overread.corpus.records import Annotated

HELD_OUT = 10
"""One concept in so many was kept from training."""

FAMILIES = (
    ("mammography", "mammography"), ("breast us", "ultrasound"), ("xr chest", "chest film"), ("xr", "other film"),
    ("ct", "CT"), ("mr", "MR"), ("us", "ultrasound"), ("pet", "nuclear"), ("nm", "nuclear"), ("nuclear", "nuclear"),
    ("bone scan", "nuclear"), ("vq", "nuclear"), ("barium", "fluoroscopy and intervention"),
    ("angiography", "fluoroscopy and intervention"),
    ("fluoroscopy", "fluoroscopy and intervention"), ("intervention", "fluoroscopy and intervention"),
)  # fmt: skip


class Group(Struct, frozen=True):
    """A statement with some that mean the same and some that cannot be true beside it."""

    id: str
    kind: str
    concept: str
    original: str
    same: tuple[str, ...]
    opposite: tuple[str, ...]
    report: str = ""
    """The report whose statement it is; empty where it stands alone."""


class Named(Protocol):
    @property
    def id(self) -> str: ...


One = TypeVar("One", bound=Named)


def drawn(found: Iterable[One], most: int | None = None) -> list[One]:
    """In an order that means nothing and never changes; the first `most` of it."""
    return sorted(found, key=lambda one: (crc32(one.id.encode()), one.id))[:most]


def family(modality: str) -> str:
    """
    >>> family("CT abdomen"), family("XR chest"), family("breast US"), family("tomosynthesis")
    ('CT', 'chest film', 'ultrasound', 'other')
    """
    lower = modality.lower()
    return next((name for start, name in FAMILIES if lower.startswith(start)), "other")


def ranked_reports(corpus: Path) -> list[Ranking]:
    files = sorted((corpus / "rankings").glob("*.rank"))
    return [one for file in files for one in sound(file, *rankings(file))]


@cache
def groups(corpus: Path) -> list[Group]:
    """Groups never trained on: of the corpus release, else of the repository whose folder corpus/ this is."""
    beside = corpus.resolve().parent / "training" if corpus.resolve().name == "corpus" else corpus
    places = [place / "meaning" / "groups.jsonl.gz" for place in (corpus, beside)]
    file = next((place for place in places if place.is_file()), None)
    if file is None:
        return []
    with gzip.open(file, "rb") as lines:
        every = [msgspec.json.decode(line, type=Group) for line in lines if line.strip()]
    return [one for one in every if crc32(one.concept.encode()) % HELD_OUT == 0]


@cache
def annotated(corpus: Path) -> list[Annotated]:
    """The test reports with their annotation."""
    place = corpus / "test"
    return [report for _, report in load(notation_files([place]))] if place.is_dir() else []
