"""The words between noun phrases: what verbs, cues, conjunctions and full stops do to an open sentence."""

import re

from overread.reader.drafts import Draft, Held
from overread.reader.grammar import PERCEIVED, VERBS
from overread.reader.lookahead import leads_to_noun
from overread.reader.noun_phrases import Chunk
from overread.reader.open_sentence import OpenSentence
from overread.reader.phrases import tells_tip
from overread.reader.roles import Role
from overread.reader.scope import reaches, tells_sort
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


class Connectives:
    """What each word between two noun phrases does to the open sentence."""

    def __init__(self, now: OpenSentence) -> None:
        self.now = now

    def apply(self, unit: Unit, chunk: Chunk, place: int, prep: Unit | None, at: int) -> Unit | None:
        """Let a verb, preposition, cue or conjunction do its work; the preposition that is open is handed on."""
        if unit.role is Role.PREPOSITION:
            if unit.form in ("after", "following", "post"):  # no pneumothorax after line removal
                self.now.scope.close_denial()
            return unit
        if unit.role is Role.JOIN:
            return prep
        if unit.role is Role.STOP:
            self.end_clause(unit)
        elif unit.role is Role.WITH:
            self.begin_company(chunk, at)
        elif unit.role is Role.VERB:
            self.now.predicate = bool(self.now.group)
            self.now.verb_met = True
        elif unit.role is Role.DENIAL:
            self.deny(unit, chunk, place)
        elif unit.role is Role.NO_DENIAL and unit.form.startswith("not"):
            self.doubt_unseen(unit)
        elif unit.role is Role.HEDGE:
            self.hedge(unit, chunk, place)
        elif unit.role is Role.LINK:
            self.link(unit, chunk, place)
        return None

    def end_clause(self, unit: Unit) -> None:
        if (
            unit.form == ":"
            and self.now.group
            and all(d.is_structure and not d.speaks for d in self.now.group)
        ):
            for draft in self.now.group:
                draft.used = True
                self.now.drafting.topic += [*(h.unit for h in draft.held), draft.unit]
        contrast = unit.form in ("but", "yet")
        self.now.before_but = (
            [*(d for d in self.now.drafting.companions if d.asserted), *self.now.group] if contrast else []
        )
        if self.now.group or not contrast:  # hyperexpanded but clear lungs
            self.now.carried = []
        self.now.begin_group()
        self.now.heads = []
        self.now.drafting.domain, self.now.drafting.companions = [], []
        self.now.scope.close()

    def begin_company(self, chunk: Chunk, at: int) -> None:
        if any(d.kind == "device" for d in self.now.group) and tells_tip(chunk):
            self.now.predicate = True
            return
        if (
            self.now.group
            and not chunk.named
            and chunk.has(Role.ATTRIBUTE)
            and not leads_to_noun(self.now.chunks, at)
        ):
            return  # effusions and atelectasis, with interval improvement
        self.now.drafting.companions = self.now.group
        heads = self.now.heads_of(self.now.group)
        self.now.carried = []
        self.now.begin_group()
        self.now.heads = heads
        self.now.scope.close()

    def deny(self, unit: Unit, chunk: Chunk, place: int) -> None:
        backward = "before" in reaches(unit, "negation")
        ends = place == len(chunk.before) - 1 and chunk.empty
        after = self.now.text[unit.end : unit.end + 120]
        if ON_VIEW.match(after) and self.now.group:
            return  # blunting which is not evident on the lateral view
        if ON_PRIOR.match(after) or (ON_BLANK.match(after) and WAS.search(self.now.text[: unit.end])):
            new = Held("onset", self.now.lexicon.described("onset", "new"), unit.start, unit.end, unit)
            for draft in self.now.group:
                draft.add(new)
            self.now.loose += [] if self.now.group else [new]
        elif backward and self.now.group and not chunk.has(Role.ATTRIBUTE) and tells_event(unit, after):
            return  # the effusion has not been drained
        elif (
            backward
            and self.now.group
            and (ends or (unit.cue.reach == "before" and not self.describes(chunk)))
        ):
            for draft in (*self.denied_heads(unit, place, chunk), *self.now.group, *self.suspected_sources()):
                draft.deny(unit)
        else:
            if unit.form.endswith("clear of"):
                self.describe_as_clear(unit)
            if unit.form.startswith("with") and not self.now.group:
                self.now.carried = []  # stable exam without effusion
            if any(u.role is Role.JOIN for u in chunk.before[:place]):
                self.now.drafting.topic = []  # the lungs are clear and there is no effusion
                if self.now.said_already(chunk):
                    self.now.begin_group()
            self.now.scope.close()
            self.now.scope.deny = unit
            self.now.predicate = False

    def denied_heads(self, unit: Unit, place: int, chunk: Chunk) -> list[Draft]:
        """`Nodules with calcification are not seen`, `opacities of high density are …`: what the noun goes with."""
        finite = unit.form.split()[0] in FINITE or any(u.role is Role.VERB for u in chunk.before[:place])
        return [d for d in self.now.heads if d.asserted] if finite else []

    def suspected_sources(self) -> list[Draft]:
        """`A lesion suspicious for metastasis is not seen`: the lesion, too, is denied with what it would be."""
        link = self.now.scope.link
        return self.now.scope.sources if link is not None and link is self.now.sort_cue else []

    def denied_sort(self, unit: Unit, chunk: Chunk, place: int) -> bool:
        """`No lesion suspicious for metastasis` denies both."""
        open_denial = (
            self.now.scope.deny is not None
            and bool(self.now.group)
            and self.now.group[-1].negated is not None
        )
        return open_denial and tells_sort(unit, chunk.before[:place])

    def describes(self, chunk: Chunk) -> bool:
        """`A nodule that is not calcified` is still a nodule: only the word is denied."""
        return (
            chunk.has(Role.ATTRIBUTE) and not chunk.named and not any(d.is_structure for d in self.now.group)
        )

    def doubt_unseen(self, unit: Unit) -> None:
        """`The previously seen nodule is not well seen`: it may be gone; anything else not well seen is still there."""
        for draft in self.now.group:
            if (
                EARLIER_SEEN.search(self.now.text[max(0, draft.start - 60) : draft.start])
                and not draft.is_structure
            ):
                draft.deny(unit, "absent-likely")

    def describe_as_clear(self, unit: Unit) -> None:
        """`Lungs are clear of consolidation` says that they are clear, too."""
        said = unit.form.removesuffix(" of").removeprefix("otherwise ")
        row, end = self.now.lexicon.described("morphology", said), unit.end - len(" of")
        for draft in self.now.group or self.now.before_but:
            if draft.is_structure and row is not None and (not draft.held or self.now.before_but):
                draft.add(Held("morphology", row, end - len(said), end, unit))

    def hedge(self, unit: Unit, chunk: Chunk, place: int) -> None:
        reach = reaches(unit, "hedge")
        ends = chunk.empty and not any(u.role in CUES for u in chunk.before[place + 1 :])
        if "both" in reach:
            for draft in self.now.group[-1:]:
                draft.doubt(unit)
            self.now.scope.hedge = unit
        elif "before" in reach and self.now.group and ("after" not in reach or ends):
            for draft in self.joined_tail():
                if draft.negated is not None and not OPENS_AGAIN.search(unit.form):
                    continue  # no fracture is suspected
                draft.doubt(unit)
                draft.negated = None
        elif self.denied_sort(unit, chunk, place):
            self.link(unit, chunk, place)
        else:
            self.now.scope.close_denial()
            self.now.scope.hedge = unit
            self.now.sort_cue = unit if tells_sort(unit, chunk.before[:place]) else None
            joined = any(u.form in ("and", "or") or u.role is Role.WITH for u in chunk.before[:place])
            # tortuous, and cannot exclude an aneurysm; prominent and may contain nodes
            joined = joined and not any(w in unit.form for w in ("exclude", "contain"))
            if not joined and (self.now.drafting.sources or self.now.pointing):
                self.now.scope.link_to(unit, self.now.drafting.sources)
                self.now.begin_group()

    def joined_tail(self) -> list[Draft]:
        """The last findings that `and` or `or` joins: one in `opacity, atelectasis cannot be excluded`."""
        tail = self.now.group[-1:]
        while tail[0].join and "," not in tail[0].join and len(tail) < len(self.now.group):
            tail = self.now.group[-len(tail) - 1 :]
        return tail

    def link(self, unit: Unit, chunk: Chunk, place: int) -> None:
        if not self.denied_sort(unit, chunk, place):
            self.now.scope.close_denial()
        self.now.sort_cue = unit if tells_sort(unit, chunk.before[:place]) else None
        if self.now.drafting.sources or self.now.pointing:
            self.now.scope.link_to(unit, self.now.drafting.sources)
        self.now.begin_group()
