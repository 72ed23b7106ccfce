"""Lists, tables and questions: what they say with dashes, bars, dots or a question mark, said with a colon.

`Heart - enlarged`, `Heart | enlarged`, `Heart ..... enlarged`, `Effusion? Yes, small.` Everything after this sees the
colon. Offsets stay those of the text as it came: a mark becomes a colon, and what is left of it spaces.
"""

import re
from functools import lru_cache

from overread.report.marks import hidden

ITEM = r"[ \t]*(?:[-–—*•●▪◦‣][ \t]*|\(?\d{1,2}[.)][ \t]*)?"
WORD = r"[A-Za-z][\w'’/()&,+-]*"
SHORT, LONGER = 4, 6
"""Words that may stand after the first one of a label, and of a question."""

LABELLED = re.compile(
    rf"(?:^|(?<=: ))({ITEM}{WORD}(?:[ \t]{WORD}){{0,{SHORT}}})"
    r"(?:[ \t]+[-–—][ \t]+|[ \t]*[|=][ \t]*|[ \t]*\.{3,}[ \t]*)(?=[^\s|=.])",
    re.MULTILINE,
)
"""A line that begins with a label, the mark after it, and what is said of it."""

ANSWERED = re.compile(
    rf"(?:^|(?<=[:.] ))({ITEM}{WORD}(?:[ \t]{WORD}){{0,{LONGER}}}[ \t]?)\?"
    r"(?=[ \t]+(?i:yes|no|none|not|nil|absent|present|positive|negative|possibl[ey]|probabl[ey]|likely|unlikely)\b)",
    re.MULTILINE,
)
HEADED = re.compile(
    r"^([ \t]*[A-Z][A-Z/&-]+(?: [A-Z/&-]+){0,2}[ \t]*)\n(?=[ \t]*[A-Z]?[a-z0-9])", re.MULTILINE
)
"""A line of capitals over one of small letters."""

BOX = re.compile(r"[\[(](?P<tick>[ xX✓]?)[\])](?P<option>[ \t]*(?:[\w'-]+[ \t]?)*)")
"""A box to tick, and what it stands for."""

BOXED = re.compile(r"^.*[\[(][xX✓][\])].*$|^[ \t]*[-*•]?[ \t]*[\[(] ?[\])].*$", re.MULTILINE)
"""A line with boxes, one of them ticked, or that begins with one."""

YES_OR_NO = re.compile(r"\(y(?:es)?/no?\)\s*:?[ \t]*([yn])\b", re.IGNORECASE)
MARKS = (" - ", " – ", " — ", "|", "=", "...", "?", "[", "(x)", "( )", "(y")


@lru_cache(maxsize=256)
def as_seen(text: str) -> str:
    """The text as everything after this sees it: what de-identification took out hidden, and labels with a colon.

    Several steps ask for it in turn.

    >>> as_seen("Heart - enlarged\\nEffusion ... none\\nEdema? No.")
    'Heart : enlarged\\nEffusion :   none\\nEdema: No.'
    """
    text = hidden(text)
    marked = any(map(text.__contains__, MARKS)) or "\n" in text
    return with_colons(text) if marked else text


def with_colons(text: str) -> str:
    if BOXED.search(text):
        text = BOXED.sub(ticked, text)
    text = YES_OR_NO.sub(lambda asked: (":no" if asked[1] in "nN" else ":yes").rjust(len(asked[0])), text)
    text = LABELLED.sub(colon, text)
    text = ANSWERED.sub(colon, text)
    return HEADED.sub(colon, text) if len(HEADED.findall(text)) > 1 else text


def ticked(line: re.Match[str]) -> str:
    """Of a question's options the one that is ticked; of a list of findings each, denied where it is not.

    >>> with_colons("Free air: ( ) yes (x) no"), with_colons("[x] Edema [ ] Cyst")
    ('Free air:             no', ';   Edema ;no Cyst')
    """
    first = BOX.search(line[0])
    asks = first is not None and line[0][: first.start()].rstrip().endswith((":", "?"))
    return BOX.sub(chosen if asks else listed, line[0])


def chosen(box: re.Match[str]) -> str:
    width = box.start("option") - box.start()
    return " " * len(box[0]) if box["tick"] in ("", " ") else " " * width + box["option"]


def listed(box: re.Match[str]) -> str:
    mark = box[0][: box.start("option") - box.start()]
    return (";no" if box["tick"] in ("", " ") else ";").ljust(len(mark))[: len(mark)] + box["option"]


def colon(found: re.Match[str]) -> str:
    """The label, a colon where the mark begins, and spaces for the rest."""
    label, mark = found[1], found[0][len(found[1]) :]
    before = len(mark) - len(mark.lstrip(" \t"))
    return label + " " * before + ":" + " " * (len(mark) - before - 1)
