"""Negation, certainty and links: which cue is open, and what closes it."""

import re
from typing import TYPE_CHECKING

from overread.lexicon.load import Row
from overread.lexicon.meanings import Cue
from overread.reader.noun_phrases import Chunk
from overread.reader.reading import Evidence
from overread.reader.roles import Role
from overread.reader.units import Unit
from overread.report.span import Span

if TYPE_CHECKING:
    from overread.reader.drafts import Draft

ASSERTING = frozenset({"no_change", "improved", "worsened", "severity"})
"""An item of a list that brings one of these after a comma is a new statement, not one more thing denied."""

PURPOSE = re.compile(r"to (?:suggest|indicate)|that would suggest|(?:suggest|indicat|represent|favor)ing")
"""May also stand behind the verb: `no opacity is identified to suggest pneumonia`."""

SUCH_AS = re.compile(rf"(?!as |because |on |in (?!keeping)).* (?:for|of|with)|{PURPOSE.pattern}")
"""Words that say which sort of finding is meant (`suspicious for`, `compatible with`), not what it comes from."""

AFTER_PURPOSE = frozenset({Role.JOIN, Role.STOP, Role.WITH})
"""Behind these `to suggest` is about something else."""

AFTER_SORT = frozenset({Role.JOIN, Role.VERB, Role.STOP, Role.WITH})
"""Behind these `suspicious for` is."""

LIST_ENDS = frozenset({Role.STOP, Role.VERB, Role.WITH, Role.DENIAL, Role.LINK})
"""A list of things denied does not reach across these."""

JOINS = frozenset({Role.JOIN, Role.HEDGE})
"""What may join two items of a list."""


def tells_sort(unit: Unit, before: list[Unit]) -> bool:
    """`No opacity suspicious for pneumonia`, `no lines that imply edema`: does it go on in the noun phrase?"""
    ends = AFTER_PURPOSE if PURPOSE.fullmatch(unit.form) else AFTER_SORT
    if any(u.role in ends for u in before):
        return False
    return SUCH_AS.fullmatch(unit.form) is not None or any(u.form in ("that", "which") for u in before)


class Scope:
    """The cues that are open at one place of a sentence."""

    __slots__ = ("deny", "hedge", "link", "sources")

    def __init__(self) -> None:
        self.close()

    def close(self) -> None:
        self.deny: Unit | None = None
        self.hedge: Unit | None = None
        self.link: Unit | None = None
        self.sources: list[Draft] = []
        """What the open link points back to."""

    def close_denial(self) -> None:
        self.deny = None

    def end_link(self) -> None:
        self.link, self.sources = None, []

    def link_to(self, unit: Unit, sources: "list[Draft]") -> None:
        self.link, self.sources = unit, sources

    def apply_to(self, draft: "Draft") -> None:
        """Apply what is open to a finding just met."""
        if self.deny is not None:
            draft.deny(self.deny)
        if self.hedge is not None:
            draft.doubt(self.hedge)
        if self.link is not None:
            seen = not all(d.untelling for d in self.sources)  # not: stable chest suggesting emphysema
            draft.drawn = not seen
            draft.linked(signs(self.sources, draft), self.link, supports=seen and draws(self.link, draft))


SHADES = frozenset({"opacity", "airspace-opacity", "interstitial-opacity", "ground-glass-opacity", "haze"})
"""What is seen and not yet named."""

NAMED_SHADES = frozenset({"atelectasis", "scar"})
"""What a shade beside it is not drawn from: `opacity with atelectasis may be a mass`."""

BESIDE = frozenset({"cardiomegaly", "lung-volumes"})
"""Seen beside what a conclusion is drawn from."""

OF_THE_HEART = frozenset({"heart-failure", "edema"})


BRINGING = re.compile(r"causing|resulting(?: in)?|producing|leading to|accounting for")
"""The second is an effect of the first, and as much seen as it."""


CAUSAL = re.compile(r"\b(?:to|from|after|following|by)$")
"""`Secondary to`, `due to`: what is seen comes from what follows."""

DONE = frozenset({"procedure", "device"})


def draws(link: Unit, draft: "Draft") -> bool:
    """Is what follows drawn from what was seen? Not an effect, a normal organ, nor how much the patient breathed in.

    Clips are compatible with an operation; wires due to one are no reason to think of it.
    """
    if draft.kind in DONE and CAUSAL.search(link.form):
        return False
    return BRINGING.fullmatch(link.form) is None and draft.concept != "lung-volumes" and not draft.as_ever


