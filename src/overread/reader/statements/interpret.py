"""Clauses → statements: one finding of one place each."""

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct, field, structs

from overread.reader.statements.chunks import Chunk, asserts
from overread.reader.statements.classes import HEADS, THINGS, adjectival
from overread.reader.statements.clauses import Clause
from overread.reader.statements.coordination import alternatives, of, side_term, sided
from overread.reader.statements.groups import ANYTHING, Group, lacking, names_largest
from overread.reader.statements.terms import Term, Terms

VISIBLE = Term("quality", ("visible",), (), "-", "-", "visualized", -1, -1)
UNSEEN = Term("quality", ("visible-",), (), "-", "-", "not visualized", -1, -1)
OF_THE_ORGAN = frozenset({"size", "thick", "patency", "position"})
"""Aspects that change in the organ; margins, density, signal and the like are said of a lesion."""

NODE = "lymph-node"
"""Lymph nodes are a finding by being seen; other organs are not."""

LEVEL = re.compile(r"[ctls]\d+-[ctls]\d+")
OF_A_DISC = frozenset({"disc", "disc-space", "thecal-sac", "spinal-canal", "nerve-root", "lateral-recess"})
"""What every level of the spine has."""

Forms = Sequence[Terms]
"""Ways to read a phrase, each a run of terms."""


class Statement(Struct, frozen=True, eq=False, gc=False):
    """One finding of one place; equal to itself alone, so that its meaning is kept without a look at its terms."""

    terms: Terms
    denied: bool
    hedged: bool = False
    of_it: bool = False
    """Said of a finding named before, which is there whether or not this is denied."""


class Frame(Struct, frozen=True, gc=False):
    """What a clause leaves behind for the next."""

    subject: Forms = ()
    said: Forms = ()
    """What was said last."""

    denied: bool = False
    """The last finding was denied, and with it what is said of it: `no lesions that enhance`."""

    described: bool = False
    """What was said last is described as well; only what is named goes on."""

    def kept(self) -> "Frame":
        """The same in tuples, for a memory that is not to be searched for garbage."""
        return Frame(tuple(self.subject), tuple(self.said), self.denied, self.described)

    @property
    def last(self) -> Forms:
        """What goes on of what was said last: asked for by few sentences."""
        return [heads(f) for f in self.said] if self.described else self.said


NOTHING = Frame()
"""What stands before the first clause."""

Read = tuple[list[Statement], Frame]


class Finding(Struct, gc=False):
    """A finding group with the places and details that follow it."""

    group: Group
    places: list[Group] = field(default_factory=list)

    def forms(self, shared: Forms) -> Forms:
        chunks = self.group.chunks
        if not self.places:
            return [s + c.terms for s in shared for c in chunks]
        own = alternatives(self.places)
        if len(chunks) == 1:
            return [s + chunks[0].terms + p for s in shared for p in own]
        return [s + c.terms + self.reached(c, p) for s in shared for c in chunks for p in own]

    def reached(self, chunk: Chunk, named: Terms) -> Terms:
        """The place behind them, where it is the chunk\'s: not `a right effusion and a nodule in the left lung`."""
        last = self.group.chunks[-1]
        if chunk is last:
            return named
        if names_largest(last) or (has_article(last) and names_again(chunk, last)):
            return ()
        mine, theirs = sided(chunk.terms), sided(named)
        opposite = mine and theirs and mine.isdisjoint(theirs)
        return () if opposite or (has_article(last) and elsewhere(chunk.terms, named)) else named


ARTICLES = frozenset({"a", "an"})


def has_article(chunk: Chunk) -> bool:
    """`… and a compression deformity of T8`: what follows is said of this one."""
    return not ARTICLES.isdisjoint([t.form for t in chunk.before])


def names_again(chunk: Chunk, last: Chunk) -> bool:
    """`Two polyps, a flat one in the rectum`: the place is that of the second."""
    return any(t.role in HEADS and t.sense == u.sense for t in chunk.terms for u in last.terms)


def elsewhere(terms: Terms, named: Terms) -> bool:
    """Do both name a place, and neither a part of the other's?"""
    one, two = ([t.site for t in some if t.place] for some in (terms, named))
    return bool(one and two) and not any(a[: len(b)] == b or b[: len(a)] == a for a in one for b in two)


