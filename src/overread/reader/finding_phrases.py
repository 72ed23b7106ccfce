"""A noun phrase that names findings: drafts of them, and what they share with those before."""

from itertools import pairwise
from operator import attrgetter

from overread.reader.drafts import Draft
from overread.reader.grammar import POINTING
from overread.reader.lookahead import following, follows_blank, had_verb
from overread.reader.modifiers import PARENCHYMAL
from overread.reader.noun_phrases import Chunk
from overread.reader.open_sentence import OpenSentence
from overread.reader.phrases import (
    names_tip,
)
from overread.reader.places import sides
from overread.reader.roles import Role
from overread.reader.scope import changes_follow
from overread.reader.units import Unit

START = attrgetter("start")
UNEXPLAINED = PARENCHYMAL | {
    "cp-angle-blunting",
    "lucency",
    "pleural-opacity",
    "haze",
    "lung-markings",
    "fluid",
}
"""Findings that ask for an explanation, so that a blank and a noun after them give one."""

SHADOWS = frozenset(
    {"opacity", "airspace-opacity", "interstitial-opacity", "ground-glass-opacity", "cp-angle-blunting",
     "pleural-opacity", "haze", "lung-markings"}
)  # fmt: skip
"""What is seen and named by how it looks."""

EXPLAINING = frozenset({Role.BLANK, Role.INNER_HEDGE})
"""After a comma, these begin an explanation of what was seen."""

DESCRIBING_SIDE = frozenset({Role.ATTRIBUTE, Role.MEASURE})
"""Words that one side may have of its own."""


def read_findings(now: OpenSentence, chunk: Chunk, at: int, prep: Unit | None, joins: list[Unit]) -> None:
    shared = now.group if joins and not tells_apart(now, at, joins) else []
    use_bare_structures(now, joins)
    if not joins and prep is None:
        now.begin_group()
    if open_links(now, chunk, at, prep):
        shared = []
    fresh = draft_findings(now, chunk, at, shared, bool(joins))
    if prep is not None and prep.form == "of" and not joins:
        now.drafting.merge_change_of(now.group, fresh[0])
        now.heads = now.heads_of(now.group)
    if prep is not None and prep.form == "from" and only_change(now):
        now.drafting.lend_change(now.group[-1], fresh[0])
    now.group = shared + fresh
    if now.heads and prep is not None and prep.form == "of" and chunk.units[0].form == "the":
        now.group = now.heads  # enlargement of the cyst is not seen: the cyst is known
    fresh[0].join = " ".join([u.form for u in joins]) if joins else ""
    if shared and fresh[0].join == "or" and now.scope.deny is None:  # atelectasis or scarring: one of them
        for either in (shared[-1], fresh[0]):
            either.hedge = either.hedge or "possible"
    if after := chunk.units[chunk.findings[-1] + 1 :]:
        attach_words_after(now, after, fresh)
    if (
        shared
        and not any(u.role is Role.DENIAL for u in chunk.before)
        and shared[-1].denied == fresh[0].denied
    ):
        share_between(now, shared[-1], fresh[0], joins)


def tells_apart(now: OpenSentence, at: int, joins: list[Unit]) -> bool:
    """`There is an effusion and atelectasis has improved`: the first had its verb, the change is of the second."""
    return [u.form for u in joins] == ["and"] and had_verb(now.chunks, at) and changes_follow(now.chunks, at)


def open_links(now: OpenSentence, chunk: Chunk, at: int, prep: Unit | None) -> bool:
    """Tie what is drafted next to what it explains; does it begin an explanation, and no list goes on?"""
    if prep is not None and prep.form == "from" and names_cause(now, chunk, at) and not only_change(now):
        now.scope.link_to(prep, [d for d in now.group if d.asserted])
    begins = explains(now, chunk, at)
    if begins:
        open_questions = [d for d in now.drafting.sources if d.concept in UNEXPLAINED]
        now.scope.link_to(chunk.units[0], open_questions or now.drafting.sources)
    lost_verb = blank_verb(chunk) if Role.BLANK in chunk.roles else None
    if lost_verb is not None and (now.pointing or now.drafting.sources):
        now.scope.link_to(lost_verb, now.drafting.sources)
    return begins


def only_change(now: OpenSentence) -> bool:
    """`Changes from cystic fibrosis`: the general noun only leads to the disease."""
    return bool(now.group) and now.group[-1].concept == "change"


def draft_findings(
    now: OpenSentence, chunk: Chunk, at: int, shared: list[Draft], joined: bool
) -> list[Draft]:
    """A draft for every finding the phrase names; for two where one noun serves both."""
    first = chunk.units[chunk.findings[0]]
    fresh = (
        [
            *now.drafting.draft_from_structure(shared, first),
            *now.drafting.draft_twins(first, now.carried),
        ]
        if joined
        else []
    )
    start = 0
    for place in chunk.findings:
        own = chunk.units[start:place]
        if fresh and start and explains_inside(now, fresh[-1], own, at):
            now.scope.link_to(own[0] if own else chunk.units[place], [fresh[-1]])
        if joined and opposed(now, own):  # small right and moderate left effusions
            fresh.append(now.drafting.draft(chunk.units[place], now.carried))
            now.carried = []
        fresh.append(now.drafting.draft(chunk.units[place], [*carried_to(now, fresh, own), *own]))
        now.carried = []
        start = place + 1
    if now.scope.deny is not None:
        spare_devices(fresh)
    return fresh


