"""A phrase of describing words: said of the findings before, or kept for the noun to come."""

import re

from overread.lexicon.load import Row
from overread.lexicon.statement_words import aspects, having
from overread.reader.drafts import CHANGES, NORMAL, Draft, Held
from overread.reader.finding_phrases import use_bare_structures
from overread.reader.grammar import BE
from overread.reader.lookahead import (
    amount_of_noun,
    compared_with,
    following,
    had_verb,
    lists_before_noun,
    normal_of,
    noun_follows,
    predicate_follows,
    trails,
)
from overread.reader.modifiers import denied_change
from overread.reader.noun_phrases import Chunk
from overread.reader.open_sentence import OpenSentence
from overread.reader.phrases import (
    names_view,
    two_sided,
)
from overread.reader.roles import Role
from overread.reader.units import Unit

AUXILIARY = frozenset({"has", "have", "had"})
LEADING = frozenset({Role.DENIAL, Role.PREPOSITION})
"""What stands before words that lead to a noun."""

CARRIED = frozenset({Role.ATTRIBUTE, Role.PLACE, Role.MEASURE, Role.WORD, Role.STRUCTURE, Role.INNER_HEDGE})
"""Words kept for the noun to come."""


def read_modifiers(now: OpenSentence, chunk: Chunk, at: int, prep: Unit | None, joins: list[Unit]) -> None:
    """Describing words: to the group before them where they are said of it, else kept for the noun to come."""
    if lost_in_blank(now, chunk, at):
        return
    if prep is not None and (compared_with(now.chunks, at) or names_view(chunk, prep)):
        return  # compared to the left; seen on the lateral
    if now.group and joins and is_unknown_subject(now.chunks, at):
        begin_unknown(now, chunk)
        return
    choose_group(now, chunk, at)
    leads = leads_on(now, chunk, at)
    if normal_of(now.chunks, at):  # leads show normal size of the cardiac silhouette
        now.begin_group()
    if now.group and prep is not None and prep.form == "of" and chunk.roles == {Role.MEASURE}:
        now.modifiers.attach_modifiers(chunk.units, now.group[-1:])  # stones and a polyp of 11 mm
    elif now.group and not leads and (now.predicate or not joins or trails(now.chunks, at)):
        describe_group(now, chunk, at, prep)
    elif now.group and prep is not None and not leads:
        now.modifiers.attach_place_phrase(chunk.units, prep, now.group)
    else:
        now.carried += [u for u in chunk.units if u.role in CARRIED]


def is_unknown_subject(chunks: list[Chunk], at: int) -> bool:
    """`There is a cyst, and the portal tributaries are wide`: what is said next is of something that no table knows."""
    units = chunks[at].units
    noun = units[-1]
    if units[0].form != "the" or noun.role is not Role.WORD or noun.form in aspects():
        return False
    return noun.form.isalpha() and had_verb(chunks, at) and predicate_follows(chunks, at)


def begin_unknown(now: OpenSentence, chunk: Chunk) -> None:
    """A subject that is no finding, so that what is said of it is not said of another."""
    now.begin_group()
    now.scope.close()
    subject = now.drafting.draft(chunk.units[-1], [])
    subject.used = True
    now.group = [subject]


def lost_in_blank(now: OpenSentence, chunk: Chunk, at: int) -> bool:
    """`Heart, pulmonary ____ and mediastinum`, `chronic ____, wheeze`: the noun they described is lost."""
    if not chunk.has(Role.BLANK):
        return False
    if chunk.joins and not chunk.has(Role.ATTRIBUTE):
        return True
    after = following(now.chunks, at)
    if chunk.units[-1].role is not Role.BLANK or now.group or after is None or not after.joins:
        return False
    now.carried += [u for u in chunk.units if u.row("past_hx")]  # history of ____ and asthma
    return True


def choose_group(now: OpenSentence, chunk: Chunk, at: int) -> None:
    """Whom the words may be said of, where it is not the group that is open."""
    if chunk.units[0].form == "both" and chunk.units[0].role is Role.DETERMINER:
        now.group = now.drafting.drafts[-2:]
    if now.before_but and not now.group and at + 1 >= len(now.chunks) - 1:
        now.group = now.before_but
    if chunk.joins and len(now.group) == 1 and chunk.has(Role.ATTRIBUTE) and two_sided(now.group[0]):
        now.group = [now.drafting.repeat(now.group[0])]