def interpret(clause: Clause, before: Frame) -> Read:
    """The statements of one clause, and what it leaves for the next."""
    exists = clause.verb in ("-", "seen")
    lead, subjects = gather(clause.pre, bare=exists)
    shared = context(clause, before, lead, bool(subjects))
    if exists:
        return existence(clause, lead, subjects, shared)
    if not subjects:
        if clause.verb == "have":
            shared = [s if any(t.role in HEADS for t in s) else unmeasured(s) for s in shared]
        return predication(clause, shared, None, any(g.denied for g in lead))
    main = subjects[0]
    made = [s for extra in subjects[1:] for s in added(extra, main, shared, main.group.denied)]
    more, frame = predication(clause, main.forms(shared), main, main.group.denied)
    return made + more, frame


def unmeasured(terms: Terms) -> Terms:
    """`The duct measures 9 mm and contains a stone`: not one of 9 mm."""
    return tuple([t for t in terms if t.role != "measure"])


def context(clause: Clause, before: Frame, lead: list[Group], subjects: bool) -> Forms:
    """Places in front of the finding, or what stands for a missing subject."""
    shared = alternatives(lead)
    if clause.pre:
        return after_frame(clause, before, lead, shared, subjects) if before.said else shared
    if clause.inherit == "last" and before.said:
        return before.last
    if clause.inherit or clause.verb == "have":
        return before.subject or [()]
    return shared


def after_frame(clause: Clause, before: Frame, lead: list[Group], shared: Forms, subjects: bool) -> Forms:
    """The same where something was named in the clause before."""
    goes_on = clause.inherit == "last"
    if subjects:
        if (goes_on or unnamed(clause.pre)) and not any(t.site for s in shared for t in s):
            homes = [sited_of(b) for b in before.last]  # `lesions, within which areas are seen`
            return [h + s for h in homes for s in shared]
        return shared
    aspects = lead and all(g.kind == "X" for g in lead)
    if goes_on or (aspects and not any(t.site for s in shared for t in s)):
        # `on T2 it is bright`, `the margins are clear`; after `no foci` only the place goes on
        last = [sited_of(b) for b in before.last] if before.denied else before.last
        return [b + s for b in last for s in shared]
    return shared


def sited_of(terms: Terms) -> Terms:
    """The places and sides among them."""
    return tuple([t for t in terms if t.site])


def unnamed(found: list[Group]) -> bool:
    """Only an aspect with its value, of nothing named: `…, and neither sharp nor blurred margins are seen`.

    `No abnormal density lesions` names nothing either.
    """
    terms = [t for g in found for c in g.chunks for t in c.terms]
    named = any(t.site or (t.role in HEADS and t.sense != ANYTHING) for t in terms)
    return any(t.role == "aspect" for t in terms) and not named


def gather(found: list[Group], bare: bool = False, after: bool = False) -> tuple[list[Group], list[Finding]]:
    """Places before the first finding, then findings with what follows each."""
    lead: list[Group] = []
    findings: list[Finding] = []
    for group in found:
        if findings and group.link == "prep":
            placing(findings, group).places.append(group)
            continue
        kind = group.kind
        if kind == "F" or (kind != "S" and is_finding(kind, group.link, bool(findings), bare, after)):
            findings.append(Finding(group))
        elif findings:
            findings[-1].places.append(group)
        else:
            lead.append(group)
    return lead, findings


def placing(findings: list[Finding], place: Group) -> Finding:
    """The finding that a place after it belongs to: `nodules with clear margins in the left lung` are there."""
    last = findings[-1]
    if len(findings) > 1 and last.group.link == "with" and not of(place):
        return findings[-2] if all("aspect" in c.roles for c in last.group.chunks) else last
    return last


def is_finding(kind: str, link: str, later: bool, bare: bool, after: bool) -> bool:
    """Does a group that names no finding say something all the same? That depends on where it stands."""
    if kind in "XA" and link == "with" and (later or after):
        return True
    return (kind == "O" and (bare or after)) or (kind == "A" and not later and (bare or after))