MISHAPS = frozenset("failure loosening complication complications discontinuity disruption kinking".split())
"""What befalls devices."""


def spare_devices(fresh: list[Draft]) -> None:
    """`No hardware failure`, `no screw loosening`: what is denied befell a device that is there."""
    for device, event in pairwise(fresh):
        befalls = event.unit.form in MISHAPS and event.start == device.end + 1
        if befalls and device.kind == "device" and device.denied:
            device.negated = None
            device.trace = [e for e in device.trace if e.note != "denied"]


def carried_to(now: OpenSentence, fresh: list[Draft], own: list[Unit]) -> list[Unit]:
    """The words that wait for a noun, but no degree that its twin has where it has one of its own.

    `Moderate central canal and severe foraminal stenosis`.
    """
    if not fresh or not any(u.row("severity") for u in own):
        return now.carried
    return [u for u in now.carried if u.row("severity") is None]


def attach_words_after(now: OpenSentence, after: list[Unit], fresh: list[Draft]) -> None:
    """The words after the noun: said of all that is joined, a tip only of its own device."""
    of_all = any(u.role is Role.ATTRIBUTE for u in after) and not names_tip(after)
    now.modifiers.attach_modifiers(after, now.group if of_all else fresh)
    for hedge in (u for u in after if u.role is Role.INNER_HEDGE):  # small effusions suspected
        for draft in fresh:
            draft.doubt(hedge)


def share_between(now: OpenSentence, first: Draft, second: Draft, joins: list[Unit]) -> None:
    """What the second of two joined findings has from the first."""
    if len(joins) == 1 and joins[0].form != ",":
        now.modifiers.share_modifiers(first, second, joins[0].form)
        if joins[0].form != "and" and now.scope.deny is None:  # atelectasis versus scarring
            second.linked([first])
    now.drafting.name_pleura(first, second)
    now.modifiers.share_removal(first, second)
    now.modifiers.share_history(first, second)


def names_cause(now: OpenSentence, chunk: Chunk, at: int) -> bool:
    """`Scarring from cystic fibrosis`, `…, ____ from a cyst`: what the findings come from.

    After a bare `from` that is a disease; a blank before it hides a `likely`.
    """
    if follows_blank(now.chunks, at):
        return True
    row = chunk.units[chunk.findings[0]].row("findings")
    return row is not None and now.lexicon.concepts[row.concept].kind == "diagnosis"


def explains(now: OpenSentence, chunk: Chunk, at: int) -> bool:
    """`Opacity is unchanged, likely atelectasis`, `opacity, A versus B`; a blank stands for such a word, too."""
    if len(chunk.before) != 1 or chunk.before[0].form != "," or not now.drafting.sources:
        return False
    after = following(now.chunks, at)
    first, last = chunk.units[0], now.drafting.sources[-1]
    open_question = last.concept in UNEXPLAINED
    choice = after is not None and any(u.form in ("versus", "vs") for u in after.before)
    if choice and last.is_structure and last.asserted:  # large heart, cardiomegaly versus effusion
        return True
    return first.form == "likely" or (open_question and (first.role in EXPLAINING or choice))


def blank_verb(chunk: Chunk) -> Unit | None:
    """`The appearance ____ scarring`: the blank where the verb was that drew the one from the other."""
    words = [u for u in chunk.units[: chunk.findings[0]] if u.role is not Role.DETERMINER]
    points = len(words) > 1 and words[0].form in POINTING and words[1].role is Role.BLANK
    return words[1] if points else None


def explains_inside(now: OpenSentence, seen: Draft, between: list[Unit], at: int) -> bool:
    """`Left base opacity ____ atelectasis`, `opacity atelectasis versus scar`: the second explains the first."""
    if seen.concept not in SHADOWS:
        return False
    after = following(now.chunks, at)
    choice = after is not None and any(u.form in ("versus", "vs") for u in after.before)
    return between[0].role is Role.BLANK if between else choice


def use_bare_structures(now: OpenSentence, joins: list[Unit]) -> None:
    """`Lungs are free of disease`: a structure of which nothing is said is where the finding is."""
    if now.group and not joins and all(d.is_structure and not d.speaks for d in now.group):
        for draft in now.group:
            draft.used = True
        now.drafting.topic = [u for d in now.group for u in (*d.place_words, d.unit)]
        now.drafting.topic.sort(key=START)
        now.begin_group()


def opposed(now: OpenSentence, units: list[Unit]) -> bool:
    """Does the phrase describe the other side than the carried one, in words of its own?"""
    here, there = sides(units), sides(now.carried)
    return len(here) == len(there) == 1 and here != there and any(u.role in DESCRIBING_SIDE for u in units)
