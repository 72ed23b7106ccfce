"""Links that leave the sentence: `this may represent …`, `No change.`, a diagnosis and its signs."""

from overread.lexicon.lexicon import Lexicon
from overread.reader.drafts import CHANGES, Draft, Held, relation_of
from overread.reader.finding_phrases import UNEXPLAINED
from overread.reader.findings import refined
from overread.reader.modifiers import compares_inside
from overread.reader.reading import Alone, Evidence, SentenceKind
from overread.reader.roles import Role
from overread.reader.scope import draws, signs
from overread.reader.stand_ins import ORDER
from overread.reader.units import Unit
from overread.report import Section, Sentence
from overread.report.model import SectionName
from overread.report.span import Span


class SentenceDraft:
    """What one sentence gave, before its links to others are known."""

    __slots__ = (
        "across", "advised", "alone", "asserts", "bare", "cues", "drafts", "kind", "left_open", "loose", "of_both",
        "pointing", "stands_for", "strange", "told", "unread", "unsourced",
    )  # fmt: skip

    def __init__(self, kind: SentenceKind, cues: tuple[Evidence, ...]) -> None:
        self.kind = kind
        self.cues = cues
        self.drafts: list[Draft] = []
        self.advised: tuple[Draft, ...] = ()
        """What the parts name that ask for something: `CT for the nodule in the left lung`; only the judge can tell."""
        self.loose: tuple[Held, ...] = ()
        """Change words no finding of the sentence took: `No change.`, `This is stable.`"""
        self.asserts = False
        """Is one of the drafts asserted, as the sentence was read?"""
        self.across = False
        """Speaks of the other side."""
        self.bare = False
        """Nothing but change words: `No change.`"""
        self.pointing = False
        self.of_both = False
        """`Both have grown`: said of the last two."""
        self.unsourced: tuple[tuple[Draft, Unit | None], ...] = ()
        self.left_open: tuple[Draft, ...] = ()
        """Where nothing else is said: `A nodule cannot be excluded.`"""
        self.told: tuple[Held, ...] = ()
        """Sizes and the like that a sentence without a noun says of the one before: `This is 2 cm.`"""
        self.strange = False
        """Holds a word that no table knows, so that rules may have missed what it does."""
        self.stands_for = False
        """Holds a word that stands for a noun of the sentence before."""
        self.unread: tuple[Span, ...] = ()
        """Nouns nobody knows, of which nothing was read."""
        self.alone: dict[SectionName, Alone | None] = {}
        """The sentence by itself, as it reads in a section; None where it needs what stands behind it."""

    @property
    def refers_back(self) -> bool:
        """May it say something of the sentence before?"""
        return self.pointing or self.bare or bool(self.unsourced or self.left_open)


def loose_changes(text: str, units: list[Unit], drafts: list[Draft]) -> list[Held]:
    told = [u for u in units if u.role is Role.ATTRIBUTE and u.tables]
    if not told:
        return []
    found: list[Held] = []
    taken = {h.start for d in drafts for h in d.held}
    for unit in told:
        if unit.start not in taken and not compares_inside(text, unit):
            held = relation_of(unit, None, True)
            if held is not None and (held.relation in CHANGES or (held.row and held.row.concept == "new")):
                found.append(held)
    return found


WEAR = frozenset({"degenerative-change", "osteophyte", "scoliosis", "kyphosis", "osteopenia"})
"""What age does to bones: nothing else is concluded from it in another sentence."""


OF_BONES = frozenset({"dish", "osteopenia", "vertebral-deformity", "compression-fracture", *WEAR})


def aged(sign: Draft, draft: Draft) -> bool:
    """Is one what age does to bones, and the other no disease of theirs?"""
    return sign.concept in WEAR and draft.concept is not None and draft.concept not in OF_BONES


def observed(drafts: list[Draft]) -> list[Draft]:
    """What was seen: what a sentence has only concluded stands for what it was concluded from."""
    seen = [sign for d in drafts for sign in (d.evidence or (d,))]
    return list(dict.fromkeys(seen))


def refer_back(found: SentenceDraft, before: list[Draft], seen: list[Draft]) -> None:
    """Hang on the sentence before what a sentence says of it without naming it.

    `It is unchanged` after a denial speaks of what was seen last.
    """
    told = [d for d in before if d.negated is None]
    if found.pointing and not any(d.asserted for d in told):
        told = [d for d in seen if d.asserted] or told
    if not found.drafts and told and (found.pointing or found.bare):
        for draft in told if found.bare else told[-2 if found.of_both else -1 :]:
            for held in [*found.loose, *found.told]:
                draft.add(held)
        found.loose = () if found.pointing else found.loose
    for draft, cue in found.unsourced:
        draft.drawn = True
        shown = [d for d in observed(before) if d.asserted and d.kind != "open" and not aged(d, draft)]
        draft.linked(signs(shown, draft), cue, supports=cue is None or draws(cue, draft))
    for draft in found.left_open:  # an opacity is seen. A nodule cannot be excluded.
        shadows = [d for d in observed(before) if d.asserted and d.concept in UNEXPLAINED]
        draft.linked([d for d in shadows if d.concept != draft.concept], supports=True)


