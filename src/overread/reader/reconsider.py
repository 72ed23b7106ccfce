"""Drafts of findings held against the second opinion: status, doubt, change and side, where the judge is sure."""

import re

from overread.judge import Slots
from overread.lexicon.lexicon import MOST_WORDS, Lexicon
from overread.lexicon.words import forms_of, split
from overread.reader.drafts import CHANGES, PLAIN, STANDS_FOR, Draft, Held
from overread.reader.grammar import CONJUNCTIONS, PERCEIVED, PREPOSITIONS, VERBS
from overread.reader.links import SentenceDraft
from overread.reader.mentions import mentions
from overread.reader.opinion import OUTRIGHT, Second, sure
from overread.reader.places import Run, place_side
from overread.reader.reading import Evidence
from overread.reader.roles import Role
from overread.reader.sides import names_side
from overread.reader.units import Unit
from overread.report import Section, Sentence
from overread.report.span import Span

LEAST = {"status": 0.9, "none": 0.95, "sure": 0.8, "change": 0.8, "side": 0.85, "split": 0.75}
"""How sure the judge must be to be followed against rules; chosen on texts of ours that it was not trained on,
and so that it leaves ordinary reports alone."""

ADDS = 0.75
"""How sure it must be of what rules do not say."""

HISTORY = re.compile(r"\b(?:history|hx|status post|s/p|known)\b", re.IGNORECASE)
"""Told of the patient; what is `old`, `prior` or `healed` may be seen."""

RELATION = {"better": "improved", "worse": "worsened", "same": "no_change"}
HEARD = frozenset({"finding", "diagnosis", "device", "open", "symptom", "history"})
"""Kinds of findings the judge was taught to hear; structures and general words are left to rules."""

VERDICT = re.compile(r"\b(?:no|not|without|normal|unremarkable|regular|intact)\b", re.IGNORECASE)
"""A name that itself says how it is: what is said of its last word is not said of the whole."""

VERSUS = re.compile(r"\b(?:vs|versus|and/or)\b", re.IGNORECASE)
TELLS_SIDE = frozenset({"placement", "measurement", "distribution", "comparison"})
"""`Over the left chest`, `multiple bilateral`, `left more than right`: the side is told with something else."""

RULE = "judge"
BACK = 160
"""Characters before a sentence in which the side it goes on with is looked for."""

GOING = re.compile(
    r"\b(?:resol\w+|clear(?:ed|ing)|gone|vanish\w*|disappear\w*|subsid\w+|(?:re|ab|reab)sor[bp]\w*|any ?more|"
    r"no longer|retriev\w+|"
    r"against|trace|residual|remov\w+|withdr[ae]w\w*|pulled|discontinu\w+|(?:come|came|taken|is|are) out|"
    r"lack\w*|devoid|free (?:of|from)|(?<=\w-)free|"
    r"escape\w*|absent|absence|neither|none|nowhere|nothing|never|do not|does not|not one)\b"
)

GOING_BEGINNINGS = (
    "resol", "clear", "gone", "vanish", "disappear", "subsid", "resor", "absor", "reab", "any", "longer", "retriev",
    "against", "trace", "residual", "remov", "withdr", "pulled", "discontinu", "out", "lack", "devoid", "free",
    "escape", "absen", "neither", "none", "nowhere", "nothing", "never", "do", "one",
)  # fmt: skip
"""A text no word of which begins so holds none of those words."""

_staying: set[str] = set()
"""Words met before that do not; every sentence is asked, and most words of a text are met again."""


def may_be_gone(text: str) -> bool:
    """Does it hold words by which something that rules take for present may be gone?"""
    strange = [w for w in forms_of(text).difference(_staying) if not w[0].isdigit()]
    if "'" in text or "’" in text or (strange and any(w.startswith(GOING_BEGINNINGS) for w in strange)):
        return GOING.search(text.lower()) is not None
    if strange:
        if len(_staying) > MOST_WORDS:
            _staying.clear()
        _staying.update(strange)
    return False


