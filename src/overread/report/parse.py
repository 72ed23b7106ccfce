"""Text, or columns of sections → Report: its sections, named by their headings or by how they look, and sentences."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from overread.report.headings import Heading, Meaning, headings
from overread.report.layout import as_seen
from overread.report.marks import hidden
from overread.report.model import SECTION_NAMES, Report, Section, SectionName, Sentence
from overread.report.openings import is_prose, opened, titles_end, trim
from overread.report.passed_over import readable
from overread.report.sentences import SAYS, sentences, width
from overread.report.span import Span


def parse(
    text: str, id: str = "", *, patient: str | None = None, study: str | None = None, day: float | None = None
) -> Report:
    """The sections and sentences of a report as written.

    >>> report = parse("FINDINGS: Clear lungs. No effusion.")
    >>> [sentence.span.of(report.text) for section in report.sections for sentence in section.sentences]
    ['Clear lungs.', 'No effusion.']
    """
    text = whole_characters(text)
    parts, headed = sections(readable(hidden(text)))
    return Report(id, text, with_sentences(text, parts), headed, patient, study, day)


def from_sections(
    columns: Mapping[SectionName, str],
    id: str = "",
    *,
    patient: str | None = None,
    study: str | None = None,
    day: float | None = None,
) -> Report:
    """A report whose sections come apart already; its text is composed in their order, a heading before each.

    >>> from_sections({"findings": "Clear lungs.", "impression": "Normal."}).text
    'FINDINGS: Clear lungs.\\n\\nIMPRESSION: Normal.'
    """
    text = ""
    parts = []
    for name, given in columns.items():
        body = whole_characters(given)
        if not body.strip():
            continue
        text += "\n\n" if text else ""
        start = len(text)
        own = own_heading(name, body)
        text += body if own else f"{name.upper()}: {body}"
        end = start + (own or len(name) + 1)
        parts.append(Section(name, trim(text, start, end), trim(text, end, len(text))))
    return Report(id, text, with_sentences(text, parts), True, patient, study, day)


HALF = re.compile("[\ud800-\udfff]")


def whole_characters(text: str) -> str:
    """The text with a sign for each half of a character: no file, model or network takes such a half.

    >>> whole_characters("No \\ud83e effusion.")
    'No � effusion.'
    """
    return text if text.isascii() else HALF.sub("\N{REPLACEMENT CHARACTER}", text)


def own_heading(name: SectionName, body: str) -> int:
    """Where the heading ends that a column brings with it; 0 for none."""
    first = next(headings(body), None)
    return first.span.end if first and first.meaning == name and not body[: first.span.start].strip() else 0


def with_sentences(text: str, parts: Iterable[Section]) -> tuple[Section, ...]:
    """Parts with their sentences, numbered over the whole report."""
    out: list[Section] = []
    count = 0
    plain = as_seen(text)
    columns = width(plain)
    for part in parts:
        spans = sentences(plain, part.span, columns)
        if plain is not text:  # a comma may stand where the text has a tab, a word where it has a box
            trimmed = [trim(text, span.start, span.end) for span in spans]
            spans = [span for span in trimmed if SAYS.search(text, span.start, span.end)]
        numbered = tuple([Sentence(i, span) for i, span in enumerate(spans, count)])
        count += len(spans)
        out.append(replace(part, sentences=numbered))
    return tuple(out)


BLANK_LINE = re.compile(r"(?:\r\n|\n|\r(?!\n))[ \t\xa0]*(?:\r\n|\n|\r)\s*")
FULL_STOP_LINE = re.compile(r"(?<=[.\w])[ \t\xa0]*(?:\r\n|\n|\r)\s*(?=(?:[-*•–]\s*|\d{1,2}[.)]\s*)?[A-Z])")
REASON_LINE = re.compile(
    r"(?<=[.?!])[ \t\xa0]*(?:\r\n|\n|\r)\s*"
    r"(?!(?:He|She|They|Patient|The patient|Pt|Please|Evaluate|Assess|Rule|History|Known|Status|S/p|Now)\b)"
    r"(?=(?:[-*•–]\s*|\d{1,2}[.)]\s*)?[A-Z])"
)
"""Where the line of an indication ends and what follows speaks of something else than the patient."""

INTRODUCTORY = frozenset({"exam", "indication", "technique", "comparison"})
UNNAMED = frozenset({"banner", "unnamed"})
ACRONYM = 5
"""Capitals this short within findings name a sequence or a device (FLAIR:, PICC:), not a section."""


class Draft(Struct, frozen=True):
    """A heading and the text below it, before the section has a name."""

    meaning: Meaning | Literal["inside"]
    """*inside*: no heading after all, but part of the draft before it."""

    heading: Span
    span: Span
    words: str = ""


def sections(text: str) -> tuple[list[Section], bool]:
    """The sections of `text` in order, and whether a heading named any of them.

    >>> text = "HISTORY: Cough. FINDINGS: Clear lungs."
    >>> [(part.name, part.span.of(text)) for part in sections(text)[0]]
    [('indication', 'Cough.'), ('findings', 'Clear lungs.')]
    """
    heads = list(headings(text))
    if UNNAMED.issuperset([head.meaning for head in heads]):
        banners = cut(text, [head for head in heads if head.meaning == "banner"])
        parts = [Section("findings", draft.heading, draft.span) for draft in banners]
        return [*opened(text, parts[0]), *parts[1:]] if parts else [], False
    drafts = free_findings(text, close_impression(join(place_unlisted(text, cut(text, heads)))))
    headed = "findings" in [draft.meaning for draft in drafts]
    return [part for draft in drafts for part in sections_of_draft(text, draft, headed)], True


SENTENCE_STOP = re.compile(r"(?:(?:(?<=\w\w)|(?<=\d))\.|(?<=\w\?))\s+(?=[A-Z][\w-]*[ ,:])")
STUDIES = re.compile(
    r"\b(?:compar\w+|priors?|previous(?:ly)? (?:stud|exam|film|radiograph|ct|mr|image)\w*|available|stud(?:y|ies)|"
    r"examinations?|exams?|films?|radiographs?|images?|dated|outside|obtained|performed|reviewed)\b",
    re.IGNORECASE,
)
"""Words of a sentence that still tells what was compared with."""

STATED = re.compile(r"\s*There (?:is|are|has been|have been) ", re.IGNORECASE)
"""How a sentence begins that describes what is seen, or says that there is nothing to compare with."""

DATED = re.compile(
    r"\b(?:none|nothing|imaging|ct|mri?|x-?rays?|scans?|(?:19|20)\d\d)\b|\d[/.-]\d\d?[/.-]\d|"
    r"\b(?:jan|febr)uary|\bmarch|\bapril|\bmay \d|\bjune|\bjuly|\baugust|\b(?:sept|nov|dec)ember|\boctober",
    re.IGNORECASE,
)


def cut(text: str, heads: Sequence[Heading]) -> list[Draft]:
    """One draft per heading; text before the first heading is taken as if below a banner."""
    first = trim(text, 0, heads[0].span.start if heads else len(text))
    drafts = [Draft("banner", Span(first.start, first.start), first)] if first.start < first.end else []
    ends = [head.span.start for head in heads[1:]]
    for head, end in zip(heads, [*ends, len(text)], strict=False):
        drafts.append(Draft(head.meaning, head.span, trim(text, head.span.end, end), head.words))
    return drafts


def place_unlisted(text: str, drafts: Sequence[Draft]) -> list[Draft]:
    """Settle the headings outside the table by where they stand."""
    last_findings = max((i for i, draft in enumerate(drafts) if draft.meaning == "findings"), default=-1)
    out: list[Draft] = []
    for i, draft in enumerate(drafts):
        reading = bool(out) and out[-1].meaning in ("findings", "impression", "inside")
        if draft.meaning == "unnamed":
            inside = reading and len(draft.words) <= ACRONYM
            draft = replace(draft, meaning="inside" if inside else "other")
        elif draft.meaning == "views":
            meaning = "inside" if reading else views(text, draft, i < last_findings, alone=len(drafts) == 1)
            draft = replace(draft, meaning=meaning)
        out.append(draft)
    return out


def views(text: str, draft: Draft, findings_follow: bool, *, alone: bool) -> SectionName:
    """`CHEST, TWO VIEWS:` heads findings, unless only a date or a findings heading follows.

    `Ultrasound: gallstones.` with nothing else in the report is short and says something all the same.
    """
    said = re.findall(r"[^\W\d_]{2,}", draft.span.of(text))
    return "exam" if findings_follow or len(said) < (1 if alone else 3) else "findings"


def join(drafts: Sequence[Draft]) -> list[Draft]:
    """Give drafts that are *inside* to the one before."""
    out: list[Draft] = []
    for draft in drafts:
        if draft.meaning == "inside":
            last = out[-1]
            empty = last.span.start == last.span.end
            start = draft.heading.start if empty else last.span.start
            out[-1] = replace(last, span=Span(start, max(draft.heading.end, draft.span.end)))
        else:
            out.append(draft)
    return out


def close_impression(drafts: Sequence[Draft]) -> list[Draft]:
    """After END OF IMPRESSION a SUMMARY holds a code for the archive, not a second impression."""
    heads = [draft.words for draft in drafts]
    if "end of impression" not in heads:
        return list(drafts)
    end = heads.index("end of impression")
    late = [replace(draft, meaning="other") if draft.words == "summary" else draft for draft in drafts[end:]]
    return [*drafts[:end], *late]


def free_findings(text: str, drafts: Sequence[Draft]) -> list[Draft]:
    """Without a findings heading, the paragraphs below the last introductory section hold the findings.

    `COMPARISON: None.`, a blank line, then the description: common where the heading is left out. A new line is
    enough, below an indication one after a full stop that does not go on about the patient; where nothing else is
    in the report (`Indication: fall. Fracture of the wrist.`), its first sentence is the indication.
    """
    if "findings" in [draft.meaning for draft in drafts]:
        return list(drafts)
    stop = next((i for i, draft in enumerate(drafts) if draft.meaning == "impression"), len(drafts))
    last = max((i for i in range(stop) if drafts[i].meaning in INTRODUCTORY), default=None)
    if last is None:
        return list(drafts)
    draft = drafts[last]
    gap = BLANK_LINE.search(text, draft.span.start, draft.span.end)
    if not gap:
        line_end = REASON_LINE if draft.meaning == "indication" else FULL_STOP_LINE
        gap = line_end.search(text, draft.span.start, draft.span.end)
    if gap and not is_prose(text[gap.end() : draft.span.end]):
        gap = None
    below_it: Meaning = "banner"
    if not gap and draft.meaning == "comparison":
        gap, below_it = after_studies(text, draft.span), "findings"
    if not gap and draft.meaning == "indication" and len(drafts) == 1:
        gap, below_it = SENTENCE_STOP.search(text, draft.span.start, draft.span.end), "findings"
    if not gap:
        return list(drafts)
    above = replace(draft, span=trim(text, draft.span.start, gap.start()))
    below = Draft(below_it, Span(gap.end(), gap.end()), Span(gap.end(), draft.span.end))
    return [*drafts[:last], above, below, *drafts[last + 1 :]]


def after_studies(text: str, span: Span) -> re.Match[str] | None:
    """`Comparison: 8 August. The effusion has grown.`: where sentences stop to speak of earlier studies.

    Below a heading that was left standing (`Comparison: There is a mass.`) the first speaks of none already.
    """
    first = SENTENCE_STOP.search(text, span.start, span.end)
    whole = span.start, first.start() if first else span.end
    told = any(pattern.search(text, *whole) for pattern in (STUDIES, DATED))
    if STATED.match(text, *whole) and not told:
        return re.compile("").match(text, span.start)
    for stop in SENTENCE_STOP.finditer(text, span.start, span.end):
        after = SENTENCE_STOP.search(text, stop.end(), span.end)
        if not STUDIES.search(text, stop.end(), after.start() if after else span.end):
            return stop
    return None


def sections_of_draft(text: str, draft: Draft, headed: bool) -> list[Section]:
    """A draft as a section; text below a banner is an exam line, then findings unless they are `headed`."""
    if draft.meaning in SECTION_NAMES:
        return [Section(draft.meaning, draft.heading, draft.span)]
    if draft.span.start == draft.span.end:
        return [Section("other", draft.heading, draft.span)]
    middle = titles_end(text, draft.span)
    exam, rest = trim(text, draft.span.start, middle), trim(text, middle, draft.span.end)
    name: SectionName = "findings" if not headed and is_prose(rest.of(text)) else "other"
    if exam.start == exam.end:
        return [Section(name, draft.heading, rest)]
    below = [Section(name, Span(rest.start, rest.start), rest)] if rest.start < rest.end else []
    return [Section("exam", draft.heading, exam), *below]
