"""What stands before and after a noun phrase of its sentence: `at` is its place among them."""

from itertools import takewhile

from overread.lexicon.load import Row
from overread.lexicon.statement_words import having
from overread.reader.drafts import CHANGES
from overread.reader.noun_phrases import Chunk, ends_somewhere
from overread.reader.phrases import is_normal, tells_tip
from overread.reader.roles import ANATOMY, Role

BEFORE_LAST_NOUN = frozenset({Role.PREPOSITION, Role.JOIN})
"""Between describing words and the noun that ends them."""

CLAUSE_ENDS = frozenset({Role.WITH, Role.STOP})
"""After these something else is said."""

PHRASE_ENDS = frozenset({Role.JOIN, Role.STOP, Role.WITH, Role.RELATIVE})
"""After these a noun phrase is over."""


DENIALS = frozenset({Role.DENIAL, Role.NO_DENIAL})
FINITE = frozenset("is are was were has have had does do did".split())
"""Verbs that end a subject, so that their denial is of all of it."""


def following(chunks: list[Chunk], at: int) -> Chunk | None:
    return chunks[at + 1] if at + 1 < len(chunks) else None


def had_verb(chunks: list[Chunk], at: int) -> bool:
    """Did a verb come before chunk `at` and what joins it: `there is an effusion and …`, `effusion is seen and …`?"""
    if any(u.role is Role.VERB for c in chunks[:at] for u in c.before):
        return True
    own = takewhile(lambda u: u.role is not Role.JOIN, chunks[at].before) if at < len(chunks) else ()
    return any(u.role is Role.VERB for u in own)


def predicate_follows(chunks: list[Chunk], at: int) -> bool:
    """Do a verb and a describing word follow chunk `at`, or a verb that is denied: `… are not visualized`?

    A place may stand between: `the markings within the liver are coarse`.
    """
    after = following(chunks, at)
    if after is not None and after.has(Role.PLACE) and is_inside(after):
        after = following(chunks, at + 1)
    if after is None or not after.before:
        return False
    if after.before[0].role is not Role.VERB:
        return after.before[0].role is Role.DENIAL and after.before[0].form.split()[0] in FINITE
    told = next((u.role for u in after.before if u.role is not Role.VERB), None)
    return after.has(Role.ATTRIBUTE) or told in DENIALS


def has_something(chunks: list[Chunk], at: int) -> bool:
    """`…, and the right lung has an opacity`: is chunk `at` said to have what follows?"""
    after = following(chunks, at)
    if after is None or not after.findings or not after.before:
        return False
    return after.before[0].form in having()


def is_inside(chunk: Chunk) -> bool:
    """`Within the liver`, and nothing else."""
    told = chunk.roles - {Role.DETERMINER} <= ANATOMY
    return told and len(chunk.before) == 1 and chunk.before[0].role is Role.PREPOSITION


def noun_follows(chunks: list[Chunk], at: int) -> bool:
    """`without focal areas of consolidation`: the noun comes after a preposition."""
    after = following(chunks, at)
    if after is None or not after.findings or not after.before:
        return False
    return after.before[-1].form in ("of", "in")  # not: 2 cm, in which a drain lies


def amount_of_noun(chunks: list[Chunk], at: int) -> bool:
    """`The lung shows a small amount of fluid`: describing words that only `of` parts from a finding."""
    after = following(chunks, at)
    if after is None or not after.findings:
        return False
    return len(after.before) == 1 and after.before[0].form == "of"


def lists_before_noun(chunks: list[Chunk], at: int) -> bool:
    """`no patchy or linear opacities`: describing words joined to others that stand before a finding's noun."""
    for chunk in chunks[at + 1 :]:
        if any(u.role is not Role.JOIN and u.form != "of" for u in chunk.before):
            return False
        if chunk.findings:
            return True
        if chunk.named:
            return False
    return False


def leads_to_noun(chunks: list[Chunk], at: int) -> bool:
    """`with redemonstration of tortuous and calcified aorta`: a noun ends the describing words after chunk `at`."""
    for chunk in chunks[at + 1 :]:
        if chunk.named:
            return all(u.role in BEFORE_LAST_NOUN for u in chunk.before)
        if not all(u.form == "of" or u.role is Role.JOIN for u in chunk.before) or not chunk.has(
            Role.ATTRIBUTE
        ):
            return False
    return False


def trails(chunks: list[Chunk], at: int) -> bool:
    """`effusion, increased from prior`: describing words after the noun; not `stable, normal heart`."""
    chunk = chunks[at]
    after = following(chunks, at)
    if after is None or not after.named:
        return True
    if (
        chunk.units[-1].role is Role.PLACE and after.joins
    ):  # heart normal, stable mediastinal and hilar contours
        return False
    if any(u.role in CLAUSE_ENDS for u in after.before):  # stable and within normal limits with …
        return True
    if any(u.role is Role.DENIAL for u in after.before):  # uterus enlarged and heterogeneous, no fibroid
        return True
    tables = {r.table for u in chunk.units for r in u.rows if isinstance(r, Row)}
    into = any(u.form in ("in", "of") for u in after.before)
    ends = any(u.role in PHRASE_ENDS or u.form in ("from", "since", "to", "than") for u in after.before)
    change = bool(tables & CHANGES) and not into and ends
    return "comparison" in tables or change


def follows_blank(chunks: list[Chunk], at: int) -> bool:
    before = chunks[at - 1].units if at else []
    return bool(before) and before[-1].role is Role.BLANK


def compared_with(chunks: list[Chunk], at: int) -> bool:
    """`Opacity in the right base compared to the left`: what it is compared with is no place of it."""
    before = chunks[at - 1].units if at else []
    return bool(before) and before[-1].form in ("compared", "relative", "comparison")


def names_device(chunks: list[Chunk]) -> bool:
    for chunk in chunks:
        for unit in chunk.units:
            row = unit.tables.get("findings")
            if row is not None and row.path[0] == "device":
                return True
    return False


def normal_of(chunks: list[Chunk], at: int) -> bool:
    chunk = chunks[at]
    after = following(chunks, at)
    if after is None or after.structure is None or [u.form for u in after.before] != ["of"]:
        return False
    return any(is_normal(u) for u in chunk.units)


def shares_noun(after: Chunk | None) -> bool:
    """Is the place one of two that stand before one finding?"""
    if (
        after is None
        or not after.findings
        or [u.form for u in after.before] not in (["and"], ["or"], [",", "and"])
    ):
        return False
    own = after.units[: after.findings[0]]
    return any(u.role in ANATOMY for u in own) and not any(u.role is Role.INNER_HEDGE for u in own)


def tells_on(chunk: Chunk) -> bool:
    """Does the phrase go on about the group: joined by no conjunction, or by `, with its tip …`, `and ends in …`?"""
    joined = any(u.role is Role.WITH for u in chunk.before) and tells_tip(chunk)
    return not chunk.joins or joined or ends_somewhere(chunk)
