"""One sentence, read once from left to right, noun phrase by noun phrase: its findings as drafts."""

import re

from overread.lexicon.statement_words import aspects, having
from overread.reader.connectives import CUES, WITHIN, apply_connective
from overread.reader.drafts import Draft, Held
from overread.reader.finding_phrases import read_findings
from overread.reader.labels import denies_noun
from overread.reader.lookahead import (
    following,
    had_verb,
    has_something,
    names_device,
    predicate_follows,
)
from overread.reader.modifier_phrases import read_modifiers
from overread.reader.noun_phrases import Chunk
from overread.reader.open_sentence import OpenSentence
from overread.reader.phrases import (
    EXAMS,
    introduces,
    is_normal,
    name_blank_device,
    name_open,
    tells_history,
)
from overread.reader.roles import ANATOMY, Role
from overread.reader.scope import PURPOSE, still_denied
from overread.reader.structure_phrases import blanked_subject, read_structure
from overread.reader.units import Unit

NOTHING = frozenset({"abnormality", "generic-finding"})


PLACE_OR_ATTRIBUTE = frozenset({Role.PLACE, Role.STRUCTURE, Role.ATTRIBUTE})
"""Words by which a phrase goes on with a place, or does not."""


def read_phrases(now: OpenSentence) -> list[Draft]:
    for at, chunk in enumerate(now.chunks):
        prep = None
        for place, unit in enumerate(chunk.before):
            if unit.form == "." and chunk.empty and at == len(now.chunks) - 1:
                break  # the stop at the end: nothing follows that it could part from the rest
            if unit.role is Role.JOIN and chunk.named and now.said_already(chunk):
                now.begin_group()
                now.scope.close()
            elif unit.role is Role.JOIN and now.scope.link is not None and suggests_too(now.chunks, at):
                now.scope.end_link()
            prep = apply_connective(now, unit, chunk, place, prep)
        if chunk.joins and begins_existence(now.chunks, at):
            now.begin_group()
            now.scope.close()
            now.carried = []
            now.drafting.end_topic()  # the left is normal, and there is fluid
        if as_said_before(now.chunks, at) and now.group:
            say_again(now, chunk, at)
        elif not chunk.empty:
            read_phrase(now, chunk, at, prep)
    if now.pointing:  # this could be bone, but a lesion of the lung cannot be excluded
        known = [d for d, _ in now.drafting.unsourced]
        loose = [
            d for d in now.drafting.drafts if d.hedge and d.asserted and not d.evidence and d not in known
        ]
        now.drafting.unsourced += [(d, None) for d in loose if d.kind in ("finding", "diagnosis")]
    return [
        d
        for d in now.drafting.drafts
        if not d.used
        and (d.kind != "structure" or d.speaks or no_nodes(d))
        and not now.drafting.only_points(d)
    ]


def as_said_before(chunks: list[Chunk], at: int) -> bool:
    """`Pneumothorax is absent, as is hemothorax`: a second subject after `as` and the verb."""
    if not at or not chunks[at].named or not chunks[at - 1].units:
        return False
    return chunks[at - 1].units[-1].form == "as" and [u.role for u in chunks[at].before] == [Role.VERB]


def say_again(now: OpenSentence, chunk: Chunk, at: int) -> None:
    """Read the phrase, and say of it what was said of the last finding behind its noun."""
    model, known = now.group[-1], len(now.drafting.drafts)
    now.begin_group()
    read_phrase(now, chunk, at, None)
    for draft in now.drafting.drafts[known:]:
        draft.negated, draft.hedge = model.negated, model.hedge
        draft.held += [h for h in model.held if h.start >= model.end and h.relation != "location"]
        draft.trace += [e for e in model.trace if e.note in ("denied", "hedged")]


def begins_existence(chunks: list[Chunk], at: int) -> bool:
    """`The spine is worn, and there has been surgery`; not `in the left lung, there is a nodule`."""
    chunk = chunks[at]
    if not chunk.units or chunk.units[0].form != "there" or any(u.role is Role.DENIAL for u in chunk.before):
        return False
    return chunk.joins[-1].form == "and" or had_verb(chunks, at)


