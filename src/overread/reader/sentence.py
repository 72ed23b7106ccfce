"""One sentence, walked once from left to right: its findings as drafts."""

import re

from overread.lexicon.lexicon import Lexicon
from overread.lexicon.load import Row
from overread.lexicon.words import phrase
from overread.reader.attach import CHANGES, PARENCHYMAL, Draft, Held, concept_of, place_side, relation_of
from overread.reader.clauses import Chunk, chunks, is_structure
from overread.reader.context import SHORT_LINKS, Scope, still_denied
from overread.reader.mentions import Unit

RELATIONAL = frozenset(
    """overlying over along under below above behind near adjacent beneath underneath between beside surrounding
    abutting inside outside around throughout""".split()
)
"""Prepositions that are part of the place they open: `below the right hemidiaphragm`."""

JOINING = frozenset({"", "the", "in the", "at the", "over the", "of the", "in", "at", "over", "to the", "near the", "within the"})
EARLIER = frozenset({"prior", "previous", "previously", "earlier", "recent", "old"})
STUDY_WORDS = frozenset(
    """study studies exam exams examination examinations radiograph radiographs film films ct scan image images
    imaging chest seen noted identified described demonstrated visualized report comparison x xray from on and
    mri xxxx date present observed reported""".split()
)
LINES = frozenset(
    """pacemaker icd lead central-line picc port-catheter endotracheal-tube enteric-tube chest-tube catheter tube
    pulmonary-artery-catheter tracheostomy-tube iabp""".split()
)
"""Devices whose position is read from where they lie over the picture."""

DISTRIBUTED = frozenset({"location", "severity", "distribution", "past_hx", "onset", "morphology"})
EMPTY_NOUNS = frozenset(
    """area areas region regions focus foci appearance amount degree evidence type size amounts component element
    pattern collection portion aspect aspects development presence placement removal level levels number""".split()
)


POINTING = frozenset({"this", "these", "it", "they", "findings", "finding", "appearance", "appearances", "which"})
NO_FINDING = frozenset(
    """patient study exam examination comparison technique image images view views series history date time
    interval limits note correlation followup follow film films radiograph radiographs evaluation report results
    today year years male female woman gentleman lady aged week weeks month months days hours contrast
    projection position limitations reason clinician physician doctor service team staff department emergency
    hospital clinic concern question differential diagnosis possibility consideration chest thorax details
    significance specific specifically otherwise however additional other further same normal limit clinical
    radiology imaging scan scans protocol sequence sequences slice slices phase administration visit
    right left also well again below above seen noted least most more less than very quite such when
    what them they those both near true over only even just many much given known said here then once onto
    upon until while etiology cause reasons information request requested available prior previous
    obtained performed reviewed compared similar current present visualized definite evidence""".split()
)
"""Nouns that are never findings, so that the open vocabulary stays with what a picture can show."""


