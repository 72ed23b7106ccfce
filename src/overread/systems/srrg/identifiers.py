"""Words that can tell who or when: dates, times, names, places of work, vendors, numbers of a person.

Age and sex are no identifiers and stay. What is listed here is what a structured report must not hold; it is
no substitute for de-identifying a corpus.
"""

import re
from functools import lru_cache

from msgspec import Struct

from overread.report.span import Span

MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
DAY = r"\d{1,2}(?:st|nd|rd|th)?"
NAME = r"[A-Z][a-z]+(?:[-'’][A-Z][a-z]+)?(?:['’]s\b)?"
DEGREE = r"(?:M\.?D|D\.?O|R\.?N|P\.?A\.?-C|N\.?P)\.?"
WORKPLACE = r"(?:Hospital|Medical Center|Clinic|University|Health System|Imaging Center)"
VENDOR = (
    r"(?:Siemens|Philips|GE Healthcare|Fujifilm|Carestream|Agfa|Kodak|Medtronic|Boston Scientific|St\.? Jude|"
    r"Biotronik)"
)

KINDS = {
    "date": (
        r"(?i)\b\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d{2})\b",
        r"(?i)\b\d{4}[/-]\d{1,2}[/-]\d{1,2}\b",
        rf"(?i)\b(?:{DAY}\s+)?{MONTH}\s+(?:{DAY},?\s+)?\d{{4}}\b",
        rf"(?i)\b(?:on|dated|from|of)\s+(?:{MONTH}\s+{DAY}\b(?:,?\s+\d{{4}})?|{DAY}\s+{MONTH}(?!\w)(?:,?\s+\d{{4}}\b)?)",
        r"(?i)\b(?:on|dated|from|of)\s+\d{1,2}/\d{1,2}\b(?!/)",
        r"(?i)\b(?:from|since|in|dated)\s+(?:19|20)\d\d\b",
    ),
    "time": (r"(?i)\b\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?m\b\.?)?", r"(?i)\b\d{1,2}\s*[ap]\.?m\b\.?"),
    "name": (
        rf"\b(?:Drs?|Mr|Mrs|Ms|Prof)\.? +{NAME}(?: +(?:and +)?{NAME})*",
        rf"\b{NAME}(?: +[A-Z]\.)?(?: +{NAME})?,? +{DEGREE}(?!\w)",
    ),
    "institution": (rf"\b(?:(?:St|Mt|Ste)\.? +)?(?:{NAME} +)+{WORKPLACE}\b",),
    "vendor": (rf"(?i)\b{VENDOR}\b",),
    "number": (
        r"(?i)\b(?:MRN|accession|medical record)(?:\s+(?:number|no\.?|#))?\s*[:#]?\s*[A-Z]?\d{4,}\b",
        r"\b(?:\(\d{3}\)\s*|\d{3}-)\d{3}-\d{4}\b",
    ),
}
PATTERNS = {kind: [re.compile(pattern) for pattern in patterns] for kind, patterns in KINDS.items()}


NUMBERED = frozenset({"date", "time", "number"})
"""Kinds that no text without a digit holds."""

DIGIT = re.compile(r"\d")


class Identifier(Struct, frozen=True):
    """One stretch that can tell who or when."""

    kind: str
    span: Span


def identifiers(text: str) -> list[Identifier]:
    """Every identifier in `text`, in order.

    >>> [one.kind for one in identifiers("Discussed with Dr. Brook on 3/4/2019; 53-year-old woman.")]
    ['name', 'date']
    >>> [one.kind for one in identifiers("Sent from St. Mary's Hospital.")]
    ['institution']
    >>> identifiers("Nodule of 4-5 mm at T7/8, 2.5 x 3 cm")
    []
    """
    numbered = DIGIT.search(text) is not None
    found = [
        Identifier(kind, Span(m.start(), m.end()))
        for kind, patterns in PATTERNS.items()
        if numbered or kind not in NUMBERED
        for pattern in patterns
        for m in pattern.finditer(text)
    ]
    kept: list[Identifier] = []
    for one in sorted(found, key=lambda one: (one.span.start, -one.span.end)):
        if not kept or kept[-1].span.end <= one.span.start:
            kept.append(one)
    return kept


@lru_cache(maxsize=4096)  # reports repeat each other's bullets
def without_identifiers(text: str) -> str:
    """The text with every identifier cut out, and the space and commas it leaves closed up.

    >>> without_identifiers("Chest radiograph dated 6/28/2008, portable.")
    'Chest radiograph, portable.'
    >>> without_identifiers("Nodule of 9 mm (in 2018).")
    'Nodule of 9 mm.'
    """
    kept, at = [], 0
    for one in identifiers(text):
        kept.append(LEADING.sub("", text[at : one.span.start]))
        at = max(at, one.span.end)
    left = "".join([*kept, text[at:]])
    return closed_up(left) if at else left.strip(" ,;:")


def closed_up(text: str) -> str:
    """What remains without empty brackets, joints between nothing, marks in a row and marks without words.

    >>> closed_up("Radiographs of and , ( ), portable ,. ")
    'Radiographs, portable.'
    >>> closed_up(" . ")
    ''
    """
    left = re.sub(r"\(\s*\)|\[\s*\]", "", re.sub(r"\s+", " ", text))
    left = DANGLING.sub("", left)
    left = re.sub(r"\s+([,;:.)])", r"\1", left)
    left = re.sub(r"[,;:]+(?=[.;])|(?<=[.;,:])(?:\s*[,;:])+|(?<=\.)(?:\s*\.)+", "", left)
    left = left.strip(" ,;:")
    return left if re.search(r"\w", left) else ""


DANGLING = re.compile(
    r"(?:\s+(?:and|or|dated|from|on|at|of|by|since|performed|taken|to))+\s*(?=[,;:.)]|$)", re.IGNORECASE
)
"""Words before a mark that joined or led to what is gone."""

LEADING = re.compile(r"(?:\b(?:dated|from|on|at|of|to|by|with|since|performed|taken)\s+)+$", re.IGNORECASE)
"""Words that only led to the identifier."""
