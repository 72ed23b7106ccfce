"""Which findings stand in one bullet: those a sentence links, and a sentence that explains the one before."""

import re
from collections.abc import Sequence

from overread.reader import Finding, Reading, SentenceReading
from overread.report.marks import BLANKED
from overread.report.span import Span
from overread.systems.srrg.tables import WORDS, header_of

EXPLAINS = re.compile(
    r"(?:may|might|could|suggesting|suggestive of|compatible with|consistent with|representing|concerning for)\b|"
    r"(?:this|these|it|they|which|(?:the|this|these|its) (?:appearances?|findings?))\s+"
    rf"(?:\w+ly\s+|most\s+|again\s+|{BLANKED}\s+)*"
    r"(?:may|might|could|can|would|is|are|was present|were present|represents?|reflects?|suggests?|favou?red|"
    r"likely|probably|measures?)\b|"
    rf"(?:the|this|its) appearance\s+(?:{BLANKED}\s+)+(?!is\b|are\b|has\b|appears?\b|remains?\b)\w",
    re.IGNORECASE,
)
"""A sentence that says of the last statement what it is: `This may represent scarring.`

A blank may have taken the verb: `The appearance XXXX scarring.`
"""


BLANKS = re.compile(
    r"(?:\s*(?:is|are) (?:present|seen|noted))?"
    rf"(?:,?\s*(?:the|an?|whose) appearances?(?: of)?(?: which)?)?[\s,]*(?:{BLANKED}[\s,]*)+",
    re.IGNORECASE,
)
"""A gap that held nothing but the words that linked two findings: `opacity XXXX atelectasis`."""

ACCENTUATES = re.compile(r"\b(?:accentuat|exaggerat)(?:es?|ing|ed by)\b[^,;]*$", re.IGNORECASE)
"""`Cardiomegaly accentuated by low volumes`, `low volumes, which accentuate the markings`."""

GOES_ON = re.compile(
    r"(?:[\s,]|\b(?:is|are|seen|noted|present)\b)*\band\s+(?:suggests?|represents?|reflects?)\b",
    re.IGNORECASE,
)
"""A second verb of the same subject: `irregularity of the rib appears old and suggests prior injury`."""

SAYS_WHY = re.compile(r"[\s,]*(?:given|considering)\b", re.IGNORECASE)
"""The reason of a guess: `nodule, probably within the lingula given the opacity on the lateral view`."""

SAYS_WHAT = re.compile(r"[\s,]*(?:which|that|this|these|but)\b", re.IGNORECASE)
LEFT_OPEN = re.compile(r"\s*[;,]\s*")


def explains(reading: Reading, sentence: SentenceReading) -> bool:
    """Does the sentence only say of the one before what it is?"""
    return EXPLAINS.match(reading.text(sentence.span)) is not None


def together(
    reading: Reading, findings: Sequence[Finding], keep_denials: bool, explaining: bool = False
) -> list[list[Finding]]:
    """Findings the sentence links stand in one bullet: `opacity, likely atelectasis`.

    What explains the statement before stays one: `this could be edema superimposed on fibrosis`.
    """
    groups: list[list[Finding]] = []
    for finding in findings:
        home = next((g for g in groups if any(bound(reading, m, finding, keep_denials) for m in g)), None)
        if home is None and explaining and finding.status == "positive":
            home = next((g for g in groups if g[0].status == "positive"), None)
        if home is None:
            groups.append([finding])
        else:
            home.append(finding)
    return groups


def bound(reading: Reading, first: Finding, second: Finding, keep_denials: bool) -> bool:
    """Do two findings of a sentence belong in one bullet?"""
    if first.span == second.span or (
        first.id in (*second.associate, *second.evidence) and not accompanied(reading, first, second)
    ):
        return True
    if clear_without(reading, first, second):
        return True
    if both_signs(reading, first, second) and header_of(first) == header_of(second):
        return True  # lucency and scarring, consistent with emphysema
    if "negative" in (first.status, second.status):
        cue = denied_by(first)
        return keep_denials and cue is not None and cue == denied_by(second)
    gap = between(first, second)
    return joined(reading, first, second, gap) or told_of(reading, first, second, gap)