# ---- something is there
def existence(clause: Clause, lead: list[Group], subjects: list[Finding], shared: Forms) -> Read:
    """`X is seen in Y`, `No X in Y`, `There is X with Z`."""
    if clause.verb == "-" and unheard(clause.pre):
        return [], NOTHING
    if len(subjects) == 1 and not clause.post:  # mostly
        return listed(subjects, shared, clause.denied)
    places, later = gather(clause.post, after=True)
    if subjects:
        bare = subjects[0].forms(shared)
        mains = subjects[:1] + [s for s in subjects[1:] if s.group.link != "with"]
        for subject in mains if places else ():
            subject.places = [*subject.places, *places]
        if later and later[0].group.link == "prep" and mains[-1].group.denied and not places:
            mains[-1].places = [
                *mains[-1].places,
                *later[0].places,
            ]  # `no enhancement is shown by any nodule`
            later = later[1:]
        made, frame = listed([*subjects, *later], shared, clause.denied)
        return made, Frame(bare, frame.said, frame.denied, frame.described)
    if clause.verb == "seen" and (clause.manner or (clause.pre and not clause.inherit)):
        return visibility(clause, lead, shared, places, later)
    here = [s + p for s in shared for p in alternatives(places)] if places else shared
    if clause.inherit and clause.verb == "seen" and not later:  # `… and are seen in the left lower lobe`
        return [Statement(f, clause.denied) for f in here], Frame(shared, here)
    return listed(later, here, clause.denied)


def unheard(found: list[Group]) -> bool:
    """A bare phrase of words no table knows, with no place and no denial, states nothing: `Thank you.`"""
    return all(g.kind in "OD" and not g.denied and not sited(g) for g in found)


def visibility(
    clause: Clause, lead: list[Group], shared: Forms, places: list[Group], later: list[Finding]
) -> Read:
    """`The vessels are poorly visualized`, `lymph nodes are seen`: how well a place is seen, or that it is."""
    terms = [t for s in shared for t in s]
    node, aspect = any(NODE in t.site for t in terms), any(t.role == "aspect" for t in terms)
    extras = [Statement(s + f, e.group.denied) for e in later for s in shared for f in e.forms([()])]
    if not (clause.manner or clause.denied or node or aspect):
        return extras, Frame(shared, shared)
    absent = any(g.denied for g in lead) or (clause.denied and node)
    seen = [] if aspect else [UNSEEN if clause.denied and not absent else VISIBLE]
    forms = [(*s, *clause.manner, *seen, *p) for s in shared for p in alternatives(places) if s]
    made = [Statement(f, absent or (aspect and clause.denied)) for f in forms]
    return made + extras, Frame(shared, forms)


def listed(found: list[Finding], shared: Forms, denied: bool) -> Read:
    """One statement per finding and place; what is added to a finding is said of it."""
    made: list[Statement] = []
    main: Finding | None = None
    last: Finding | None = None
    forms = shared
    for finding in found:
        last, before = finding, last
        if main is not None and finding.group.link in ("with", "hedge", "sizes"):
            if not (before is not None and infers_from_nothing(finding, before)):
                made += added(finding, main, shared, main.group.denied != denied)
            continue
        if (
            main is not None
            and finding.group.link == "and"
            and not finding.places
            and not sited(finding.group)
        ):
            finding.places = main.places
        main = finding
        forms = main.forms(shared)
        made += [Statement(f, main.group.denied != denied) for f in forms]
    off = main is not None and main.group.denied != denied
    return made, Frame(forms, forms, off, described=True)


def infers_from_nothing(extra: Finding, before: Finding) -> bool:
    """`A nodule without calcification to suggest a granuloma`: what is inferred is not said."""
    return extra.group.link == "hedge" and before.group.denied


def sited(group: Group) -> bool:
    return any(t.site for c in group.chunks for t in c.terms)