TAKING_BACK = re.compile(
    r"\b(?:not without|lack|devoid|free (?:of|from)|\w+-free|exclud\w*|rul(?:e|ed|ing) out|den(?:y|ies|ied|ying)|"
    r"escape\w*|apart|except\w*|aside|other than|but|only|ignoring|persists?|remains?|stays?|none of)\b",
    re.IGNORECASE,
)
"""Words by which something that rules take for denied may be there."""

ANY_DENIAL = re.compile(
    r"\b(?:no|not|nor|neither|none|nothing|nowhere|never|without|cannot|n't|lack\w*|devoid|free|escape\w*|spar\w+|"
    r"absen\w+|against)\b",
    re.IGNORECASE,
)
"""Words that deny; what is gone without any of them was there before."""

GROWING = re.compile(
    r"\b(?:increas\w+|grow\w*|enlarg\w+|expan\w+|progress\w*|deteriorat\w+|worsen\w*|decreas\w+|improve\w*|"
    r"change\w*)\b",
    re.IGNORECASE,
)
"""Words that may be what is denied, instead of the finding that grows."""

PLAIN_AFTER_DENIAL = VERBS | PERCEIVED | PREPOSITIONS | CONJUNCTIONS
"""`A cyst is not seen`, `none in the liver`: nothing that could turn the denial round."""

PLAIN_BETWEEN = frozenset(
    "associated accompanying definite other further evidence sign signs of any or".split()
)
"""Words between a plain denial and its noun that turn nothing round."""

PARTS = re.compile(r"[,;:]|\bor\b|\band\b", re.IGNORECASE)
DENYING = re.compile(
    r"\b(?:no|not|nor|neither|none|without|never|fail\w*|stop\w*|ceas\w*|former|latter|but|while)\b",
    re.IGNORECASE,
)
WORDS_OF = {
    "left": re.compile(r"\bleft(?:-sided)?\b", re.IGNORECASE),
    "right": re.compile(r"\bright(?:-sided)?\b", re.IGNORECASE),
    "both": re.compile(
        r"\b(?:both|bilateral(?:ly)?|either|neither|each|bi(?:basal|basilar|apical))\b", re.IGNORECASE
    ),
}
SIDES = ("left", "right")
APART = frozenset({"each-side", "exception", STANDS_FOR})
"""Rules by which a noun was told of two places already."""


def reconsider(
    text: str, section: Section, sentence: Sentence, found: SentenceDraft, second: Second, lex: Lexicon
) -> None:
    """Correct the drafts of one sentence in place."""
    if section.name == "indication":
        return
    heard = [d for d in (*found.drafts, *found.advised) if d.kind in HEARD and not VERDICT.search(d.entity)]
    places = [last_word(text, noun_of(text, d)) for d in heard]
    unsettled = found.strange or leaves_open(text, sentence.span, found, heard)
    opinions = second.slots(sentence.index, places, unsettled)
    corrected = dict(zip(map(id, heard), opinions, strict=True))
    kept: list[Draft] = []
    for draft in found.drafts:
        slots = corrected.get(id(draft))
        kept += Corrected(text, sentence.span, found, lex).drafts(draft, slots) if slots else [draft]
    for draft in found.advised:  # CT is advised for the nodule: it is there
        slots = corrected.get(id(draft))
        to_come = draft.kind == "device" and draft.has("placement")  # placement of a drain is advised
        if slots and not to_come and sure(slots, "status", LEAST["status"]) == "present":
            judged = Corrected(text, sentence.span, found, lex)
            judged.trace(draft, "there", slots, "status")
            kept += judged.drafts(draft, slots)
    found.drafts = kept


def leaves_open(text: str, span: Span, found: SentenceDraft, heard: list[Draft]) -> bool:
    """Did rules read different things of several findings, a past, or leave a side to nobody?"""
    mixed = len(heard) > 1 and any(d.negated is None for d in heard)
    past = any(d.kind == "procedure" or d.has("past_hx") for d in found.drafts)
    sided = any(WORDS_OF[side].search(text, span.start, span.end) for side in SIDES)
    return mixed or past or (sided and any(not d.sides for d in heard))


