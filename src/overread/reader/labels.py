"""A label and a colon: what heads a line, what it is said of, and what is listed behind it."""

from overread.lexicon.statement_words import aspects
from overread.reader.lookahead import following, predicate_follows
from overread.reader.noun_phrases import Chunk
from overread.reader.open_sentence import OpenSentence
from overread.reader.phrases import EXAMS, is_normal
from overread.reader.places import sides
from overread.reader.roles import Role
from overread.reader.sides import BARE_DENIALS
from overread.reader.units import Unit


def head_line(now: OpenSentence) -> None:
    """`Right shoulder: …`: the places named before the colon are where the rest is."""
    named = [d for d in now.group if d.entity.split()[-1].lower() not in EXAMS]
    if named:
        now.drafting.topic = [u for d in named for u in (*(h.unit for h in d.held), d.unit)]
        now.drafting.heading = now.drafting.topic


def head_list(now: OpenSentence) -> None:
    """`Normal: heart, lungs` describes what is listed; `Bilateral: …` says where it is."""
    rows = [u.row("locations") for u in now.carried]
    if rows and all(row is not None and row.role == "dir" for row in rows):
        now.drafting.topic = now.drafting.heading = now.carried
    if not all(is_normal(u) or not LISTING.isdisjoint(u.tables) for u in now.carried):
        now.carried = []


LISTING = frozenset({"onset", "improved", "worsened", "no_change"})
"""Tables of words under which findings are listed: `New: …`, `Unchanged: …`."""


def only_denial(now: OpenSentence, chunk: Chunk, place: int) -> Unit | None:
    """The denial before the colon; none where a second one takes it back."""
    earlier = [u for c in now.chunks[: now.chunks.index(chunk)] for u in c.before]
    denials = [u for u in (*earlier, *chunk.before[:place]) if u.role is Role.DENIAL]
    return denials[0] if len(denials) == 1 else None


def has_own_verb(now: OpenSentence, chunk: Chunk) -> bool:
    after = following(now.chunks, now.chunks.index(chunk))
    return after is not None and any(u.role is Role.VERB for u in after.before)


def describes_heading(now: OpenSentence, chunk: Chunk) -> bool:
    """`Pneumothorax: none`, `Effusion: small, right`, `Heart: enlarged`: is what follows said of what heads it?"""
    if now.group and answers(chunk):
        return True
    if not now.group or chunk.findings:
        return False
    if all(d.is_structure and not d.speaks for d in now.group):
        return describes_organs(now, chunk)
    at = now.chunks.index(chunk)
    if any(d.is_structure for d in now.group) or not begins_label(now, at):
        return False
    if any(d.held for d in now.group) and not describes_placed(now, chunk):
        return False
    return chunk.structure is None or not (chunk.has(Role.ATTRIBUTE) or predicate_follows(now.chunks, at))


def answers(chunk: Chunk) -> bool:
    """`Heart enlarged: no`, `Effusion: yes, small`."""
    if any(u.form in BARE_DENIALS or (u.role is Role.HEDGE and chunk.empty) for u in chunk.before):
        return True
    return bool(chunk.units) and chunk.units[0].form == "yes"


def begins_label(now: OpenSentence, at: int) -> bool:
    """Is all before the colon the findings of the group, or all since a semicolon: `edema: none; effusion: small`?"""
    label = now.chunks[at - 1].before[-1:] if at else []
    return now.drafting.drafts == now.group or any(u.form == ";" for u in label)


def describes_placed(now: OpenSentence, chunk: Chunk) -> bool:
    """`Left hilar mass: stable`; not `drains on both sides: the left is out`, `the edema is one-sided: it has …`."""
    told = all(h.relation == "location" for d in now.group for h in d.held)
    own = chunk.units[0].role is not Role.DETERMINER if chunk.units else True
    straight = all(u.role in (Role.STOP, Role.DENIAL) for u in chunk.before)
    return told and own and straight and not sides(chunk.units) and not now.verb_met


def describes_organs(now: OpenSentence, chunk: Chunk) -> bool:
    """`Heart: enlarged`, `Trachea: midline`, `Heart: size normal`; not `Lungs: no dense, round mass`, `…: a small`."""
    if chunk.named or not chunk.units or now.verb_met or any(denies_noun(u) for u in chunk.before):
        return False
    after = following(now.chunks, now.chunks.index(chunk))
    if after is not None and goes_on(chunk, after) and not all(u.form in aspects() for u in after.units):
        return False  # not: even in outline
    return all(describes_organ(u) for u in chunk.units)


def goes_on(chunk: Chunk, after: Chunk) -> bool:
    """`Lack of …`, `reduction in …`, `adjacent to …`: do the words lead to others?"""
    leading = ("of", "in", "to") if chunk.units[-1].role is Role.PLACE else ("of", "in")
    return any(u.form in leading for u in after.before[:1])


def describes_organ(unit: Unit) -> bool:
    if unit.role is Role.PLACE:
        row = unit.row("locations")
        return row is not None and row.role == "dir"
    return unit.role in (Role.ATTRIBUTE, Role.MEASURE) or unit.form == "both" or unit.form in aspects()


def denies_noun(unit: Unit) -> bool:
    """`No kinking`, `without kinking`, `free of kinking`; not `is not enhancing`."""
    words = unit.form.split()
    return unit.role is Role.DENIAL and ("no" in words or words[-1] in ("of", "without", "for", "any"))
