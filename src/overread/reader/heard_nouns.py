"""Nouns that no table knows and that are findings all the same: by where they stand, or as the judge hears them."""

from collections.abc import Iterator, Sequence

from overread.reader.drafts import Draft
from overread.reader.links import SentenceDraft
from overread.reader.opinion import Second, sure
from overread.reader.phrases import may_name
from overread.reader.roles import Role
from overread.reader.units import Unit
from overread.report import Section, Sentence
from overread.report.span import Span

SPOKEN = frozenset({"findings", "impression", "addendum", "other"})
"""Sections that tell what is seen; an indication names what is asked."""

HEARD = 0.95
"""How sure the judge must be that a word names something."""

DESCRIBED_NOUNS = frozenset({Role.WORD, Role.FINDING, Role.STRUCTURE})
"""Before these a word describes."""


def heard_nouns(section: Section, sentence: Sentence, found: SentenceDraft, ear: Second) -> dict[int, float]:
    """Where in the sentence a noun stands that names something there or denied, and of which nothing was read.

    With how sure the network is of it.
    """
    if not found.unread or section.name not in SPOKEN or found.kind != "statement":
        return {}
    opinions = ear.slots(sentence.index, found.unread, mixed=True)
    return {
        span.start - sentence.span.start: slots["status"][0][1]
        for span, slots in zip(found.unread, opinions, strict=True)
        if sure(slots, "status", HEARD) in ("present", "absent")
    }


def untold_nouns(units: list[Unit], drafts: list[Draft]) -> Iterator[Span]:
    """The unknown nouns of a sentence that none of its drafts has taken."""
    told = [(d.start, d.end) for d in drafts] + [(h.start, h.end) for d in drafts for h in d.held]
    return unknown_nouns(units, told)


def unknown_nouns(units: list[Unit], told: Sequence[tuple[int, int]]) -> Iterator[Span]:
    """The words nobody knows that stand beside no other noun, where nothing was read."""
    roles = [None, *[u.role for u in units], None]
    for unit, before, after in zip(units, roles, roles[2:], strict=False):
        if unit.role is not Role.WORD or not may_name(unit.form):
            continue
        alone = (
            after not in DESCRIBED_NOUNS and before is not Role.FINDING
        )  # `nodules galore` names nothing new
        if alone and not any(start < unit.end and unit.start < end for start, end in told):
            yield Span(unit.start, unit.end)


def is_untold(text: str, noun: Unit, place: Unit, drafts: list[Draft]) -> bool:
    """Was the place taken for what is abnormal, or left to what follows a comma, for want of a noun before it?"""
    behind = next((d for d in drafts if d.end > place.start), None)
    if behind is None or behind.is_structure:
        return behind is not None
    return drafts[0] is behind and drafts[0].start > noun.end and "," in text[place.end : behind.start]


def nouns_at_places(units: list[Unit]) -> Iterator[tuple[Unit, Unit]]:
    """`Faint uptake in the caecum`, `bands are seen in the lobe`: an unknown noun, and what stands before its place."""
    said = False
    for n, unit in enumerate(units):
        said |= unit.role is Role.VERB and units[n - 1].form != "there"
        compound = n > 0 and units[n - 1].role is Role.FINDING  # a fluid signal is one thing
        if unit.role is not Role.WORD or said or compound or not may_name(unit.form):
            continue
        behind = next((u for u in units[n + 1 :] if u.role is not Role.VERB and u.form not in SEEN), None)
        if behind is not None and behind.form in LIES_IN:
            yield unit, behind


SEEN = frozenset("seen noted present visible identified observed".split())
LIES_IN = frozenset("in at within along over".split())