def leads_on(now: OpenSentence, chunk: Chunk, at: int) -> bool:
    """`Without focal areas of consolidation`, `no patchy or linear opacities`: the words lead to a noun."""
    deny = now.scope.deny
    listed = deny is not None and not (now.group and deny.form.split()[0] in BE)  # not: is not smooth, and …
    if listed and chunk.has(Role.ATTRIBUTE) and lists_before_noun(now.chunks, at):
        use_bare_structures(now, chunk.joins)
        now.predicate = False
        return True
    shown = chunk.units[-1].role is Role.ATTRIBUTE and any(u.form in having() for u in chunk.before)
    if shown and any(u.form in AUXILIARY for u in chunk.before):  # not: has improved, …
        shown = not any(table in CHANGES for u in chunk.units for table in u.tables)
    shown = shown or (bool(now.carried) and bool(chunk.joins))  # cystic, dense, nodular lesions
    if shown and lists_before_noun(now.chunks, at) and not parts_follow(now.chunks, at):
        use_bare_structures(now, chunk.joins)
        return True  # the liver shows patchy and linear calcifications
    if noun_follows(now.chunks, at) and any(u.role in LEADING for u in chunk.before):
        return True
    return amount_of_noun(now.chunks, at) and any(u.role is Role.VERB for u in chunk.before)


def parts_follow(chunks: list[Chunk], at: int) -> bool:
    """`Has one of 2 cm`: what follows is of what was said."""
    after = following(chunks, at)
    return after is not None and any(u.form == "of" for u in after.before)


def describe_group(now: OpenSentence, chunk: Chunk, at: int, prep: Unit | None) -> None:
    """Say the words of the group, and a change also of what the group goes with or is drawn from."""
    if deny_change(now, chunk):
        return
    deny_normal(now, chunk, at)
    doubt_group(now, chunk)
    if prep is not None and chunk.has(Role.PLACE):
        now.modifiers.attach_place_phrase(chunk.units, prep, now.group)
        return
    told: list[Draft] = []
    if any(isinstance(r, Row) and r.table in CHANGES for u in chunk.units for r in u.rows):
        told += [d for d in now.drafting.companions if d.asserted]  # opacity with atelectasis, unchanged
        if [u.form for u in chunk.joins] == [","]:  # opacity, likely atelectasis, unchanged
            told += [s for s in now.group[0].evidence if s in now.drafting.drafts]
    now.modifiers.attach_modifiers(chunk.units, told + now.group)


def doubt_group(now: OpenSentence, chunk: Chunk) -> None:
    """`Pneumonia: possible`, `infarct, probable`, `the heart may be enlarged`."""
    of_organs = [u for u in chunk.before if u.role is Role.HEDGE]
    may_be = any(u.form.split()[-1] == "be" for u in of_organs)
    if not now.predicate and not may_be and chunk.roles != {Role.INNER_HEDGE}:
        return
    hedges = [u for u in chunk.units if u.role is Role.INNER_HEDGE] if Role.INNER_HEDGE in chunk.roles else []
    for draft in now.group if hedges or of_organs else ():
        for hedge in (*hedges, *(of_organs if draft.is_structure else ())):
            draft.doubt(hedge)


KNOWN = re.compile(r"\s*(?:of\s+)?(?:the|this|these|its|known)\b", re.IGNORECASE)
"""`Neither the effusion`: something known is denied something; `neither effusion` is denied."""


def deny_change(now: OpenSentence, chunk: Chunk) -> bool:
    """`Neither the cyst nor the mass is larger`, `the cyst, but not the mass, is larger`: only a change is denied."""
    word = next((u for u in chunk.units if denied_change(u)), None)
    known = [d for d in now.drafting.drafts if denied_of_known(now, d)]
    verbal = now.predicate or (word is not None and word.form.split()[0] in ("has", "have"))
    if word is None or not verbal or now.group[-1] not in known:
        return False
    said = f"not {now.text[word.start : word.end]}"
    for draft in known:
        draft.trace = [e for e in draft.trace if e is not draft.denial]
        draft.negated = None
        draft.add(Held("no_change", denied_change(word), word.start, word.end, word, [], said))
    if now.before_but:
        now.modifiers.attach_modifiers(chunk.units, now.before_but)
    return True


def denied_of_known(now: OpenSentence, draft: Draft) -> bool:
    """Is it something known, denied by `neither`, `nor` or `but not`?"""
    cue = draft.denial.span if draft.denial else None
    if cue is None or draft.is_structure or not draft.denied or cue.start > draft.start:
        return False
    said = now.text[cue.start : cue.end].lower()
    paired = said in ("neither", "nor", "none of") or (said == "not" and bool(now.before_but))
    return paired and KNOWN.match(now.text, cue.end) is not None


def is_place_phrase(chunk: Chunk) -> bool:
    """`In the liver`, `of the left kidney`."""
    return not chunk.findings and [u.form for u in chunk.before][-1:] in (["in"], ["of"], ["at"], ["within"])


def deny_normal(now: OpenSentence, chunk: Chunk, at: int) -> None:
    """`Vascular engorgement is within normal limits`: a finding said to be normal is not there."""
    (last,) = now.group[-1:]
    back = 2 if at > 1 and is_place_phrase(now.chunks[at - 1]) else 1  # the uptake in the liver is normal
    subject = now.predicate and at > 0 and last.unit in now.chunks[at - back].units and not last.is_structure
    if subject and any((r := u.row("measurement")) is not None and r.concept in NORMAL for u in chunk.units):
        last.negated = "absent"
