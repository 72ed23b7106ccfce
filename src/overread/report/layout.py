"""Lists, tables and questions: what they say with dashes, bars, dots or a question mark, said with a colon.

`Heart - enlarged`, `Heart | enlarged`, `Heart ..... enlarged`, `Effusion? Yes, small.` Everything after this sees the
colon. Offsets stay those of the text as it came: a mark becomes a colon or a comma, and what is left of it spaces.
"""

import re
from functools import lru_cache, partial

from overread.report.marks import hidden
from overread.report.passed_over import readable

ITEM = r"[ \t]*(?:(?:[-–—*•●▪◦‣|]|->|→|\(?\d{1,2}(?:\.\d{1,2})*[.)]?|\(?[a-h]\)|\(?[ivx]{1,4}\))[ \t]+)?"
LABEL_WORD = r"[A-Za-z#][\w'’/()&,+#-]*"
SHORT, LONGER = 4, 6
"""Words that may stand after the first one of a label, and of a question."""

DASH = r"[ \t]+(?:[-–—]+|->|→)[ \t]+"
BAR = r"[ \t]*[|=][ \t]*"
DOTS = r"[ \t]+\.{2,}[ \t]+|[ \t]*\.{3,}[ \t]*"
WIDE_SPACE = r"[ \t]{3,}|\t[ \t]*"
LABEL = rf"{ITEM}{LABEL_WORD}(?:[ \t]{LABEL_WORD}){{0,{SHORT}}}"
LABELLED = re.compile(rf"(?:^|(?<=[A-Z]: ))({LABEL})(?:{BAR}|{DOTS})(?=[^\s|=.])", re.MULTILINE)
"""A line that begins with a label, the mark after it, and what is said of it."""

DASHED = re.compile(rf"(?:^|(?<=[A-Z]: ))({LABEL})(?:{DASH})(?=[^\s|=.])", re.MULTILINE)
"""The same with a dash, which in a text of one line may be any dash."""

COLUMN = re.compile(rf"^({LABEL})(?:{WIDE_SPACE})(?=\S[^.\r\n]{{0,60}}$)", re.MULTILINE)
"""The same with wide spaces, in lines that are no sentences; one alone is none."""

ROW = re.compile(rf"^{LABEL}[ \t]*:[^\r\n]*", re.MULTILINE)
"""A line that begins with a label and a colon: marks after it part what is said."""

MORE = re.compile(rf"{DASH}|[ \t]*\|[ \t]*")
MORE_COLUMNS = re.compile(rf"{MORE.pattern}|{WIDE_SPACE}")
ANSWERED = re.compile(
    rf"(?:^|(?<=[:.] ))({ITEM}{LABEL_WORD}(?:[ \t]{LABEL_WORD}){{0,{LONGER}}}[ \t]?)\?"
    r"(?=[ \t]+(?i:yes|no|none|not|nil|absent|present|positive|negative|possibl[ey]|probabl[ey]|likely|unlikely"
    r"|[yn](?=[ \t]*(?:[,;.-]|$)))\b)",
    re.MULTILINE,
)
ASKED = re.compile(rf"^({LABEL}[ \t]?)\?(?=[ \t]+[^\s?][^?\r\n]{{0,60}}$)", re.MULTILINE)
"""The same with an answer in any words; one alone may be a doubt."""

HEADED = re.compile(
    r"^([ \t]*[A-Z][A-Z/&-]+(?: [A-Z/&-]+){0,2}[ \t]*)\n(?=[ \t]*[A-Z]?[a-z0-9])", re.MULTILINE
)
"""A line of capitals over one of small letters."""

BOX = re.compile(r"[\[(](?P<tick>[ xX✓]?)[\])](?P<option>[ \t]*(?:[\w'-]+[ \t]?)*)")
"""A box to tick, and what it stands for."""

BOXED = re.compile(
    r"^[^\r\n]*[\[(][xX✓][\])][^\r\n]*|^[ \t]*(?:[-*•][ \t]*)?[\[(] ?[\])][^\r\n]*", re.MULTILINE
)
"""A line with boxes, one of them ticked, or that begins with one."""

YES_OR_NO = re.compile(r"\(y(?:es)?/no?\)[ \t]*+:?[ \t]*+([yn])\b", re.IGNORECASE)
SIGN = re.compile(
    r":(?:(?<=[a-z)]:)|(?<=[a-z)] :))[ \t]+([-–+0YNyn])(?=[ \t]*(?:$|[\r,;(]|[-–][ \t]))", re.MULTILINE
)
"""A plus, a minus, a letter or a zero as an answer."""

RULED = re.compile(r"^[ \t]*\|[^\r\n]*\|", re.MULTILINE)
"""A row between bars."""

