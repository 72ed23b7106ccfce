"""One sentence, walked once from left to right: its findings as drafts."""

import re

from overread.lexicon.lexicon import Lexicon
from overread.lexicon.load import Row
from overread.lexicon.words import phrase
from overread.reader.attach import CHANGES, Draft, Held, concept_of
from overread.reader.clauses import Chunk, chunks
from overread.reader.context import DENYING_LINKS, Scope, reaches, still_denied
from overread.reader.grammar import EMPTY_NOUNS, NEVER_FINDINGS, POINTING, PREPOSITIONS
from overread.reader.hanging import PARENCHYMAL, Hanging
from overread.reader.mentions import Unit
from overread.reader.places import place_side, sides

EXAMS = frozenset(
    {
        "radiograph",
        "radiographs",
        "ct",
        "study",
        "studies",
        "exam",
        "examination",
        "film",
        "films",
        "scan",
        "mri",
    }
)
UNEXPLAINED = PARENCHYMAL | {
    "cp-angle-blunting",
    "lucency",
    "pleural-opacity",
    "haze",
    "lung-markings",
    "fluid",
}
"""Findings that ask for an explanation, so that a blank and a noun after them give one."""

ON_PRIOR = re.compile(
    r"\W+(?:appears? to be\s+|well\s+)?(?:(?:present|seen|visualized|identified|noted|evident|there|appreciated)\s+)?(?:on|in)\s+"
    r"(?:the\s+|any\s+|a\s+)?(?:prior|previous|earlier|last|comparison)",
    re.IGNORECASE,
)


