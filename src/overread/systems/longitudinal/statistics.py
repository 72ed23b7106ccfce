"""What a benchmark holds: longitudinal reports and sentences, and progressions; as a table and an SVG."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files

from overread.systems.longitudinal.benchmark import SPLITS, Entry
from overread.systems.longitudinal.schema import SUPPORT_DEVICES

KINDS = ("no change", "improved", "worsened", SUPPORT_DEVICES, "unmentioned")
"""What a compared disease can be counted as."""

COUNTED = {
    "reports": "Reports that compare with an earlier study",
    "sentences": "Sentences that compare with an earlier study",
    "diseases": "Compared diseases by progression",
}
"""What is counted, with its heading in the picture."""

Figures = Mapping[str, Mapping[str, int]]
"""Of one split: for each of COUNTED the parts it consists of."""


def statistics(entries: Iterable[Entry]) -> dict[str, Figures]:
    """The figures of each split, then of everything."""
    kept = list(entries)
    by_split = {str(split): figures([e for e in kept if e.split == split]) for split in SPLITS}
    return by_split | {"all": figures(kept)}


def figures(entries: list[Entry]) -> Figures:
    sentences = [s for e in entries for s in e.sentences]
    kinds = Counter(
        SUPPORT_DEVICES if item.disease == SUPPORT_DEVICES else item.progression
        for s in sentences
        for item in s.items
    )
    return {
        "reports": halves([e.longitudinal for e in entries]),
        "sentences": halves([s.longitudinal for s in sentences]),
        "diseases": {kind: kinds[kind] for kind in KINDS},
    }


def halves(compare: list[bool]) -> dict[str, int]:
    return {"longitudinal": sum(compare), "cross-sectional": len(compare) - sum(compare)}


def figures_table(found: Mapping[str, Figures]) -> str:
    """Tab-separated, a line per split: counts, each with its share in per cent."""
    rows = [["split"]]
    for unit in ("reports", "sentences"):
        rows[0] += [unit, f"longitudinal {unit}", "%"]
    rows[0] += [cell for kind in KINDS for cell in (kind, "%")]
    for split, told in found.items():
        row = [split]
        for unit, parts in told.items():
            total = sum(parts.values())
            row += [] if unit == "diseases" else [str(total)]
            for name in KINDS if unit == "diseases" else ("longitudinal",):
                row += [str(parts[name]), f"{100 * parts[name] / total:.1f}" if total else "–"]
        rows.append(row)
    return "".join("\t".join(row) + "\n" for row in rows)


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


def picture(found: Mapping[str, Figures], title: str = "Follow-up reports") -> str:
    """The whole picture as text; the same figures always give the same text."""
    from jinja2 import Environment

    told = {split: one for split, one in found.items() if sum(one["reports"].values())}
    panels, y = [], TOP
    for unit, heading in COUNTED.items():
        rows = {s: {k: n for k, n in f[unit].items() if n or k != "unmentioned"} for s, f in told.items()}
        bars = [
            (split, f"{sum(parts.values()):,} {unit}", [*pieces(split, unit, parts)])
            for split, parts in rows.items()
        ]
        names = list(dict.fromkeys(name for parts in rows.values() for name in parts))
        panels.append({"title": heading, "y": y, "names": names, "bars": bars})
        y += GAP + 20 + STEP * len(told)
    template = (files("overread.systems.longitudinal") / "picture.svg").read_text("utf-8")
    drawn: str = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(template).render(
        title=title, panels=panels, width=LEFT + WIDTH + 110, height=y, left=LEFT, bar=BAR, step=STEP, colours=COLOURS
    )  # fmt: skip
    return drawn + "\n"


def pieces(split: str, unit: str, parts: Mapping[str, int]) -> Iterator[dict[str, object]]:
    """The coloured parts of a bar; `told` is what a reader hears or sees when pointing at one."""
    total, x = sum(parts.values()), float(LEFT)
    for name, n in parts.items():
        share = n / total if total else 0.0
        width = round(WIDTH * share, 2)
        if width:
            told = f"{split}: {name}, {n} of {total} {unit}"
            yield {"name": name, "x": round(x, 2), "width": width, "share": share, "told": told}
        x += WIDTH * share
