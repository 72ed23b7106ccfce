"""Sentences → statements: what is said together, where it goes, in which words."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from overread.reader import Finding, Reading, SentenceReading
from overread.report.span import Span
from overread.systems.srrg.place import header_of
from overread.systems.srrg.wording import CHANGE, bullet

SILENT = frozenset({"symptom", "history"})
"""Kinds of findings that are not seen on the image."""


class Statement(Struct, frozen=True):
    """One bullet: its words, its place, and the findings it states."""

    header: str
    text: str
    span: Span
    findings: tuple[Finding, ...]


def statements(reading: Reading, sentence: SentenceReading) -> list[Statement]:
    """The bullets of one sentence of the findings section, in the order of the sentence."""
    said = [f for f in reading.findings if f.sentence == sentence.index and worth_saying(f)]
    made = []
    for group, within in territories(sentence, together(reading, said)):
        text = bullet(reading, sentence, group, within)
        if text:
            made.append(Statement(header_of_group(group), text, extent(group), tuple(group)))
    return made


def worth_saying(finding: Finding) -> bool:
    """Not a structure that is only said to be unchanged: nothing about today is stated."""
    if finding.kind in SILENT:
        return False
    said = [a for a in finding.attributes if a.relation not in CHANGE and a.relation != "location"]
    return finding.kind != "structure" or bool(said) or finding.status == "negative"


def together(reading: Reading, findings: Sequence[Finding]) -> list[list[Finding]]:
    """Findings the sentence links stand in one bullet: `opacity, likely atelectasis`."""
    groups: list[list[Finding]] = []
    for finding in findings:
        linked = {*finding.associate, *finding.evidence}
        home = next(
            (g for g in groups if any(m.id in linked or joined(reading, m, finding) for m in g)), None
        )
        if home is None:
            groups.append([finding])
        else:
            home.append(finding)
    return groups


def joined(reading: Reading, first: Finding, second: Finding) -> bool:
    """`Hyperexpanded lungs with flattened diaphragms`: two findings of one header, joined by `with`."""
    if "negative" in (first.status, second.status) or header_of(first) != header_of(second):
        return False
    end = max([first.span.end, *(a.span.end for a in first.attributes if a.span.end <= second.span.start)])
    start = min([second.span.start, *(a.span.start for a in second.attributes if a.span.start >= end)])
    between = reading.text(Span(end, max(start, end))).strip(" ,").lower().split()
    return between[:1] == ["with"] and len(between) <= 2


def territories(
    sentence: SentenceReading, groups: list[list[Finding]]
) -> Iterator[tuple[list[Finding], Span]]:
    """Each group with the stretch of the sentence it may take words from.

    A group's stretch begins after the group before it and runs on over words it shares (`heart and mediastinum
    are normal`); the last one runs to the end of the sentence.
    """
    begin = sentence.span.start
    for number, group in enumerate(groups):
        last = number == len(groups) - 1
        end = sentence.span.end if last else max(extent(group).end, own_end(group))
        yield group, Span(min(begin, extent(group).start), end)
        begin = own_end(group)


def extent(group: Sequence[Finding]) -> Span:
    """From the first to the last word the group uses."""
    spans = [s for f in group for s in (f.span, *(a.span for a in f.attributes))]
    return Span(min(s.start for s in spans), max(s.end for s in spans))


def own_end(group: Sequence[Finding]) -> int:
    return max(f.span.end for f in group)


def header_of_group(group: Sequence[Finding]) -> str:
    """The header of the first finding, unless the group names what it is: a density that is a hernia."""
    certain = [f for f in group if f.evidence and f.certainty == "definitive" and f.status == "positive"]
    return header_of((certain or list(group))[0])
