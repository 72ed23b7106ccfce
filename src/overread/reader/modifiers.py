"""Describing words and places, hung on the findings they belong to."""

import re
from itertools import pairwise

from msgspec import structs

from overread.lexicon.lexicon import Lexicon
from overread.lexicon.load import Row
from overread.lexicon.words import BLANK, phrase
from overread.reader.drafts import CHANGES, Draft, Held, relation_of
from overread.reader.grammar import EARLIER, EMPTY_NOUNS, RELATIONAL, STUDY_WORDS
from overread.reader.places import Run, place_side
from overread.reader.roles import ANATOMY, DESCRIBING, Role
from overread.reader.scope import Scope
from overread.reader.units import Unit

LINES = frozenset(
    {"pacemaker", "icd", "lead", "central-line", "picc", "port-catheter", "endotracheal-tube", "enteric-tube",
     "nasogastric-tube", "feeding-tube", "chest-tube", "catheter", "tube", "pulmonary-artery-catheter",
     "tracheostomy-tube", "iabp", "device"}
)  # fmt: skip
"""Devices whose position is read from where they lie over the picture."""

PARENCHYMAL = frozenset(
    {"opacity", "airspace-opacity", "interstitial-opacity", "ground-glass-opacity", "infiltrate", "consolidation",
     "atelectasis", "nodule", "mass", "lesion", "pneumonia"}
)  # fmt: skip
"""Findings of the lung itself: `focal X or Y` is said of both when both are of this kind."""

ROUND = frozenset({"nodule", "mass", "lesion"})
ZONES = frozenset({"lung-base", "lung-apex", "perihilar"})
SLASHED = frozenset({"location", "morphology", "onset", "severity", "distribution"})
"""What `fibrosis/scar` shares: everything that stands before the first."""

WITHOUT_SIDE = frozenset(
    {"dyspnea", "hypoxia", "tachypnea", "fever", "cough", "gi-symptom", "endotracheal-tube", "enteric-tube",
     "nasogastric-tube", "feeding-tube", "tracheostomy-tube"}
)  # fmt: skip
"""What a side of the finding before is never said of: right-sided chest pain and shortness of breath."""

BETWEEN = re.compile(r"\W*(?:(?:in|at|over|of|to|near|within)\s+)?(?:the\s+)?", re.IGNORECASE)
"""What may stand between a device's position and the place that ends it."""

OTHER_SIDE = re.compile(
    r"\s+(?:than|compared\s+(?:to|with))\s+(?:(?:on|in|at)\s+)?(?:the\s+)?(?:left|right)\b", re.IGNORECASE
)
"""What ends a comparison of the sides: `more marked on the right than the left`."""

CHANGED = frozenset({"improved", "worsened"})
UNMOVED = frozenset({"unchanged", "stable", "remains", "remain", "still", "stays", "similar", "again"})
NEW = frozenset({"new", "newly"})
PLURAL = re.compile(r"[^isu]s$")
WORD = re.compile(r"\w+")
PERFECT = re.compile(r"\b(?:has|have)\s+(?:\w+ly\s+)?$", re.IGNORECASE)

DESCRIBING_OR_UNKNOWN = frozenset({Role.ATTRIBUTE, Role.MEASURE, Role.DURATION, Role.WORD})
"""A word between two places keeps them apart."""

OWN_WORDS = frozenset({Role.PLACE, Role.STRUCTURE, Role.ATTRIBUTE, Role.MEASURE, Role.DURATION, Role.BLANK})
"""Words before a noun by which it is told apart from the one it is joined to; a blank was such a word."""


def grades_unknown(unit: Unit, after: list[Unit]) -> bool:
    """`In this severely dyspneic woman`, `with slightly irregular margins`: how much of what no table knows."""
    if unit.role is not Role.ATTRIBUTE or not unit.form.endswith("ly"):
        return False
    roles = [u.role for u in after[:2]]
    return roles[:1] == [Role.WORD] or roles == [Role.ATTRIBUTE, Role.WORD]


