"""Is a finding only thought to be there? `may represent`, `possible`, `A or B`, `cannot be excluded`."""

import re
from collections.abc import Sequence
from functools import lru_cache

from overread.lexicon.words import forms_of
from overread.reader.statements.terms import Term
from overread.report.marks import BLANKED
from overread.systems.radsem.wording.grammar import adjectival

CUE = re.compile(
    r"\b(?:may|might|could|possibl[ey]|probabl[ey]|likely|suggest\w*|questionabl[ey]|question|suspicious for|suspected"
    r"|suspicion|concerning for|concern for|worrisome for|versus|vs|favor\w*|presum\w+|or|equivocal|excluded?|ruled out"
    r"|felt to|thought to|perhaps|whether|if)\b",
    re.IGNORECASE,
)
"""Any of these must stand in the sentence; most sentences have none."""

CUE_WORDS = frozenset(
    """may might could possible possibly probable probably likely suggest suggests suggested suggesting suggestive
    suggestion questionable questionably question suspicious suspected suspicion concerning concern worrisome versus vs
    favor favors favored favoring presumed presumably presumptive or equivocal exclude excluded ruled felt thought
    perhaps whether unclear uncertain unsure unknown undetermined""".split()
)
"""The words they begin with, looked for first."""

VERBAL = re.compile(
    r"\b(?:may|might|could|suggest\w*|suspicious for|suspicion (?:of|for)|concerning for|concern for|worrisome for"
    r"|favor\w*|presumably|likely (?:represent\w*|reflect\w*|due to|related to|secondary to)|felt to|thought to"
    r"|cannot (?:be )?(?:exclude|rule out)|cannot entirely exclude|question(?: of)?)\b",
    re.IGNORECASE,
)
"""Reaches over everything that is joined after it."""

ASKED = re.compile(
    r"\b(?:whether|(?:unclear|uncertain|unsure|unknown|undetermined|not (?:clear|certain)) if)\b[^,;:.]*$",
    re.IGNORECASE,
)
"""An open question."""

ADJECTIVE = re.compile(
    r"\b(?:possibl[ey]|probabl[ey]|likely|questionabl[ey]|suspected|presumed|perhaps|equivocal|versus|vs)\b",
    re.I,
)
"""Reaches to the next joint."""

STOP = re.compile(
    r"[;:.]|\b(?:with(?!in)|but|which|that|while|although|no|without|otherwise|there|is|are)\b", re.IGNORECASE
)
JOINT = re.compile(r",|\band\b(?!/)", re.IGNORECASE)
AFTER = re.compile(
    r"\s*:\s*(?:possibl[ey]|probabl[ey]|likely|suspected|questionable|equivocal)\b|"
    r"[^,;:.]{0,60}?\b(?:(?:is|are|be|being) (?:suspected|questioned|not excluded|considered|"
    r"(?:possible|likely)(?= *(?:[,;:.]|$|(?:and|but|in|on|at)\b)))"
    r"|(?:may|might|could) be (?:present|there|seen)"
    r"|(?:can ?not|can't|could not|not) (?:be )?(?:entirely |completely |definitively )?(?:excluded|ruled out))\b",
    re.IGNORECASE,
)
OTHER = re.compile(rf"\s*(?:{BLANKED}\s*)*(?:,\s*)?(?:and ?/ ?)?(?:or|versus|vs\.?)\s+\w", re.IGNORECASE)
ONE_OF = re.compile(
    r"\w\s*,?\s*(?:and ?/ ?)?\b(?:or|versus|vs\.?)\s+(?:(?!in |on |at |of |no )[\w-]+\s+){0,2}$",
    re.IGNORECASE,
)
SIDES = re.compile(r"\b(?:left|right)\s+or\s+(?:the\s+)?$", re.IGNORECASE)
"""`In the left or right lung` leaves nothing open that is denied or normal in both."""

UNCHANGED = re.compile(r"\bno (?:\w+ ){0,2}change\b", re.IGNORECASE)
SUGGESTING = re.compile(r"\bto suggest\b", re.IGNORECASE)


def tentative(terms: Sequence[Term], text: str) -> bool:
    """Is what the terms say only thought to be so, by the words around it in a sentence that is `doubtful`?

    What is denied is never tentative: `no definite effusion` keeps its own words.
    """
    here = [t for t in terms if t.role not in ("site", "change") and own(t, text)]
    if not here:
        return False
    names = [t for t in here if not adjectival(t.form)] or here
    if any(reached(text, t.start) for t in names) or AFTER.match(text, max(t.end for t in here)):
        return True
    if UNCHANGED.search(text):  # no change in the nodule or the cyst: both are there
        return False
    spots = names + [t for t in terms if t.place and t.role == "site" and own(t, text)]
    spots = [t for t in spots if not SIDES.search(text[: t.start])]
    return any(OTHER.match(text, t.end) or ONE_OF.search(text[: t.start]) for t in spots)


@lru_cache(maxsize=1024)
def doubtful(text: str) -> bool:
    """Does a sentence leave something open? Asked for each of its statements."""
    return not CUE_WORDS.isdisjoint(forms_of(text)) and CUE.search(text) is not None


def own(term: Term, text: str) -> bool:
    return term.end > term.start >= 0 and text[term.start : term.start + 2].lower() == term.form[:2]


@lru_cache(maxsize=1024)
def reached(text: str, first: int) -> bool:
    """Does a cue before the finding reach it? Asked for each statement that a sentence makes of its words."""
    before = text[:first]
    if ASKED.search(before):
        return True
    for cue in VERBAL.finditer(before):
        rest = before[cue.end() :]
        if STOP.search(rest) is None and not SUGGESTING.search(before[cue.start() - 3 : cue.end()]):
            return True
    return any(
        STOP.search(before[c.end() :]) is None and JOINT.search(before[c.end() :]) is None
        for c in ADJECTIVE.finditer(before)
    )
