"""The first lines of a report: what was done and why, where no heading says so."""

import re

from overread.report.headings import SPACE
from overread.report.model import Section
from overread.report.span import Span
from overread.report.table import words_of_kind

VISIBLE = re.compile(rf"[^{SPACE}]")
LINE = re.compile(r"[^\n\r]+")


def trim(text: str, start: int, end: int) -> Span:
    """`start:end` without the space around it; empty at `start` when there is nothing else."""
    first = VISIBLE.search(text, start, end)
    if not first:
        return Span(start, start)
    while not VISIBLE.match(text, end - 1):
        end -= 1
    return Span(first.start(), end)


OPENING = 120
"""No opening line that tells what was done is longer than this many characters."""

TITLE_ENDS = re.compile(
    r"(?!,\s+(?:(?:one|two|three|four|\d) views?|left|right|both|bilateral)\b[\w ]{0,24}[.,;\n])[.,;(](?=\s)\s*",
    re.IGNORECASE,
)
"""What ends the name of an examination: a mark, but not the comma before a side (`Ultrasound, right breast.`)."""

ASIDE = re.compile(r"\s(?:with|without|for|at|using)\s.*", re.DOTALL)
"""What may follow the name of an examination: `MRI of the knee without contrast`."""

OF_A_FINDING = frozenset("on by in this the per see from since last prior previous initial today's".split())
"""Before the word for an examination these say where something was seen: `cardiomegaly on portable film`."""

HOW_TAKEN = frozenset(
    "ap decubitus erect frontal lateral pa portable projection series study supine upright".split()
)
"""Words of views that may be said of a finding as well: `lateral meniscus tear`."""

VIEWS = re.compile(
    r",\s+(?:one|two|three|four|\d) views?\b|\b(?:ap|pa)\s*(?:and|/|&)\s*(?:lateral|oblique|axial|axillary)\b",
    re.IGNORECASE,
)
"""How a film was taken: `left knee, two views`, `right wrist PA and lateral`."""

SAYING = frozenset(
    "negative positive abnormal on by this reviewed showing demonstrating reveals lacks".split()
)
"""Words of a sentence, not of a title: `CT negative for embolus`."""

TITLE_WORD = re.compile(r"[a-z][a-z'-]*")
STOP = re.compile(r"\.\s+(?=\S)")
TITLE_SIDES = frozenset({"left", "right", "l", "r"})
OF_THE_PATIENT = re.compile(
    r"\?|\b\d+[ -]?(?:y|yo|yrs?|m|f|years?|weeks?|months?|days?)\b|\b(?:boy|girl|man|woman|aged|newborn|infant|"
    r"pain\w*|hist\w+|hx|known|fever\w*|cough\w*|"
    r"trauma\w*|fall|fell|inj\w+|r/o|rule|exclude|evaluat\w+|assess\w*|follow-?\s?up|query|search|swelling|dyspn\w+|"
    r"short\w*|weakness|h[ae]?emat\w+|bleeding|vomiting|status|s/p|post-?op\w*|after|since|carrier|smoker|therapy|"
    r"chemo\w*|surveillance|screening|symptom\w*|palpable|raised|rising|suppressed)\b",
    re.IGNORECASE,
)
"""Words that tell why an examination was done."""


def opened(text: str, part: Section) -> list[Section]:
    """A report without headings: its first line may tell what was done and why, the rest tells what is seen."""
    span = part.span
    line = LINE.match(text, span.start, span.end)
    if part.heading.start < part.heading.end or line is None:
        return [part]
    stop = TITLE_ENDS.search(text, line.start(), line.end())
    title = trim(text, line.start(), stop.end() if stop else line.end())
    if title.end == span.end or not names_exam(title.of(text)):
        return [part]
    why = reason(text, title.end, line.end(), span.end)
    if why is None and not STOP.search(text, title.end - 1, line.end()) and line.end() < span.end:
        title = trim(text, *line.span())  # a line of its own: `CT of the sinuses, low dose`
    start = why.end if why else title.end
    told = Section("findings", Span(start, start), trim(text, start, span.end))
    asked = [Section("indication", Span(why.start, why.start), why)] if why else []
    return [Section("exam", part.heading, title), *asked, told]


def reason(text: str, start: int, line_end: int, end: int) -> Span | None:
    """Why it was done: what else the first line says of the patient, or a line below it that ends as a question."""
    stop = STOP.search(text, start, line_end) if text[start - 1] == "," else None
    rest = trim(text, start, stop.start() + 1 if stop else line_end)
    if rest.start == rest.end:
        line = LINE.search(text, line_end, end)
        rest = trim(text, *line.span()) if line else rest
        if not rest.of(text).endswith("?"):
            return None
    said = rest.of(text)
    last = VISIBLE.search(text, rest.end, end) is None
    asks = OF_THE_PATIENT.search(said) is not None and not is_prose(said) and len(said) <= OPENING
    return rest if asks and not last else None


def names_exam(title: str) -> bool:
    """Whether words at the start of a report only name an examination.

    >>> [names_exam(s) for s in ("CT of the right ankle,", "Left knee MRI", "Enlarged heart on portable film.")]
    [True, True, False]
    """
    exams = words_of_kind("view") - HOW_TAKEN
    name = ASIDE.sub("", title.partition(",")[0]).lower()
    found = [w for w in TITLE_WORD.findall(name) if w not in TITLE_SIDES]
    says = ":" in title[:-1] or not (SAYING | words_of_kind("prose")).isdisjoint(found)
    if says or not found or len(title) > OPENING or found[0].startswith("post"):
        return False
    if (found[0] in exams and found != ["mr"]) or VIEWS.search(title):
        return True
    at = found.index("of") if "of" in found else len(found)  # targeted ultrasound of the left breast
    return found[at - 1] in exams - {"mr"} and OF_A_FINDING.isdisjoint(found[:at])


def titles_end(text: str, span: Span) -> int:
    """Where the lines end that name an examination, at the start of `span`."""
    end = span.start
    for line in LINE.finditer(text, span.start, span.end):
        if VISIBLE.search(line.group()) and not is_title(line.group()):
            break
        end = line.end()
    return end


def is_prose(text: str) -> bool:
    """Whether a passage says something, by its verbs and the like."""
    return not words_of_kind("prose").isdisjoint(re.findall(r"[a-z]+", text.lower()))


def is_title(line: str) -> bool:
    """Whether a line names an examination.

    >>> is_title("Portable chest radiograph, ___"), is_title("The lateral view is normal.")
    (True, False)
    """
    found = re.findall(r"[a-z][a-z-]*", line.lower())
    return (
        len(found) <= 16
        and words_of_kind("prose").isdisjoint(found)
        and not words_of_kind("view").isdisjoint(found)
    )