def free_relation(unit: Unit) -> str:
    """What a size or a time is to its finding: `for two weeks` tells the onset, `two weeks ago` the past."""
    if unit.role is not Role.DURATION:
        return "measurement"
    return "past_hx" if unit.form.endswith("ago") else "onset"


def on_other_side(draft: Draft, run: Run) -> bool:
    """Is it said to be on one side, and the place on the other?"""
    told = {place_side(r) for h in draft.held if h.relation == "location" for r in h.runs} - {"-"}
    return {*told, place_side(run)} == {"left", "right"} and len(told) == 1


class Modifiers:
    """Hangs words on drafts; keeps the place just named, which a conjunction may go on with."""

    def __init__(self, text: str, lexicon: Lexicon, scope: Scope, compared: bool) -> None:
        self.text = text
        self.lexicon = lexicon
        self.scope = scope
        self.compared = compared
        """Does the sentence point at an earlier study?"""
        self.last_place: list[Held] = []

    def attach_modifiers(self, units: list[Unit], drafts: list[Draft], pre: bool = False) -> None:
        """Each attribute, and each run of location words as one place; `pre` when they stand before the noun."""
        run: Run = []
        for n, unit in enumerate(units):
            if (
                run and unit.role is Role.PLACE and unit.form in RELATIONAL
            ):  # right upper lobe overlying the rib
                self.attach_run(run, drafts)
                run = []
            goes_on = unit.form == "to" or unit.form in EMPTY_NOUNS  # left mid to lower lung
            if unit.role in ANATOMY or (run and goes_on and unit.first - run[-1].last < 3):
                run.append(unit)
            elif unit.role in DESCRIBING_OR_UNKNOWN:
                if run:
                    self.attach_run(run, drafts)
                    run = []
                if pre or not grades_unknown(unit, units[n + 1 :]):
                    self.attach_attribute(unit, drafts, pre)
        placed = self.attach_run(run, drafts) if run else []
        if not pre:
            self.last_place += placed  # overlying the 5th | and 6th ribs
        elif not OWN_WORDS.isdisjoint([u.role for u in units]):
            for draft in drafts:
                draft.own = True

    def attach_attribute(self, unit: Unit, drafts: list[Draft], pre: bool) -> None:
        attribute = unit.role is Role.ATTRIBUTE
        if self.speaks_of_study(unit) if attribute else unit.role is Role.WORD:
            return
        if pre and self.is_no_attribute(unit, drafts[0]):
            return
        compared = (
            self.compared or PERFECT.search(self.text[max(0, unit.start - 20) : unit.start]) is not None
        )
        taken_back = False
        for draft in drafts:
            if not attribute:
                held = Held(free_relation(unit), None, unit.start, unit.end, unit)
            elif self.is_denied(draft, pre) and not may_be_organ(draft, unit):
                self.tell_same(unit, draft)
                continue
            else:
                known = relation_of(unit, draft, compared)
                if known is not None and is_said_normal(known, draft, drafts, self.text, pre):
                    draft.negated = "absent"
                elif known is None or not fits(known, draft):
                    continue
                held = self.turned(known, draft, pre)
                taken_back |= held is not known
            draft.add(held)
            self.settle_changes(held, draft, pre)
            deny = self.scope.deny
            organ = draft.is_structure or (may_be_organ(draft, unit) and self.is_denied(draft, pre))
            if deny is not None and not (pre or taken_back) and organ and held.abnormal:
                draft.deny(deny)
        if taken_back:
            self.scope.close_denial()  # the edge is not smooth, and …: nothing else is denied

    def turned(self, held: Held, draft: Draft, pre: bool) -> Held:
        """`The ligament is not intact`: what is denied to be as it should be is not."""
        deny = self.scope.deny
        if held.row is None or deny is None or pre or deny.start < draft.end:
            return held
        if not draft.is_structure or not held.normal:
            return held
        row = structs.replace(held.row, concept=f"not-{held.row.concept}", path=held.row.path[:1])
        return Held(held.relation, row, deny.start, held.end, held.unit)

    def settle_changes(self, held: Held, draft: Draft, pre: bool) -> None:
        """What the words just hung on it say of changes: their own, where they end, or what they make of others."""
        if held.relation == "placement":
            self.mark_change(held, draft)
        elif held.relation == "comparison" and (other := OTHER_SIDE.match(self.text, held.end)):
            held.end = other.end()
        elif held.relation == "no_change" and not pre:
            draft.held = [as_state(h, draft) for h in draft.held]

    def is_no_attribute(self, unit: Unit, draft: Draft) -> bool:
        """`Some granulomas` tells how many, `a smaller second nodule` which of two: neither is an attribute."""
        counts = unit.form == "some" and PLURAL.search(draft.entity) is not None
        return counts or (not self.compared and compares_inside(self.text, unit))

    def tell_same(self, unit: Unit, draft: Draft) -> None:
        """`The lesion is not larger`, `the lines are not new`: a change that is denied."""
        row, deny = denied_change(unit), self.scope.deny
        if row is not None and deny is not None:
            draft.add(Held("no_change", row, deny.start, unit.end, unit))

    def mark_change(self, held: Held, draft: Draft) -> None:
        """`In stable position`, `newly placed`: the one word also says that nothing has changed, or that it is new."""
        for word in WORD.finditer(self.text, held.start, held.end):
            said = word.group().lower()
            if said in UNMOVED:
                draft.add(Held("no_change", held.row, *word.span(), held.unit))
            elif said in NEW:
                draft.add(Held("onset", self.lexicon.described("onset", "new"), *word.span(), held.unit))

    def is_denied(self, draft: Draft, pre: bool) -> bool:
        """`A nodule that is not definitely calcified`: the word is denied, not the finding."""
        deny = self.scope.deny
        return deny is not None and not pre and not draft.is_structure and deny.start > draft.end

    def speaks_of_study(self, unit: Unit) -> bool:
        """`prior` or `previously` that is about the earlier study, not about the patient's past."""
        if unit.form == "history":  # concerning for pneumonia, given the history
            return (
                re.search(r"\b(?:given|clinical|patient'?s|known|the|this)\s+$", self.text[: unit.start])
                is not None
            )
        if unit.form not in EARLIER:
            return False
        after = re.match(r"[^\w.;<\[]*(\w+)", self.text[unit.end : unit.end + 30])
        said = phrase(after[1]) if after else ""
        if unit.form == "old":  # old ____ fracture; fractures that appear old
            return said in STUDY_WORDS and said != BLANK
        return not said or said in STUDY_WORDS

    # ---- places
    def attach_run(self, run: Run, drafts: list[Draft]) -> list[Held]:
        """A run of location words; a whole organ after a site is a place of its own (left basilar, pulmonary)."""
        rest = [d for d in drafts if not self.ends_position(d, run)]
        last = run[-1].row("locations")
        if last is not None and last.role == "adj" and last.concept == "lung":
            before = [r for r in (u.row("locations") for u in run[:-1]) if r is not None]
            if any(r.role != "dir" for r in before):
                self.attach_place(run[:-1], None, rest)
                run = run[-1:]
        return self.attach_place(run, None, rest)

    def attach_place(self, run: Run, prep: Unit | None, drafts: list[Draft]) -> list[Held]:
        """One run of location words as one place of every draft."""
        inside = prep is not None and prep.form in ("in", "within", "into")
        start = prep.start if prep is not None and prep.form in RELATIONAL else run[0].start
        over = (prep or run[0]).form in ("over", "overlying") and (prep is not None or len(run) > 1)
        best = next((u for u in reversed(run) if "locations" in u.tables), run[-1])
        found = []
        for draft in drafts:
            if any(h.relation == "comparison" and h.start < run[0].start < h.end for h in draft.held):
                continue  # larger on the left than on the right
            if on_other_side(draft, run):  # a right effusion and a nodule on the left
                if draft is not drafts[-1]:
                    continue
                draft.held = [h for h in draft.held if h not in draft.lent]
            lead = inside and prep is not None and draft.concept == "lead"  # leads within the right atrium
            relation = "placement" if lead or (over and draft.concept in LINES) else "location"
            begin = prep.start if lead and prep is not None else start
            held = Held(relation, best.row("locations"), begin, run[-1].end, best)
            held.runs = split_at_sides([u for u in run if u.role in ANATOMY])
            draft.add(held)
            found.append(held)
        return found

    def attach_place_phrase(self, units: list[Unit], prep: Unit | None, drafts: list[Draft]) -> None:
        """A place after a preposition, or after the noun; attributes in it go to the same findings."""
        run = [u for u in before_comparison(units) if u.role in ANATOMY or u.form in EMPTY_NOUNS]
        if any(u.role in ANATOMY for u in run):
            self.last_place = []
            rest = [d for d in drafts if not self.ends_position(d, run)]
            first, *further = split_at_relations(run)
            self.last_place += self.attach_place(first, prep, rest)
            for place in further:
                self.last_place = self.attach_place(place, None, rest)
        self.attach_modifiers([u for u in units if u.role in DESCRIBING], drafts)

    def extend_place(self, run: Run, apart: bool) -> None:
        """Go on with the place just named, as one more place or as part of the same."""
        for held in self.last_place:
            held.end = run[-1].end
            if held.relation == "placement":
                continue
            held.runs = [*held.runs, run] if apart else [*held.runs[:-1], [*held.runs[-1], *run]]

    def ends_position(self, draft: Draft, run: Run) -> bool:
        """`tip at the cavoatrial junction`: the place belongs to the position just named."""
        last = next((h for h in reversed(draft.held) if h.relation == "placement"), None)
        if last is None or draft.kind != "device" or last.start < draft.start:
            return False
        if not BETWEEN.fullmatch(self.text[last.end : run[0].start]):
            return False
        last.end = run[-1].end
        self.last_place.append(last)
        return True

    # ---- what coordinated findings share
    def share_modifiers(self, first: Draft, second: Draft, join: str) -> None:
        """`left basilar atelectasis or scar`: the second of two takes the first's place when it names none."""
        if second.hedge is None and (join == "/" or not second.own):  # probable fibrosis and scarring
            second.hedge = first.hedge
        new = any(h.row is not None and h.row.concept == "new" for h in second.held)
        changed = new or second.has(*CHANGES)  # stable cardiomegaly and a new effusion
        for held in first.held:
            if held.start > first.start or (changed if held.relation in CHANGES else second.own):
                continue
            if self.is_shared(held, first, second, join):
                second.add(held)
                if held.relation == "location":
                    second.lent += (held,)

    def is_shared(self, held: Held, first: Draft, second: Draft, join: str) -> bool:
        if join == "/" and held.relation in SLASHED:
            return second.concept not in WITHOUT_SIDE
        if held.relation in ("location", "morphology") and alike(first, second):
            return True
        if held.relation == "location":
            if second.concept in WITHOUT_SIDE:
                return False
            row = held.row
            if row is None or row.role != "adj" or row.concept in ZONES:  # basilar fibrosis and scarring
                return True
            return any(place_side(run) != "-" for run in held.runs)
        if held.relation == "distribution":  # focal consolidation or mass: every mass is focal
            pair = {first.concept, second.concept}
            return pair <= PARENCHYMAL and (pair <= ROUND or pair.isdisjoint(ROUND))
        if held.relation == "severity":
            return second.negated is not None or join in ("and / or", "/")
        if (
            held.relation in CHANGES
        ):  # interval decrease of congestion and edema; stable cardiomegaly and scoliosis
            return True
        return held.relation == "past_hx"

    @staticmethod
    def share_history(first: Draft, second: Draft) -> None:
        """`history of renal failure, diabetes`: said of every item of the list."""
        for held in first.held:
            told = held.relation == "past_hx" and {"history", "hx", "h"} & set(held.unit.form.split())
            if told and held.end <= first.start and not second.has("past_hx"):
                second.add(held)

    @staticmethod
    def share_removal(first: Draft, second: Draft) -> None:
        """`removal of the tube and the catheter`: the action reaches every device of the list."""
        for held in first.held:
            if held.relation == "placement" and held.end <= first.start and second.kind == "device":
                second.add(held)


