"""Structured reports organ by organ: F1-SRR of every header, and text metrics on aligned and unaligned lines.

The SRRG paper's Table 8 (by organ), and Tables 5 to 7 for the text metrics in both settings.
"""

from collections.abc import Sequence

from msgspec import Struct, structs

from overread.baselines.registry import lookup
from overread.systems.srrg.averages import Scores
from overread.systems.srrg.cells import Alignment, Settings
from overread.systems.srrg.schema import SectionOfInterest, SrrgView
from overread.systems.srrg.score import per_header, score
from overread.systems.srrg.texts import text_score

TEXT = ("bleu-4", "rouge-l")
SECTIONS: tuple[SectionOfInterest, ...] = ("findings", "impression")
WAYS: tuple[Alignment, ...] = ("unaligned", "aligned")


class Organs(Struct, frozen=True, forbid_unknown_fields=True):
    """One system."""

    headers: dict[str, Scores]
    """Mean over the reports that have the header on either side."""

    reports: dict[str, int]
    texts: dict[str, float | None]
    """`findings, aligned, bleu-4` and so on: mean over headers and reports."""


def organs(pairs: Sequence[tuple[SrrgView, SrrgView]]) -> Organs:
    """Every figure over all pairs."""
    counts: dict[str, float] = {}
    for one, two in pairs:
        for name, amount in score(one, two, Settings()).counts.items():
            counts[name] = counts.get(name, 0.0) + amount
    seen = {name.partition("|")[2]: int(n) for name, n in counts.items() if name.startswith("cells|")}
    found = {
        f"{section}, {way}, {metric}": mean_text(pairs, metric, Settings(section=section, lines=way))
        for section in SECTIONS
        for way in WAYS
        for metric in TEXT
    }
    return Organs(per_header(counts), seen, found)


def mean_text(pairs: Sequence[tuple[SrrgView, SrrgView]], metric: str, settings: Settings) -> float | None:
    baseline = lookup(metric)
    scores = [text_score(one, two, lambda a, b: baseline.score(a, b).value, settings) for one, two in pairs]
    total = sum(s.counts.get("f1", 0.0) for s in scores)
    cells = sum(s.counts.get("cells", 0.0) for s in scores)
    return total / cells if cells else None


def render(found: dict[str, Organs]) -> str:
    lines = []
    for name, one in found.items():
        lines.append(f"{name:<42}{'precision':>10}{'recall':>10}{'F1':>10}{'reports':>10}")
        for header, s in one.headers.items():
            cells = "".join(f"{value:>10.3f}" for value in structs.astuple(s))
            lines.append(f"  {header:<40}{cells}{one.reports[header]:>10}")
        for what, value in one.texts.items():
            lines.append(f"  {what:<40}{'–' if value is None else f'{value:.3f}':>10}")
    return "\n".join(lines) + "\n"