def name_unknown(now: OpenSentence, chunk: Chunk, at: int) -> None:
    """Take a noun that no table knows for a finding where only one can stand."""
    if now.group and in_unknown_place(now.chunks, at):
        return
    deny = now.scope.deny
    if now.open_words or deny is not None or introduces(chunk):
        name_open(chunk, doing=deny is not None and denies_noun(deny), described=now.open_words)
    elif names_explanation(now, chunk, at):
        name_open(chunk, doing=True)


def in_unknown_place(chunks: list[Chunk], at: int) -> bool:
    """`No defect is seen in the main trunk or its branches`: unknown nouns that say where."""
    chunk = chunks[at]
    if any(u.role is Role.PREPOSITION and u.form in WITHIN for u in chunk.before):
        return True
    joined = bool(chunk.joins) and len(chunk.before) == len(chunk.joins)
    return joined and at > 0 and not chunks[at - 1].named and in_unknown_place(chunks, at - 1)


def names_explanation(now: OpenSentence, chunk: Chunk, at: int) -> bool:
    """`Opacity due to zorgling`, `… which may represent a zorgle`: what explains is named, known or not.

    `May be` is followed by a noun where an article is; else it may describe: `may be projectional`.
    """
    if now.scope.link is None or not (now.scope.sources or now.pointing):
        return False
    cues = [u for u in chunk.before if u.role in CUES]
    if not cues:
        return False
    after = following(now.chunks, at)
    if after is not None and after.before and after.before[0].form in ("of", "/"):
        return False  # due to a background of emphysema; an inflammatory/infectious process
    words = cues[-1].form.split()
    leads = LEADS_TO_CAUSE.match(words[-1]) is not None or chunk.before[-1].form == "from"
    return leads or chunk.units[0].form in ("a", "an")


LEADS_TO_CAUSE = re.compile(r"to|of|with|for|from|by|(?:represent|reflect|indicat|suggest)(?:e|s|es|ing)?$")
"""How words end that a noun must follow."""


def suggests_too(chunks: list[Chunk], at: int) -> bool:
    """`No line to suggest air or blunting to suggest fluid`: a second sign, and no second conclusion."""
    after = following(chunks, at)
    return after is not None and bool(after.before) and PURPOSE.fullmatch(after.before[0].form) is not None


def no_nodes(draft: Draft) -> bool:
    """`No axillary nodes`: lymph nodes are named when they are seen, and denied when they are not."""
    return draft.denied and (draft.concept or "").endswith("lymph-node")


def read_phrase(now: OpenSentence, chunk: Chunk, at: int, prep: Unit | None) -> None:
    joins = chunk.joins
    ends = now.scope.deny is not None and joins and now.scope.deny is not now.denied_list
    if ends and denial_ends(now, chunk, at):
        close_denial(now, chunk, at)
    if now.modifiers.last_place and extends_place(now, chunk, at):
        return
    if not chunk.findings:
        name_unknown(now, chunk, at)
    if now.open_words:
        name_exam(now, chunk, at)
    if Role.BLANK in chunk.roles and not chunk.findings and not names_device(now.chunks):
        name_blank_device(chunk, now.chunks[at + 1 :])
    deny = now.scope.deny
    nothing = deny is not None and shows_nothing(now, chunk, deny)
    if nothing or (Role.BLANK in chunk.roles and holds_device(now, chunk, at)):
        return
    if chunk.findings and deny is not None and is_spared(now, chunk, at, prep):
        now.scope.close_denial()
        read_findings(now, chunk, at, prep, joins)
        now.scope.deny = deny
    elif chunk.findings:
        read_findings(now, chunk, at, prep, joins)
    elif chunk.structure is not None or blanked_subject(now, chunk, at):
        read_structure(now, chunk, chunk.structure or 0, at, prep, joins)
    else:
        read_modifiers(now, chunk, at, prep, joins)


def is_spared(now: OpenSentence, chunk: Chunk, at: int, prep: Unit | None) -> bool:
    """`No loosening of the screws`, `no calcification in the mass`: what is denied is denied of something known."""
    if prep is None or chunk.units[0].form not in KNOWN:
        return False
    if prep.form == "for":
        unknown = bool(now.group) and now.group[-1].kind == "open"
        return unknown or (at > 0 and bool(now.chunks[at - 1].units) and not now.chunks[at - 1].named)
    if not now.group or not now.group[-1].denied:
        return False
    thing = chunk.units[chunk.findings[0]].form not in aspects()  # no change in the density
    return (prep.form in ("in", "within") and thing) or (prep.form == "of" and names_device([chunk]))