def may_be_organ(draft: Draft, unit: Unit) -> bool:
    """`The zorgle is not thickened`: a noun nobody knows, spoken of as an organ that is as it should be."""
    return draft.kind == "open" and (unit.row("morphology") or unit.row("measurement")) is not None


def is_said_normal(held: Held, draft: Draft, drafts: list[Draft], text: str, pre: bool) -> bool:
    """`Heart size and vascular engorgement are within normal limits`, `normal lucency`: neither is abnormal.

    Loss of the normal curve is.
    """
    if held.relation != "measurement" or not held.normal or draft.is_structure:
        return False
    if pre:
        named = draft.kind in ("finding", "open") and not draft.has("past_hx")
        return named and OF_THE.search(text[max(0, held.start - 8) : held.start]) is None
    return any(d.is_structure and d.start < draft.start for d in drafts)


OF_THE = re.compile(r"\bof (?:the |its )?$", re.IGNORECASE)


def before_comparison(units: list[Unit]) -> list[Unit]:
    """`Both bases | more marked on the right than the left`; but `the left greater than right hilum` is one place."""
    for n, unit in enumerate(units):
        if unit.row("comparison") and any(u.role in ANATOMY for u in units[:n]):
            return units[:n]
    return units


def split_at_sides(run: Run) -> list[Run]:
    """`Left apical and right basilar`: the places of the two sides, one by one."""
    for n in range(1, len(run)):
        if run[n].first > run[n - 1].last and {place_side(run[:n]), place_side(run[n:])} == {"left", "right"}:
            return [run[:n], run[n:]]
    return [run]


