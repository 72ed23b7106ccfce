"""One sentence, walked once from left to right: its findings as drafts."""

from overread.lexicon.lexicon import Lexicon
from overread.lexicon.load import Row
from overread.reader.connectives import Connectives
from overread.reader.drafts import CHANGES, NORMAL, Draft, Held
from overread.reader.lookahead import (
    compared_with,
    following,
    follows_blank,
    lists_before_noun,
    names_device,
    normal_of,
    noun_follows,
    predicate_follows,
    shares_noun,
    tells_on,
    trails,
)
from overread.reader.modifiers import PARENCHYMAL
from overread.reader.noun_phrases import Chunk
from overread.reader.open_sentence import OpenSentence
from overread.reader.phrases import (
    EXAMS,
    introduces,
    is_normal,
    name_blank_device,
    name_open,
    names_study,
    names_tip,
    names_view,
    opens_place,
    tells_history,
    two_sided,
)
from overread.reader.places import sides
from overread.reader.roles import ANATOMY, Role
from overread.reader.scope import still_denied
from overread.reader.units import Unit

UNEXPLAINED = PARENCHYMAL | {
    "cp-angle-blunting",
    "lucency",
    "pleural-opacity",
    "haze",
    "lung-markings",
    "fluid",
}
"""Findings that ask for an explanation, so that a blank and a noun after them give one."""

NOTHING = frozenset({"abnormality", "generic-finding"})
SHOWING = frozenset("show shows reveal reveals demonstrate demonstrates has have display displays".split())
SHADOWS = frozenset(
    {"opacity", "airspace-opacity", "interstitial-opacity", "ground-glass-opacity", "cp-angle-blunting",
     "pleural-opacity", "haze", "lung-markings"}
)  # fmt: skip
"""What is seen and named by how it looks."""

EXPLAINING = frozenset({Role.BLANK, Role.INNER_HEDGE})
"""After a comma, these begin an explanation of what was seen."""

DESCRIBING_SIDE = frozenset({Role.ATTRIBUTE, Role.MEASURE})
"""Words that one side may have of its own."""

SHARED_BEFORE_NOUN = frozenset({Role.ATTRIBUTE, Role.PLACE, Role.MEASURE, Role.DURATION, Role.INNER_HEDGE})
"""Words that a noun further on is said with: right middle lobe and lingular consolidation."""

LEADING = frozenset({Role.DENIAL, Role.PREPOSITION})
"""What stands before words that lead to a noun."""

CARRIED = frozenset({Role.ATTRIBUTE, Role.PLACE, Role.MEASURE, Role.WORD, Role.STRUCTURE, Role.INNER_HEDGE})
"""Words kept for the noun to come."""

PLACE_OR_ATTRIBUTE = frozenset({Role.PLACE, Role.STRUCTURE, Role.ATTRIBUTE})
"""Words by which a phrase goes on with a place, or does not."""