def accompanied(reading: Reading, first: Finding, second: Finding) -> bool:
    """Is the second only seen beside the first: `cardiomegaly with left pacemaker`, `opacities with pleural fluid`?

    Two things that stand under two headers, unless one is a sign of the other or says more of a structure.
    """
    words = reading.text(between(first, second)).lower().split()
    beside = (
        words[:1] == ["with"] and first.id not in second.evidence and not both_signs(reading, first, second)
    )
    return beside and first.kind in ("finding", "diagnosis") and header_of(first) != header_of(second)


def both_signs(reading: Reading, first: Finding, second: Finding) -> bool:
    """Does the sentence draw one thing from both?"""
    return any({first.id, second.id} <= {*f.evidence} for f in reading.in_sentence(first.sentence))


CLEAR_WITHOUT = re.compile(r"[\s,]*(?:and\s+)?without\b[^,;]*", re.IGNORECASE)


def clear_without(reading: Reading, first: Finding, second: Finding) -> bool:
    """`Lungs are clear without infiltrate`: the denial only says more of what is clear."""
    clear = first.kind == "structure" and first.status == "negative" and second.status == "negative"
    gap = reading.text(between(first, second))
    return clear and CLEAR_WITHOUT.fullmatch(gap) is not None and header_of(first) == header_of(second)


def denied_by(finding: Finding) -> Span | None:
    return next((e.span for e in finding.trace if e.note == "denied"), None)


def between(first: Finding, second: Finding) -> Span:
    """What stands between two findings and the words that describe them."""
    end = max([first.span.end, *(a.span.end for a in first.attributes if a.span.end <= second.span.start)])
    start = min([second.span.start, *(a.span.start for a in second.attributes if a.span.start >= end)])
    return Span(end, max(start, end))


def joined(reading: Reading, first: Finding, second: Finding, gap: Span) -> bool:
    """Two findings the words make one: `changes of sternotomy`, `nodules, sequela of granulomatous disease`.

    After `with` the second must belong under the same header: `hyperexpanded lungs with flat diaphragms`.
    """
    if any(cue.note == "link" and gap.contains(cue.span) for cue in reading.sentences[first.sentence].cues):
        return True
    words = reading.text(gap).strip(" ,").lower().split()
    if words and words[0] in WORDS["attaching"] and "and" not in words:
        return True
    if len(words) > 2 or not words:
        return False
    if words == ["and"] and first.kind == second.kind == "procedure":
        return True
    if words[0] == "in" and second.kind == "device":  # a kink in the tube
        return True
    return words[0] == "of" or (words[0] == "with" and header_of(first) == header_of(second))


def told_of(reading: Reading, first: Finding, second: Finding, gap: Span) -> bool:
    """Is the second what the first is said to be, though no word links them?

    `Opacity which may represent changes of fibrosis`, `opacity XXXX atelectasis`, `enlarged heart;
    cardiomegaly versus effusion`, `nodule, etiology unknown`.
    """
    text = reading.text(gap)
    if ACCENTUATES.search(reading.text(Span(first.span.end, max(first.span.end, second.span.start)))):
        return True
    if GOES_ON.match(text) or SAYS_WHY.match(text):
        return True
    hedged = any(c.note == "hedge" and gap.contains(c.span) for c in reading.sentences[first.sentence].cues)
    if hedged and SAYS_WHAT.match(text):
        return True
    if BLANKS.fullmatch(text) or (second.concept == "etiology" and ";" in text):
        return second.kind in ("finding", "diagnosis", "generic")
    versus = second.level == "possible" and second.associate and second.kind in ("finding", "diagnosis")
    return bool(versus) and LEFT_OPEN.fullmatch(text) is not None and first.kind == "structure"
