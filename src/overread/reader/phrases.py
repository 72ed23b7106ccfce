"""Questions asked of one noun phrase, whatever the walk has met before it."""

import re
from functools import lru_cache

from overread.reader.drafts import NORMAL, Draft
from overread.reader.grammar import EMPTY_NOUNS, NEVER_FINDINGS, POINTING, PREPOSITIONS
from overread.reader.neighbours import TIPS
from overread.reader.noun_phrases import Chunk
from overread.reader.places import place_side
from overread.reader.roles import ANATOMY, DESCRIBING, Role
from overread.reader.units import Unit

EXAMS = frozenset(
    {
        "radiograph",
        "radiographs",
        "ct",
        "study",
        "studies",
        "exam",
        "examination",
        "film",
        "films",
        "scan",
        "mri",
        "mr",
        "ultrasound",
        "angiogram",
    }
)
SUBJECTLESS = frozenset({"may", "could", "might", "differential", "considerations", "consideration"})
"""A hedge with one of these in front may begin a sentence and speak of the one before."""

EXPLANATIONS = frozenset("etiologies considerations possibilities diagnoses causes explanations".split())
"""`Other etiologies include …`: of what was seen before."""

TOWARDS = re.compile(
    r"\b(?:(?:due|secondary|related|attributable) to|(?:consistent|compatible|keeping) with|"
    r"(?:suggest|indicat|represent)ive of|(?:represent|reflect|suggest|indicat)(?:s|es|ing)?)$"
)
"""A hedge or link that ends so has what it explains before it, and when it begins a sentence, in the one before."""

ARTICLES = frozenset({"a", "an"})
ALONE = frozenset({"only", "alone"})
VIEWS = frozenset({"lateral", "frontal", "view", "views", "projection"})

SUBJECT_OR_CUE = frozenset(
    {Role.FINDING, Role.STRUCTURE, Role.PLACE, Role.VERB, Role.HEDGE, Role.LINK, Role.DENIAL}
)
"""Words after which a sentence no longer begins."""


def speaks_of_both(units: list[Unit]) -> bool:
    """`Both have appeared since then`; not `both lungs`."""
    return len(units) > 1 and units[0].form == "both" and units[1].role in (Role.VERB, Role.ATTRIBUTE)


def points_back(units: list[Unit]) -> bool:
    """Does the sentence begin with `this`, `the appearance`, or with no subject at all: `May represent …`?"""
    if speaks_of_both(units):
        return True
    for place, unit in enumerate(units):
        if unit.form in POINTING or unit.form in EXPLANATIONS:
            return True
        if unit.role is Role.HEDGE and not SUBJECTLESS.isdisjoint(unit.form.split()[:2]):
            return not any(u.form == "there" for u in units[:place])
        if place == 0 and unit.role in (Role.HEDGE, Role.LINK) and TOWARDS.search(unit.form):
            return True
        if unit.role in SUBJECT_OR_CUE or unit.form == "if":
            return False
    return False


def name_open(chunk: Chunk, doing: bool = False, described: bool = False) -> None:
    """Take the last unknown noun of a phrase as what it names, whatever it means.

    `doing`: also one such as `splinting`, where only a noun can stand; `described`: also one that words for how it is
    follow, as in `comb sign less prominent`.
    """
    last = chunk.units[-1]
    if described:
        last = next((u for u in reversed(chunk.units) if u.role not in DESCRIBING), last)
    unknown = last.role is Role.WORD and last.form.isalpha() and len(last.form) > 3
    if (
        unknown
        and last.form not in EMPTY_NOUNS
        and last.form not in NEVER_FINDINGS
        and not last.form.endswith(("ly", "ed"))
        and (doing or not last.form.endswith("ing"))
    ):
        last.role = Role.FINDING
        chunk.look()


