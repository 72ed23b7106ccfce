"""Sentences → statements: what is said together, where it goes, in which words."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from overread.reader import Finding, Reading, SentenceReading
from overread.report.model import SectionName
from overread.report.span import Span
from overread.systems.srrg.marking import BLANK, CHANGE, tokenise
from overread.systems.srrg.place import ELSEWHERE, header_of
from overread.systems.srrg.schema import SectionOfInterest
from overread.systems.srrg.wording import bullet, lowered, plain

SILENT = frozenset({"symptom", "history"})
"""Kinds of findings that are not seen on the image."""

SOURCES: dict[SectionOfInterest, frozenset[SectionName]] = {
    "findings": frozenset({"findings", "addendum", "other"}),
    "impression": frozenset({"impression", "recommendation"}),
}
"""Sections of a report whose statements stand in a section of the template."""

POINTING = frozenset({"this", "these", "it", "they", "which"})
"""A sentence that begins so goes on about what was said before."""


class Statement(Struct, frozen=True):
    """One bullet: its words, its place, and the findings it states."""

    header: str
    text: str
    span: Span
    findings: tuple[Finding, ...]


def statements(reading: Reading, section: SectionOfInterest) -> list[Statement]:
    """The bullets of a section, in the order of the report, each once.

    Advice, and a sentence that goes on about the last statement, are added to it after a semicolon. What
    could not be read stands under Other in its own words: a statement may be misplaced, not lost.
    """
    made: list[Statement] = []
    for sentence in reading.sentences:
        if sentence.section not in SOURCES[section]:
            continue
        found = said(reading, sentence, keep_denials=section == "impression")
        unread = all(f.kind == "open" for s in found for f in s.findings)
        follows = bool(made) and unread and goes_on(reading, sentence)
        if (found or sentence.findings) and not follows:
            made += found
        elif text := aside(reading, sentence):
            if follows:
                last = made.pop()
                first, *rest = text.split(" ")
                more = " ".join([lowered(first), *rest])
                made.append(msgspec.structs.replace(last, text=f"{last.text}; {more}"))
            elif sentence.kind in ("statement", "recommendation"):
                made.append(Statement(ELSEWHERE, text, sentence.span, ()))
    return list({(one.header, one.text): one for one in reversed(made)}.values())[::-1]


def said(reading: Reading, sentence: SentenceReading, keep_denials: bool) -> list[Statement]:
    """The bullets of one sentence; `keep_denials` leaves `no effusion or pneumothorax` in one."""
    worth = [f for f in reading.findings if f.sentence == sentence.index and worth_saying(f)]
    made = []
    for group, within in territories(sentence, together(reading, worth, keep_denials)):
        text = bullet(reading, sentence, group, within)
        if text and not says_nothing(group, text):
            made.append(Statement(header_of_group(group), text, extent(group), tuple(group)))
    return made


def worth_saying(finding: Finding) -> bool:
    """Not a structure that is only said to be unchanged: nothing about today is stated."""
    if finding.kind in SILENT:
        return False
    today = [a for a in finding.attributes if a.relation not in CHANGE and a.relation != "location"]
    return finding.kind != "structure" or bool(today) or finding.status == "negative"


def says_nothing(group: Sequence[Finding], text: str) -> bool:
    """A structure named and nothing more."""
    return group[0].kind == "structure" and text.lower() == group[0].entity.lower()


def aside(reading: Reading, sentence: SentenceReading) -> str:
    """The words of a sentence without findings; nothing when too few are left to mean something."""
    if sentence.kind in ("technique", "communication"):
        return ""
    blanked = any(BLANK.fullmatch(token.text) for token in tokenise(reading, sentence.span))
    text = plain(reading, sentence)
    return "" if len(text.split()) < 3 or (blanked and sentence.kind == "statement") else text


def goes_on(reading: Reading, sentence: SentenceReading) -> bool:
    first = reading.text(sentence.span).split(maxsplit=1)[0].lower()
    return sentence.kind == "recommendation" or first in POINTING


def together(reading: Reading, findings: Sequence[Finding], keep_denials: bool) -> list[list[Finding]]:
    """Findings the sentence links stand in one bullet: `opacity, likely atelectasis`."""
    groups: list[list[Finding]] = []
    for finding in findings:
        home = next((g for g in groups if any(bound(reading, m, finding, keep_denials) for m in g)), None)
        if home is None:
            groups.append([finding])
        else:
            home.append(finding)
    return groups


def bound(reading: Reading, first: Finding, second: Finding, keep_denials: bool) -> bool:
    """Do two findings of a sentence belong in one bullet?"""
    if first.span == second.span or first.id in (*second.associate, *second.evidence):
        return True
    if "negative" in (first.status, second.status):
        cue = denied_by(first)
        return keep_denials and cue is not None and cue == denied_by(second)
    return joined(reading, first, second)


def denied_by(finding: Finding) -> Span | None:
    return next((e.span for e in finding.trace if e.note == "denied"), None)


def joined(reading: Reading, first: Finding, second: Finding) -> bool:
    """Two findings the words make one: `changes of sternotomy`, `nodules, sequela of granulomatous disease`.

    After `with` the second must belong under the same header: `hyperexpanded lungs with flat diaphragms`.
    """
    end = max([first.span.end, *(a.span.end for a in first.attributes if a.span.end <= second.span.start)])
    start = min([second.span.start, *(a.span.start for a in second.attributes if a.span.start >= end)])
    gap = Span(end, max(start, end))
    if any(cue.note == "link" and gap.contains(cue.span) for cue in reading.sentences[first.sentence].cues):
        return True
    between = reading.text(gap).strip(" ,").lower().split()
    if len(between) > 2 or not between:
        return False
    return between[0] == "of" or (between[0] == "with" and header_of(first) == header_of(second))


def territories(
    sentence: SentenceReading, groups: list[list[Finding]]
) -> Iterator[tuple[list[Finding], Span]]:
    """Each group with the stretch of the sentence it may take words from.

    A group's stretch begins after the group before it and runs on over words it shares (`heart and
    mediastinum are normal`); the last one runs to the end of the sentence.
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
    """The header of the first finding that has one, or of what that is said to be: a density, a hernia."""
    certain = [f for f in group if f.evidence and f.certainty == "definitive" and f.status == "positive"]
    headers = [header_of(f) for f in certain or group]
    return next((h for h in headers if h != ELSEWHERE), ELSEWHERE)