def noun_of(text: str, draft: Draft) -> Span:
    """Where its noun stands: `reticular and nodular opacities` name two things with one."""
    shared = " " in draft.entity and " " not in text[draft.start : draft.end] and not draft.unit.name
    return Span(draft.unit.start, draft.unit.end) if shared else Span(draft.start, draft.end)


def last_word(text: str, span: Span) -> Span:
    """The head noun, which the judge was taught to answer for."""
    words = span.of(text).rstrip()
    return Span(span.start + words.rfind(" ") + 1, span.start + len(words))


class Corrected:
    """One draft and what the judge says of it."""

    def __init__(self, text: str, span: Span, found: SentenceDraft, lex: Lexicon) -> None:
        self.text = text
        self.span = span
        self.found = found
        self.lex = lex

    def drafts(self, draft: Draft, slots: Slots) -> list[Draft]:
        apart = [d for d in self.found.drafts if d.concept == draft.concept and is_told_apart(d)]
        if draft not in apart and self.is_unsaid(draft, slots):
            note = f"{draft.entity} not said, {probability(slots, 'status'):.0%}"
            self.found.cues += (Evidence(Span(draft.start, draft.end), RULE, note),)
            return []
        own = own_side(draft)
        if draft in apart:
            return [draft]  # `that on the left`: the judge was taught to hear nouns
        if apart:
            self.set_change(draft, {"change": slots[f"{own} change" if own else "change"]})
            return [draft]
        if self.split_sides(slots) and not (own and not self.other_told(draft, own, slots)):
            return [self.on_side(draft, slots, side) for side in SIDES]
        if own and self.two_sided():  # what is said of this side
            slots = slots | {"status": slots[own], "change": slots[f"{own} change"], "side": ()}
        self.set_status(draft, slots)
        self.set_doubt(draft, slots)
        self.set_change(draft, slots)
        alternative = bool(draft.associate) and (
            draft.hedge is not None or VERSUS.search(self.span.of(self.text))
        )
        if (
            not draft.evidence and not alternative
        ):  # `left opacity, likely atelectasis`: the place is told of the opacity
            self.set_side(draft, slots)
        return [draft]

    def is_unsaid(self, draft: Draft, slots: Slots) -> bool:
        """Does the text leave it open: a thing of the past, of a relative, advised, not assessed?"""
        seen = [d for d in self.found.drafts if d.kind in ("finding", "diagnosis")]
        explains = any(d in seen for d in draft.evidence)  # due to a history of asthma
        if draft.negated or draft.kind == "device" or explains:
            return False
        old = any(h.relation == "past_hx" and not HISTORY.search(h.unit.form) for h in draft.held)
        if old and draft.concept in self.lex.concluded:  # prior granulomatous disease leaves what is seen
            return False
        least = LEAST["status"] if old else LEAST["none"]
        if draft.hedge or draft.associate or draft.has("other_source"):  # a doubt is something said
            least = OUTRIGHT
        return sure(slots, "status", least) == "none"

    def two_sided(self) -> bool:
        """Does the sentence name both sides apart?"""
        return all(WORDS_OF[side].search(self.text, self.span.start, self.span.end) for side in SIDES)

    def other_told(self, draft: Draft, own: str, slots: Slots) -> bool:
        """Is the other side told too, in this sentence or as one that was better before, and not read by rules?"""
        read = any(
            d is not draft and d.concept == draft.concept and d.sides - {own, "both"}
            for d in self.found.drafts
        )
        other = SIDES[1 - SIDES.index(own)]
        left_it = sure(slots, other, LEAST["none"]) == "absent" and sure(
            slots, f"{other} change", LEAST["none"]
        )
        return not read and (self.two_sided() or left_it == "better")

    def trace(self, draft: Draft, note: str, slots: Slots, name: str) -> None:
        draft.trace.append(
            Evidence(Span(draft.start, draft.end), RULE, f"{note}, {probability(slots, name):.0%}")
        )

    def set_status(self, draft: Draft, slots: Slots) -> None:
        if any(told_there(h) for h in draft.held):
            return
        status, outright = sure(slots, "status", LEAST["status"]), sure(slots, "status", OUTRIGHT) is not None
        around = (max(0, self.span.start - BACK), draft.start), (draft.end, self.span.end + BACK)
        near = " ".join(self.text[start:end] for start, end in around)
        denied_sign = any(d.negated for d in draft.associate)
        going = denied_sign or outright or may_be_gone(near)
        gone = draft.has("improved")  # what has resolved stays positive, and says so
        if status == "absent" and draft.negated is None and not gone and going:
            draft.negated = "absent"
            self.trace(draft, "denied", slots, "status")
            washed_out = not ANY_DENIAL.search(self.text, self.span.start, self.span.end)
            if washed_out and (told := self.change_word(draft, "improved")) is not None:
                draft.add(told)
        elif status == "present" and draft.negated is not None and self.may_stay(draft, near, outright):
            draft.negated = None
            self.trace(draft, "there", slots, "status")

    def may_stay(self, draft: Draft, near: str, outright: bool) -> bool:
        """May something that rules take for denied be there all the same?"""
        if draft.denial is not None and self.beside_colon(draft.denial.span):
            return False
        if TAKING_BACK.search(near) is not None:
            return True
        return not self.plainly_denied(draft) and (outright or self.grows(draft))

    def beside_colon(self, cue: Span) -> bool:
        """`Absent: ascites; mass`, `Mass: none`."""
        before, after = self.text[self.span.start : cue.start], self.text[cue.end : self.span.end]
        return before.rstrip().endswith(":") or after.lstrip().startswith(":")

    def grows(self, draft: Draft) -> bool:
        """Is a change told of it in the same part of the sentence: `no increase in the effusion`?"""
        start, end = self.span.start, self.span.end
        for word in GROWING.finditer(self.text, start, end):
            first, last = sorted(((word.start(), word.end()), (draft.start, draft.end)))
            if first[1] <= last[0] and not PARTS.search(self.text, first[1], last[0]):
                return True
        return False

    def plainly_denied(self, draft: Draft) -> bool:
        """`No left effusion`, `a cyst is not seen`: one denial, and only its own words between it and the noun."""
        cue = draft.denial.span if draft.denial else None
        if cue is None or DENYING.search(self.text, self.span.start, cue.start):
            return False  # not one base is without effusion
        if cue.start >= draft.end:  # not `stone on the left, hydronephrosis none`, nor `is not lacking`
            after = split(self.text[cue.end : self.span.end])
            told = not after or not after[0].form.isalpha() or after[0].form in PLAIN_AFTER_DENIAL
            return told and not any(draft.end <= d.start < cue.start for d in self.found.drafts)
        own = [Span(h.start - cue.end, h.end - cue.end) for h in draft.held]
        between = split(self.text[cue.end : draft.start])
        return all(
            w.form in PLAIN_BETWEEN or any(span.start <= w.start and w.end <= span.end for span in own)
            for w in between
        )

    def set_doubt(self, draft: Draft, slots: Slots) -> None:
        sure_of_it = sure(slots, "sure", LEAST["sure"])
        concluded = any(e.note == "linked" for e in draft.trace)  # `compatible with emphysema` is sure enough
        if sure_of_it == "no" and draft.hedge is None and draft.negated is None and not concluded:
            draft.hedge = "possible"
            self.trace(draft, "hedged", slots, "sure")

    def set_change(self, draft: Draft, slots: Slots) -> None:
        if any(h.relation == "no_change" and h.row and h.row.table != h.relation for h in draft.held):
            return  # not larger: a change that rules saw denied
        known = {h.relation for h in draft.held if h.relation in CHANGES}
        device = draft.kind == "device"
        change = sure(slots, "change", OUTRIGHT if device else LEAST["change"] if known else ADDS)
        if change == "-" and sure(slots, "change", OUTRIGHT) and sure(slots, "status", OUTRIGHT) == "present":
            self.drop_changes(draft, slots)
        if change in (None, "-") or (device and (change not in ("new", "same") or known)):
            return
        going = change == "better" and sure(slots, "status", OUTRIGHT) == "absent"
        if draft.negated is not None and not known and not going:  # what is plainly denied has not changed
            return
        relation = RELATION.get(str(change), "onset")
        if known and relation not in known and not self.contested():
            return
        if not draft.has(relation) and not (change == "new" and draft.has("worsened")):
            put_in = self.put_in(draft) if device and change == "new" else None
            told = put_in or self.denied_change(draft, relation) or self.change_word(draft, relation)
            if told is None:
                return
            if known and relation not in known:
                draft.held = [h for h in draft.held if h.relation not in CHANGES]
            draft.held = [h for h in draft.held if h.relation != "measurement" or h.start != told.start]
            draft.add(told)
            self.trace(draft, str(change), slots, "change")

    def denied_change(self, draft: Draft, relation: str) -> Held | None:
        """`No increase in the effusion`: the denial and the change it denies say together that it is the same."""
        if relation != "no_change":
            return None
        told = [h for h in draft.held if h.relation in ("improved", "worsened")]
        for held in told:
            cues = list(DENYING.finditer(self.text, self.span.start, held.start))
            if cues:
                row = self.lex.described(relation, PLAIN[relation])
                return Held(relation, row, cues[-1].start(), held.end, draft.unit, (), RULE)
        return None

    def put_in(self, draft: Draft) -> Held | None:
        """`A feeding tube was inserted`: the words that tell that it is new."""
        placed = next(
            (h for h in draft.held if h.relation == "placement" and h.row and "new" in h.row.path), None
        )
        if placed is None:
            return None
        row = self.lex.described("onset", PLAIN["onset"])
        return Held("onset", row, placed.start, placed.end, placed.unit, (), RULE)

    def drop_changes(self, draft: Draft, slots: Slots) -> None:
        """`Worst at the bases and worsens downward`: what is said behind the noun may compare inside the image."""
        if any(cue.note == "prior" for cue in self.found.cues):
            return
        behind = [h for h in draft.held if draft.start < h.start < self.span.end]
        gone = [
            h
            for h in behind
            if h.relation in ("improved", "worsened") or (h.row is not None and h.row.concept == "new")
        ]
        kept = [h for h in draft.held if h not in gone]
        if len(kept) < len(draft.held):
            draft.held = kept
            self.trace(draft, "no change", slots, "change")

    def contested(self) -> bool:
        """Does the sentence tell of changes both ways, or deny one? A plain word for a change is believed."""
        told = {h.relation for d in self.found.drafts for h in d.held if h.relation in CHANGES}
        return len(told) > 1 or DENYING.search(self.text, self.span.start, self.span.end) is not None

    def change_word(self, draft: Draft, relation: str) -> Held | None:
        """The attribute, on the words of the sentence that tell the change.

        None where no words tell one: `now measures 9 mm`, `are now mild`, or they stand behind a semicolon.
        """
        loose = next((h for h in self.found.loose if h.relation == relation), None)
        if loose is not None:
            return loose
        row = self.lex.described(relation, PLAIN[relation])
        amount = next((h for h in draft.held if h.row and h.row.concept in AMOUNTS.get(relation, ())), None)
        if amount is not None:  # is increased: more than before, and not more than normal
            return Held(relation, row, amount.start, amount.end, amount.unit, (), RULE)
        claimed = [h.start for d in self.found.drafts for h in d.held] + [d.start for d in self.found.drafts]
        limit = min((at for at in claimed if at > draft.end), default=self.span.end)
        words = predicate(self.text, draft.end, Span(self.span.start, limit))
        if words and relation != "onset" and MEASURES.match(self.text, words[0]):
            return None
        others = [h for d in self.found.drafts for h in d.held if h.relation == relation]
        if not words and others and draft.kind != "device":
            near = [
                h for h in others if ";" not in self.text[min(draft.end, h.end) : max(draft.start, h.start)]
            ]
            return Held(relation, row, near[0].start, near[0].end, draft.unit, (), RULE) if near else None
        if words is None or relation == "onset" or not tells_something(self.text[words[0] : words[1]]):
            return None
        return Held(relation, row, *words, draft.unit, (), RULE)

    def set_side(self, draft: Draft, slots: Slots) -> None:
        """The side the judge hears, where rules read none or that of something else."""
        known = draft.sides
        side = sure(slots, "side", OUTRIGHT if draft.associate else LEAST["side"] if known else ADDS)
        if side in (None, "-") or known == {side} or known == {side, "both"} or (side == "both" and known):
            return
        if any({place_side(run) for run in h.runs} >= set(SIDES) for h in draft.held):
            return  # clips in the right neck and the left axilla
        spot = self.side_word(draft, side)
        here = spot is not None and self.span.start <= spot[0] < self.span.end and not self.claimed(*spot)
        if spot is None or not (here or sure(slots, "side", OUTRIGHT)):
            return
        told = [h for h in draft.held if h.relation in TELLS_SIDE and h.start <= spot[0] < h.end]
        if told or any(h.unit.form in ("underlying", "overlying") for h in draft.held):
            return  # the place is where the finding before it is
        self.place(draft, side, spot)
        self.trace(draft, str(side), slots, "side")
        if known:
            draft.held = [
                h for h in draft.held if not names_side(h) or side in {place_side(r) for r in h.runs}
            ]

    def side_word(self, draft: Draft, side: str) -> tuple[int, int] | None:
        """The nearest word for a side: in this sentence, else in what stands before it or after."""
        start, end = self.span.start, self.span.end
        for area in ((start, end), (max(0, start - BACK), start), (end, end + BACK)):
            spots = [m.span() for m in WORDS_OF[side].finditer(self.text, *area)]
            if spots:
                return min(spots, key=lambda s: (self.of_what_follows(draft, s), abs(s[0] - draft.start)))
        if side == "both" and self.two_sided():
            return self.side_word(draft, "left")
        return None

    def of_what_follows(self, draft: Draft, spot: tuple[int, int]) -> bool:
        """`Left effusion with atelectasis and a left rib fracture`: the second side is the rib's."""
        return spot[0] > draft.end and self.claimed(*spot)

    def place(self, draft: Draft, side: str, spot: tuple[int, int]) -> None:
        """Hang a side on the draft, at the words that tell it."""
        row = self.lex.described("locations", "bilateral" if side == "both" else side)
        if row is None:
            return
        start, end = spot
        unit = Unit(Role.PLACE, self.text[start:end].lower(), -1, -1, start, end, (row,), {"locations": row})
        run = ([] if side == "both" else self.free_place(start)) or [unit]
        best = run[-1].row("locations")
        draft.held.append(Held("location", best, run[0].start, run[-1].end, run[-1], [run], RULE))

    def claimed(self, start: int, end: int) -> bool:
        """Did rules read these words as a finding's name, or hang them on one?"""
        taken = [(h.start, h.end) for d in self.found.drafts for h in d.held]
        taken += [(d.start, d.end) for d in self.found.drafts]
        return any(a < end and start < b for a, b in taken)

    def free_place(self, at: int) -> Run:
        """The place whose words stand there, where rules hung it on nothing: `which lies in the left lower lobe`."""
        if self.claimed(at, at + 1) or not self.span.start <= at < self.span.end:
            return []
        units = mentions(self.span.of(self.text), self.span.start, self.lex)[0]
        run: Run = []
        for unit in units:
            if unit.role is Role.PLACE:
                run.append(unit)
            elif run and run[0].start <= at < run[-1].end:
                break
            else:
                run = []
        return run if run and run[0].start <= at < run[-1].end else []

    def split_sides(self, slots: Slots) -> bool:
        """Is something different said of the two sides, of which this sentence names one at least?"""
        if not any(WORDS_OF[side].search(self.text, self.span.start, self.span.end) for side in SIDES):
            return False
        states = [sure(slots, side, LEAST["split"]) for side in SIDES]
        if any(s not in ("present", "absent") for s in states):
            return False
        changes = [sure(slots, f"{side} change", LEAST["split"]) for side in SIDES]
        return states[0] != states[1] or (changes[0] != changes[1] and None not in changes)

    def on_side(self, draft: Draft, slots: Slots, side: str) -> Draft:
        other = draft.once_more()
        other.held = [
            h
            for h in draft.held
            if h.relation not in CHANGES and not (h.relation == "location" and names_side(h))
        ]
        other.trace, other.hedge, other.site = list(draft.trace), draft.hedge, draft.site
        other.associate, other.evidence = draft.associate, draft.evidence
        spot = self.side_word(draft, side)
        both = self.side_word(draft, "both") if spot is None else None
        if both is not None:  # `once on both sides, now only on the left`: the right is meant too
            self.place(other, side, both)
        elif spot is not None:
            self.place(other, side, spot)
            if draft.end < spot[0] < self.span.end:  # `…; the left is unchanged`: said there
                other.start, other.end = spot
        self.set_change(other, {"change": slots[f"{side} change"]})
        if sure(slots, side, LEAST["split"]) == "absent" and not other.has("improved"):
            other.held += [h for h in draft.held if h.relation == "improved"]  # gone on the left
            other.negated = "absent"
        self.trace(other, f"{side} alone", slots, side)
        return other


