"""A benchmark of follow-up reports: second and later studies, annotated sentence by sentence, split by patient.

A patient is in one split only. Without splits of the user's own, patients are put in an order that depends on
their id and the seed alone, and the order is cut by the shares. What a benchmark holds is told in a table and an SVG.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from itertools import pairwise
from typing import Literal, get_args

from msgspec import Struct

from overread.errors import BadInput
from overread.report import Patient, Report
from overread.systems.longitudinal.schema import (
    SUPPORT_DEVICES,
    ComparedSentence,
    LongitudinalReport,
    ViewSection,
)

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
    ordered = sorted(ids, key=lambda id: sha256(f"{seed}/{id}".encode()).digest())
    found: dict[str, Split] = {}
    reached = 0.0
    for split in SPLITS:
        reached += shares.get(split, 0.0) / total
        for id in ordered[len(found) : round(reached * len(ordered))]:
            found[id] = split
    return found


# ---- what it holds
COUNTED_KINDS = ("no change", "improved", "worsened", SUPPORT_DEVICES, "unmentioned")
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
        "diseases": {kind: kinds[kind] for kind in COUNTED_KINDS},
    }


def halves(compare: list[bool]) -> dict[str, int]:
    return {"longitudinal": sum(compare), "cross-sectional": len(compare) - sum(compare)}


def figures_table(found: Mapping[str, Figures]) -> str:
    """Tab-separated, a line per split: counts, each with its share in per cent."""
    rows = [["split"]]
    for unit in ("reports", "sentences"):
        rows[0] += [unit, f"longitudinal {unit}", "%"]
    rows[0] += [cell for kind in COUNTED_KINDS for cell in (kind, "%")]
    for split, told in found.items():
        row = [split]
        for unit, parts in told.items():
            total = sum(parts.values())
            row += [] if unit == "diseases" else [str(total)]
            for name in COUNTED_KINDS if unit == "diseases" else ("longitudinal",):
                row += [str(parts[name]), f"{100 * parts[name] / total:.1f}" if total else "–"]
        rows.append(row)
    return "".join("\t".join(row) + "\n" for row in rows)


# ---- a bar per split and question, drawn by picture.svg
BARS_LEFT, TOP, BARS_WIDTH, BAR, STEP, PANEL_GAP = 110, 54, 520, 18, 26, 40


def statistics_picture(found: Mapping[str, Figures]) -> str:
    """The whole picture as text; the same figures always give the same text."""
    from jinja2 import Environment

    told = {split: one for split, one in found.items() if sum(one["reports"].values())}
    panels, y = [], TOP
    for unit, heading in COUNTED.items():
        rows = {s: {k: n for k, n in f[unit].items() if n or k != "unmentioned"} for s, f in told.items()}
        bars = [
            (split, f"{sum(parts.values()):,} {unit}", [*bar_parts(split, unit, parts)])
            for split, parts in rows.items()
        ]
        names = list(dict.fromkeys(name for parts in rows.values() for name in parts))
        panels.append({"title": heading, "y": y, "names": names, "bars": bars})
        y += PANEL_GAP + 20 + STEP * len(told)
    template = (files("overread.systems.longitudinal") / "picture.svg").read_text("utf-8")
    drawn: str = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(template).render(
        panels=panels, width=BARS_LEFT + BARS_WIDTH + 110, height=y, left=BARS_LEFT, bar=BAR, step=STEP
    )  # fmt: skip
    return drawn + "\n"


def bar_parts(split: str, unit: str, parts: Mapping[str, int]) -> Iterator[dict[str, object]]:
    """The coloured parts of a bar; `told` is what a reader hears or sees when pointing at one."""
    total, x = sum(parts.values()), float(BARS_LEFT)
    for name, n in parts.items():
        share = n / total if total else 0.0
        width = round(BARS_WIDTH * share, 2)
        if width:
            told = f"{split}: {name}, {n} of {total} {unit}"
            yield {"name": name, "x": round(x, 2), "width": width, "share": share, "told": told}
        x += BARS_WIDTH * share
