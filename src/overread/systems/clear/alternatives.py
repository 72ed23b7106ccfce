"""`Scarring or atelectasis`: two words for one shadow, told together where the shadow is meant."""

from collections.abc import Iterable

from msgspec import structs

from overread.reader import Finding, Reading
from overread.report.marks import alike
from overread.report.span import Span

SHADOWS = frozenset({
    "opacity", "airspace-opacity", "infiltrate", "consolidation", "atelectasis", "pneumonia", "edema", "scar",
    "fibrosis",
})  # fmt: skip
JOINTS = frozenset({"or", "versus", "vs", "vs.", "and/or", "/"})


def told_together(reading: Reading, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, each called by all names its sentence leaves open: `atelectasis versus scar`."""
    return tuple(structs.replace(f, entity=names(reading, f)) for f in findings)


def names(reading: Reading, finding: Finding) -> str:
    if finding.certainty == "definitive":
        return finding.entity
    others = [f for f in reading.in_sentence(finding.sentence) if f.concept in SHADOWS]
    beside = next((f for f in others if gap(reading, finding, f) in JOINTS), None)
    if beside is None:
        return finding.entity
    first, last = sorted((finding.span, beside.span))
    return alike(reading.text(Span(first.start, last.end)))


def gap(reading: Reading, one: Finding, two: Finding) -> str:
    """The words between two findings; nothing when they overlap."""
    first, last = sorted((one.span, two.span))
    return reading.text(Span(first.end, last.start)).strip().lower() if first.end < last.start else ""