class Walk:
    """Takes the noun phrases of a sentence in turn."""

    def __init__(
        self, text: str, units: list[Unit], lexicon: Lexicon, compared: bool, open_words: bool = False
    ) -> None:
        self.now = OpenSentence(text, units, lexicon, compared, open_words)
        self.connectives = Connectives(self.now)

    def run(self) -> list[Draft]:
        for at, chunk in enumerate(self.now.chunks):
            prep = None
            for place, unit in enumerate(chunk.before):
                if unit.role is Role.JOIN and chunk.named and self.now.said_already(chunk):
                    self.now.begin_group()
                    self.now.scope.close()
                prep = self.connectives.apply(unit, chunk, place, prep, at)
            if not chunk.empty:
                self.read_phrase(chunk, at, prep)
        if self.now.pointing:  # this could be bone, but a lesion of the lung cannot be excluded
            known = [d for d, _ in self.now.drafting.unsourced]
            loose = [
                d
                for d in self.now.drafting.drafts
                if d.hedge and d.asserted and not d.evidence and d not in known
            ]
            self.now.drafting.unsourced += [(d, None) for d in loose if d.kind in ("finding", "diagnosis")]
        return [
            d
            for d in self.now.drafting.drafts
            if not d.used and (d.speaks or not d.is_structure) and not self.now.drafting.only_points(d)
        ]

    def read_phrase(self, chunk: Chunk, at: int, prep: Unit | None) -> None:
        joins = chunk.joins
        if self.now.scope.deny is not None and joins and self.denial_ends(chunk, at):
            opened = any(u.role is Role.DENIAL for u in chunk.before)
            if not opened:
                self.now.scope.close()
        if self.extends_place(chunk, at):
            return
        if not chunk.findings and (
            self.now.open_words or self.now.scope.deny is not None or introduces(chunk)
        ):
            name_open(chunk)
        if self.now.open_words:
            self.name_exam(chunk, at)
        if chunk.has(Role.BLANK) and not chunk.findings and not names_device(self.now.chunks):
            name_blank_device(chunk, self.now.chunks[at + 1 :])
        if self.shows_nothing(chunk):
            return
        if chunk.findings:
            self.read_findings(chunk, at, prep, joins)
        elif chunk.structure is not None or self.blanked_subject(chunk, at):
            self.read_structure(chunk, chunk.structure or 0, at, prep, joins)
        else:
            self.read_modifiers(chunk, at, prep, joins)

    def shows_nothing(self, chunk: Chunk) -> bool:
        """`The bony structures reveal no acute abnormality`: said of the structures, which are normal."""
        deny, before = self.now.scope.deny, chunk.before
        if (
            deny is None
            or len(before) != 2
            or before[0].form not in SHOWING
            or before[1].role is not Role.DENIAL
        ):
            return False
        last = chunk.units[-1]
        row, normal = last.row("findings"), self.now.lexicon.described("measurement", "without abnormality")
        if row is None or row.concept not in NOTHING or normal is None:
            return False
        bare = all(
            d.is_structure and all(h.relation in ("location", "assessment_limitations") for h in d.held)
            for d in self.now.group
        )
        if not self.now.group or not bare or chunk.has(Role.PLACE):
            return False
        for draft in self.now.group:
            draft.add(Held("measurement", normal, deny.start, last.end, last))
        self.now.scope.close()
        return True

    def read_findings(self, chunk: Chunk, at: int, prep: Unit | None, joins: list[Unit]) -> None:
        shared = self.now.group if joins else []
        self.use_bare_structures(joins)
        if not joins and prep is None:
            self.now.begin_group()
        if prep is not None and prep.form == "from" and self.names_cause(chunk):
            self.now.scope.link_to(prep, [d for d in self.now.group if d.asserted])
        if self.explains(chunk, following(self.now.chunks, at)):
            open_questions = [d for d in self.now.drafting.sources if d.concept in UNEXPLAINED]
            self.now.scope.link_to(chunk.units[0], open_questions or self.now.drafting.sources)
            shared = []
        fresh = self.draft_findings(chunk, at, shared, bool(joins))
        if prep is not None and prep.form == "of" and not joins:
            self.now.drafting.merge_change_of(self.now.group, fresh[0])
            self.now.heads = self.now.heads_of(self.now.group)
        self.now.group = shared + fresh
        if self.now.heads and prep is not None and prep.form == "of" and chunk.units[0].form == "the":
            self.now.group = self.now.heads  # enlargement of the cyst is not seen: the cyst is known
        fresh[0].join = " ".join(u.form for u in joins)
        if (
            shared and fresh[0].join == "or" and self.now.scope.deny is None
        ):  # atelectasis or scarring: one of them
            for either in (shared[-1], fresh[0]):
                either.hedge = either.hedge or "possible"
        self.attach_words_after(chunk.units[chunk.findings[-1] + 1 :], fresh)
        if (
            shared
            and not any(u.role is Role.DENIAL for u in chunk.before)
            and shared[-1].denied == fresh[0].denied
        ):
            self.share_between(shared[-1], fresh[0], joins)

    def draft_findings(self, chunk: Chunk, at: int, shared: list[Draft], joined: bool) -> list[Draft]:
        """A draft for every finding the phrase names; for two where one noun serves both."""
        first = chunk.units[chunk.findings[0]]
        fresh = (
            [
                *self.now.drafting.draft_from_structure(shared, first),
                *self.now.drafting.draft_twins(first, self.now.carried),
            ]
            if joined
            else []
        )
        start = 0
        for place in chunk.findings:
            own = chunk.units[start:place]
            if fresh and start and self.explains_inside(fresh[-1], own, at):
                self.now.scope.link_to(own[0] if own else chunk.units[place], [fresh[-1]])
            if joined and self.opposed(own):  # small right and moderate left effusions
                fresh.append(self.now.drafting.draft(chunk.units[place], self.now.carried))
                self.now.carried = []
            fresh.append(self.now.drafting.draft(chunk.units[place], self.now.carried + own))
            self.now.carried = []
            start = place + 1
        return fresh

    def attach_words_after(self, after: list[Unit], fresh: list[Draft]) -> None:
        """The words after the noun: said of all that is joined, a tip only of its own device."""
        of_all = any(u.role is Role.ATTRIBUTE for u in after) and not names_tip(after)
        self.now.modifiers.attach_modifiers(after, self.now.group if of_all else fresh)
        for hedge in (u for u in after if u.role is Role.INNER_HEDGE):  # small effusions suspected
            for draft in fresh:
                draft.doubt(hedge)

    def share_between(self, first: Draft, second: Draft, joins: list[Unit]) -> None:
        """What the second of two joined findings has from the first."""
        if len(joins) == 1 and joins[0].form != ",":
            self.now.modifiers.share_modifiers(first, second, joins[0].form)
            if joins[0].form != "and" and self.now.scope.deny is None:  # atelectasis versus scarring
                second.linked([first])
        self.now.drafting.name_pleura(first, second)
        self.now.modifiers.share_removal(first, second)
        self.now.modifiers.share_history(first, second)

    def names_cause(self, chunk: Chunk) -> bool:
        """`Scarring from cystic fibrosis`: a disease after `from` is what the findings come from."""
        row = chunk.units[chunk.findings[0]].row("findings")
        return row is not None and self.now.lexicon.concepts[row.concept].kind == "diagnosis"

    def explains(self, chunk: Chunk, after: Chunk | None) -> bool:
        """`Opacity is unchanged, likely atelectasis`, `opacity, A versus B`; a blank stands for such a word, too."""
        if [u.form for u in chunk.before] != [","] or not self.now.drafting.sources:
            return False
        first, open_question = chunk.units[0], self.now.drafting.sources[-1].concept in UNEXPLAINED
        choice = after is not None and any(u.form in ("versus", "vs") for u in after.before)
        return first.form == "likely" or (open_question and (first.role in EXPLAINING or choice))

    def explains_inside(self, seen: Draft, between: list[Unit], at: int) -> bool:
        """`Left base opacity ____ atelectasis`, `opacity atelectasis versus scar`: the second explains the first."""
        if seen.concept not in SHADOWS:
            return False
        after = following(self.now.chunks, at)
        choice = after is not None and any(u.form in ("versus", "vs") for u in after.before)
        return between[0].role is Role.BLANK if between else choice

    def use_bare_structures(self, joins: list[Unit]) -> None:
        """`Lungs are free of disease`: a structure of which nothing is said is where the finding is."""
        if self.now.group and not joins and all(d.is_structure and not d.speaks for d in self.now.group):
            for draft in self.now.group:
                draft.used = True
            self.now.drafting.topic = [d.unit for d in self.now.group]
            self.now.begin_group()

    def opposed(self, units: list[Unit]) -> bool:
        """Does the carried phrase describe the other side, in words of its own?"""
        here, there = sides(units), sides(self.now.carried)
        return (
            len(here) == len(there) == 1
            and here != there
            and any(u.role in DESCRIBING_SIDE for u in [*units, *self.now.carried])
        )

    def read_structure(self, chunk: Chunk, head: int, at: int, prep: Unit | None, joins: list[Unit]) -> None:
        unit = chunk.units[head]
        if prep is not None and (names_study(chunk, prep) or compared_with(self.now.chunks, at)):
            return  # decreased from the prior chest radiograph
        if (
            prep is not None
            and prep.form == "of"
            and not self.now.group
            and follows_blank(self.now.chunks, at)
        ):
            return  # visualized ____ of the chest are normal
        if unit.role is Role.PLACE and prep is None and shares_noun(following(self.now.chunks, at)):
            self.now.carried += [
                u for u in chunk.units if u.role in SHARED_BEFORE_NOUN
            ]  # right middle lobe and lingular consolidation
        elif self.now.group and tells_on(chunk) and opens_place(chunk.units[:head]):
            self.now.modifiers.attach_modifiers(
                chunk.units, self.now.group
            )  # the tube is coiled in the stomach
        elif prep is not None and self.now.group:
            self.now.modifiers.attach_place_phrase(chunk.units, prep, self.findings_reached())
        elif (
            prep is not None
            and prep.form != "of"
            and not any(u.role is Role.ATTRIBUTE for u in self.now.carried)
        ):
            self.now.drafting.topic = [u for u in chunk.units if u.role in ANATOMY]
        elif (
            unit.role is Role.PLACE
            and self.now.group
            and not chunk.has(Role.ATTRIBUTE)
            and self.only_a_place(at, joins)
        ):
            self.now.modifiers.attach_place_phrase(chunk.units, None, self.now.group)
        else:
            shared = self.now.group if joins else []
            twin = self.now.drafting.draft_twins(unit, self.now.carried) if joins else []
            draft = self.now.drafting.draft(unit, self.now.carried + chunk.units[:head])
            self.now.carried = []
            self.now.group = [*shared, *twin, draft]
            self.now.modifiers.attach_modifiers(chunk.units[head + 1 :], self.now.group)
            for one in (*twin, draft) if shared else ():
                if not one.speaks:  # stable, normal heart size and mediastinum
                    said = [h for h in shared[0].held if h.relation != "location"]
                    one.held += [h for h in said if h.start < shared[0].start]

    def only_a_place(self, at: int, joins: list[Unit]) -> bool:
        """Is a place after a finding where it is, rather than the next subject?"""
        rest = self.now.chunks[at + 1 :]
        more = any(u.role is Role.VERB for c in rest for u in c.before) or any(
            c.has(Role.ATTRIBUTE) for c in rest
        )
        if not (self.now.predicate or not joins or not more):
            return False
        return not joins or not all(d.is_structure for d in self.now.group)

    def read_modifiers(self, chunk: Chunk, at: int, prep: Unit | None, joins: list[Unit]) -> None:
        if (
            joins and chunk.has(Role.BLANK) and not chunk.has(Role.ATTRIBUTE)
        ):  # heart, pulmonary ____ and mediastinum
            return
        after = following(self.now.chunks, at)
        if chunk.units[-1].role is Role.BLANK and not self.now.group and after is not None and after.joins:
            self.now.carried += [u for u in chunk.units if u.row("past_hx")]  # history of ____ and asthma
            return  # chronic ____, wheeze
        if prep is not None and (compared_with(self.now.chunks, at) or names_view(chunk, prep)):
            return  # compared to the left; seen on the lateral
        if chunk.units[0].form == "both" and chunk.units[0].role is Role.DETERMINER:
            self.now.group = self.now.drafting.drafts[-2:]
        if self.now.before_but and not self.now.group and at + 1 >= len(self.now.chunks) - 1:
            self.now.group = self.now.before_but
        if joins and len(self.now.group) == 1 and chunk.has(Role.ATTRIBUTE) and two_sided(self.now.group[0]):
            self.now.group = [self.now.drafting.repeat(self.now.group[0])]
        leads = any(u.role in LEADING for u in chunk.before) and noun_follows(self.now.chunks, at)
        if (
            self.now.scope.deny is not None
            and chunk.has(Role.ATTRIBUTE)
            and lists_before_noun(self.now.chunks, at)
        ):
            self.use_bare_structures(joins)
            self.now.predicate, leads = False, True
        if normal_of(self.now.chunks, at):  # leads show normal size of the cardiac silhouette
            self.now.begin_group()
        if self.now.group and not leads and (self.now.predicate or not joins or trails(self.now.chunks, at)):
            self.deny_normal(chunk, at)
            if prep is not None and chunk.has(Role.PLACE):
                self.now.modifiers.attach_place_phrase(chunk.units, prep, self.now.group)
            else:
                change = any(isinstance(r, Row) and r.table in CHANGES for u in chunk.units for r in u.rows)
                told = [d for d in self.now.drafting.companions if d.asserted] if change else []
                if change and [u.form for u in joins] == [","]:  # opacity, likely atelectasis, unchanged
                    told += [s for s in self.now.group[0].evidence if s in self.now.drafting.drafts]
                self.now.modifiers.attach_modifiers(
                    chunk.units, told + self.now.group
                )  # opacity with atelectasis, unchanged
        elif self.now.group and prep is not None and not leads:
            self.now.modifiers.attach_place_phrase(chunk.units, prep, self.now.group)
        else:
            self.now.carried += [u for u in chunk.units if u.role in CARRIED]

    def name_exam(self, chunk: Chunk, at: int) -> None:
        """`Normal exam.`, `The study is unremarkable.`: the whole picture, where nothing else is named."""
        last, after = chunk.units[-1], following(self.now.chunks, at)
        said = [*chunk.units, *(after.units if after is not None else ())]
        row = self.now.lexicon.named("chest radiograph")
        if (
            last.role is Role.WORD
            and last.form in EXAMS
            and row is not None
            and any(is_normal(u) for u in said)
        ):
            last.role, last.rows, last.tables = Role.STRUCTURE, (row,), {"findings": row}
            chunk.look()

    def deny_normal(self, chunk: Chunk, at: int) -> None:
        """`Vascular engorgement is within normal limits`: a finding said to be normal is not there."""
        (last,) = self.now.group[-1:]
        subject = (
            self.now.predicate
            and at > 0
            and last.unit in self.now.chunks[at - 1].units
            and not last.is_structure
        )
        if subject and any(
            (r := u.row("measurement")) is not None and r.concept in NORMAL for u in chunk.units
        ):
            last.negated = "absent"

    def extends_place(self, chunk: Chunk, at: int) -> bool:
        """`of the lateral and posterior left costophrenic sulcus`: one place in two parts."""
        held, joins = self.now.modifiers.last_place, chunk.joins
        self.now.modifiers.last_place = []
        if not held or chunk.findings:
            return False
        told = [u.role for u in chunk.units if u.role in PLACE_OR_ATTRIBUTE]
        positions = all(
            h.relation == "placement" for h in held
        )  # leads in the atrium and ventricle, unchanged
        plain = bool(told) and told[0] in ANATOMY and (Role.ATTRIBUTE not in told or positions)
        of = len(chunk.before) == 1 and chunk.before[0].form == "of"
        joined = bool(joins) and len(chunk.before) == len(joins)
        if not plain or not (of or joined) or predicate_follows(self.now.chunks, at):
            return False
        self.now.modifiers.last_place = held
        self.now.modifiers.extend_place([u for u in chunk.units if u.role in ANATOMY], apart=not of)
        self.now.modifiers.attach_modifiers(
            [u for u in chunk.units if u.role is Role.ATTRIBUTE], self.now.group
        )
        return True

    def denial_ends(self, chunk: Chunk, at: int) -> bool:
        return not still_denied(self.now.chunks, at) or self.denied_blank(at) or tells_history(chunk)

    def denied_blank(self, at: int) -> bool:
        """`No known ____, asthma`: what was denied is lost."""
        before = self.now.chunks[at - 1] if at else None
        lost = (
            before is not None
            and bool(before.units)
            and before.units[-1].role is Role.BLANK
            and not before.named
        )
        return (
            lost
            and self.now.scope.deny is not None
            and self.now.scope.deny.form in ("no", "no known", "denies")
        )

    def blanked_subject(self, chunk: Chunk, at: int) -> bool:
        """`Pulmonary ____ are engorged`: the adjective is all that is left of the subject."""
        told = [u.role for u in chunk.units if u.role is not Role.DETERMINER]
        alone = told == [Role.PLACE, Role.BLANK] and (not chunk.joins or self.now.predicate)
        if alone and predicate_follows(self.now.chunks, at):
            chunk.structure = next(i for i, u in enumerate(chunk.units) if u.role is Role.PLACE)
            if chunk.joins:  # the heart is large, and the pulmonary ____ are engorged
                self.now.begin_group()
        return chunk.structure is not None

    def findings_reached(self) -> list[Draft]:
        """The findings a place after them belongs to: all before a verb, else the last and what is joined to it."""
        if self.now.predicate or self.now.group[-1].is_structure:
            return self.now.group
        found = [self.now.group[-1]]
        for before in reversed(self.now.group[:-1]):
            if (
                found[0].own
                or found[0].join not in ("and", "or", "and / or", "versus", "vs")
                or before.has("location")
            ):
                break
            found.insert(0, before)
        return found
