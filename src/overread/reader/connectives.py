"""The words between noun phrases: what verbs, cues, conjunctions and full stops do to an open sentence."""

import re

from overread.lexicon.lexicon import Lexicon
from overread.reader.drafting import Drafting
from overread.reader.drafts import Draft, Held
from overread.reader.grammar import PERCEIVED, VERBS
from overread.reader.lookahead import leads_to_noun
from overread.reader.modifiers import Hanging
from overread.reader.noun_phrases import Chunk, chunks
from overread.reader.phrases import names_tip, points_back, tells_tip
from overread.reader.roles import Role
from overread.reader.scope import Scope, reaches, tells_sort
from overread.reader.units import Unit
from overread.report.marks import BLANKED

ON_VIEW = re.compile(
    r"\W+(?:well\s+|clearly\s+)?(?:(?:present|seen|visualized|identified|noted|evident)\s+)?(?:on|in)\s+(?:the\s+)?"
    r"(?:lateral|frontal)",
    re.IGNORECASE,
)
EARLIER_SEEN = re.compile(r"\bpreviously\s+\w+\s+[^.;]*$", re.IGNORECASE)
ON_PRIOR = re.compile(
    r"\W+(?:appears? to be\s+|well\s+)?"
    r"(?:(?:present|seen|visualized|identified|noted|evident|there|appreciated)\s+)?(?:on|in)\s+"
    r"(?:the\s+|any\s+|a\s+)?(?:prior|previous|earlier|last|comparison)",
    re.IGNORECASE,
)
WAS = re.compile(r"\b(?:was|were)\s+(?:not\b[\w\s]*)?$", re.IGNORECASE)
ON_BLANK = re.compile(
    rf"\W+(?:present\s+|seen\s+)?(?:on|in)\s+(?:the\s+)?{BLANKED}\s+(?:ct|study|exam|film)", re.IGNORECASE
)
"""`Which were not present in the ____ CT`: an earlier one, as the verb says."""


OPENS_AGAIN = re.compile(r"\b(?:not|cannot|exclude\w*|ruled|consider\w*)\b")
"""`No mass, but one is not excluded`: a hedge that takes a denial back."""

DONE = re.compile(r"\W+(?:\w+ly\s+)?(\w+ed)\b", re.IGNORECASE)


FINITE = frozenset("is are was were has have had does do did".split())


def tells_event(unit: Unit, after: str) -> bool:
    """`Has not been drained`: something was not done to what is there; not `has not been identified`."""
    done = DONE.match(after) if unit.form.endswith(("not", "not been")) else None
    return done is not None and done[1].lower().replace("ised", "ized") not in VERBS | PERCEIVED


CUES = frozenset({Role.DENIAL, Role.HEDGE, Role.LINK})
"""Words that deny, doubt or link."""