KNOWN = frozenset({"the", "its", "their", "his", "her", "this", "these"})
"""Words before something that was spoken of already."""


def close_denial(now: OpenSentence, chunk: Chunk, at: int) -> None:
    """Unless another begins; what is then said with a verb of its own is not said of what was denied."""
    if any(u.role is Role.DENIAL for u in chunk.before):
        return
    now.scope.close()
    if predicate_follows(now.chunks, at):
        now.begin_group()


def shows_nothing(now: OpenSentence, chunk: Chunk, deny: Unit) -> bool:
    """`The bony structures reveal no acute abnormality`: said of the structures, which are normal."""
    before = chunk.before
    if len(before) != 2 or before[0].form not in having() or before[1].role is not Role.DENIAL:
        return False
    last = chunk.units[-1]
    row, normal = last.row("findings"), now.lexicon.described("measurement", "without abnormality")
    if row is None or row.concept not in NOTHING or normal is None:
        return False
    bare = all(
        d.is_structure and all(h.relation in ("location", "assessment_limitations") for h in d.held)
        for d in now.group
    )
    if not now.group or not bare or chunk.has(Role.PLACE):
        return False
    for draft in now.group:
        draft.add(Held("measurement", normal, deny.start, last.end, last))
    now.scope.close()
    return True


def holds_device(now: OpenSentence, chunk: Chunk, at: int) -> bool:
    """`Left chest ____ with catheter tip in the SVC`: the blank is a part of the device, the chest is where it is."""
    if chunk.findings or chunk.structure is None or chunk.units[-1].role is not Role.BLANK:
        return False
    after = following(now.chunks, at)
    if after is None or not any(u.role is Role.WITH for u in after.before):
        return False
    if chunk.has(Role.ATTRIBUTE) or not names_device([after]):
        return False
    now.drafting.topic = [u for u in chunk.units if u.role in ANATOMY]
    return True


def name_exam(now: OpenSentence, chunk: Chunk, at: int) -> None:
    """`Normal exam.`, `The study is unremarkable.`: the whole picture, where nothing else is named."""
    last, after = chunk.units[-1], following(now.chunks, at)
    said = [*chunk.units, *(after.units if after is not None else ())]
    row = now.lexicon.named("chest radiograph")
    if last.role is Role.WORD and last.form in EXAMS and row is not None and any(is_normal(u) for u in said):
        last.role, last.rows, last.tables = Role.STRUCTURE, (row,), {"findings": row}
        chunk.look()


def extends_place(now: OpenSentence, chunk: Chunk, at: int) -> bool:
    """`of the lateral and posterior left costophrenic sulcus`: one place in two parts."""
    held, joins = now.modifiers.last_place, chunk.joins
    now.modifiers.last_place = []
    if chunk.findings:
        return False
    told = [u.role for u in chunk.units if u.role in PLACE_OR_ATTRIBUTE]
    positions = all(h.relation == "placement" for h in held)  # leads in the atrium and ventricle, unchanged
    plain = bool(told) and told[0] in ANATOMY and (Role.ATTRIBUTE not in told or positions)
    of = len(chunk.before) == 1 and chunk.before[0].form == "of"
    joined = bool(joins) and len(chunk.before) == len(joins)
    own = predicate_follows(now.chunks, at) or (joined and has_something(now.chunks, at))
    if not plain or not (of or joined) or own:
        return False
    now.modifiers.last_place = held
    if not now.group:
        now.group, now.predicate = now.closed
    now.modifiers.extend_place([u for u in chunk.units if u.role in ANATOMY], apart=not of)
    now.modifiers.attach_modifiers([u for u in chunk.units if u.role is Role.ATTRIBUTE], now.group)
    return True


def denial_ends(now: OpenSentence, chunk: Chunk, at: int) -> bool:
    if now.carried and not chunk.has(Role.BLANK):  # no patchy, increased opacity
        return False
    return not still_denied(now.chunks, at) or denied_blank(now, at) or tells_history(chunk)


def denied_blank(now: OpenSentence, at: int) -> bool:
    """`No known ____, asthma`: what was denied is lost."""
    before = now.chunks[at - 1] if at else None
    lost = (
        before is not None and bool(before.units) and before.units[-1].role is Role.BLANK and not before.named
    )
    return lost and now.scope.deny is not None and now.scope.deny.form in ("no", "no known", "denies")
