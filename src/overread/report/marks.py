"""What de-identification leaves behind, and the one form in which everything after it sees it.

Rules know one blank, `XXXX`. Every other mark is hidden behind as many X's as it has letters, so that offsets stay
those of the text as it came; words that are taken out of a text write each blank as `XXXX`.
"""

import re
from functools import lru_cache

BLANK = "XXXX"
"""How a blank is written in words taken out of a text, whoever left it."""

BLANKED = r"\bX{2,}\b"
"""A blank in a text whose marks are hidden, as part of a pattern."""

REDACTED_KINDS = (
    r"(?:redacted|removed|de-?identified|anonymi[sz]ed|phi|name|first ?name|last ?name|patient|person|doctor|"
    r"physician|staff|hospital|institution|organi[sz]ation|location|address|city|date|time|date ?time|age|phone|"
    r"number|id|mrn|accession)"
)
"""What such a mark says was there. Other words in square brackets are a template's: `[normal]`, `[ ]`."""

TAGS = (
    r"(?:BR|HR|P|B|I|U|A|H\d|LI|UL|OL|DL|DT|DD|TD|TR|TH|EM|TT|DIV|SPAN|TABLE|TBODY|THEAD|PRE|FONT|CENTER|HTML|HEAD|BODY|"
    r"STRONG|SUB|SUP|CODE|SMALL|BIG|TITLE|STYLE)"
)
"""Words in angle brackets that are a page's: `<BR>`."""

MARK = re.compile(
    r"\[\*\*[^\]\n]{0,80}\*\*\]"
    rf"|<(?!{TAGS}[ />])[A-Z][A-Z0-9 _/-]{{1,30}}>"
    rf"|[\[<](?i:{REDACTED_KINDS})(?:[ _:#-]?\d{{1,4}})?[\]>]"
    r"|(?<!\w)_{2,8}(?!\w)"
    r"|(?<![\w/])XX/XX/(?:XX|XXXX)(?![\w/])"
)
"""`[**Name 7**]`, `<NAME>`, `[REDACTED]`, `[Date 2]`, `___`, `XX/XX/XXXX`; a longer line of underscores is a rule."""

RUN = re.compile(BLANKED)


@lru_cache(maxsize=256)
def hidden(text: str) -> str:
    """The text with every mark behind X's, letter for letter.

    >>> hidden("Seen by [**Name**] on ___, 3 cm.")
    'Seen by XXXXXXXXXX on XXX, 3 cm.'
    """
    marked = "__" in text or "[" in text or "<" in text or "XX/" in text
    return MARK.sub(lambda mark: "X" * len(mark[0]), text) if marked else text


def origin(text: str, offset: int) -> int:
    """Where in a text whose marks are hidden an offset of `alike(text)` lies.

    >>> origin("XXXXXXXX on XXX, nodule", len("XXXX on XXXX, "))
    17
    """
    for blank in RUN.finditer(text) if "XX" in text else ():
        if offset <= blank.start():
            break
        offset += len(blank[0]) - len(BLANK)
    return offset


def alike(words: str) -> str:
    """Words with every blank in them written as one writes it, whoever left it.

    >>> alike("left chest ___"), alike("left chest XXXXXXX"), alike("left chest")
    ('left chest XXXX', 'left chest XXXX', 'left chest')
    """
    words = hidden(words)
    return RUN.sub(BLANK, words) if "XX" in words else words
