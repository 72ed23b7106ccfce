"""A noun phrase that names a structure: the next subject, or the place of what was named before."""

from overread.reader.drafts import CHANGES, Draft, relation_of
from overread.reader.lookahead import (
    FINITE,
    compared_with,
    following,
    follows_blank,
    had_verb,
    has_something,
    predicate_follows,
    shares_noun,
    tells_on,
)
from overread.reader.noun_phrases import Chunk
from overread.reader.open_sentence import OpenSentence
from overread.reader.phrases import (
    names_study,
    opens_place,
    tells_largest,
)
from overread.reader.roles import ANATOMY, Role
from overread.reader.units import Unit

SHARED_BEFORE_NOUN = frozenset(
    {Role.ATTRIBUTE, Role.PLACE, Role.STRUCTURE, Role.MEASURE, Role.DURATION, Role.INNER_HEDGE}
)
"""Words that a noun further on is said with: right middle lobe and lingular consolidation."""


def read_structure(
    now: OpenSentence, chunk: Chunk, head: int, at: int, prep: Unit | None, joins: list[Unit]
) -> None:
    unit = chunk.units[head]
    if prep is not None and (names_study(chunk, prep) or compared_with(now.chunks, at)):
        return  # decreased from the prior chest radiograph
    if prep is not None and prep.form == "of" and not now.group and follows_blank(now.chunks, at):
        return  # visualized ____ of the chest are normal
    if places_named(now, chunk, at, prep):
        return
    if prep is None and lends_place(chunk, unit) and shares_noun(following(now.chunks, at)):
        now.carried += [u for u in chunk.units if u.role in SHARED_BEFORE_NOUN]
    elif now.group and tells_on(chunk) and opens_place(chunk.units[:head]):
        now.modifiers.attach_modifiers(chunk.units, now.group)  # the tube is coiled in the stomach
    elif prep is not None and now.group:
        now.modifiers.attach_place_phrase(chunk.units, prep, findings_reached(now, chunk))
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
        read_joined_structure(now, chunk, head, at, joins)


def lends_place(chunk: Chunk, unit: Unit) -> bool:
    """`Right middle lobe and lingular consolidation`, `rib and clavicle fractures`: may it be where a finding is?"""
    if unit.role is Role.PLACE:
        return True
    bare = chunk.units[-1] is unit and not chunk.has(Role.ATTRIBUTE) and not chunk.has(Role.DETERMINER)
    return bare and unit.row("locations") is not None


def places_named(now: OpenSentence, chunk: Chunk, at: int, prep: Unit | None) -> bool:
    """Place the largest of those named, or what the verb says of another subject; was it one of these?"""
    if now.group and tells_largest(chunk):  # the largest located in the left lobe
        now.modifiers.attach_place_phrase(chunk.units, prep, now.group)
        return True
    if chunk.joins and prep is None and shares_verb(now, at):
        now.begin_group()
        now.scope.close()
        now.drafting.topic = [u for u in chunk.units if u.role in ANATOMY]
        return True
    return False


def read_joined_structure(now: OpenSentence, chunk: Chunk, head: int, at: int, joins: list[Unit]) -> None:
    """One more place of a finding, a subject beside those before it, or a clause of its own."""
    if joins and one_more_place(now, chunk, head, at):
        add_place(now.group[-1], [u for u in chunk.units if u.role in ANATOMY])
    elif begins_clause(now, at, joins):
        now.begin_group()
        now.scope.close()
        begin_subject(now, chunk, head, [])
    else:
        begin_subject(now, chunk, head, joins)


def shares_verb(now: OpenSentence, at: int) -> bool:
    """`The right kidney shows a stone, the left kidney no stone`: another subject of the same verb."""
    after = following(now.chunks, at)
    if after is None or not after.findings or not now.drafting.topic:
        return False
    return bool(after.before) and all(u.role is Role.DENIAL for u in after.before)


def add_place(draft: Draft, run: list[Unit]) -> None:
    """One more run of words for the place told last."""
    last = next((h for h in reversed(draft.held) if h.relation == "location"), None)
    if last is not None:
        last.end, last.runs = run[-1].end, [*last.runs, run]


def begins_clause(now: OpenSentence, at: int, joins: list[Unit]) -> bool:
    """`There is no effusion and the lungs are large`: findings that are told, and a subject with a verb of its own."""
    if not joins or not now.group or any(d.is_structure for d in now.group):
        return False
    if joins[-1].form != "and" and (joins[-1].form != "," or now.chunks[at].units[0].form != "the"):
        return False
    told = had_verb(now.chunks, at) or now.group[-1].negated is not None
    return told and (predicate_follows(now.chunks, at) or has_something(now.chunks, at))


def one_more_place(now: OpenSentence, chunk: Chunk, head: int, at: int) -> bool:
    """`Opacities in the right upper lobe and lingula have improved`: it is the opacities that have.

    The finding has had no verb yet, its place stands just before, and what follows tells a change only; a place
    that waits for its noun goes on anyway: `fractures of the fifth and sixth ribs are healing`.
    """
    before, after = now.chunks[at - 1], following(now.chunks, at)
    if after is None or after.named or not now.group or now.group[-1].is_structure:
        return False
    if had_verb(now.chunks, at):
        return False
    if not any(u.role is Role.PREPOSITION for u in before.before):
        return False
    if before.structure is None:
        return before.roles <= UNFINISHED and before.has(Role.PLACE) and chunk.units[head].form.endswith("s")
    if not near(before.units[before.structure], chunk.units[head]):
        return False
    told = [relation_of(u, now.group[-1], True) for u in after.units if u.role is Role.ATTRIBUTE]
    moved = bool(told) and all(h is not None and h.relation in CHANGES for h in told)
    return moved and predicate_follows(now.chunks, at)


UNFINISHED = frozenset({Role.PLACE, Role.DETERMINER})
"""`Of the left fifth`: a place without its noun."""


def near(one: Unit, two: Unit) -> bool:
    """Are two places parts of one: of the lung, of the spine, of the abdomen?"""
    first, second = one.row("locations"), two.row("locations")
    if first is None or second is None or not first.path or not second.path:
        return False
    deep = 2 if first.path[0] == "thorax" else 1
    return first.path[:deep] == second.path[:deep]


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
    return not after.named and bool(told) and all(h is not None and h.normal for h in told)


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


def findings_reached(now: OpenSentence, chunk: Chunk) -> list[Draft]:
    """The findings a place after them belongs to: all before a verb, else the last and what is joined to it."""
    verb = any(u.form in FINITE for u in chunk.before)
    if now.predicate and verb and not chunk.has(Role.BLANK):  # a mass with calcification is seen in the liver
        return [*(d for d in now.heads if d not in now.group and not placed_after(d)), *now.group]
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


def placed_after(draft: Draft) -> bool:
    return any(h.relation == "location" and h.start > draft.start for h in draft.held)


def blanked_subject(now: OpenSentence, chunk: Chunk, at: int) -> bool:
    """`Pulmonary ____ are engorged`: the adjective is all that is left of the subject."""
    told = [u.role for u in chunk.units if u.role is not Role.DETERMINER]
    alone = told == [Role.PLACE, Role.BLANK] and (not chunk.joins or now.predicate)
    if alone and predicate_follows(now.chunks, at):
        chunk.structure = next(i for i, u in enumerate(chunk.units) if u.role is Role.PLACE)
        if chunk.joins:  # the heart is large, and the pulmonary ____ are engorged
            now.begin_group()
    return chunk.structure is not None
