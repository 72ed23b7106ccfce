"""Drafts of findings: made from a noun and the words before it, doubled where one noun names two things."""

import re

from overread.lexicon.lexicon import Lexicon
from overread.lexicon.load import Row
from overread.lexicon.words import phrase
from overread.reader.drafts import CHANGES, STANDS_FOR, Draft, concept_of
from overread.reader.grammar import NO_NAMES
from overread.reader.modifiers import Modifiers
from overread.reader.phrases import may_name
from overread.reader.places import place_noun, place_side
from overread.reader.reading import Evidence
from overread.reader.roles import ANATOMY, Role
from overread.reader.scope import Scope
from overread.reader.units import Unit
from overread.report.span import Span

ABSORBING = frozenset({"pain", "cancer", "carcinoma", "ca"})
"""Nouns that make one entity with the organ before them, as general nouns do."""

REFERRING = frozenset({"these", "this", "those", "such"})
CAUTIOUS = frozenset({"definite", "obvious", "convincing", "definitive"})
"""Inside a denied list these make the denial unsure: `or obvious nondisplaced fractures`."""

BODY = ("body",)
DESCRIBING_NOUN = frozenset({Role.PLACE, Role.STRUCTURE, Role.ATTRIBUTE})
"""Words right before a noun that belong to it."""


SAYING = frozenset(
    {"is", "are", "was", "were", "of", "no", "shows", "show", "has", "have", "with", "without"}
)
"""Words across which a place and a noun make no name together."""

NAMED_BY_NOUNS = frozenset({"finding", "diagnosis", "open"})
DESCRIBES = re.compile(
    r".*(?:al|ic|ous|ar|ary|ory|ive|ed|ing|ly|oid|able|ible|less|like|ant|ent|ian|ile|ine|ate|ute|er|est|ish|ful|some|ense|"
    r"ward|wise)"
)
"""How words end that describe rather than name."""


def is_noun_word(unit: Unit) -> bool:
    form = unit.form
    if unit.role is not Role.WORD or not may_name(form.replace("-", "")) or form in NO_NAMES:
        return False
    return DESCRIBES.fullmatch(form) is None