def say_of_named(found: SentenceDraft, before: list[Draft]) -> None:
    """`The former is smaller, the latter has not changed`: said of what was named, and no findings of their own."""
    kept: list[Draft] = []
    for draft in found.drafts:
        meant = next((d for d in before if d.entity == draft.entity), None)
        if meant is None or draft.unit.form not in ORDER:
            kept.append(draft)
            continue
        if draft.has(*CHANGES):  # again seen, and smaller
            meant.held = [h for h in meant.held if h.relation not in CHANGES]
        for held in draft.held:
            meant.add(held)
        meant.negated = meant.negated or draft.negated
        meant.trace += draft.trace[1:]
    found.drafts = kept


def concludes(found: SentenceDraft, lex: Lexicon) -> bool:
    """Does a sentence, of the impression, name a diagnosis that findings may support?"""
    return any(d.negated is None and may_conclude(d, lex) for d in found.drafts)


def support_across(drafts: list[tuple[Draft, Section, Sentence]], lex: Lexicon) -> None:
    """A diagnosis of the impression that gives no reason rests on the findings it was drawn from, and on its signs.

    `Findings consistent with X` where no sign of X is known: on what is seen in the organ and not explained.
    """
    there = [(d, section.name) for d, section, _ in drafts if d.negated is None]
    seen = [d for d, name in there if name == "findings"]
    said: list[Draft] = []
    for draft, name in there:
        if name == "impression":
            if may_conclude(draft, lex) and needs_reason(draft, seen):
                near = said[-1:] if draft.hedge else []  # airspace disease. Concern for pneumonia.
                known = supporting(draft, near, lex) or supporting(draft, seen, lex)
                draft.linked([d for d in known if not elsewhere(d, draft)], supports=True)
            said.append(draft)


def needs_reason(draft: Draft, seen: list[Draft]) -> bool:
    """Does nothing but a general noun support it: `chronic changes consistent with emphysema`?"""
    return not suspected_again(draft, seen) and all(d.kind == "generic" for d in draft.evidence)


def supporting(draft: Draft, seen: list[Draft], lex: Lexicon) -> list[Draft]:
    """What of this the diagnosis rests on."""
    free = [d for d in seen if not explained(d, draft, seen)]
    known = [*drawn_from(draft, seen), *(d for d in free if is_sign(d, draft.concept or "", lex))]
    if not known and draft.drawn:
        known = [d for d in free if d.asserted and same_organ(d, draft, lex)]
    return known


def may_conclude(draft: Draft, lex: Lexicon) -> bool:
    """Is it a disease that is not itself seen?"""
    return draft.kind == "diagnosis" or draft.concept in lex.concluded


def suspected_again(draft: Draft, seen: list[Draft]) -> bool:
    """Is it drawn from something in the findings, and here only named once more: `probable pneumonia`?"""
    hedged = draft.hedge is not None and not draft.drawn
    return hedged and any(d.concept == draft.concept and d.evidence for d in seen)


def drawn_from(draft: Draft, seen: list[Draft]) -> list[Draft]:
    """What the findings have drawn the same diagnosis from."""
    return [sign for d in seen if d.concept == draft.concept for sign in d.evidence]


def explained(sign: Draft, draft: Draft, seen: list[Draft]) -> bool:
    """Is something else said to be what it is? `Lung disease` is no other than interstitial lung disease."""
    others = (d for d in seen if sign in d.evidence and d.concept != draft.concept)
    return any(not draft.entity.lower().endswith(d.entity.lower()) for d in others)


def same_organ(sign: Draft, draft: Draft, lex: Lexicon) -> bool:
    """Is it seen in the organ the diagnosis is of? The airways are the lung's."""
    here, there = (organ(d, lex) for d in (sign, draft))
    return sign.kind == "finding" and here == there and there is not None


def organ(draft: Draft, lex: Lexicon) -> str | None:
    concept = lex.concepts.get(draft.concept or "")
    site = concept.site if concept else None
    return "lung" if site in AIRED else site


AIRED = frozenset({"airway", "trachea"})


def elsewhere(sign: Draft, draft: Draft) -> bool:
    """Is one on the left and the other on the right?"""
    sides = [sign.sides, draft.sides]
    return sides in ([{"left"}, {"right"}], [{"right"}, {"left"}])


def is_sign(draft: Draft, diagnosis: str, lex: Lexicon) -> bool:
    needed = lex.supports.get((diagnosis, refined(draft, lex) or ""), set())
    return "-" in needed or any(h.row is not None and h.row.concept in needed for h in draft.held)