class Walk:
    """Reading state: the group that predicates and places attach to, open scopes, modifiers without a noun yet."""

    def __init__(self, text: str, units: list[Unit], lexicon: Lexicon, compared: bool, open_words: bool = False) -> None:
        self.text = text
        self.units = units
        self.open_words = open_words
        """Take nouns no table knows as findings wherever they stand, not only where something is denied."""
        self.pointing = bool(units) and units[0].form in POINTING
        """The sentence speaks of what the one before it named: `This may represent …`."""
        self.unsourced: list[tuple[Draft, Unit]] = []
        """Drafts whose support is in the sentence before."""
        self.lexicon = lexicon
        self.compared = compared
        self.chunks = list(chunks(units))
        self.drafts: list[Draft] = []
        self.group: list[Draft] = []
        self.domain: list[Draft] = []
        """Findings since the last end of scope: what a link can point back to."""
        self.carry: list[Unit] = []
        self.predicate = False
        self.scope = Scope()
        self.loose: list[Held] = []
        """Change words no finding has taken."""
        self.last_place: list[Held] = []
        """The place just named, which a conjunction may go on with."""
        self.topic: list[Unit] = []
        """A place named in front: `Right shoulder: …`, `In the left lung there is …`."""

    def run(self) -> list[Draft]:
        for at, chunk in enumerate(self.chunks):
            prep = None
            named = bool(chunk.findings) or chunk.structure is not None
            for place, unit in enumerate(chunk.before):
                if unit.tag == "C" and self.predicate and named:
                    self.begin_group()
                    self.scope.close()
                prep = self.connect(unit, chunk, place, prep, at)
            if not chunk.empty:
                self.take(chunk, at, prep)
        return self.finish()

    # ---- the words between noun phrases
    def connect(self, unit: Unit, chunk: Chunk, place: int, prep: Unit | None, at: int) -> Unit | None:
        tag = unit.tag
        if tag == "P":
            if unit.form in ("after", "following", "post"):  # no pneumothorax after line removal
                self.scope.close_denial()
            return unit
        if tag == "X":
            self.end(unit, chunk, at)
        elif tag == "T":
            if any(d.kind == "device" for d in self.group) and tells_tip(chunk):
                self.predicate = True
                return None
            self.begin_group()
            self.scope.close()
        elif tag == "V":
            self.predicate = bool(self.group)
        elif tag == "N":
            self.negation(unit, chunk, place)
        elif tag == "H":
            self.hedge(unit, chunk, place)
        elif tag == "K":
            self.link(unit)
        return None if tag != "C" else prep

    def end(self, unit: Unit, chunk: Chunk, at: int) -> None:
        if unit.form == ":" and self.group and all(d.is_structure and not speaks(d) for d in self.group):
            for draft in self.group:
                draft.used = True
                self.topic += [*(h.unit for h in draft.held), draft.unit]
        if self.group or unit.form not in ("but", "yet"):  # hyperexpanded but clear lungs
            self.carry = []
        self.begin_group()
        self.domain = []
        self.scope.close()

    def begin_group(self) -> None:
        self.group = []
        self.predicate = False

    def negation(self, unit: Unit, chunk: Chunk, place: int) -> None:
        reach, last = unit.cue.reach, place == len(chunk.before) - 1 and chunk.empty
        if unit.form.endswith("clear of"):
            self.clear_of(unit)
        cues = [r for r in unit.rows if getattr(r, "kind", "") == "negation"]
        backward = next((c for c in cues if c.reach == "before"), None)  # type: ignore[union-attr]
        if backward is not None and self.group and (reach == "before" or last):
            for draft in self.group:
                draft.deny(unit)
            return
        self.scope.close()
        self.scope.deny = unit
        self.predicate = False

    def clear_of(self, unit: Unit) -> None:
        """`Lungs are clear of consolidation` says that they are clear, too."""
        row = self.lexicon.described("morphology", unit.form.removesuffix(" of"))
        for draft in self.group:
            if draft.is_structure and not draft.held and row is not None:
                draft.add(Held("morphology", row, unit.start, unit.end - 3, unit))

    def hedge(self, unit: Unit, chunk: Chunk, place: int) -> None:
        cues = {r.reach: r for r in unit.rows if getattr(r, "kind", "") == "hedge"}  # type: ignore[union-attr]
        ends = chunk.empty and not any(u.tag in "NHK" for u in chunk.before[place + 1 :])
        if "both" in cues:
            for draft in self.group[-1:]:
                draft.doubt(unit)
            self.scope.hedge = unit
            return
        if "before" in cues and self.group and ("after" not in cues or ends):
            for draft in self.group:
                draft.doubt(unit)
                draft.negated = None
            return
        joined = any(u.form in ("and", "or") or u.tag == "T" for u in chunk.before[:place])
        sources = [d for d in self.domain if not d.is_structure or d.held]
        self.scope.close_denial()
        self.scope.hedge = unit
        if not joined and (sources or self.pointing):
            self.scope.link, self.scope.sources = unit, sources
            self.begin_group()

    def link(self, unit: Unit) -> None:
        if unit.form not in SHORT_LINKS:
            self.scope.close_denial()
        sources = [d for d in self.domain if not d.is_structure or d.held]
        if sources or self.pointing:
            self.scope.link, self.scope.sources = unit, sources
        self.begin_group()

    # ---- noun phrases
    def take(self, chunk: Chunk, at: int, prep: Unit | None) -> None:
        joins = [u for u in chunk.before if u.tag == "C" or u.form == "and / or" or u.form in ("versus", "vs")]
        opened = any(u.tag == "N" for u in chunk.before)
        if self.scope.deny is not None and joins and not opened and not still_denied(self.chunks, at):
            self.scope.close()
        if self.extends_place(chunk, at, joins):
            return
        if not chunk.findings and (self.open_words or self.scope.deny is not None):
            name_open(chunk)
        if chunk.findings:
            self.take_findings(chunk, at, prep, joins)
        elif chunk.structure is not None:
            self.take_structure(chunk, at, prep, joins)
        else:
            self.take_modifiers(chunk, at, prep, joins)

    def take_findings(self, chunk: Chunk, at: int, prep: Unit | None, joins: list[Unit]) -> None:
        start = 0
        shared = self.group if joins else []
        bare = [d for d in self.group if d.is_structure and not d.held]
        if bare and self.group == bare and not joins:
            for draft in bare:
                draft.used = True
            self.topic = [d.unit for d in bare]
            self.group = []
        if not joins and prep is None:
            self.begin_group()
        fresh = []
        for place in chunk.findings:
            before = self.carry + chunk.units[start:place]
            if joins and self.opposed(chunk.units[start:place]):  # small right and moderate left effusions
                fresh.append(self.draft(chunk.units[place], self.carry))
                before = chunk.units[start:place]
            self.carry = []
            draft = self.draft(chunk.units[place], before)
            fresh.append(draft)
            start = place + 1
        after = chunk.units[start:]
        self.group = shared + fresh
        if after:
            self.modify(after, self.group if any(u.tag == "A" for u in after) else fresh)
        if shared:
            self.share(shared[-1], fresh[0], joins)
            for held in shared[-1].held:  # removal of the tube and the catheter
                if held.relation == "placement" and held.end <= shared[-1].start and fresh[0].kind == "device":
                    fresh[0].add(held)

    def opposed(self, units: list[Unit]) -> bool:
        """Does the carried phrase describe the other side, in words of its own?"""
        here, there = sides(units), sides(self.carry)
        return len(here) == len(there) == 1 and here != there and any(u.tag in "AM" for u in [*units, *self.carry])

    def take_structure(self, chunk: Chunk, at: int, prep: Unit | None, joins: list[Unit]) -> None:
        head = chunk.structure
        assert head is not None
        unit = chunk.units[head]
        described = any(u.tag == "A" for u in chunk.units)
        if prep is not None and self.group:
            self.place(chunk.units, prep, self.reached(joins))
            return
        if prep is not None and prep.form != "of" and not any(u.tag == "A" for u in self.carry):
            self.topic = [u for u in chunk.units if u.tag in "LS"]
            return
        if unit.tag == "L" and self.group and not described and (self.predicate or not joins or not self.more(at)):
            if not all(d.is_structure for d in self.group) or not joins:
                self.place(chunk.units, None, self.group)
                return
        shared = self.group if joins else []
        twin = self.twin(unit) if joins else None
        draft = self.draft(unit, self.carry + chunk.units[:head])
        self.carry = []
        self.group = [*shared, *([twin] if twin else []), draft]
        self.modify(chunk.units[head + 1 :], self.group)
        if shared and not draft.held:
            for held in shared[0].held:
                if held.relation in ("measurement", "no_change", "morphology") and held.start < shared[0].start:
                    draft.add(held)

    def take_modifiers(self, chunk: Chunk, at: int, prep: Unit | None, joins: list[Unit]) -> None:
        blank = any(u.tag == "B" for u in chunk.units)
        if blank and joins and not chunk.has("A"):  # heart, pulmonary ____ and mediastinum
            return
        opens = any(u.tag == "N" for u in chunk.before) and self.leads(at)
        if chunk.units[0].form == "both" and chunk.units[0].tag == "D":
            self.group = self.drafts[-2:]
        if joins and len(self.group) == 1 and chunk.has("A") and two_sided(self.group[0]):
            self.group = [self.copy(self.group[0])]
        if self.group and not opens and (self.predicate or not joins or self.trails(chunk, at)):
            self.place_or_modify(chunk.units, prep)
        elif self.group and prep is not None:
            self.place(chunk.units, prep, self.group)
        else:
            self.carry += [u for u in chunk.units if u.tag in "ALMWSh"]

    def extends_place(self, chunk: Chunk, at: int, joins: list[Unit]) -> bool:
        """`of the lateral and posterior left costophrenic sulcus`: one place in two parts."""
        held, self.last_place = self.last_place, []
        plain = not chunk.findings and not chunk.has("A") and chunk.has("L") | chunk.has("S")
        of = len(chunk.before) == 1 and chunk.before[0].form == "of"
        joined = bool(joins) and len(chunk.before) == len(joins)
        if not held or not plain or not (of or joined) or self.subject(at):
            return False
        run = [u for u in chunk.units if u.tag in "LS"]
        for h in held:
            h.end = run[-1].end
            if of:
                h.runs[-1] = [*h.runs[-1], *run]
            else:
                h.runs = [*h.runs, run]
        self.last_place = held
        return True

    def subject(self, at: int) -> bool:
        """Is a verb or a describing word the next thing after chunk `at`?"""
        if at + 1 >= len(self.chunks):
            return False
        after = self.chunks[at + 1].before
        return bool(after) and after[0].tag == "V" and self.chunks[at + 1].has("A")

    def leads(self, at: int) -> bool:
        """`without focal areas of consolidation`: the noun comes after a preposition."""
        after = self.chunks[at + 1] if at + 1 < len(self.chunks) else None
        return after is not None and bool(after.findings) and any(u.form in ("of", "in") for u in after.before)

    def trails(self, chunk: Chunk, at: int) -> bool:
        """`effusion, increased from prior`: describing words after the noun; not `stable, normal heart`."""
        after = self.chunks[at + 1] if at + 1 < len(self.chunks) else None
        if after is None or after.empty:
            return True
        named = bool(after.findings) or after.structure is not None
        tables = {r.table for u in chunk.units for r in u.rows if isinstance(r, Row)}
        if "comparison" in tables:
            return True
        change = bool(tables & CHANGES)
        into = any(u.form in ("in", "of") for u in after.before)
        return not named or (change and not into and any(u.tag in "CXTR" for u in after.before))

    def more(self, at: int) -> bool:
        """Does a verb or describing word follow, so that a structure may be a subject?"""
        return any(u.tag == "V" for c in self.chunks[at + 1 :] for u in c.before) or any(
            u.tag == "A" for c in self.chunks[at + 1 :] for u in c.units
        )

    def copy(self, draft: Draft) -> Draft:
        """The same noun once more: `effusions, moderate on the right and small on the left`."""
        other = Draft(draft.unit, draft.entity, draft.start, draft.end, draft.concept, draft.kind, draft.trace[0].rule)
        other.held = [h for h in draft.held if h.start < draft.start]
        other.trace, other.negated, other.hedge = list(draft.trace), draft.negated, draft.hedge
        self.drafts.append(other)
        self.domain.append(other)
        return other

    def twin(self, unit: Unit) -> Draft | None:
        """`cardiac and mediastinal contours` names two things with one noun."""
        noun = self.text[unit.start : unit.end].split()[-1]
        last = self.carry[-1] if self.carry else None
        if last is None or last.tag != "L":
            return None
        row = self.lexicon.named(phrase(f"{self.text[last.start : last.end]} {noun}"))
        if row is None:
            return None
        self.carry.pop()
        words = f"{self.text[last.start : last.end]} {noun}"
        kind = self.lexicon.concepts[row.concept].kind
        draft = Draft(unit, words, last.start, last.end, row.concept, kind, row.id)
        self.drafts.append(draft)
        self.domain.append(draft)
        self.modify(self.carry, [draft], pre=True)
        if self.scope.deny is not None:
            draft.deny(self.scope.deny)
        return draft

    # ---- drafts and what hangs on them
    def draft(self, unit: Unit, before: list[Unit]) -> Draft:
        start, entity = unit.start, self.text[unit.start : unit.end]
        concept, kind, rule = concept_of(entity, unit, self.lexicon)
        if kind == "structure" and unit.tag == "L":
            start, concept, rule = self.without_side(unit, concept, rule)
            if start > unit.start:
                side = next(r for r in unit.rows if isinstance(r, Row))
                before = [*before, Unit("L", unit.form, unit.first, unit.first + 1, unit.start, start - 1, (side,))]
            entity = self.text[start : unit.end]
        absorbed = absorb(before) if kind == "generic" or unit.form == "pain" else []
        if absorbed:
            start = absorbed[0].start
            before = [u for u in before if u not in absorbed]
            entity = self.text[start : unit.end]
        draft = Draft(unit, entity, start, unit.end, concept, kind, rule)
        if absorbed:
            place = absorbed[0].row("locations")
            draft.site = place.concept if place else None
        self.drafts.append(draft)
        self.domain.append(draft)
        self.modify(before, [draft], pre=True)
        if self.topic and not draft.has("location") and not draft.is_structure:
            self.locate(self.topic, None, [draft])
        scope = self.scope
        if scope.deny is not None:
            draft.deny(scope.deny)
        for hedge in (scope.hedge, next((u for u in before if u.tag == "h"), None)):
            if hedge is not None:
                draft.doubt(hedge)
        if scope.link is not None:
            draft.linked(scope.sources, scope.link, supports=True)
            if not scope.sources:
                self.unsourced.append((draft, scope.link))
        return draft

    def without_side(self, unit: Unit, concept: str | None, rule: str) -> tuple[int, str | None, str]:
        """`left hilum` as a subject is the hilum, on the left."""
        text = self.text[unit.start : unit.end]
        for cut in [i + 1 for i, c in enumerate(text) if c.isspace()]:
            if not self.lexicon.is_place(phrase(text[:cut])):
                continue
            rest = self.lexicon.named(phrase(text[cut:]))
            if rest is not None:
                return unit.start + cut, rest.concept, rest.id
        return unit.start, concept, rule

    def modify(self, units: list[Unit], drafts: list[Draft], pre: bool = False) -> None:
        """Hang describing words on drafts: each attribute, and each run of location words as one place."""
        places: list[Unit] = []
        for unit in units:
            if unit.tag in "LS" or (unit.tag in "DW" and places):
                if unit.tag in "LS" or unit.form in EMPTY_NOUNS:
                    places.append(unit)
                continue
            if places:
                self.put(places, drafts)
                places = []
            if unit.tag == "A" and self.study(unit):
                continue
            for draft in drafts:
                held = relation_of(unit, draft, self.compared) if unit.tag == "A" else None
                if unit.tag == "M":
                    held = Held("measurement", None, unit.start, unit.end, unit)
                if held is not None and not (held.normal and not draft.is_structure):
                    draft.add(held)
                    if held.row is not None and held.row.concept == "unchanged-position":
                        draft.add(Held("no_change", held.row, held.start, held.end, unit))
                    draft.own = draft.own or pre
                    if self.scope.deny is not None and not pre and draft.is_structure and held.abnormal:
                        draft.deny(self.scope.deny)
        if places:
            self.put(places, drafts)
            for draft in drafts:
                draft.own = draft.own or pre

    def study(self, unit: Unit) -> bool:
        """`prior` or `previously` that speaks of the earlier study, not of the patient's past."""
        if unit.form not in EARLIER:
            return False
        after = re.match(r"\W*(\w+)", self.text[unit.end : unit.end + 30])
        before = re.search(r"(\w+)\W*$", self.text[max(0, unit.start - 20) : unit.start])
        word, lead = after[1].lower() if after else "", before[1].lower() if before else ""
        return word in STUDY_WORDS or not word or lead in ("to", "from", "since", "than", "the", "with")

    def put(self, units: list[Unit], drafts: list[Draft]) -> None:
        """A run of location words: for a device the end of its position, else a place, whole organs apart."""
        rest = [d for d in drafts if not self.goes_on(d, units, None)]
        last = units[-1].row("locations")
        if len(units) > 1 and last is not None and last.role == "adj" and last.concept == "lung":
            sited = any((r := u.row("locations")) is not None and r.role != "dir" for u in units[:-1])
            if sited:
                self.locate(units[:-1], None, rest)
                units = units[-1:]
        self.locate(units, None, rest)

    def locate(self, units: list[Unit], prep: Unit | None, drafts: list[Draft]) -> list[Held]:
        """One run of location words as one place."""
        start = prep.start if prep is not None and prep.form in RELATIONAL else units[0].start
        end = units[-1].end
        best = next((u for u in reversed(units) if u.row("locations")), units[-1])
        row = best.row("locations")
        held = prep is not None and prep.form in ("over", "overlying")
        found = [
            Held("placement" if held and d.concept in LINES else "location", row, start, end, best) for d in drafts
        ]
        for h in found:
            h.runs = [[u for u in units if u.tag in "LS"]]
        for draft, held in zip(drafts, found, strict=True):
            draft.add(held)
        return found

    def place(self, units: list[Unit], prep: Unit | None, drafts: list[Draft]) -> None:
        """A place after a preposition, or after the noun; attributes in it go to the same findings."""
        run = [u for u in units if u.tag in "LS" or (u.tag == "W" and u.form in EMPTY_NOUNS)]
        if run:
            rest = [d for d in drafts if not self.goes_on(d, run, prep)]
            self.last_place = self.locate(run, prep, rest)
        self.modify([u for u in units if u.tag in "AM"], drafts)

    def goes_on(self, draft: Draft, run: list[Unit], prep: Unit | None) -> bool:
        """`tip at the cavoatrial junction`: the place belongs to the position just named."""
        last = draft.held[-1] if draft.held else None
        if last is None or last.relation != "placement" or draft.kind != "device" or last.start < draft.start:
            return False
        if self.text[last.end : run[0].start].strip(" \n").lower() not in JOINING:
            return False
        last.end = run[-1].end
        return True

    def reached(self, joins: list[Unit]) -> list[Draft]:
        """The findings a place after them belongs to: a last one with words of its own keeps it for itself."""
        last = self.group[-1]
        return [last] if last.own and not self.predicate and not last.is_structure else self.group

    def place_or_modify(self, units: list[Unit], prep: Unit | None) -> None:
        if prep is not None and any(u.tag == "L" for u in units):
            self.place(units, prep, self.group)
        else:
            self.modify(units, self.group)

    def share(self, first: Draft, second: Draft, joins: list[Unit]) -> None:
        """`left basilar atelectasis or scar`: the second of two takes the first's place when it names none."""
        if second.own or len(joins) != 1 or joins[0].form == ",":
            return
        for held in first.held:
            if held.start > first.start or held.relation not in DISTRIBUTED:
                continue
            if held.relation == "location" and held.row is not None and held.row.role == "adj" and held.row.side == "-":
                continue
            if held.relation in ("morphology", "onset"):
                continue
            both_lung = first.concept in PARENCHYMAL and second.concept in PARENCHYMAL
            if held.relation == "distribution" and not both_lung:
                continue
            if held.relation == "severity" and not (second.negated or joins[0].form == "and / or"):
                continue
            second.add(held)

    def points(self, draft: Draft) -> bool:
        """`Findings consistent with emphysema`: a general word that only points at what is named after it."""
        if draft.kind != "generic" or draft.entity != self.text[draft.unit.start : draft.unit.end]:
            return False
        if draft.concept == "change" and not draft.has("onset", "morphology", "location"):
            return True
        named = any(d.start > draft.end and d.kind != "structure" for d in self.drafts)
        bare = not any(h.relation in ("onset", "location", "morphology") for h in draft.held)
        return bare and named and (bool(draft.associate) or self.followed_by_of(draft))

    def followed_by_of(self, draft: Draft) -> bool:
        return self.text[draft.end : draft.end + 4].strip().startswith("of")

    # ---- after the last word
    def finish(self) -> list[Draft]:
        kept = []
        for draft in self.drafts:
            if draft.used or (draft.is_structure and not speaks(draft)) or self.points(draft):
                continue
            kept.append(draft)
        return kept


