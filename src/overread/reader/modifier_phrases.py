"""A phrase of describing words: said of the findings before, or kept for the noun to come."""

from overread.lexicon.load import Row
from overread.reader.drafts import CHANGES, NORMAL
from overread.reader.finding_phrases import use_bare_structures
from overread.reader.lookahead import (
    compared_with,
    following,
    lists_before_noun,
    normal_of,
    noun_follows,
    trails,
)
from overread.reader.noun_phrases import Chunk
from overread.reader.open_sentence import OpenSentence
from overread.reader.phrases import (
    names_view,
    two_sided,
)
from overread.reader.roles import Role
from overread.reader.units import Unit

LEADING = frozenset({Role.DENIAL, Role.PREPOSITION})
"""What stands before words that lead to a noun."""

CARRIED = frozenset({Role.ATTRIBUTE, Role.PLACE, Role.MEASURE, Role.WORD, Role.STRUCTURE, Role.INNER_HEDGE})
"""Words kept for the noun to come."""


def read_modifiers(now: OpenSentence, chunk: Chunk, at: int, prep: Unit | None, joins: list[Unit]) -> None:
    if (
        joins and chunk.has(Role.BLANK) and not chunk.has(Role.ATTRIBUTE)
    ):  # heart, pulmonary ____ and mediastinum
        return
    after = following(now.chunks, at)
    if chunk.units[-1].role is Role.BLANK and not now.group and after is not None and after.joins:
        now.carried += [u for u in chunk.units if u.row("past_hx")]  # history of ____ and asthma
        return  # chronic ____, wheeze
    if prep is not None and (compared_with(now.chunks, at) or names_view(chunk, prep)):
        return  # compared to the left; seen on the lateral
    if chunk.units[0].form == "both" and chunk.units[0].role is Role.DETERMINER:
        now.group = now.drafting.drafts[-2:]
    if now.before_but and not now.group and at + 1 >= len(now.chunks) - 1:
        now.group = now.before_but
    if joins and len(now.group) == 1 and chunk.has(Role.ATTRIBUTE) and two_sided(now.group[0]):
        now.group = [now.drafting.repeat(now.group[0])]
    leads = any(u.role in LEADING for u in chunk.before) and noun_follows(now.chunks, at)
    if now.scope.deny is not None and chunk.has(Role.ATTRIBUTE) and lists_before_noun(now.chunks, at):
        use_bare_structures(now, joins)
        now.predicate, leads = False, True
    if normal_of(now.chunks, at):  # leads show normal size of the cardiac silhouette
        now.begin_group()
    if now.group and not leads and (now.predicate or not joins or trails(now.chunks, at)):
        deny_normal(now, chunk, at)
        if prep is not None and chunk.has(Role.PLACE):
            now.modifiers.attach_place_phrase(chunk.units, prep, now.group)
        else:
            change = any(isinstance(r, Row) and r.table in CHANGES for u in chunk.units for r in u.rows)
            told = [d for d in now.drafting.companions if d.asserted] if change else []
            if change and [u.form for u in joins] == [","]:  # opacity, likely atelectasis, unchanged
                told += [s for s in now.group[0].evidence if s in now.drafting.drafts]
            now.modifiers.attach_modifiers(
                chunk.units, told + now.group
            )  # opacity with atelectasis, unchanged
    elif now.group and prep is not None and not leads:
        now.modifiers.attach_place_phrase(chunk.units, prep, now.group)
    else:
        now.carried += [u for u in chunk.units if u.role in CARRIED]


def deny_normal(now: OpenSentence, chunk: Chunk, at: int) -> None:
    """`Vascular engorgement is within normal limits`: a finding said to be normal is not there."""
    (last,) = now.group[-1:]
    subject = now.predicate and at > 0 and last.unit in now.chunks[at - 1].units and not last.is_structure
    if subject and any((r := u.row("measurement")) is not None and r.concept in NORMAL for u in chunk.units):
        last.negated = "absent"