class Walk:
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
        self.drafts: list[Draft] = []
        self.group: list[Draft] = []
        self.left: list[Draft] = []
        """The group a `but` has just closed: heart is enlarged but stable."""
        self.domain: list[Draft] = []
        """Findings since the last end of scope: what a link can point back to."""
        self.companions: list[Draft] = []
        """Findings that a `with` goes on from."""
        self.carry: list[Unit] = []
        self.predicate = False
        """Has a verb followed the group, so that describing words are said of it?"""
        self.topic: list[Unit] = []
        """A place named in front: `Right shoulder: …`, `In the left lung there is …`."""
        self.device_named = any(
            r is not None and r.path[0] == "device" for r in (u.row("findings") for u in units)
        )
        first = next((u.form for u in units if u.tag != "X"), "")
        self.pointing = first in POINTING
        """The sentence speaks of what the one before it named: `This may represent …`."""
        self.unsourced: list[tuple[Draft, Unit]] = []
        """Findings whose support is in the sentence before."""
        self.loose: list[Held] = []
        """`This was not seen on the prior study`: new, and said of the sentence before."""

    def run(self) -> list[Draft]:
        for at, chunk in enumerate(self.chunks):
            prep = None
            for place, unit in enumerate(chunk.before):
                if unit.tag == "C" and chunk.named and (self.predicate or self.described):
                    self.begin_group()
                    self.scope.close()
                prep = self.connect(unit, chunk, place, prep, at)
            if not chunk.empty:
                self.take(chunk, at, prep)
        return [
            d for d in self.drafts if not d.used and (d.speaks or not d.is_structure) and not self.points(d)
        ]

    @property
    def described(self) -> bool:
        """Has something been said of the structures of the group, as in `heart size normal and …`?"""
        return any(
            h.start >= d.end and h.relation != "location"
            for d in self.group
            if d.is_structure
            for h in d.held
        )

    # ---- the words between noun phrases
    def connect(self, unit: Unit, chunk: Chunk, place: int, prep: Unit | None, at: int) -> Unit | None:
        """Let a verb, preposition, cue or conjunction do its work; the preposition that is open is handed on."""
        if unit.tag == "P":
            if unit.form in ("after", "following", "post"):  # no pneumothorax after line removal
                self.scope.close_denial()
            return unit
        if unit.tag == "C":
            return prep
        if unit.tag == "X":
            self.end(unit)
        elif unit.tag == "T":
            self.go_on_with(chunk, at)
        elif unit.tag == "V":
            self.predicate = bool(self.group)
        elif unit.tag == "N":
            self.deny(unit, chunk, place)
        elif unit.tag == "H":
            self.hedge(unit, chunk, place)
        elif unit.tag == "K":
            self.link(unit)
        return None

    def begin_group(self) -> None:
        self.group = []
        self.predicate = False

    def end(self, unit: Unit) -> None:
        if unit.form == ":" and self.group and all(d.is_structure and not d.speaks for d in self.group):
            for draft in self.group:
                draft.used = True
                self.topic += [*(h.unit for h in draft.held), draft.unit]
        contrast = unit.form in ("but", "yet")
        self.left = self.group if contrast else []
        if self.group or not contrast:  # hyperexpanded but clear lungs
            self.carry = []
        self.begin_group()
        self.domain, self.companions = [], []
        self.scope.close()

    def go_on_with(self, chunk: Chunk, at: int) -> None:
        if any(d.kind == "device" for d in self.group) and tells_tip(chunk):
            self.predicate = True
            return
        after = self.after(at)
        if self.group and not chunk.named and chunk.has("A") and (after is None or not after.named):
            return  # effusions and atelectasis, with interval improvement
        self.companions = self.group
        self.carry = []
        self.begin_group()
        self.scope.close()

    def deny(self, unit: Unit, chunk: Chunk, place: int) -> None:
        backward = "before" in reaches(unit, "negation")
        ends = place == len(chunk.before) - 1 and chunk.empty
        if ON_PRIOR.match(self.text[unit.end : unit.end + 40]):
            new = Held("onset", self.lexicon.described("onset", "new"), unit.start, unit.end, unit)
            for draft in self.group:
                draft.add(new)
            self.loose += [] if self.group else [new]
        elif backward and self.group and (unit.cue.reach == "before" or ends):
            for draft in self.group:
                draft.deny(unit)
        else:
            if unit.form.endswith("clear of"):
                self.clear_of(unit)
            if unit.form.startswith("with") and not self.group:
                self.carry = []  # stable exam without effusion
            self.scope.close()
            self.scope.deny = unit
            self.predicate = False

    def clear_of(self, unit: Unit) -> None:
        """`Lungs are clear of consolidation` says that they are clear, too."""
        row = self.lexicon.described("morphology", unit.form.removesuffix(" of"))
        for draft in self.group:
            if draft.is_structure and not draft.held and row is not None:
                draft.add(Held("morphology", row, unit.start, unit.end - len(" of"), unit))

    def hedge(self, unit: Unit, chunk: Chunk, place: int) -> None:
        reach = reaches(unit, "hedge")
        ends = chunk.empty and not any(u.tag in "NHK" for u in chunk.before[place + 1 :])
        if "both" in reach:
            for draft in self.group[-1:]:
                draft.doubt(unit)
            self.scope.hedge = unit
        elif "before" in reach and self.group and ("after" not in reach or ends):
            for draft in self.joined_tail():
                draft.doubt(unit)
                draft.negated = None
        else:
            self.scope.close_denial()
            self.scope.hedge = unit
            joined = any(u.form in ("and", "or") or u.tag == "T" for u in chunk.before[:place])
            joined = joined and "exclude" not in unit.form  # tortuous, and cannot exclude an aneurysm
            if not joined and (self.sources or self.pointing):
                self.scope.link_to(unit, self.sources)
                self.begin_group()

    def joined_tail(self) -> list[Draft]:
        """The last findings that `and` or `or` joins: one in `opacity, atelectasis cannot be excluded`."""
        tail = self.group[-1:]
        while tail[0].join and "," not in tail[0].join and len(tail) < len(self.group):
            tail = self.group[-len(tail) - 1 :]
        return tail

    def link(self, unit: Unit) -> None:
        if unit.form not in DENYING_LINKS:
            self.scope.close_denial()
        if self.sources or self.pointing:
            self.scope.link_to(unit, self.sources)
        self.begin_group()

    @property
    def sources(self) -> list[Draft]:
        """What a link met now would point back to: what is asserted, or denied while the denial is still open."""
        denied = self.scope.deny is not None
        return [d for d in self.domain if (not d.is_structure or d.held) and (denied or d.negated is None)]

    # ---- noun phrases
    def take(self, chunk: Chunk, at: int, prep: Unit | None) -> None:
        joins = chunk.joins
        opened = any(u.tag == "N" for u in chunk.before)
        if self.scope.deny is not None and joins and not opened and not still_denied(self.chunks, at):
            self.scope.close()
        if self.extends_place(chunk, at):
            return
        if not chunk.findings and (self.open_words or self.scope.deny is not None):
            name_open(chunk)
        if not self.device_named and not chunk.findings:
            name_blank_device(chunk, self.after(at))
        if chunk.findings:
            self.take_findings(chunk, at, prep, joins)
        elif chunk.structure is not None:
            self.take_structure(chunk, chunk.structure, at, prep, joins)
        else:
            self.take_modifiers(chunk, at, prep, joins)

    def take_findings(self, chunk: Chunk, at: int, prep: Unit | None, joins: list[Unit]) -> None:
        shared = self.group if joins else []
        self.use_bare_structures(joins)
        if not joins and prep is None:
            self.begin_group()
        if self.explains(chunk, self.after(at)):
            self.scope.link_to(
                chunk.units[0], [d for d in self.sources if d.concept in UNEXPLAINED] or self.sources
            )
            shared = []
        first = chunk.units[chunk.findings[0]]
        fresh, start = [*self.named_by(shared, first), *self.twin(first)] if joins else [], 0
        for place in chunk.findings:
            own = chunk.units[start:place]
            if joins and self.opposed(own):  # small right and moderate left effusions
                fresh.append(self.draft(chunk.units[place], self.carry))
                self.carry = []
            fresh.append(self.draft(chunk.units[place], self.carry + own))
            self.carry = []
            start = place + 1
        self.group = shared + fresh
        fresh[0].join = " ".join(u.form for u in joins)
        if (
            shared and fresh[0].join == "or" and self.scope.deny is None
        ):  # atelectasis or scarring: one of them
            for either in (shared[-1], fresh[0]):
                either.hedge = either.hedge or "possible"
        after = chunk.units[start:]
        self.hang.modify(after, self.group if any(u.tag == "A" for u in after) else fresh)
        if shared:
            if len(joins) == 1 and joins[0].form != ",":
                self.hang.share(shared[-1], fresh[0], joins[0].form)
            self.hang.share_removal(shared[-1], fresh[0])

    def explains(self, chunk: Chunk, after: Chunk | None) -> bool:
        """`Opacity is unchanged, likely atelectasis`, `opacity, A versus B`; a blank stands for such a word, too."""
        if [u.form for u in chunk.before] != [","] or not self.sources:
            return False
        first, open_question = chunk.units[0], self.sources[-1].concept in UNEXPLAINED
        choice = after is not None and any(u.form in ("versus", "vs") for u in after.before)
        return first.form == "likely" or (open_question and (first.tag in "Bh" or choice))

    def use_bare_structures(self, joins: list[Unit]) -> None:
        """`Lungs are free of disease`: a structure of which nothing is said is where the finding is."""
        if self.group and not joins and all(d.is_structure and not d.held for d in self.group):
            for draft in self.group:
                draft.used = True
            self.topic = [d.unit for d in self.group]
            self.group = []

    def opposed(self, units: list[Unit]) -> bool:
        """Does the carried phrase describe the other side, in words of its own?"""
        here, there = sides(units), sides(self.carry)
        return (
            len(here) == len(there) == 1
            and here != there
            and any(u.tag in "AM" for u in [*units, *self.carry])
        )

    def take_structure(self, chunk: Chunk, head: int, at: int, prep: Unit | None, joins: list[Unit]) -> None:
        unit = chunk.units[head]
        if prep is not None and names_study(chunk, prep):
            return  # decreased from the prior chest radiograph
        if prep is not None and prep.form == "of" and not self.group and self.follows_blank(at):
            return  # visualized ____ of the chest are normal
        if self.group and not joins and opens_place(chunk.units[:head]):
            self.hang.modify(chunk.units, self.group)  # the tube is coiled in the stomach
        elif prep is not None and self.group:
            self.hang.place(chunk.units, prep, self.reached())
        elif prep is not None and prep.form != "of" and not any(u.tag == "A" for u in self.carry):
            self.topic = [u for u in chunk.units if u.tag in "LS"]
        elif unit.tag == "L" and self.group and not chunk.has("A") and self.only_a_place(at, joins):
            self.hang.place(chunk.units, None, self.group)
        else:
            shared = self.group if joins else []
            twin = self.twin(unit) if joins else []
            draft = self.draft(unit, self.carry + chunk.units[:head])
            self.carry = []
            self.group = [*shared, *twin, draft]
            self.hang.modify(chunk.units[head + 1 :], self.group)
            if shared and not draft.speaks:  # stable, normal heart size and mediastinum
                draft.held += [
                    h for h in shared[0].held if h.relation != "location" and h.start < shared[0].start
                ]

    def only_a_place(self, at: int, joins: list[Unit]) -> bool:
        """Is a place after a finding where it is, rather than the next subject?"""
        rest = self.chunks[at + 1 :]
        more = any(u.tag == "V" for c in rest for u in c.before) or any(c.has("A") for c in rest)
        if not (self.predicate or not joins or not more):
            return False
        return not joins or not all(d.is_structure for d in self.group)

    def take_modifiers(self, chunk: Chunk, at: int, prep: Unit | None, joins: list[Unit]) -> None:
        if joins and chunk.has("B") and not chunk.has("A"):  # heart, pulmonary ____ and mediastinum
            return
        if chunk.units[0].form == "both" and chunk.units[0].tag == "D":
            self.group = self.drafts[-2:]
        if self.left and not self.group and at + 1 >= len(self.chunks) - 1:
            self.group = self.left
        if joins and len(self.group) == 1 and chunk.has("A") and two_sided(self.group[0]):
            self.group = [self.again(self.group[0])]
        leads = any(u.tag == "N" for u in chunk.before) and self.noun_follows(at)
        if self.group and not leads and (self.predicate or not joins or self.trails(chunk, at)):
            if prep is not None and chunk.has("L"):
                self.hang.place(chunk.units, prep, self.group)
            else:
                self.hang.modify(chunk.units, self.group)
        elif self.group and prep is not None:
            self.hang.place(chunk.units, prep, self.group)
        else:
            self.carry += [u for u in chunk.units if u.tag in "ALMWSh"]

    def extends_place(self, chunk: Chunk, at: int) -> bool:
        """`of the lateral and posterior left costophrenic sulcus`: one place in two parts."""
        held, joins = self.hang.last_place, chunk.joins
        self.hang.last_place = []
        plain = not chunk.findings and not chunk.has("A") and (chunk.has("L") or chunk.has("S"))
        of = len(chunk.before) == 1 and chunk.before[0].form == "of"
        joined = bool(joins) and len(chunk.before) == len(joins)
        if not held or not plain or not (of or joined) or self.subject(at):
            return False
        self.hang.last_place = held
        self.hang.extend([u for u in chunk.units if u.tag in "LS"], apart=not of)
        return True

    def follows_blank(self, at: int) -> bool:
        before = self.chunks[at - 1].units if at else []
        return bool(before) and before[-1].tag == "B"

    def after(self, at: int) -> Chunk | None:
        return self.chunks[at + 1] if at + 1 < len(self.chunks) else None

    def subject(self, at: int) -> bool:
        """Do a verb and a describing word follow chunk `at`?"""
        after = self.after(at)
        return after is not None and bool(after.before) and after.before[0].tag == "V" and after.has("A")

    def noun_follows(self, at: int) -> bool:
        """`without focal areas of consolidation`: the noun comes after a preposition."""
        after = self.after(at)
        return (
            after is not None and bool(after.findings) and any(u.form in ("of", "in") for u in after.before)
        )

    def trails(self, chunk: Chunk, at: int) -> bool:
        """`effusion, increased from prior`: describing words after the noun; not `stable, normal heart`."""
        after = self.after(at)
        if after is None or not after.named:
            return True
        if chunk.units[-1].tag == "L" and after.joins:  # heart normal, stable mediastinal and hilar contours
            return False
        tables = {r.table for u in chunk.units for r in u.rows if isinstance(r, Row)}
        into = any(u.form in ("in", "of") for u in after.before)
        ends = any(u.tag in "CXTR" or u.form in ("from", "since", "to", "than") for u in after.before)
        change = bool(tables & CHANGES) and not into and ends
        return "comparison" in tables or change

    def reached(self) -> list[Draft]:
        """The findings a place after them belongs to: all before a verb, else the last and what is joined to it."""
        if self.predicate or self.group[-1].is_structure:
            return self.group
        found = [self.group[-1]]
        for before in reversed(self.group[:-1]):
            if (
                found[0].own
                or found[0].join not in ("and", "or", "and / or", "versus", "vs")
                or before.has("location")
            ):
                break
            found.insert(0, before)
        return found

    # ---- drafts
    def draft(self, unit: Unit, before: list[Unit]) -> Draft:
        """A finding headed by `unit`, with the words before it and every open scope."""
        concept, kind, rule = concept_of(unit, self.lexicon)
        start, site = unit.start, None
        if kind == "structure" and unit.tag == "L":
            start, concept, rule = self.without_side(unit, concept, rule)
            if start > unit.start:
                side = Unit("L", unit.form, unit.first, unit.first + 1, unit.start, start - 1, unit.rows)
                before = [*before, side]
        absorbed = absorbable(before) if kind == "generic" or unit.form == "pain" else None
        if absorbed is not None:
            start, before = absorbed.start, before[:-1]
            row = absorbed.row("locations")
            site = row.concept if row else None
        draft = Draft(unit, self.text[start : unit.end], start, unit.end, concept, kind, rule)
        draft.site = site
        self.admit(draft, before)
        for inner in (u for u in before if u.tag == "h"):
            draft.doubt(inner)
        if self.scope.link is not None and self.scope.link.tag == "B":
            draft.hedge = draft.hedge or "probable"
        return draft

    def admit(self, draft: Draft, before: list[Unit]) -> None:
        self.drafts.append(draft)
        self.domain.append(draft)
        self.hang.modify(before, [draft], pre=True)
        if self.topic and not draft.has("location") and not draft.is_structure:
            for held in self.hang.locate(self.topic, None, [draft]):
                if all(u.tag == "S" for u in self.topic):  # the lungs and pleural spaces show no …
                    held.runs = [[u] for u in self.topic]
        self.scope.touch(draft)
        if self.scope.link is not None and not self.scope.sources:
            self.unsourced.append((draft, self.scope.link))
        if draft.negated is None:
            self.accompany(draft)

    def accompany(self, draft: Draft) -> None:
        """`Hyperinflated lungs with flattened diaphragms`; a stable structure lends its `stable`, too."""
        draft.linked([d for d in self.companions if d.asserted])
        for other in self.companions:
            general = other.is_structure or other.kind in ("generic", "procedure")
            if general and other.held and all(h.relation in ("no_change", "location") for h in other.held):
                draft.linked([other])
                draft.held += [h for h in other.held if h.relation == "no_change"]

    def without_side(self, unit: Unit, concept: str | None, rule: str) -> tuple[int, str | None, str]:
        """`left hilum` as a subject is the hilum, on the left."""
        text = self.text[unit.start : unit.end]
        for cut in [i + 1 for i, c in enumerate(text) if c.isspace()]:
            rest = self.lexicon.named(phrase(text[cut:]))
            if rest is not None and self.lexicon.is_place(phrase(text[:cut])):
                return unit.start + cut, rest.concept, rest.id
        return unit.start, concept, rule

    def again(self, draft: Draft) -> Draft:
        """The same noun once more: `effusions, moderate on the right and small on the left`."""
        other = Draft(
            draft.unit, draft.entity, draft.start, draft.end, draft.concept, draft.kind, draft.trace[0].rule
        )
        other.held = [h for h in draft.held if h.start < draft.start]
        other.trace, other.negated, other.hedge = list(draft.trace), draft.negated, draft.hedge
        self.drafts.append(other)
        self.domain.append(other)
        return other

    def twin(self, unit: Unit) -> list[Draft]:
        """`cardiac and mediastinal contours` names two things with one noun: all but the last of them."""
        noun = self.text[unit.start : unit.end].split()[-1]
        concept, kind, rule = concept_of(unit, self.lexicon)
        if " " not in unit.form and kind not in ("generic", "symptom"):
            return []
        found: list[Draft] = []
        while self.carry and (place := self.carry[-1].row("locations")) is not None and place.role == "adj":
            last = self.carry[-1]
            entity = f"{self.text[last.start : last.end]} {noun}"
            row = self.lexicon.named(phrase(entity))
            if row is None and kind != "generic":
                break
            one = Draft(unit, entity, last.start, last.end, concept, kind, rule)
            if row is not None:
                one = Draft(
                    unit,
                    entity,
                    last.start,
                    last.end,
                    row.concept,
                    self.lexicon.concepts[row.concept].kind,
                    row.id,
                )
            one.site = place.concept if row is None else None  # no bony or soft tissue abnormality
            self.carry.pop()
            found.insert(0, one)
        for one in found:
            self.admit(one, self.carry)
        return found

    def named_by(self, shared: list[Draft], unit: Unit) -> list[Draft]:
        """`Chest and back pain`: a bare structure before the noun is the first of two."""
        last = shared[-1] if shared else None
        if last is None or not last.is_structure or last.held:
            return []
        entity = f"{last.entity} {self.text[unit.start : unit.end].split()[-1]}"
        row = self.lexicon.named(phrase(entity))
        if row is None or row.path[0] == "structure":
            return []
        last.used = True
        kind = self.lexicon.concepts[row.concept].kind
        draft = Draft(unit, entity, last.start, last.end, row.concept, kind, row.id)
        self.admit(draft, [])
        return [draft]

    def points(self, draft: Draft) -> bool:
        """`Findings consistent with emphysema`: a general word that only points at what is named after it."""
        if draft.kind != "generic" or draft.site is not None:
            return False
        if draft.has("onset", "morphology", "location"):
            return False
        named = any(d.start > draft.end and d.kind != "structure" for d in self.drafts)
        of = self.text[draft.end : draft.end + 4].strip().startswith("of")
        return draft.concept == "change" or (named and (bool(draft.associate) or of))


