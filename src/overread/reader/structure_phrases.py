"""A noun phrase that names a structure: the next subject, or the place of what was named before."""

from overread.reader.drafts import Draft, relation_of
from overread.reader.lookahead import (
    compared_with,
    following,
    follows_blank,
    predicate_follows,
    shares_noun,
    tells_on,
)
from overread.reader.noun_phrases import Chunk
from overread.reader.open_sentence import OpenSentence
from overread.reader.phrases import (
    names_study,
    opens_place,
)
from overread.reader.roles import ANATOMY, Role
from overread.reader.units import Unit

SHARED_BEFORE_NOUN = frozenset({Role.ATTRIBUTE, Role.PLACE, Role.MEASURE, Role.DURATION, Role.INNER_HEDGE})
"""Words that a noun further on is said with: right middle lobe and lingular consolidation."""


def read_structure(
    now: OpenSentence, chunk: Chunk, head: int, at: int, prep: Unit | None, joins: list[Unit]
) -> None:
    unit = chunk.units[head]
    if prep is not None and (names_study(chunk, prep) or compared_with(now.chunks, at)):
        return  # decreased from the prior chest radiograph
    if prep is not None and prep.form == "of" and not now.group and follows_blank(now.chunks, at):
        return  # visualized ____ of the chest are normal
    if unit.role is Role.PLACE and prep is None and shares_noun(following(now.chunks, at)):
        now.carried += [
            u for u in chunk.units if u.role in SHARED_BEFORE_NOUN
        ]  # right middle lobe and lingular consolidation
    elif now.group and tells_on(chunk) and opens_place(chunk.units[:head]):
        now.modifiers.attach_modifiers(chunk.units, now.group)  # the tube is coiled in the stomach
    elif prep is not None and now.group:
        now.modifiers.attach_place_phrase(chunk.units, prep, findings_reached(now))
        if said_to_be_normal(now, at):
            now.begin_group()
            now.group = [now.drafting.draft(unit, [])]
    elif prep is not None and prep.form != "of" and not any(u.role is Role.ATTRIBUTE for u in now.carried):
        now.drafting.topic = [u for u in chunk.units if u.role in ANATOMY]
    elif (
        (unit.role is Role.PLACE or names_zone(chunk, head))
        and now.group
        and not chunk.has(Role.ATTRIBUTE)
        and only_a_place(now, at, joins)
    ):
        now.modifiers.attach_place_phrase(chunk.units, None, now.group)
    else:
        begin_subject(now, chunk, head, joins)


def begin_subject(now: OpenSentence, chunk: Chunk, head: int, joins: list[Unit]) -> None:
    """The structure is what is spoken of next, beside those it is joined to."""
    unit = chunk.units[head]
    shared = now.group if joins else []
    twin = now.drafting.draft_twins(unit, now.carried) if joins else []
    draft = now.drafting.draft(unit, now.carried + chunk.units[:head])
    now.carried = []
    now.group = [*shared, *twin, draft]
    now.modifiers.attach_modifiers(chunk.units[head + 1 :], now.group)
    for one in (*twin, draft) if shared else ():
        if not one.speaks and shared[0].is_structure:  # stable, normal heart size and mediastinum
            said = [h for h in shared[0].held if h.relation != "location"]
            one.held += [h for h in said if h.start < shared[0].start]


def said_to_be_normal(now: OpenSentence, at: int) -> bool:
    """`There is overinflation of the lungs appear to be clear`: a second verb, said of the place."""
    after = following(now.chunks, at)
    verbs = any(u.role is Role.VERB for c in now.chunks[: at + 1] for u in c.before)
    if not verbs or now.group[-1].is_structure or after is None or not predicate_follows(now.chunks, at):
        return False
    told = [relation_of(u, None, False) for u in after.units if u.role is Role.ATTRIBUTE]
    return not after.named and all(h is not None and h.normal for h in told)


def names_zone(chunk: Chunk, head: int) -> bool:
    """`Prominence and both lung bases`, where `in` was meant: a part of the lungs, last in its phrase."""
    row = chunk.units[head].row("locations")
    return row is not None and row.role == "zone" and head == len(chunk.units) - 1


def only_a_place(now: OpenSentence, at: int, joins: list[Unit]) -> bool:
    """Is a place after a finding where it is, rather than the next subject?"""
    rest = now.chunks[at + 1 :]
    more = any(u.role is Role.VERB for c in rest for u in c.before) or any(
        c.has(Role.ATTRIBUTE) for c in rest
    )
    if not (now.predicate or not joins or not more):
        return False
    return not joins or not all(d.is_structure for d in now.group)


def findings_reached(now: OpenSentence) -> list[Draft]:
    """The findings a place after them belongs to: all before a verb, else the last and what is joined to it."""
    if now.predicate or now.group[-1].is_structure:
        return now.group
    found = [now.group[-1]]
    for before in reversed(now.group[:-1]):
        twins = before.unit is found[0].unit  # degenerative and atherosclerotic changes of the aorta
        if not twins and (
            found[0].own
            or found[0].join not in ("and", "or", "and / or", "versus", "vs", "/")
            or before.has("location")
        ):
            break
        found.insert(0, before)
    return found


def blanked_subject(now: OpenSentence, chunk: Chunk, at: int) -> bool:
    """`Pulmonary ____ are engorged`: the adjective is all that is left of the subject."""
    told = [u.role for u in chunk.units if u.role is not Role.DETERMINER]
    alone = told == [Role.PLACE, Role.BLANK] and (not chunk.joins or now.predicate)
    if alone and predicate_follows(now.chunks, at):
        chunk.structure = next(i for i, u in enumerate(chunk.units) if u.role is Role.PLACE)
        if chunk.joins:  # the heart is large, and the pulmonary ____ are engorged
            now.begin_group()
    return chunk.structure is not None