def probability(slots: Slots, name: str) -> float:
    """How sure the network is of the value it gives a slot."""
    return slots[name][0][1] if slots.get(name) else 0.0


AUXILIARY = frozenset(
    "is are was were be been being has have had now currently today again also still the a an of in on at to it and "
    "than then appears appear seems seem measures measure remains with".split()
)


def tells_something(words: str) -> bool:
    """Is there a word beside auxiliaries and numbers?

    >>> tells_something("is now"), tells_something("has shrunk to half")
    (False, True)
    """
    return any(form.isalpha() and form not in AUXILIARY for form in forms_of(words))


def told_there(held: Held) -> bool:
    """What is new is there; a device is where it lies, or out. `Withdrawn` may be either."""
    if held.relation == "placement":
        return held.row is None or "repositioned" not in held.row.path
    return held.relation == "onset" and held.row is not None and held.row.concept == "new"


OPENS_PLACE = re.compile(r"(?:with|without|of|in|at|on|over|to|from|for|along|within)\b", re.IGNORECASE)


AMOUNTS = {"worsened": ("increased",), "improved": ("reduced",)}
"""Words that may call something more or less than normal, or than before."""

MEASURES = re.compile(
    r"(?:(?:is|are|has|have|now|currently|today|measur\w+|again|up|to|at)\s*)+\d", re.IGNORECASE
)
"""Words that lead to a size and tell no change."""


def predicate(text: str, start: int, span: Span) -> tuple[int, int] | None:
    """The words after a noun up to the next stop, without blanks; None where they say nothing of it but a place."""
    stop = re.search(r"[.,;:()]|\band\b|\bbut\b", text[start : span.end])
    end = start + stop.start() if stop else span.end
    words = text[start:end]
    begin = start + len(words) - len(words.lstrip())
    verbal = words.strip() and not OPENS_PLACE.match(words.strip())
    return (begin, start + len(words.rstrip())) if verbal else None


def is_told_apart(draft: Draft) -> bool:
    return any(e.rule in APART for e in draft.trace)


def own_side(draft: Draft) -> str | None:
    """The one side it is said to be on."""
    known = draft.sides
    return next(iter(known)) if len(known) == 1 and known <= set(SIDES) else None
