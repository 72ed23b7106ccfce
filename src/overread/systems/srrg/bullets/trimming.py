"""What a bullet must not hold: loose ends, commas in a row, words that can tell who or when."""

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from overread.report.span import Span
from overread.systems.srrg.tables import WORDS

# ---- the ends of a bullet
EDGES = WORDS["joints"] | WORDS["edges"]
"""Words a bullet neither begins nor ends with."""

OPENINGS = WORDS["joints"] | WORDS["openings"]
"""Words an explanation does not begin with, joined to what it explains: its link stays."""

OPENERS = re.compile(
    r"^(?:whereas|while|although|though|except(?:ing)?(?: for)?|(?:apart|aside) from|other than|save for|following)\s",
    re.IGNORECASE,
)
"""Words that set what follows against something else: a bullet stands for itself."""

EMPTY = re.compile(r"\s*\(\s*\)")
SPACED_MARK = re.compile(r"\s+([,;:)])")
MARKS_IN_A_ROW = re.compile(r"([,;:])[,;: ]*([,;:])")
PRESENTING = ("presence", "position", "positioning", "appearance")
"""`Positioning of the pacemaker`: words that only hold up the thing."""


def finished(said: Sequence[str]) -> str:
    """Edges trimmed, commas closed up, first letter capital.

    >>> finished(["the", "left", "lung", ",", "at", "its", "base", "and", ","])
    'Left lung, at its base'
    >>> finished(["the", "presence", "of", "an", "aneurysm"])
    'Aneurysm'
    """
    today = [word for word in said if word.lower() not in ("now", "currently")]
    kept = without_edges(OPENERS.sub("", " ".join(without_edges(today))).split(" "))
    while [w.lower() for w in kept[:2]] in [[word, "of"] for word in PRESENTING]:
        kept = without_edges(kept[2:])
    if kept and kept[0].lower() == "including":
        kept = without_edges(kept[1:])
    if [w.lower() for w in kept[:2]] == ["patient", "status"]:
        kept = kept[1:]
    if [w.lower() for w in kept[:2]] == ["may", "be"] and kept[2:]:
        kept = ["possible", *without_edges(kept[2:])]
    if kept and kept[0].lower() == "otherwise":
        kept = [kept[0], *without_edges(kept[1:])]
    if [w.lower() for w in kept[-2:]] in (["in", "appearance"], ["as", "well"]):
        kept = without_edges(kept[:-2])
    while kept and kept[-1].lower() in ("may", "could", "might"):
        kept = without_edges(kept[:-1])
    text = closed(kept)
    return text[:1].upper() + text[1:]


def continued(said: Sequence[str]) -> str:
    """The same for words that go on about a statement: the link stays, and there is no capital.

    >>> continued(["this", "is", "compatible", "with", "scarring", ","])
    'compatible with scarring'
    """
    first = next((n for n, word in enumerate(said) if word.lower() not in OPENINGS), len(said))
    last = next((n for n in range(len(said), first, -1) if said[n - 1].lower() not in EDGES), first)
    return closed(said[first:last])


def closed(said: Sequence[str]) -> str:
    """Words in a row, commas and brackets closed up."""
    text = SPACED_MARK.sub(r"\1", EMPTY.sub("", " ".join(said))).replace("( ", "(")
    return MARKS_IN_A_ROW.sub(r"\1", text)


def without_edges(said: Sequence[str]) -> list[str]:
    """
    >>> without_edges(["the", "left", "lung", "and", ","])
    ['left', 'lung']
    """
    first, last = 0, len(said)
    while first < last and said[first].lower() in EDGES:
        first += 1
    told = [word.lower() for word in said]
    while last > first and (
        told[last - 1] in EDGES or " ".join(told[last - 1 : last + 1]) in WORDS["lost_links"]
    ):
        last -= 1
    return list(said[first:last])


# ---- identifiers: age and sex are none; this is no substitute for de-identifying a corpus
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
        if numbered or kind not in WORDS["numbered"]
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
        kept.append(LED_TO.sub("", text[at : one.span.start]))
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

LED_TO = re.compile(r"(?:\b(?:dated|from|on|at|of|to|by|with|since|performed|taken)\s+)+$", re.IGNORECASE)
"""Words that only led to the identifier."""