# ---- something is said of a subject
def predication(clause: Clause, subjects: Forms, main: Finding | None, denied: bool) -> Read:
    """`X is A and B`, `X shows A with B`; `main` is the subject where it is a finding itself."""
    lead, found = gather(clause.post, after=True)
    if not found and lead and lead[0].kind in "XAD":
        found, lead = [Finding(lead[0], lead[1:])], []
    main_forms = subjects
    if lead:
        subjects = [s + p for s in subjects for p in alternatives(lead)]
    off = denied or clause.denied
    itself = [Statement(s, off or clause.negates) for s in subjects] if main is not None else []
    if not found:
        if lead and not off:
            return at_a_place(clause, main_forms, main, itself, Frame(subjects, subjects), alternatives(lead))
        return itself, Frame(subjects, subjects)
    if main is not None and stands_apart(found[0].group):
        extras = [
            s for extra in found for s in added(extra, main, [()], off)
        ]  # `… ends in the SVC without …`
        return itself + extras, Frame(subjects, subjects)
    if clause.inherit == "subject" and lead and found[0].group.link == "with" and found[0].group.kind == "F":
        return itself_with(found, subjects, off)
    if main is None and clause.pre and only_change(found[0].group):
        nodes = [s for s in subjects if any(NODE in t.site for t in s)]  # nodes that shrink are seen
        made = [Statement((*s, VISIBLE, *c.terms), off) for s in nodes for c in found[0].group.chunks]
        return made, Frame(subjects, subjects)
    made, frame = predicates(clause, found, subjects, off)
    if main is not None and known(main) and all(s.denied for s in made) and not off:
        made = [*(Statement(s, False) for s in subjects), *made]  # the nodule is not calcified: there is one
    return made, frame


def at_a_place(
    clause: Clause, forms: Forms, main: Finding | None, itself: list[Statement], frame: Frame, places: Forms
) -> Read:
    """Only a place follows: the subject is there, is not there, or reaches to it."""
    if main is not None and clause.negates:
        there = [Statement(s, False) for s in forms] if known(main) else []
        return there + [structs.replace(s, of_it=True) for s in itself], Frame(frame.subject, forms)
    if main is None and clause.inherit in ("last", "subject"):
        reached = [
            s for s in forms if any(t.role in HEADS for t in s) and (clause.spreads or lies(clause, s))
        ]
        spread = [without_place(s) + p for s in reached for p in places]  # extending into the hilum
        return [Statement(f, clause.negates) for f in spread], frame
    return itself, frame


def lies(clause: Clause, terms: Terms) -> bool:
    """`An opacity which is in the left lung`: where it is, if nothing has said so yet."""
    return clause.verb == "be" and clause.inherit == "last" and not any(t.place for t in terms)


def without_place(terms: Terms) -> Terms:
    """The finding with its side, but not where it was said to be."""
    side = next((t for t in terms if t.side in ("left", "right")), None)
    kept = tuple([t for t in terms if not t.site])
    return kept if side is None else (side_term(side.side, side.start), *kept)


def stands_apart(group: Group) -> bool:
    """Is it added to the subject, or what that is taken for: `opacities are compatible with scarring`?"""
    if group.link == "hedge":
        return group.kind == "F" and all(not describes(c) or names(c) for c in group.chunks)
    return group.link == "with" and group.kind != "X"


def known(main: Finding) -> bool:
    """`The lesions do not involve the liver`: they are there; without an article they need not be."""
    return any(t.form in ("the", "this", "these", "those") for t in main.group.chunks[0].before)


def itself_with(found: list[Finding], subjects: Forms, off: bool) -> Read:
    """`Edema … is now moderate, with new opacities`: what is added is there as well."""
    own = [f for f in found if f.places or sited(f.group)]
    homes = [sited_of(s) for s in subjects]
    extras = [Statement(f, e.group.denied) for e in found for f in e.forms([()] if e in own else homes)]
    return [Statement(s, off) for s in subjects] + extras, Frame(subjects, subjects)


def predicates(clause: Clause, found: list[Finding], subjects: Forms, off: bool) -> Read:
    first = found[0]
    said = first.forms(subjects)
    lacks = off and first.group.denied and (clause.lacking or lacking(first.group.chunks[0].before))
    if lacks:  # no lobe is free of nodules
        return [Statement(f, False) for f in said], Frame(subjects, said, described=True)
    made: list[Statement] = [predicate(f, first.group.denied, off) for f in said]
    for before, finding in pairwise(found):
        if infers_from_nothing(finding, before):
            continue
        if finding.group.link in ("with", "hedge"):
            made += added(finding, first, subjects, first.group.denied or off)
        else:
            made += [predicate(f, finding.group.denied, off) for f in finding.forms(subjects)]
    return made, Frame(subjects, said, first.group.denied or off, described=True)


