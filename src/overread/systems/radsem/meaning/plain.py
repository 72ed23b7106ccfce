"""A sentence before its statements are read: what only says where, when or how well something was seen is blank."""

import re

from overread.lexicon.words import forms_of
from overread.reader.growth import TOLD_OF_BEFORE, growth

VIEW = re.compile(
    r"\b(?:(?:only |best )?(?:seen |visible |noted )?(?:on|in) )?(?:the |a |an )?"
    r"(?:(?:frontal|lateral|pa|ap|left|right|decubitus|upright|portable|oblique|lordotic|supine|and)[ -]+)+"
    r"(?:views?|films?|projections?|radiographs?|images?)\b"
    r"|\b(?:on|in) (?:this|the current|the present|these|today's) "
    r"(?:views?|films?|projections?|radiographs?|images?|stud(?:y|ies)|exam(?:ination)?s?)\b",
    re.IGNORECASE,
)
MORE_ON_ONE_SIDE = re.compile(
    r"\b(?:right|left)(?: side)? (?:greater|more|worse|larger) than(?: the)? (?:right|left)\b"
    r"(?: side\b)?(?: bilateral\b)?",
    re.IGNORECASE,
)
MORE_BEHIND = re.compile(rf",? {MORE_ON_ONE_SIDE.pattern}(?=\s*(?:[.,;]|$))", re.IGNORECASE)
"""The same behind the place: `in the lung bases, left greater than right`."""

SIGHTED = "(?:seen|present|visible|noted|identified|demonstrated|visualized|appreciated|evident)"
NOT_BEFORE = re.compile(
    r"\b(?:(?:which|that|and|was|were|is|are) )*(?:"
    rf"not (?:well[ -])?{SIGHTED} (?:on|in) (?:the |any |a )?"
    r"(?:prior|previous|earlier|last|comparison|preceding|(?:19|20)\d\d)(?: \w+)?|"
    rf"not {SIGHTED} (?:previously|before|earlier|yesterday|this morning)|"
    rf"(?:not (?:as|so)|cannot be) well[ -]{SIGHTED})",
    re.IGNORECASE,
)
"""What was not there before, and what is only less well seen, is there."""

AFTER_REMOVAL = re.compile(
    r",? ?\b(?:status post|post|after|following|since) (?:the |its )?(?:[a-z]+ ){0,3}(?:removal|withdrawal)\b"
    r"(?: of (?:the |a )?(?:[a-z]+ ){0,2}[a-z]+)?",
    re.IGNORECASE,
)
"""`Small haematoma after drain removal`: what was taken out before is not what is denied."""

NONE_BEFORE = re.compile(rf"(?:,? after )?\bnone{TOLD_OF_BEFORE.pattern},?", re.IGNORECASE)

LIMITED = re.compile(
    r"\b(?:evaluation|assessment|interpretation|characteri[sz]ation|visuali[sz]ation) of\b[^.;]*?\b"
    r"(?:limited|precluded|hindered|hampered|degraded|suboptimal)\b[^.,;]*",
    re.IGNORECASE,
)
"""`Evaluation of the pancreas is limited by bowel gas` says nothing of the pancreas."""


COURSE = r"(?:improved|better|worse|worsened|larger|smaller|bigger|increased|decreased|unchanged|stable)"
EACH_SIDE = re.compile(
    rf"\b{COURSE} on the (left|right)(?:,|,? and|,? but) {COURSE} on the (left|right)\b", re.IGNORECASE
)
"""`Improved on the right, worse on the left`: on both."""

