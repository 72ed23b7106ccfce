"""What a benchmark holds: longitudinal reports and sentences, and progressions; as a table and an SVG."""

from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.resources import files

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


def figures_table(found: Iterable[Figures]) -> str:
    """Tab-separated, a line per split: counts, each with its share in per cent."""
    return "".join("\t".join(row) + "\n" for row in figures_rows(found))


def figures_rows(found: Iterable[Figures]) -> Iterator[list[str]]:
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


# ---- a bar per split and question, drawn by picture.svg
COLOURS = {
    "longitudinal": "#2f6f9f",
    "cross-sectional": "#c9d3da",
    "no change": "#5f6d76",
    "improved": "#2e7d4f",
    "worsened": "#c0504d",
    "support devices": "#8064a2",
    "unmentioned": "#d9d9d9",
}
LEFT, TOP, WIDTH, BAR, STEP, GAP = 110, 54, 520, 18, 26, 40


class Piece(Struct, frozen=True):
    """One coloured part of a bar."""

    name: str
    colour: str
    x: float
    width: float
    label: str
    """Its share, where there is room for it."""

    told: str
    """What a reader hears or sees when pointing at it."""


class Bar(Struct, frozen=True):
    """One bar with its name and its number of cases."""

    name: str
    cases: str
    y: int
    pieces: tuple[Piece, ...]


class BarPanel(Struct, frozen=True):
    """The bars of one question."""

    title: str
    y: int
    bars: tuple[Bar, ...]
    legend: tuple[tuple[str, str, int], ...]
    """Name, colour and place of each colour."""


def picture(found: Iterable[Figures], title: str = "Follow-up reports") -> str:
    """The whole picture as text; the same figures always give the same text."""
    from jinja2 import Environment

    told = [f for f in found if f.reports]
    reports = [halves(f.longitudinal_reports, f.reports) for f in told]
    sentences = [halves(f.longitudinal_sentences, f.sentences) for f in told]
    kinds = [{k: f.kinds[k] for k in KINDS if k != "unmentioned" or f.kinds[k]} for f in told]
    asked = [
        (
            "Reports that compare with an earlier study",
            "reports",
            reports,
        ),
        (
            "Sentences that compare with an earlier study",
            "sentences",
            sentences,
        ),
        ("Compared diseases by progression", "diseases", kinds),
    ]
    panels, y = [], TOP
    for heading, unit, rows in asked:
        panels.append(bar_panel(heading, unit, [f.split for f in told], rows, y))
        y += GAP + 20 + STEP * len(told)
    template = (files("overread.systems.longitudinal") / "picture.svg").read_text("utf-8")
    drawn: str = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(template).render(
        title=title, panels=panels, width=LEFT + WIDTH + 110, height=y, left=LEFT, bar=BAR
    )  # fmt: skip
    return drawn + "\n"


def halves(longitudinal: int, total: int) -> dict[str, int]:
    return {"longitudinal": longitudinal, "cross-sectional": total - longitudinal}


def bar_panel(title: str, unit: str, splits: list[str], rows: list[dict[str, int]], y: int) -> BarPanel:
    bars = tuple(
        bar(split, unit, counts, y + 30 + STEP * n)
        for n, (split, counts) in enumerate(zip(splits, rows, strict=True))
    )
    names = list(dict.fromkeys(name for counts in rows for name in counts))
    legend = tuple((name, COLOURS[name], LEFT + 120 * n) for n, name in enumerate(names))
    return BarPanel(title, y, bars, legend)


def bar(split: str, unit: str, counts: dict[str, int], y: int) -> Bar:
    total = sum(counts.values())
    pieces, x = [], float(LEFT)
    for name, n in counts.items():
        share = n / total if total else 0.0
        label = f"{100 * share:.0f}%" if share >= 0.08 else ""
        told = f"{split}: {name}, {n} of {total} {unit}"
        pieces.append(Piece(name, COLOURS[name], round(x, 2), round(WIDTH * share, 2), label, told))
        x += WIDTH * share
    return Bar(split, f"{total:,} {unit}", y, tuple(p for p in pieces if p.width))