MARKS = re.compile(r" [-–—] |--|->|→|[|=?[\t]|\.\.\.| \.\.|\(x\)|\( \)|\(y|   ")
"""Without any of these there are no tables, boxes or questions; looking for them costs little."""


@lru_cache(maxsize=256)
def as_seen(text: str) -> str:
    """The text as everything after this sees it: what de-identification took out hidden, and labels with a colon.

    Several steps ask for it in turn.

    >>> as_seen("Heart - enlarged\\nEffusion ... none\\nEdema? No.")
    'Heart : enlarged\\nEffusion :   none\\nEdema: No.'
    """
    text = readable(hidden(text))
    if MARKS.search(text):
        text = with_colons(text)
    if ":" in text:
        text = SIGN.sub(answer, text)
    if sum(map(str.isupper, text.split("\n"))) > 1 and len(HEADED.findall(text)) > 1:
        text = HEADED.sub(colon, text)
    return text


def with_colons(text: str) -> str:
    if "|" in text:
        text = RULED.sub(without_rules, text)
    if BOXED.search(text):
        text = BOXED.sub(ticked, text)
    text = YES_OR_NO.sub(lambda asked: (":no" if asked[1] in "nN" else ":yes").rjust(len(asked[0])), text)
    text = LABELLED.sub(colon, text)
    text = DASHED.sub(colon, text) if "\n" in text else text
    text = ANSWERED.sub(colon, text)
    if "?" in text and len(ASKED.findall(text)) > 1:
        text = ASKED.sub(colon, text)
    if ("   " in text or "\t" in text) and len(COLUMN.findall(text)) > 1:
        return ROW.sub(partial(parted, MORE_COLUMNS), COLUMN.sub(colon, text))
    return ROW.sub(partial(parted, MORE), text)


def without_rules(row: re.Match[str]) -> str:
    """The cells of a row without the bars around them; a line under a heading is empty."""
    inner = row[0].replace("|", " ", 1)[::-1].replace("|", " ", 1)[::-1]
    return inner if any(c.isalnum() for c in inner) else " " * len(inner)


def ticked(line: re.Match[str]) -> str:
    """Of a question's options the one that is ticked; of a list of findings each, denied where it is not.

    >>> with_colons("Free air: ( ) yes (x) no"), with_colons("[x] Edema [ ] Cyst")
    ('Free air:             no', ';   Edema ;no Cyst')
    """
    first = BOX.search(line[0])
    asks = first is not None and line[0][: first.start()].rstrip().endswith((":", "?"))
    return BOX.sub(chosen if asks else denied_unless_ticked, line[0])


def chosen(box: re.Match[str]) -> str:
    width = box.start("option") - box.start()
    return " " * len(box[0]) if box["tick"] in ("", " ") else " " * width + box["option"]


def denied_unless_ticked(box: re.Match[str]) -> str:
    mark = box[0][: box.start("option") - box.start()]
    return (";no" if box["tick"] in ("", " ") else ";").ljust(len(mark))[: len(mark)] + box["option"]


def colon(found: re.Match[str]) -> str:
    """The label, a colon where the mark begins, and spaces for the rest."""
    return found[1] + as_mark(found[0][len(found[1]) :], ":")


def as_mark(marks: str, sign: str) -> str:
    """One sign where the marks begin, and spaces for the rest."""
    before = min(len(marks) - len(marks.lstrip(" \t")), len(marks) - 1) if marks.strip() else 0
    return " " * before + sign + " " * (len(marks) - before - 1)


def answer(found: re.Match[str]) -> str:
    """`no` for a minus, a zero or an N; nothing for a plus or a Y, as what is listed is there."""
    word = ":" if found[1] in "+Yy" else ":no"
    return word.ljust(len(found[0]))


def parted(marks: re.Pattern[str], row: re.Match[str]) -> str:
    """Commas for the marks that part what is said of a label.

    >>> with_colons("edema: mild - unchanged")
    'edema: mild , unchanged'
    """
    label, _, said = row[0].partition(":")
    body = said.strip()
    if label.isupper() or STOPPED.search(body):  # a section, sentences
        return row[0]
    lead = len(said) - len(said.lstrip())
    commas = marks.sub(lambda mark: as_mark(mark[0], ","), EMPTY.sub("", body))
    return f"{label}:{' ' * lead}{commas}".ljust(len(row[0]))


EMPTY = re.compile(r"(?:[ \t|]+[-–])+$")
"""Cells at the end of a row in which nothing is written."""

STOPPED = re.compile(r"[.!?][ \t]")
"""Sentences behind a heading, and no row of a table."""
