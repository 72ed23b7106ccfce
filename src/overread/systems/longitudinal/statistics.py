"""What a benchmark holds: shares of longitudinal reports and sentences, and of the progressions."""

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from overread.systems.longitudinal.benchmark import SPLITS, Entry
from overread.systems.longitudinal.schema import SUPPORT_DEVICES

KINDS = ("no change", "improved", "worsened", SUPPORT_DEVICES, "unmentioned")
"""What a compared disease can be counted as."""


class Figures(Struct, frozen=True, forbid_unknown_fields=True):
    """One split, or all of them."""

    split: str
    reports: int
    longitudinal_reports: int
    sentences: int
    longitudinal_sentences: int
    kinds: dict[str, int]
    """Compared diseases by kind."""

    def share(self, kind: str) -> float | None:
        """Part of the compared diseases; None when there are none."""
        total = sum(self.kinds.values())
        return self.kinds[kind] / total if total else None


def statistics(entries: Iterable[Entry]) -> list[Figures]:
    """The figures of each split, then of everything."""
    kept = list(entries)
    by_split = [figures(split, [e for e in kept if e.split == split]) for split in SPLITS]
    return [*by_split, figures("all", kept)]


def figures(name: str, entries: list[Entry]) -> Figures:
    sentences = [s for e in entries for s in e.sentences]
    counts = Counter(
        SUPPORT_DEVICES if item.disease == SUPPORT_DEVICES else item.progression
        for s in sentences
        for item in s.items
    )
    return Figures(
        split=name,
        reports=len(entries),
        longitudinal_reports=sum(e.longitudinal for e in entries),
        sentences=len(sentences),
        longitudinal_sentences=sum(s.longitudinal for s in sentences),
        kinds={kind: counts[kind] for kind in KINDS},
    )


def table(found: Iterable[Figures]) -> str:
    """Tab-separated, a line per split: counts, each with its share in per cent."""
    return "".join("\t".join(row) + "\n" for row in rows(found))


def rows(found: Iterable[Figures]) -> Iterator[list[str]]:
    yield [
        "split", "reports", "longitudinal reports", "%", "sentences", "longitudinal sentences", "%",
        *(cell for kind in KINDS for cell in (kind, "%")),
    ]  # fmt: skip
    for f in found:
        yield [
            f.split,
            str(f.reports),
            *with_share(f.longitudinal_reports, f.reports),
            str(f.sentences),
            *with_share(f.longitudinal_sentences, f.sentences),
            *(cell for n in f.kinds.values() for cell in with_share(n, sum(f.kinds.values()))),
        ]


def with_share(part: int, whole: int) -> list[str]:
    """
    >>> with_share(3, 8), with_share(0, 0)
    (['3', '37.5'], ['0', '–'])
    """
    return [str(part), f"{100 * part / whole:.1f}" if whole else "–"]