def split_at_relations(run: Run) -> list[Run]:
    """`The left midlung | overlying the 5th rib`: two places, where a word tells how the second lies."""
    starts = [
        n
        for n, unit in enumerate(run)
        if n and unit.form.split()[0] in RELATIONAL and (n + 1 < len(run) or " " in unit.form)
    ]
    return [run[a:b] for a, b in pairwise([0, *starts, len(run)])]


COMPARATIVE = frozenset("smaller larger bigger greater lesser thicker denser milder".split())
ONE_OF_SEVERAL = re.compile(r"\b(?:an?|the|another|second|third)\s+(?:\w+ly\s+|much\s+)?$", re.IGNORECASE)


def compares_inside(text: str, unit: Unit) -> bool:
    """`A smaller second nodule`, `the larger cyst`: one beside another of this picture, and no change."""
    return unit.form in COMPARATIVE and ONE_OF_SEVERAL.search(text[: unit.start]) is not None


def as_state(held: Held, draft: Draft) -> Held:
    """`Increased kyphosis, similar to before`: what has not changed is increased in this picture."""
    size = held.unit.row("measurement") if held.relation in CHANGED and held.start < draft.start else None
    return Held("measurement", size, held.start, held.end, held.unit) if size is not None else held


def denied_change(unit: Unit) -> Row | None:
    """The row of a word for a change, or for something new, that may be denied of what is known."""
    told = relation_of(unit, None, True) if unit.role is Role.ATTRIBUTE else None
    if told is None or told.row is None:
        return None
    new = told.relation == "onset" and told.row.concept == "new"
    return told.row if new or told.relation in CHANGED else None


def alike(first: Draft, second: Draft) -> bool:
    """`No suspicious pulmonary mass or nodule`: two names for one kind of thing, denied together."""
    pair = {first.concept, second.concept}
    return second.negated is not None and pair <= ROUND


def fits(held: Held, draft: Draft) -> bool:
    """A finding is not `normal`, and only devices are `placed`."""
    if held.relation == "placement":
        return draft.kind in ("device", "procedure", "open")
    return draft.kind in ("structure", "open") or not (held.relation == "measurement" and held.normal)