def name_open(chunk: Chunk) -> None:
    """Take the last unknown noun of a phrase as what it names, whatever it means."""
    last = chunk.units[-1]
    unknown = last.tag == "W" and last.form.isalpha() and len(last.form) > 3
    if (
        unknown
        and last.form not in EMPTY_NOUNS | NEVER_FINDINGS
        and not last.form.endswith(("ly", "ing", "ed"))
    ):
        last.tag = "E"
        chunk.look()


def name_blank_device(chunk: Chunk, after: Chunk | None) -> None:
    """`Left chest ____ with its tip in the SVC`: the blank is a line or tube."""
    blank = next((u for u in chunk.units if u.tag == "B"), None)
    near = [*chunk.units, *(after.units if after is not None else ())]
    if blank is not None and any("tip" in u.form.split() for u in near):
        blank.tag = "E"
        chunk.look()


def opens_place(units: list[Unit]) -> bool:
    """Do the words before a structure end with a preposition of their own: `coiled in`, `tip overlying`?"""
    described = [u for u in units if u.tag == "A"]
    return bool(described) and described[-1].form.split()[-1] in PREPOSITIONS


def names_study(chunk: Chunk, prep: Unit) -> bool:
    """Is the phrase another study, which is compared with and is no place?"""
    last = chunk.units[-1].form.split()[-1]
    return prep.form in ("from", "to", "since", "with", "than", "on") and last in EXAMS


def two_sided(draft: Draft) -> bool:
    """Has the finding, after its noun, both a degree and one side?"""
    after = [h for h in draft.held if h.start > draft.end]
    placed = {place_side(run) for h in after for run in h.runs}
    return any(h.relation == "severity" for h in after) and placed in ({"left"}, {"right"})


def tells_tip(chunk: Chunk) -> bool:
    """`with its tip in …`: the phrase goes on about the device."""
    return bool({"tip", "tips", "its", "side"} & {w for u in chunk.units for w in u.form.split()})


def absorbable(before: list[Unit]) -> Unit | None:
    """The anatomical word that makes one entity with a general noun: cardiopulmonary disease, bony abnormality."""
    last = before[-1] if before else None
    if last is None or last.tag not in "LS":
        return None
    row = last.row("locations")
    return last if row is None or row.role in ("adj", "noun") else None
