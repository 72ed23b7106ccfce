"""Links that leave the sentence: `this may represent …`, `No change.`, a diagnosis and its signs."""

from overread.lexicon.lexicon import Lexicon
from overread.reader.drafts import CHANGES, Draft, Held, relation_of
from overread.reader.findings import refined
from overread.reader.places import place_side
from overread.reader.reading import Alone, Evidence, SentenceKind
from overread.reader.roles import Role
from overread.reader.scope import signs
from overread.reader.stand_ins import ORDER
from overread.reader.units import Unit
from overread.report import Section, Sentence
from overread.report.model import SectionName
from overread.report.span import Span


class SentenceDraft:
    """What one sentence gave, before its links to others are known."""

    __slots__ = (
        "advised", "alone", "bare", "cues", "drafts", "kind", "loose", "pointing", "stands_for", "strange", "told",
        "unread", "unsourced",
    )  # fmt: skip

    def __init__(self, kind: SentenceKind, cues: tuple[Evidence, ...]) -> None:
        self.kind = kind
        self.cues = cues
        self.drafts: list[Draft] = []
        self.advised: list[Draft] = []
        """What the parts name that ask for something: `CT for the nodule in the left lung`; only the judge can tell."""
        self.loose: list[Held] = []
        """Change words no finding of the sentence took: `No change.`, `This is stable.`"""
        self.bare = False
        """Nothing but change words: `No change.`"""
        self.pointing = False
        self.unsourced: list[tuple[Draft, Unit | None]] = []
        self.told: list[Held] = []
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
        return self.pointing or self.bare or bool(self.unsourced)


def loose_changes(units: list[Unit], drafts: list[Draft]) -> list[Held]:
    taken = {h.start for d in drafts for h in d.held}
    known = (u for u in units if u.tables and u.role is Role.ATTRIBUTE and u.start not in taken)
    held = (relation_of(u, None, True) for u in known)
    return [
        h for h in held if h is not None and (h.relation in CHANGES or (h.row and h.row.concept == "new"))
    ]


def refer_back(found: SentenceDraft, before: list[Draft], seen: list[Draft]) -> None:
    """Hang on the sentence before what a sentence says of it without naming it.

    `It is unchanged` after a denial speaks of what was seen last.
    """
    told = [d for d in before if d.negated is None]
    if found.pointing and not any(d.asserted for d in told):
        told = [d for d in seen if d.asserted] or told
    if not found.drafts and told and (found.pointing or found.bare):
        for draft in told if found.bare else told[-1:]:
            for held in [*found.loose, *found.told]:
                draft.add(held)
        found.loose = [] if found.pointing else found.loose
    for draft, cue in found.unsourced:
        draft.drawn = True
        shown = [d for d in before if d.asserted and d.kind != "open"]
        draft.linked(signs(shown, draft), cue, supports=True)


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


def concludes(found: SentenceDraft, section: Section, lex: Lexicon) -> bool:
    """Does a sentence of the impression name a diagnosis that findings may support?"""
    return section.name == "impression" and any(
        d.negated is None and d.concept in lex.concluded for d in found.drafts
    )


def support_across(drafts: list[tuple[Draft, Section, Sentence]], lex: Lexicon) -> None:
    """A diagnosis of the impression that gives no reason points back at the findings that are its signs.

    One that the findings have drawn already, and that is hedged or drawn once more, is only said again.
    """
    seen = [d for d, section, _ in drafts if section.name == "findings" and d.negated is None]
    drawn = {d.concept for d in seen if d.evidence}
    for draft, section, _ in drafts:
        if section.name != "impression" or draft.negated is not None or draft.concept not in lex.concluded:
            continue
        again = draft.concept in drawn and (draft.drawn or draft.hedge is not None)
        unexplained = all(
            d.kind == "generic" for d in draft.evidence
        )  # chronic changes consistent with emphysema
        if unexplained and not again:
            known = [d for d in seen if is_sign(d, draft.concept or "", lex) and not elsewhere(d, draft)]
            draft.linked(known, supports=True)


def elsewhere(sign: Draft, draft: Draft) -> bool:
    """Is one on the left and the other on the right?"""
    sides = [{place_side(run) for h in d.held for run in h.runs} - {"-"} for d in (sign, draft)]
    return sides in ([{"left"}, {"right"}], [{"right"}, {"left"}])


def is_sign(draft: Draft, diagnosis: str, lex: Lexicon) -> bool:
    needed = lex.supports.get((diagnosis, refined(draft, lex) or ""), set())
    return "-" in needed or any(h.row is not None and h.row.concept in needed for h in draft.held)
