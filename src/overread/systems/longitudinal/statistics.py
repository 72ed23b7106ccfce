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
    rows = [[
        "split", "reports", "longitudinal reports", "%", "sentences", "longitudinal sentences", "%",
        *(cell for kind in KINDS for cell in (kind, "%")),
    ]]  # fmt: skip
    for f in found:
        kinds = (cell for n in f.kinds.values() for cell in with_share(n, sum(f.kinds.values())))
        reports = (str(f.reports), *with_share(f.longitudinal_reports, f.reports))
        sentences = (str(f.sentences), *with_share(f.longitudinal_sentences, f.sentences))
        rows.append([f.split, *reports, *sentences, *kinds])
    return "".join("\t".join(row) + "\n" for row in rows)


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


def picture(found: Iterable[Figures], title: str = "Follow-up reports") -> str:
    """The whole picture as text; the same figures always give the same text."""
    from jinja2 import Environment

    told = [f for f in found if f.reports]
    asked = (
        (
            "Reports that compare with an earlier study",
            "reports",
            [halves(f.longitudinal_reports, f.reports) for f in told],
        ),
        (
            "Sentences that compare with an earlier study",
            "sentences",
            [halves(f.longitudinal_sentences, f.sentences) for f in told],
        ),
        (
            "Compared diseases by progression",
            "diseases",
            [{k: f.kinds[k] for k in KINDS if k != "unmentioned" or f.kinds[k]} for f in told],
        ),
    )
    panels, y = [], TOP
    for heading, unit, rows in asked:
        bars = [
            (f.split, f"{sum(counts.values()):,} {unit}", [*pieces(f.split, unit, counts)])
            for f, counts in zip(told, rows, strict=True)
        ]
        names = list(dict.fromkeys(name for counts in rows for name in counts))
        panels.append({"title": heading, "y": y, "names": names, "bars": bars})
        y += GAP + 20 + STEP * len(told)
    template = (files("overread.systems.longitudinal") / "picture.svg").read_text("utf-8")
    drawn: str = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(template).render(
        title=title, panels=panels, width=LEFT + WIDTH + 110, height=y, left=LEFT, bar=BAR, step=STEP, colours=COLOURS
    )  # fmt: skip
    return drawn + "\n"


def halves(longitudinal: int, total: int) -> dict[str, int]:
    return {"longitudinal": longitudinal, "cross-sectional": total - longitudinal}


def pieces(split: str, unit: str, counts: dict[str, int]) -> Iterator[dict[str, object]]:
    """The coloured parts of a bar; `told` is what a reader hears or sees when pointing at one."""
    total, x = sum(counts.values()), float(LEFT)
    for name, n in counts.items():
        share = n / total if total else 0.0
        width = round(WIDTH * share, 2)
        if width:
            told = f"{split}: {name}, {n} of {total} {unit}"
            yield {"name": name, "x": round(x, 2), "width": width, "share": share, "told": told}
        x += WIDTH * share