class Between:
    """Reading state: the group that predicates and places attach to, open scopes, modifiers without a noun yet."""

    def __init__(
        self, text: str, units: list[Unit], lexicon: Lexicon, compared: bool, open_words: bool = False
    ) -> None:
        self.text = text
        self.lexicon = lexicon
        self.open_words = open_words
        """Take nouns no table knows as findings wherever they stand, not only where something is denied."""
        self.chunks = list(chunks(units))
        self.scope = Scope()
        self.hang = Hanging(text, self.scope, compared)
        self.make = Drafting(text, lexicon, self.scope, self.hang)
        self.group: list[Draft] = []
        self.left: list[Draft] = []
        """The group a `but` has just closed: heart is enlarged but stable."""
        self.carry: list[Unit] = []
        self.sort: Unit | None = None
        """The last words that told the sort of finding: `suspicious for`."""
        self.predicate = False
        """Has a verb followed the group, so that describing words are said of it?"""
        self.pointing = points_back(units)
        """The sentence speaks of what the one before it named: `This may represent …`."""
        self.heads: list[Draft] = []
        """The nouns that `with` or `of` goes on from, before the verb of the clause."""
        self.verb_met = False
        self.loose: list[Held] = []
        """`This was not seen on the prior study`: new, and said of the sentence before."""

    def begin_group(self) -> None:
        self.group = []
        self.predicate = False
        if self.verb_met:
            self.heads, self.verb_met = [], False

    def said_already(self, chunk: Chunk) -> bool:
        """Is the group done with, so that a conjunction begins something new?"""
        if names_tip(chunk.units) and any(d.kind == "device" for d in self.group):
            return False
        return self.predicate or self.described(chunk)

    def described(self, chunk: Chunk) -> bool:
        """Has something been said of the group, as in `heart size normal and …`, `line with tip in the SVC and …`?"""
        said = [(d, h.relation) for d in self.group for h in d.held if h.start >= d.end]
        return any(
            relation != "location" if d.is_structure else relation == "placement" and bool(chunk.findings)
            for d, relation in said
        )

    def connect(self, unit: Unit, chunk: Chunk, place: int, prep: Unit | None, at: int) -> Unit | None:
        """Let a verb, preposition, cue or conjunction do its work; the preposition that is open is handed on."""
        if unit.role is Role.PREPOSITION:
            if unit.form in ("after", "following", "post"):  # no pneumothorax after line removal
                self.scope.close_denial()
            return unit
        if unit.role is Role.JOIN:
            return prep
        if unit.role is Role.STOP:
            self.end(unit)
        elif unit.role is Role.WITH:
            self.go_on_with(chunk, at)
        elif unit.role is Role.VERB:
            self.predicate = bool(self.group)
            self.verb_met = True
        elif unit.role is Role.DENIAL:
            self.deny(unit, chunk, place)
        elif unit.role is Role.NO_DENIAL and unit.form.startswith("not"):
            self.lose_sight(unit)
        elif unit.role is Role.HEDGE:
            self.hedge(unit, chunk, place)
        elif unit.role is Role.LINK:
            self.link(unit, chunk, place)
        return None

    def end(self, unit: Unit) -> None:
        if unit.form == ":" and self.group and all(d.is_structure and not d.speaks for d in self.group):
            for draft in self.group:
                draft.used = True
                self.make.topic += [*(h.unit for h in draft.held), draft.unit]
        contrast = unit.form in ("but", "yet")
        self.left = [*(d for d in self.make.companions if d.asserted), *self.group] if contrast else []
        if self.group or not contrast:  # hyperexpanded but clear lungs
            self.carry = []
        self.begin_group()
        self.heads = []
        self.make.domain, self.make.companions = [], []
        self.scope.close()

    def go_on_with(self, chunk: Chunk, at: int) -> None:
        if any(d.kind == "device" for d in self.group) and tells_tip(chunk):
            self.predicate = True
            return
        if (
            self.group
            and not chunk.named
            and chunk.has(Role.ATTRIBUTE)
            and not leads_to_noun(self.chunks, at)
        ):
            return  # effusions and atelectasis, with interval improvement
        self.make.companions = self.group
        heads = self.over(self.group)
        self.carry = []
        self.begin_group()
        self.heads = heads
        self.scope.close()

    def deny(self, unit: Unit, chunk: Chunk, place: int) -> None:
        backward = "before" in reaches(unit, "negation")
        ends = place == len(chunk.before) - 1 and chunk.empty
        after = self.text[unit.end : unit.end + 120]
        if ON_VIEW.match(after) and self.group:
            return  # blunting which is not evident on the lateral view
        if ON_PRIOR.match(after) or (ON_BLANK.match(after) and WAS.search(self.text[: unit.end])):
            new = Held("onset", self.lexicon.described("onset", "new"), unit.start, unit.end, unit)
            for draft in self.group:
                draft.add(new)
            self.loose += [] if self.group else [new]
        elif backward and self.group and not chunk.has(Role.ATTRIBUTE) and tells_event(unit, after):
            return  # the effusion has not been drained
        elif backward and self.group and (ends or (unit.cue.reach == "before" and not self.describes(chunk))):
            for draft in (*self.subject_of(unit, place, chunk), *self.group, *self.seen_as()):
                draft.deny(unit)
        else:
            if unit.form.endswith("clear of"):
                self.clear_of(unit)
            if unit.form.startswith("with") and not self.group:
                self.carry = []  # stable exam without effusion
            if any(u.role is Role.JOIN for u in chunk.before[:place]):
                self.make.topic = []  # the lungs are clear and there is no effusion
                if self.said_already(chunk):
                    self.begin_group()
            self.scope.close()
            self.scope.deny = unit
            self.predicate = False

    def over(self, nouns: list[Draft]) -> list[Draft]:
        """Nouns that what follows hangs on: still the subject when the verb comes."""
        return [] if self.verb_met else [*self.heads, *(d for d in nouns if not d.is_structure)]

    def subject_of(self, unit: Unit, place: int, chunk: Chunk) -> list[Draft]:
        """`Nodules with calcification are not seen`, `opacities of high density are …`: what the noun goes with."""
        finite = unit.form.split()[0] in FINITE or any(u.role is Role.VERB for u in chunk.before[:place])
        return [d for d in self.heads if d.asserted] if finite else []

    def seen_as(self) -> list[Draft]:
        """`A lesion suspicious for metastasis is not seen`: the lesion, too, is denied with what it would be."""
        link = self.scope.link
        return self.scope.sources if link is not None and link is self.sort else []

    def denied_sort(self, unit: Unit, chunk: Chunk, place: int) -> bool:
        """`No lesion suspicious for metastasis` denies both."""
        open_denial = self.scope.deny is not None and bool(self.group) and self.group[-1].negated is not None
        return open_denial and tells_sort(unit, chunk.before[:place])

    def describes(self, chunk: Chunk) -> bool:
        """`A nodule that is not calcified` is still a nodule: only the word is denied."""
        return chunk.has(Role.ATTRIBUTE) and not chunk.named and not any(d.is_structure for d in self.group)

    def lose_sight(self, unit: Unit) -> None:
        """`The previously seen nodule is not well seen`: it may be gone; anything else not well seen is still there."""
        for draft in self.group:
            if (
                EARLIER_SEEN.search(self.text[max(0, draft.start - 60) : draft.start])
                and not draft.is_structure
            ):
                draft.deny(unit, "absent-likely")

    def clear_of(self, unit: Unit) -> None:
        """`Lungs are clear of consolidation` says that they are clear, too."""
        said = unit.form.removesuffix(" of").removeprefix("otherwise ")
        row, end = self.lexicon.described("morphology", said), unit.end - len(" of")
        for draft in self.group or self.left:
            if draft.is_structure and row is not None and (not draft.held or self.left):
                draft.add(Held("morphology", row, end - len(said), end, unit))

    def hedge(self, unit: Unit, chunk: Chunk, place: int) -> None:
        reach = reaches(unit, "hedge")
        ends = chunk.empty and not any(u.role in CUES for u in chunk.before[place + 1 :])
        if "both" in reach:
            for draft in self.group[-1:]:
                draft.doubt(unit)
            self.scope.hedge = unit
        elif "before" in reach and self.group and ("after" not in reach or ends):
            for draft in self.joined_tail():
                if draft.negated is not None and not OPENS_AGAIN.search(unit.form):
                    continue  # no fracture is suspected
                draft.doubt(unit)
                draft.negated = None
        elif self.denied_sort(unit, chunk, place):
            self.link(unit, chunk, place)
        else:
            self.scope.close_denial()
            self.scope.hedge = unit
            self.sort = unit if tells_sort(unit, chunk.before[:place]) else None
            joined = any(u.form in ("and", "or") or u.role is Role.WITH for u in chunk.before[:place])
            # tortuous, and cannot exclude an aneurysm; prominent and may contain nodes
            joined = joined and not any(w in unit.form for w in ("exclude", "contain"))
            if not joined and (self.make.sources or self.pointing):
                self.scope.link_to(unit, self.make.sources)
                self.begin_group()

    def joined_tail(self) -> list[Draft]:
        """The last findings that `and` or `or` joins: one in `opacity, atelectasis cannot be excluded`."""
        tail = self.group[-1:]
        while tail[0].join and "," not in tail[0].join and len(tail) < len(self.group):
            tail = self.group[-len(tail) - 1 :]
        return tail

    def link(self, unit: Unit, chunk: Chunk, place: int) -> None:
        if not self.denied_sort(unit, chunk, place):
            self.scope.close_denial()
        self.sort = unit if tells_sort(unit, chunk.before[:place]) else None
        if self.make.sources or self.pointing:
            self.scope.link_to(unit, self.make.sources)
        self.begin_group()