def name_open(chunk: Chunk) -> None:
    """Take the last unknown noun of a phrase as what it names, whatever it means."""
    last = chunk.units[-1]
    if last.tag != "W" or not last.form.isalpha() or len(last.form) < 4:
        return
    if last.form in EMPTY_NOUNS or last.form in NO_FINDING or last.form.endswith(("ly", "ing", "ed")):
        return
    last.tag = "E"


def two_sided(draft: Draft) -> bool:
    """Has the finding, after its noun, both a degree and one side?"""
    after = [h for h in draft.held if h.start > draft.end]
    placed = {place_side(run) for h in after for run in h.runs}
    return any(h.relation == "severity" for h in after) and placed in ({"left"}, {"right"})


def tells_tip(chunk: Chunk) -> bool:
    """`with its tip in …`: the phrase goes on about the device."""
    forms = " ".join(u.form for u in chunk.units).split()
    return "tip" in forms or "its" in forms or "tips" in forms or "side" in forms


def sides(units: list[Unit]) -> set[str]:
    rows = (u.row("locations") for u in units)
    return {r.side for r in rows if r is not None and r.side in ("left", "right")}


def speaks(draft: Draft) -> bool:
    """A structure is a finding only when something is said of it."""
    return any(h.relation != "location" or h.normal for h in draft.held) or draft.hedge is not None


def absorb(before: list[Unit]) -> list[Unit]:
    """The anatomical word that makes one entity with a general noun: `cardiopulmonary` disease, `bony` abnormality."""
    last = before[-1] if before else None
    if last is None or last.tag not in "LS":
        return []
    row = last.row("locations")
    return [last] if row is None or row.role in ("adj", "noun") else []