def introduces(chunk: Chunk) -> bool:
    """`There is a small zorgle in the lung`: a new thing is named after `there is`, known or not."""
    if chunk.structure is not None or ARTICLES.isdisjoint([u.form for u in chunk.units[:2]]):
        return False
    there = any(u.form in ("there", "there's") for u in [*chunk.before, *chunk.units[:1]])
    return there or any(u.role is Role.VERB for u in chunk.before)


def name_blank_device(chunk: Chunk, after: list[Chunk]) -> None:
    """`Left chest ____ with its tip in the SVC`: the blank is a line or tube."""
    near = list(chunk.units)
    for later in after:
        if later.findings or any(u.role is Role.STOP for u in later.before):
            break
        near += later.units
    blank = next((u for u in chunk.units if u.role is Role.BLANK), None)
    if blank is None or not any("tip" in u.form.split() for u in near if "tip" in u.form):
        return
    blank.role = Role.FINDING
    place = chunk.units.index(blank)
    before = chunk.units[place - 1] if place else None
    if (
        before is not None and before.role in ANATOMY and before.form.split()[-1] == "chest"
    ):  # left | chest ____
        blank.start = before.end - len("chest")
        before.end = max(before.start, blank.start - 1)
        if before.end == before.start:
            chunk.units.remove(before)
    chunk.look()


def opens_place(units: list[Unit]) -> bool:
    """Do the words before a structure end with a preposition of their own: `coiled in`, `tip overlying`?"""
    described = [u for u in units if u.role is Role.ATTRIBUTE]
    if not described:
        return False
    ends = [described[-1], *[u for u in units if u.role is not Role.DETERMINER][-1:]]
    return described[-1].row("placement") is not None or any(u.form.split()[-1] in PREPOSITIONS for u in ends)


def is_normal(unit: Unit) -> bool:
    row = unit.row("measurement")
    return row is not None and row.concept in NORMAL


def tells_history(chunk: Chunk) -> bool:
    return any(
        "history" in u.form.split() or "hx" in u.form.split() for u in chunk.units if u.role is Role.ATTRIBUTE
    )


def names_study(chunk: Chunk, prep: Unit) -> bool:
    """Is the phrase another study, which is compared with and is no place?"""
    told = (u for u in reversed(chunk.units) if u.role is not Role.BLANK and u.form not in ALONE)
    last = next((u.form.split()[-1] for u in told), "")
    return prep.form in ("from", "to", "since", "with", "than", "on") and (last in EXAMS or last in VIEWS)


def names_view(chunk: Chunk, prep: Unit) -> bool:
    """`Seen on the lateral`: the view on which it is seen, and no place."""
    return prep.form == "on" and not chunk.has(Role.ATTRIBUTE) and names_study(chunk, prep)


def two_sided(draft: Draft) -> bool:
    """Has the finding, after its noun, both a degree and one side?"""
    after = [h for h in draft.held if h.start > draft.end]
    placed = {place_side(run) for h in after for run in h.runs}
    return any(h.relation == "severity" for h in after) and placed in ({"left"}, {"right"})


def names_tip(units: list[Unit]) -> bool:
    return any("tip" in u.form and not TIPS.isdisjoint(u.form.split()) for u in units)


def tells_largest(chunk: Chunk) -> bool:
    """`The largest …`: the phrase goes on about one of those just named."""
    return not chunk.findings and any(u.form in SUPERLATIVES for u in chunk.units[:2])


SUPERLATIVES = frozenset("largest biggest longest widest thickest deepest smallest".split())


def tells_tip(chunk: Chunk) -> bool:
    """`with its tip in …`: the phrase goes on about the device."""
    return bool({"tip", "tips", "its", "side"} & {w for u in chunk.units for w in u.form.split()})


SHORTEST = 3
"""Letters of a noun: gas, air."""


@lru_cache(maxsize=8192)
def may_name(form: str) -> bool:
    """May a word nobody knows name a finding?"""
    known = form in EMPTY_NOUNS or form in NEVER_FINDINGS or form in EXAMS
    return form.isalpha() and len(form) >= SHORTEST and not known and not form.endswith(("ly", "ed"))
