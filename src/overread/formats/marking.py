"""Reading → marks, view → marks, and marks → view: how what we read meets what annotation formats hold."""

from collections.abc import Sequence
from typing import Any, cast

from msgspec.structs import replace

from overread.formats.annotated import AnnotatedReport, Detail, Mark, Step
from overread.formats.pieces import LINKS
from overread.reader import Finding, Reading
from overread.report.marks import alike
from overread.report.span import Span
from overread.systems.lunguage.asking import spans_of
from overread.systems.lunguage.by_rules import view
from overread.systems.lunguage.schema import Quote, StructuredFinding, StructuredReport

KNOWN_SIDES = ("left", "right", "both")
SAME = ("id", "entity", "section", "category", "status", "certainty")
"""What a mark and a finding of the view hold alike."""


def from_reading(reading: Reading, date: str | None = None) -> AnnotatedReport:
    """All that LUNGUAGE's view holds, with concept, level, side and the rules that decided."""
    report = reading.report
    marks = []
    for mark in marks_of(view(reading), report.text):
        finding = reading.finding(mark.id)
        trace = tuple(Step(one.span, one.rule, one.note) for one in finding.trace)
        told = {name: getattr(finding, name) for name in ("concept", "level", "gone")}
        marks.append(replace(mark, **told, side=side_of_finding(finding), trace=trace))
    return AnnotatedReport(
        report.id, report.text, report.patient, report.study, report.day, date, tuple(marks)
    )


def side_of_finding(finding: Finding) -> str | None:
    """left, right or both, from all its places together."""
    named = {side for a in finding.values("location") for side in (a.side, *(one.side for one in a.places))}
    sides = named & set(KNOWN_SIDES)
    return "both" if len(sides) > 1 else next(iter(sides), None)


def marks_of(structured: StructuredReport, text: str) -> tuple[Mark, ...]:
    """A view, by whoever read it, as marks in the text."""
    marks = []
    for finding in structured.findings:
        sentence = Span(finding.sentence.start, finding.sentence.end)
        spans = finding.spans.get("entity") or spans_of(finding.entity, [sentence], text) or [sentence]
        same: dict[str, Any] = {name: getattr(finding, name) for name in SAME}
        same |= {name: tuple(getattr(finding, name)) for name in LINKS}
        marks.append(Mark(**same, spans=tuple(spans), sentence=sentence, details=details_of(finding, text)))
    return tuple(marks)


def details_of(finding: StructuredFinding, text: str) -> tuple[Detail, ...]:
    """Attributes in order, those with a place first."""
    found = [
        Detail(relation, words, spans)
        for relation, said in finding.attributes.items()
        for words, spans in shared_out(said, finding.spans.get(relation, []), text)
    ]
    return tuple(sorted(found, key=lambda detail: not detail.spans))


def shared_out(said: Sequence[str], spans: Sequence[Span], text: str) -> list[tuple[str, tuple[Span, ...]]]:
    """Which spans belong to which words; one each where there are as many.

    >>> shared_out(["left base", "apex"], [Span(0, 4), Span(5, 9), Span(10, 14)], "left base apex")
    [('left base', (Span(start=0, end=4), Span(start=5, end=9))), ('apex', (Span(start=10, end=14),))]
    """
    if len(said) == len(spans):
        return [(words, (span,)) for words, span in zip(said, spans, strict=True)]
    out, at = [], 0
    for n, words in enumerate(said):
        last = n == len(said) - 1
        end = len(spans) if last else at + spans_taken(words, spans[at:], text)
        out.append((words, tuple(spans[at:end])))
        at = end
    return out


def spans_taken(words: str, spans: Sequence[Span], text: str) -> int:
    """How many of the next spans make up these words; one where no number does."""
    wanted, built = words.casefold().split(), []
    for n, span in enumerate(spans, 1):
        built += alike(span.of(text)).casefold().split()
        if built == wanted:
            return n
    return 1


def view_of(report: AnnotatedReport) -> StructuredReport:
    """The LUNGUAGE view the marks amount to."""
    return StructuredReport(report.id, [finding_of(mark, report.text) for mark in report.marks or ()])


def finding_of(mark: Mark, text: str) -> StructuredFinding:
    attributes: dict[str, list[str]] = {}
    spans = {"entity": list(mark.spans)}
    for detail in mark.details:
        attributes.setdefault(detail.relation, []).append(detail.text)
        if detail.spans:
            spans.setdefault(detail.relation, []).extend(detail.spans)
    same: dict[str, Any] = {name: getattr(mark, name) for name in SAME}
    same |= {name: list(getattr(mark, name)) for name in LINKS}
    sentence = Quote(mark.sentence.start, mark.sentence.end, mark.sentence.of(text))
    return StructuredFinding(**same, sentence=sentence, attributes=cast(Any, attributes), spans=spans)