AGAINST_ANOTHER = re.compile(
    r"\b(?:vs|versus)\.? (?:the )?(?:(?:prior|previous|outside|last|earlier|old)(?: (?:stud|exam|film|scan|ct|mr)\w*)?|"
    r"yesterday|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
"""`New versus the outside film`: held against another study."""

BECAME = re.compile(
    r"\b(?:(?:has|have|had) )?(?:\w+ly )?(?:went|gone|(?:increas|decreas|improv|worsen|progress|chang|reduc|evolv|"
    r"diminish|advanc|deteriorat|regress)ed)(?: in \w+)? from (?!the\b|left\b|right\b)[a-z]+(?: [a-z]+)? to (?=[a-z])",
    re.IGNORECASE,
)
"""`The effusion has decreased from moderate to small`: it is small."""


def plain(text: str) -> str:
    """The sentence without the picture it is seen on, what was not seen before or not judged, and what was before;
    with both sides where one has more. As long as before.

    >>> plain("Effusion on the lateral view.")
    'Effusion                    .'
    """
    if (
        "iew" in text
        or "film" in text
        or "ject" in text
        or "graph" in text
        or "image" in text
        or " this " in text
    ):
        text = VIEW.sub(blanked, text)
    if "not " in text:
        text = NOT_BEFORE.sub(blanked, text)
    if "moval" in text or "rawal" in text:
        text = AFTER_REMOVAL.sub(blanked, text)
    if "none " in text:
        text = NONE_BEFORE.sub(blanked, text)
    if "ation of" in text or "ssessment of" in text:
        text = LIMITED.sub(blanked, text)
    if " than " in text:
        text = MORE_BEHIND.sub(lambda m: " bilaterally".ljust(len(m.group())), text)
        text = MORE_ON_ONE_SIDE.sub(lambda m: "bilateral".ljust(len(m.group())), text)
    if " on the " in text:
        text = EACH_SIDE.sub(lambda m: f"on the {m[1]} and on the {m[2]}".ljust(len(m.group())), text)
    if " vs" in text or " versus " in text:
        text = AGAINST_ANOTHER.sub(blanked, text)
    if " from " in text:
        text = BECAME.sub(lambda m: "is".ljust(len(m.group())), without_earlier_sizes(text))
    return text


def blanked(found: re.Match[str]) -> str:
    return " " * len(found.group())


def without_earlier_sizes(text: str) -> str:
    """`A mass of 5 cm, increased from 4 cm`: the size that it had is no size of it."""
    for grown in growth(text):
        if grown.then is not None:
            start, end = grown.then
            text = text[:start] + " " * (end - start) + text[end:]
    return text


GROWTH = (
    r"(?:alter\w*|increas\w*|growth|enlarg\w+|expansion|progress\w*|deteriorat\w+|worsening|extension|spread|decrease|"
    r"reduction|improvement|shrinkage|regression|change)"
)
DENIED_GROWTH = re.compile(
    r"\b(?:(?:i|we) (?:see|find) |there (?:is|are|was|has been|have been) |"
    r"(?:has|have|had|shows?|showed|showing|demonstrat\w+|exhibits?|reveals?|undergo\w*|displays?|with) )?"
    rf"(?:no|without|absence of|lack of)(?: any)?(?: [a-z]+){{0,2}}? {GROWTH}"
    r"(?: in (?:the )?(?:size|extent|width|calib\w+|volume|thickness|number))?(?: (?:in|of))?(?: the)?\b"
    rf"|\b(?:does|do|did) not (?:show|demonstrate|exhibit|reveal|undergo) (?:any )?(?:\w+ )?{GROWTH}\b"
    r"|\b(?:does|do|did) not (?:change|alter|grow|increase|enlarge|progress|worsen)\b"
    r"|\b(?:does|do|did) not (?:appear|seem) to (?:have|be) (?:\w+ )?(?:changed|altered|grown|increased|enlarged|"
    r"progressed|larger|bigger|worse)\b"
    r"|, not (?:increasing|growing|enlarging|progressing|worsening|changing|enlarged|increased|changed)\b"
    r"|\b(?:has|have|had|is|are|was|were) (?:not|no longer)(?: [a-z]+)?? (?:altered|changed|grown|growing|"
    r"increas\w+|enlarg\w+|"
    r"progress\w+|worsen\w+|expand\w+|spread\w*|deteriorat\w+|improv\w+|decreas\w+)\b(?: in (?:the )?size)?"
    r"|\b(?:has|have|had) (?:stopped|ceased|failed) (?:to )?(?:grow\w*|increas\w*|enlarg\w*|progress\w*|expand\w*)\b",
    re.IGNORECASE,
)


GROWING_WORDS = (
    "alter", "increas", "grow", "enlarg", "expan", "progress", "deteriorat", "worsen", "exten", "spread", "decreas",
    "reduc", "improv", "shrink", "regress", "change", "larger", "bigger",
)  # fmt: skip
"""A sentence without any of these denies no growth, nor one without a word of denial; looking for them costs little."""


NEITHER_GREW = re.compile(
    r"\bneither\b([^.;]+?)\bnor\b([^.;]+?)\b((?:has|have|is|are) (?:\w+ )?(?:grown|progressed|increased|enlarged|"
    r"worsened|larger|bigger|changed|altered|improved|decreased)\b)",
    re.IGNORECASE,
)
DENYING_WORDS = frozenset(
    {"no", "not", "without", "stopped", "ceased", "failed", "neither", "absence", "lack"}
)


def denies_growth(text: str) -> bool:
    if DENYING_WORDS.isdisjoint(forms_of(text)) and "'" not in text and "’" not in text:
        return False
    small = text.lower()
    if not any(map(small.__contains__, GROWING_WORDS)):
        return False
    return DENIED_GROWTH.search(text) is not None or NEITHER_GREW.search(text) is not None


def without_denied_growth(text: str) -> str:
    """What has not grown is there: the denial is of its growth alone.

    >>> without_denied_growth("No increase in the size of the effusion.").split()
    ['effusion.']
    """
    return NEITHER_GREW.sub(both_are_there, DENIED_GROWTH.sub(blanked, text))


def both_are_there(found: re.Match[str]) -> str:
    """`Neither the mass nor the cyst has grown`: the mass and the cyst."""
    return f"{' ' * len('neither')}{found[1]}and{found[2]}{' ' * len(found[3])}"