def signs(sources: "list[Draft]", draft: "Draft") -> "list[Draft]":
    """What a conclusion is drawn from: where anything else is seen, no diagnosis, large heart or low volumes.

    Another conclusion from the same is an alternative, and no sign: `opacity, likely edema, less likely pneumonia`.
    """
    sources = [d for d in sources if not any(seen in sources for seen in d.evidence)]
    seen = [d for d in sources if d.kind != "diagnosis"]
    if draft.concept not in OF_THE_HEART:
        seen = [d for d in seen if d.concept not in BESIDE]
    if any(d.concept in SHADES for d in seen):
        seen = [d for d in seen if d.concept not in NAMED_SHADES]
    return seen or sources


def reaches(unit: Unit, kind: str) -> set[str]:
    """The directions in which a cue of this kind works: after, before, both."""
    return {row.reach for row in unit.rows if isinstance(row, Cue) and row.kind == kind}


FREE = re.compile(r"-free\b", re.IGNORECASE)
DENIED_BEFORE = re.compile(r"\b(?:no|not|never|neither|hardly)\b|n't\b", re.IGNORECASE)


def deny_suffix(text: str, start: int, drafts: "list[Draft]") -> None:
    """`Nodule-free lungs` have no nodules; lungs that are not nodule-free have. `start`: of the sentence."""
    for draft in drafts:
        suffix = FREE.match(text, draft.end)
        if suffix is not None:
            there = DENIED_BEFORE.search(text, start, draft.start) is not None
            draft.negated = None if there else "absent"
            draft.trace.append(Evidence(Span(*suffix.span()), "free-of", "there" if there else "denied"))


def list_goes_on(chunks: list[Chunk], at: int) -> bool:
    """Does the list that chunk `at` stands in end with `or`, `nor` or `and` further on?

    `No effusion, pneumothorax or mass` denies three things; `no effusion, stable cardiomegaly` one.
    """
    for chunk in chunks[at:]:
        if chunk is not chunks[at] and any(u.role in LIST_ENDS for u in chunk.before):
            return False
        if any(u.form in ("or", "nor", "and", "and / or") for u in chunk.before):
            return True
    return False


def opens_statement(chunk: Chunk) -> bool:
    """`…, findings suggestive of emphysema`: a general noun that what follows is said of."""
    row = chunk.units[chunk.findings[0]].row("findings") if chunk.findings else None
    return row is not None and row.concept in ("generic-finding", "change") and chunk.findings[0] == 0


def each_denied(chunks: list[Chunk]) -> bool:
    """`No fracture, hiatal hernia, no free air`: who says `no` again after a comma denies one thing at a time."""
    said = [c for c in chunks if any(u.role is Role.DENIAL for u in c.before)]
    return any([u.form for u in c.before if u.role is Role.JOIN] == [","] for c in said[1:])


def still_denied(chunks: list[Chunk], at: int) -> bool:
    """Does an open denial reach chunk `at`, across the conjunction before it?"""
    chunk = chunks[at]
    joins = {u.form for u in chunk.before if u.role in JOINS}
    if not joins or joins & {"or", "nor", "and / or", "/"}:
        return True
    if joins == {","} and each_denied(chunks) and not list_goes_on(chunks, at):
        return False
    new = asserts(chunk) or (joins == {","} and opens_statement(chunk))
    new = new or ("and" in joins and bool(chunk.findings) and changes_follow(chunks, at))
    return not new or ("and" not in joins and list_goes_on(chunks, at))


def changes_follow(chunks: list[Chunk], at: int) -> bool:
    """`No effusion, and cardiomegaly is stable`: what has become of a thing is told of one that is there."""
    after = chunks[at + 1] if at + 1 < len(chunks) else None
    return (
        after is not None and after.before[:1] != [] and after.before[0].role is Role.VERB and changes(after)
    )


def changes(chunk: Chunk) -> bool:
    told = (r for u in chunk.units if u.role is Role.ATTRIBUTE for r in u.rows)
    return not chunk.named and any(isinstance(r, Row) and r.table in CHANGED for r in told)


CHANGED = frozenset({"improved", "worsened", "no_change"})


def asserts(chunk: Chunk) -> bool:
    """Does a phrase bring a degree, a change or an article, as what is there does?"""
    told = (r for u in chunk.units if u.role is Role.ATTRIBUTE for r in u.rows)
    return any(isinstance(r, Row) and r.table in ASSERTING for r in told) or (
        bool(chunk.units) and chunk.units[0].form in ("a", "an")
    )