def predicate(terms: Terms, denied: bool, off: bool) -> Statement:
    """A lesion that shows no enhancement is there all the same: it is one that does not enhance."""
    if denied and not off:
        roles = {t.role for t in terms}
        lesion = not roles.isdisjoint(("head", "compound")) and "abnormal" not in roles
        if lesion and "aspect" in roles and any(asserts(t) and t.role == "aspect" for t in terms):
            return Statement(tuple(map(unenhanced, terms)), False)
    return Statement(terms, denied or off)


def unenhanced(term: Term) -> Term:
    if term.role != "aspect" or not asserts(term):
        return term
    return structs.replace(term, role="quality", sense=("enhancement-",), form=f"no {term.form}")


def only_change(group: Group) -> bool:
    return all(c.roles == {"change"} for c in group.chunks)


# ---- something is added
def added(extra: Finding, main: Finding, shared: Forms, off: bool) -> list[Statement]:
    """`…, with ill-defined margins`: said of the main finding; `…, with effusion`: a finding of its own.

    What is inferred from a denied finding (`no opacity to suggest pneumonia`) is not said at all.
    """
    hedged = extra.group.link == "hedge"
    if hedged and off:
        return []
    homes = [g for g in main.places if g.kind == "S" and sited(g)]
    # `its shape is normal, with no abnormal density`: the shape is not said again
    spots = [tuple([t for t in s if t.role not in ("aspect", "seq")]) for s in shared]
    places = [s + p for s in spots for p in alternatives(homes)]
    own = alternatives(extra.places)
    thing = any(not describes(c) for c in extra.group.chunks[1:])
    made: list[Statement] = []
    for chunk in extra.group.chunks:
        if off and "normal" in chunk.roles:  # `no mass, with preserved signal`
            made += [Statement(chunk.terms + p + o, extra.group.denied) for p in places for o in own]
            continue
        # `with low signal and compression of the dural sac`: the signal is of the main finding
        where = [()] if thing and describes(chunk) else own
        forms, of_it = said_of(chunk, main, places, where, hedged)
        made += [
            structs.replace(
                predicate(f, extra.group.denied, of_it and off), hedged=hedged, of_it=of_it and not off
            )
            for f in forms
        ]
    return made


def said_of(chunk: Chunk, main: Finding, places: Forms, own: Forms, hedged: bool) -> tuple[Forms, bool]:
    """The added words with the place they belong to, and whether they share the fate of the main finding."""
    here = [t for t in (*chunk.terms, *(t for o in own for t in o)) if t.place]
    if hedged:
        here = [t for t in here if t.site[-1] != NODE]  # nodes are at the place that suggests them
    if here:
        levels = levels_of(places) if all(t.site[-1] in OF_A_DISC for t in here) else [()]
        return [level + chunk.terms + o for level in levels for o in own], False
    if describes(chunk) and not (hedged and names(chunk)):
        return [
            heads(c.terms) + chunk.terms + p + o for p in places for o in own for c in main.group.chunks
        ], True
    beside = not hedged and any(t.form in THINGS for t in chunk.terms)
    inner = [t for t in main.group.chunks[0].terms if t.site and t.role == "site" and not beside]
    return [(*inner, *chunk.terms, *p, *o) for p in places for o in own], False


def levels_of(places: Forms) -> Forms:
    """The disc levels among the places: `bulging at L3/4 and L4/5, with compression of the dural sac` there."""
    levels = [tuple([t for t in p if t.site and LEVEL.fullmatch(t.site[-1])]) for p in places]
    return levels if all(levels) else [()]


def describes(chunk: Chunk) -> bool:
    """Is it said of a lesion, and no finding of its own?"""
    if not HEADS.isdisjoint(chunk.roles):
        return False
    organ = any(t.role == "quality" and t.sense[0][:-1] in OF_THE_ORGAN for t in chunk.terms)
    return not organ and not any(t.form in THINGS for t in chunk.terms)


def names(chunk: Chunk) -> bool:
    """`consistent with scarring`, `suggesting chronic disease`: what is inferred is a thing of its own."""
    last = chunk.terms[-1]
    if last.sense and last.sense[0].startswith("margin"):
        return False
    return last.role in ("quality", "abnormal") and not adjectival(last)


def heads(terms: Terms) -> Terms:
    """What is named, without its description."""
    return tuple([t for t in terms if t.role in HEADS or t.site])