class Drafting:
    """Makes drafts under the open scopes, and keeps those made so far."""

    def __init__(self, text: str, lexicon: Lexicon, scope: Scope, modifiers: Modifiers) -> None:
        self.text = text
        self.lexicon = lexicon
        self.scope = scope
        self.modifiers = modifiers
        self.drafts: list[Draft] = []
        self.domain: list[Draft] = []
        """Findings since the last end of scope: what a link can point back to."""
        self.companions: list[Draft] = []
        """Findings that a `with` goes on from."""
        self.topic: list[Unit] = []
        """A place named in front: `Right shoulder: …`, `In the left lung there is …`."""
        self.heading: list[Unit] = []
        """A place named before a colon, to which the sentence comes back."""
        self.unsourced: list[tuple[Draft, Unit | None]] = []
        """Findings whose support is in the sentence before."""

    @property
    def sources(self) -> list[Draft]:
        """What a link met now would point back to: what is asserted, or denied while the denial is still open."""
        known = [d for d in self.domain if (not d.is_structure or d.held) and not self.refers_back(d)]
        denied = [d for d in known if d.negated is not None] if self.scope.deny is not None else []
        told = [d for d in known if d.negated is None]
        return denied or [d for d in told if not d.untelling] or told

    def refers_back(self, draft: Draft) -> bool:
        """`These findings are concerning for …`: the word stands for what was named before this sentence."""
        if draft.kind != "generic" or draft.held:
            return False
        before = self.text[max(0, draft.start - 8) : draft.start].split()[-1:]
        first = draft.unit.first == 0 and draft.concept == "generic-finding"
        return first or (bool(before) and before[0].lower() in REFERRING)

    def draft(self, unit: Unit, before: list[Unit]) -> Draft:
        """A finding headed by `unit`, with the words before it and every open scope."""
        concept, kind, rule = concept_of(unit, self.lexicon)
        start, site = unit.start, None
        if kind == "diagnosis" or self.scope.link is not None:
            before = [u for u in before if u.form != "underlying"]  # suggests underlying emphysema: no place
        if kind == "structure" and unit.role is Role.PLACE:
            start, concept, rule = self.without_side(unit, concept, rule)
            if start > unit.start:
                side = Unit(
                    Role.PLACE,
                    unit.form,
                    unit.first,
                    unit.first + 1,
                    unit.start,
                    start - 1,
                    unit.rows,
                    unit.tables,
                )
                before = [*before, side]
        whole = (
            kind == "generic" or unit.form in ABSORBING or (kind == "open" and self.scope.link is not None)
        )
        absorbed = absorbable(before) if whole else None  # may be muscle spasm
        if absorbed is not None and self.speaks_between(absorbed, unit):
            absorbed = None  # the main stem is free of disease
        if absorbed is not None:
            start, before = absorbed.start, before[:-1]
            row = absorbed.row("locations")
            site = row.concept if row else None
        elif kind in NAMED_BY_NOUNS and before and before[-1].role is Role.WORD:
            before, start = self.with_noun_before(before, start)
        draft = Draft(unit, unit.name or self.text[start : unit.end], start, unit.end, concept, kind, rule)
        if start < unit.start and site is None:
            draft.trace[0] = Evidence(Span(unit.start, unit.end), rule)  # the row knows the noun alone
        if unit.name:
            draft.trace.append(Evidence(Span(unit.start, unit.end), STANDS_FOR, unit.name))
        draft.site = site
        self.admit(draft, before)
        self.doubt(draft, before)
        return draft

    def speaks_between(self, first: Unit, second: Unit) -> bool:
        """Do words of a sentence stand between the two, so that they make no name together?"""
        return not SAYING.isdisjoint(self.text[first.end : second.start].lower().split())

    def doubt(self, draft: Draft, before: list[Unit]) -> None:
        """How sure the words before it and the words that led to it are."""
        for word in before:
            if word.role is Role.INNER_HEDGE:
                draft.doubt(word)
        if draft.negated is not None and any(u.form in CAUTIOUS for u in before):
            draft.negated = "absent-likely"
        if self.scope.link is not None and self.scope.link.role is Role.BLANK:
            draft.hedge = draft.hedge or "probable"

    def with_noun_before(self, before: list[Unit], start: int) -> tuple[list[Unit], int]:
        """`Retention cyst`, `Murphy sign`: a noun nobody knows right before the finding is part of its name."""
        kept = list(before)
        while kept and is_noun_word(kept[-1]) and self.text[kept[-1].end : start] in (" ", "-"):
            start = kept.pop().start
        return kept, start

    def admit(self, draft: Draft, before: list[Unit]) -> None:
        self.drafts.append(draft)
        self.domain.append(draft)
        if before:
            self.modifiers.attach_modifiers(before, [draft], pre=True)
        if self.topic and self.lies_there(draft) and not self.outside(draft):
            for held in self.modifiers.attach_place(self.topic, None, [draft]):
                if all(
                    u.role is Role.STRUCTURE for u in self.topic
                ):  # the lungs and pleural spaces show no …
                    held.runs = [[u] for u in self.topic]
        self.scope.apply_to(draft)
        if self.scope.link is not None and not self.scope.sources:
            self.unsourced.append((draft, self.scope.link))
        if draft.negated is None and self.companions:
            self.link_companions(draft)

    def end_topic(self) -> None:
        """What follows is said of no place named in front but one before a colon, if no other was spoken of since."""
        self.topic = [] if any(d.is_structure and not d.used for d in self.drafts) else self.heading

    def lies_there(self, draft: Draft) -> bool:
        """Has the finding no place of its own, or one on no side: `the left lung shows subpleural nodules`?"""
        if draft.is_structure:
            return only_sides(self.topic) and not draft.sides
        if not at_place(draft):
            return True
        rows = [h.row for h in draft.held if h.relation == "location"]
        where = place_noun(self.topic)
        if place_side(self.topic) == "-" or place_side(draft.place_words) != "-":
            return False
        if where is None or where.role == "dir":  # left: basal opacity
            return True
        return all(r is not None and r.path[:1] in (where.path[:1], BODY) for r in rows)

    def outside(self, draft: Draft) -> bool:
        """`Lungs are without consolidation or effusion`: what is of the pleura is not in the lung."""
        concept = self.lexicon.concepts.get(draft.concept or "")
        of_pleura = concept is not None and concept.site == "pleura"
        return of_pleura and all((r := u.row("findings")) and r.concept == "lungs" for u in self.topic)

    def link_companions(self, draft: Draft) -> None:
        """`Hyperinflated lungs with flattened diaphragms`; a stable structure lends its `stable`, too."""
        draft.linked([d for d in self.companions if d.asserted])
        for other in self.companions:
            general = other.is_structure or other.kind in ("generic", "procedure")
            if general and other.held and all(h.relation in ("no_change", "location") for h in other.held):
                draft.linked([other])
                draft.held += [h for h in other.held if h.relation == "no_change" and not draft.has(*CHANGES)]

    def without_side(self, unit: Unit, concept: str | None, rule: str) -> tuple[int, str | None, str]:
        """`left hilum` as a subject is the hilum, on the left."""
        text = self.text[unit.start : unit.end]
        for cut in [i + 1 for i, c in enumerate(text) if c.isspace()]:
            rest = self.lexicon.named(phrase(text[cut:]))
            if rest is not None and self.lexicon.is_place(phrase(text[:cut])):
                return unit.start + cut, rest.concept, rest.id
        return unit.start, concept, rule

    def repeat(self, draft: Draft) -> Draft:
        """The same noun once more: `effusions, moderate on the right and small on the left`."""
        other = draft.once_more()
        other.held = [h for h in draft.held if h.start < draft.start]
        other.trace, other.negated, other.hedge = list(draft.trace), draft.negated, draft.hedge
        self.drafts.append(other)
        self.domain.append(other)
        return other

    def draft_twins(self, unit: Unit, carry: list[Unit]) -> list[Draft]:
        """`cardiac and mediastinal contours` names two things with one noun: all but the last of them."""
        noun = self.text[unit.start : unit.end].split()[-1]
        concept, kind, rule = concept_of(unit, self.lexicon)
        if " " not in unit.form and kind not in ("generic", "symptom"):
            return []
        found: list[Draft] = []
        while carry and carry[-1].role in DESCRIBING_NOUN:
            last, place = carry[-1], carry[-1].row("locations")
            entity = f"{self.text[last.start : last.end]} {noun}"
            row = self.lexicon.named(phrase(entity))
            if row is None and not (kind == "generic" and place is not None and place.role == "adj"):
                break
            one = Draft(unit, entity, last.start, last.end, concept, kind, rule)
            if row is not None:  # emphysematous and fibrotic changes
                named = self.lexicon.concepts[row.concept]
                one = Draft(unit, entity, last.start, last.end, named.name, named.kind, row.id)
            one.site = place.concept if row is None and place else None  # no bony or soft tissue abnormality
            carry.pop()
            found.insert(0, one)
        for one in found:
            self.admit(one, carry)
        return found

    def draft_from_structure(self, shared: list[Draft], unit: Unit) -> list[Draft]:
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

    def name_pleura(self, first: Draft, second: Draft) -> None:
        """`Pleural effusions and/or thickening`: the thickening is of the pleura, too."""
        concept = self.lexicon.concepts.get(first.concept or "")
        if second.concept == "thickening" and concept is not None and concept.site == "pleura":
            second.concept = "pleural-thickening"

    def merge_change_of(self, before: list[Draft], draft: Draft) -> None:
        """`Chronic changes of emphysema` is one finding: the general noun lends it its words."""
        last = before[-1] if before else None
        if last is None or last.concept != "change" or draft.kind not in ("finding", "diagnosis"):
            return
        if not draft.own:
            draft.start = last.start
            draft.entity = self.text[last.start : draft.end]
        self.lend_change(last, draft)

    def lend_change(self, change: Draft, draft: Draft) -> None:
        """`Widespread changes from emphysema`: the general noun is used up, and its words are the disease's."""
        change.used = True
        for held in change.held:
            draft.add(held)

    def only_points(self, draft: Draft) -> bool:
        """`Findings consistent with emphysema`: a general word that only points at what is named after it."""
        if draft.kind != "generic" or draft.site is not None:
            return False
        if draft.has("onset", "morphology", "location"):
            return False
        if self.refers_back(draft):
            return True
        named = any(d.start > draft.end and d.kind != "structure" for d in self.drafts)
        of = self.text[draft.end : draft.end + 4].strip().startswith("of")
        return draft.concept == "change" or (named and (bool(draft.associate) or of))


def at_place(draft: Draft) -> bool:
    """Is a part of the body named where it is, and not only a direction: `the spine shows anterior spurs`?"""
    placed = [h for h in draft.held if h.relation == "location"]
    return any(h.row is None or not is_any_organs(h.row) or len(h.runs) > 1 for h in placed)


def only_sides(units: list[Unit]) -> bool:
    """`Right: kidney normal`."""
    rows = [u.row("locations") for u in units]
    return all(row is not None and row.role == "dir" and row.side != "-" for row in rows)


def is_any_organs(row: Row) -> bool:
    """A direction, or a part that any organ may have: `luminal`, `mural`."""
    return row.role == "dir" or (row.role == "adj" and row.path == BODY)


def absorbable(before: list[Unit]) -> Unit | None:
    """The anatomical word that makes one entity with a general noun: cardiopulmonary disease, bony abnormality."""
    last = before[-1] if before else None
    if last is None or last.role not in ANATOMY:
        return None
    row = last.row("locations")
    return last if row is None or row.role in ("adj", "noun") else None
