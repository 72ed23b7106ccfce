"""Clauses → statements: one finding of one place each."""

from itertools import product

from msgspec import Struct, field

from overread.systems.radsem.clauses import Chunk, Clause, Group
from overread.systems.radsem.terms import CODE, Term, Vocabulary

HEADS = frozenset({"head", "compound", "open"})
UNSEEN = Term("quality", ("visible-",), (), "-", "-", "not visualized", -1, -1)
VISIBLE = Term("quality", ("visible",), (), "-", "-", "visualized", -1, -1)


class Statement(Struct):
    """One finding of one place."""

    terms: list[Term]
    denied: bool
    hedged: bool = False


class Frame(Struct):
    """What a clause leaves behind for the next."""

    subject: list[list[Term]] = field(default_factory=list)
    last: list[list[Term]] = field(default_factory=list)
    denied: bool = False
    """The last finding was denied, and with it what is said of it: `no lesions that enhance`."""


def statements(
    found: list[Clause], topic: list[Term], vocabulary: Vocabulary, frame: Frame | None = None
) -> tuple[list[Statement], list[Term], Frame]:
    """Statements of a sentence, the place named before a colon, if any, and what a pronoun may stand for next."""
    out: list[Statement] = []
    before = frame or Frame()
    frame = Frame()
    level: list[Term] = []
    side = "-"
    place: list[Term] = []
    for clause in found:
        for group in (*clause.pre, *clause.post):
            resolve(group, vocabulary)
        clause.pre = [g for g in clause.pre if g.link != "after"]
        clause.post = [g for g in clause.post if g.link != "after"]
        if clause.topic and clause.verb == "-":
            terms = [t for g in clause.pre for c in g.chunks for t in c.terms if t.site]
            if terms:
                place = terms
            continue
        negative = frame.denied and clause.inherit == "last"
        if clause.inherit == "last" and not frame.last:
            frame = before
        made, frame = interpret(clause, frame)
        if clause is found[0] and clause.pre and clause.pre[0].link == "prep":
            level = [t for c in clause.pre[0].chunks for t in c.terms if t.site[:1] == ("spine",)]
        elif level:
            made = [Statement(at_level(s.terms, level), s.denied, s.hedged) for s in made]
        if negative:
            made = [Statement(s.terms, True, s.hedged) for s in made]
        for s in made:
            terms, side = sided(with_topic(s.terms, place or topic), side, vocabulary)
            out.append(Statement(terms, s.denied, s.hedged))
    return out, place, frame if frame.last else before


def at_level(terms: list[Term], level: list[Term]) -> list[Term]:
    """`At L3/4 the disc protrudes; the thecal sac is compressed`: the level goes on in the sentence."""
    places = [t for t in terms if t.place]
    if places and not any(t.site[:1] == ("spine",) for t in places):
        return terms
    return terms if any(t.site[-1:] == level[0].site[-1:] for t in terms) else [*level, *terms]


def sided(terms: list[Term], side: str, vocabulary: Vocabulary) -> tuple[list[Term], str]:
    """`The right diaphragm is smooth and the costophrenic angle is sharp`: the side goes on in the sentence."""
    named = {t.side for t in terms} - {"-"}
    other = {"left": "right", "right": "left"}.get(side, "-")
    if any(t.site == ("contralateral",) for t in terms) and other != "-":
        terms = [t for t in terms if t.site != ("contralateral",)]
        return [side_term(other, terms[0].start), *terms], side
    if named:
        return terms, named.pop() if named in ({"left"}, {"right"}) else "-"
    single = [t for t in terms if t.place and t.site[-1] in vocabulary.paired and not t.form.endswith("s")]
    if side != "-" and single:
        return [side_term(side, terms[0].start), *terms], side
    return terms, side


def with_topic(terms: list[Term], topic: list[Term]) -> list[Term]:
    """A place named in front counts where the statement names none, or lends its side."""
    if not topic:
        return terms
    sites = [t for t in terms if t.place]
    if not sites:
        return [*topic, *terms]
    if any(t.side != "-" for t in terms) or all(t.side == "-" for t in topic):
        return terms
    sided = next(t for t in topic if t.side != "-")
    home = next((t.site for t in topic if t.place), ())
    if any(s.site[:2] == home[:2] for s in sites):
        return [side_term(sided.side, sided.start), *terms]
    return terms


def side_term(side: str, at: int) -> Term:
    """The bare side as a term."""
    return Term("site", (), (side,), side, "dir", side, at, at)


# ---- coordination
def resolve(group: Group, vocabulary: Vocabulary) -> None:
    """Give every chunk of a group the noun and the side it shares with the others."""
    chunks = group.chunks
    if len(chunks) < 2:
        return
    for n in range(len(chunks) - 2, -1, -1):
        chunks[n].terms = completed(chunks[n], chunks[n + 1], vocabulary)
    homes = [t for t in chunks[0].terms if t.place]
    for chunk in chunks[1:]:
        if homes and all(t.kind == "part" and CODE.fullmatch(t.form) for t in chunk.terms):  # `hepatic segments S5/S8`
            chunk.terms = [*homes, *chunk.terms]
    side = next((t for t in chunks[0].terms if t.side != "-"), None)
    if side is not None:
        for chunk in chunks[1:]:
            if all(t.side == "-" for t in chunk.terms) and any(t.site and t.site[-1] in vocabulary.paired for t in chunk.terms):
                chunk.terms = [side_term(side.side, side.start), *chunk.terms]
    first = chunks[0].terms
    valence = [t for t in first if t.role in ("normal", "abnormal", "up", "down")]
    if valence and any(t.role in ("aspect", "seq") for t in first):
        for chunk in chunks[1:]:
            if chunk.kind == "X":
                chunk.terms = [*valence, *chunk.terms]
    details = [t for t in chunks[0].terms if t.role == "detail"]
    if details and chunks[0].terms[0].role == "detail":
        for chunk in chunks[1:]:
            if not any(t.role == "detail" for t in chunk.terms) and chunk.kind == "F":
                chunk.terms = [*details, *chunk.terms]


def completed(chunk: Chunk, later: Chunk, vocabulary: Vocabulary) -> list[Term]:
    """`linear and patchy opacities`, `anterior and middle cerebral arteries`: the first lacks its noun."""
    last = chunk.terms[-1]
    tail = later.terms[-1]
    if last.site and len(chunk.terms) == 1 and len(later.terms) > 1 and later.terms[0].site[:-1] == last.site[:-1] != ():
        return [last, *(t for t in later.terms[1:] if t.site)]  # `L3/4 and L4/5 intervertebral discs`
    if last.site and last.kind in ("adj", "dir") and tail.site:
        words = tail.form.split()
        for cut in range(1, len(words)) if last.kind in ("adj", "dir") else ():
            form = f"{last.form} {' '.join(words[cut:])}"
            entry = vocabulary.forms.get(form)
            if entry is not None and entry.site:
                whole = Term(entry.role, entry.sense, entry.site, entry.side, entry.kind, form, last.start, tail.end)
                return [*chunk.terms[:-1], whole]
        if last.kind == "dir" or any(t.site for t in later.terms[:-1]):
            return [*chunk.terms, tail]
        return chunk.terms
    if last.role in ("seq", "shape", "quality", "detail", "up", "down", "normal", "abnormal") and later.kind in "FX":
        if not any(t.role in HEADS or t.role == "aspect" for t in chunk.terms):
            heads = [t for t in later.terms if t.role in HEADS or t.role == "aspect" or t.site]
            adjectival = last.role in ("shape", "seq") or last.form.endswith(ADJECTIVE_ENDS) or last.role in ("up", "down")
            if adjectival and heads:
                return [*chunk.terms, *heads]
    return chunk.terms


ADJECTIVE_ENDS = ("al", "ic", "ed", "ar", "ous", "ing", "ive", "id", "ense", "glass", "y", "like", "high", "low")


def alternatives(groups: list[Group]) -> list[list[Term]]:
    """Every way to take one chunk of each group.

    `the middle zone of the right lung and the lower zone of the left lung`: the last chunk of a group that
    hangs on an `of` begins a new place when another `of` follows it.
    """
    done: list[list[Term]] = []
    choices: list[list[Chunk]] = []
    for n, group in enumerate(groups):
        chunks = group.chunks
        following = groups[n + 1] if n + 1 < len(groups) else None
        if choices and len(chunks) > 1 and of(group) and following is not None and of(following):
            done += taken([*choices, chunks[:-1]])
            choices, chunks = [], chunks[-1:]
        choices.append(chunks)
    return done + taken(choices)


def taken(choices: list[list[Chunk]]) -> list[list[Term]]:
    return [[t for c in choice for t in c.terms] for choice in product(*choices)]


def of(group: Group) -> bool:
    return any(t.form == "of" for t in group.chunks[0].before)


# ---- clauses
class Finding(Struct):
    """A finding group with the places and details that follow it."""

    group: Group
    places: list[Group] = field(default_factory=list)

    def forms(self, shared: list[list[Term]]) -> list[list[Term]]:
        own = alternatives(self.places)
        return [[*s, *c.terms, *p] for s in shared for c in self.group.chunks for p in own]


def gather(groups: list[Group], verbless: bool, after: bool = False) -> tuple[list[Group], list[Finding]]:
    """Places before the first finding, then findings with what follows each."""
    lead: list[Group] = []
    found: list[Finding] = []
    for group in groups:
        kind = group.kind
        if found and group.link == "prep":
            found[-1].places.append(group)
        elif kind == "F" or (kind == "O" and (verbless or after)) or (kind in "XA" and (found or after) and group.link == "with") or (kind == "A" and not found and (after or verbless)):
            found.append(Finding(group))
        elif found:
            found[-1].places.append(group)
        else:
            lead.append(group)
    return lead, found


def interpret(clause: Clause, before: Frame) -> tuple[list[Statement], Frame]:
    lead, subjects = gather(clause.pre, clause.verb in ("-", "seen"))
    shared = alternatives(lead)
    if clause.inherit == "last" and clause.pre and not subjects and before.last:  # `on T2 it is bright`
        shared = [[*b, *s] for b in before.last for s in shared]
    elif not clause.pre and clause.inherit:
        shared = before.last if clause.inherit == "last" and before.last else before.subject or [[]]
    elif not clause.pre and clause.verb in ("have",):
        shared = before.subject or [[]]
    elif not subjects and before.last and lead and all(g.kind == "X" for g in lead) and not any(t.site for s in shared for t in s):
        shared = [[*b, *s] for b in before.last for s in shared]
    if clause.verb in ("-", "seen"):
        return existence(clause, lead, subjects, shared)
    if not subjects:
        return predication(clause, shared, [], [any(g.denied for g in lead)])
    forms = [f for s in subjects[:1] for f in s.forms(shared)]
    made: list[Statement] = []
    for extra in subjects[1:]:
        made += added(extra, subjects[0], shared, False, subjects[0].group.denied)
    more, frame = predication(clause, forms, subjects, [subjects[0].group.denied])
    return made + more, frame


def existence(clause: Clause, lead: list[Group], subjects: list[Finding], shared: list[list[Term]]) -> tuple[list[Statement], Frame]:
    """`X is seen in Y`, `No X in Y`, `There is X with Z`."""
    lead2, later = gather(clause.post, False, True)
    if not subjects:
        if clause.verb == "seen" and (clause.pre or clause.manner) and not (clause.inherit and not clause.manner):  # `the vessels are poorly visualized`
            absent = any(g.denied for g in lead) or (clause.denied and any("lymph-node" in t.site for s in shared for t in s))
            if not clause.manner and not clause.denied and not any("lymph-node" in t.site or t.role == "aspect" for s in shared for t in s):
                later_forms = [Statement([*s, *c], e.group.denied) for e in later for s in shared for c in e.forms([[]])]
                return later_forms, Frame(shared, shared)
            aspect = any(t.role == "aspect" for s in shared for t in s)
            finding = [*clause.manner, *([] if aspect else [UNSEEN if clause.denied and not absent else VISIBLE])]
            places = alternatives(lead2)
            forms = [[*s, *finding, *p] for s in shared for p in places if s]
            made = [Statement(f, absent or (aspect and clause.denied)) for f in forms]
            for extra in later:
                made += [Statement([*s, *c], extra.group.denied) for s in shared for c in extra.forms([[]])]
            return made, Frame(shared, forms)
        if clause.inherit and clause.verb == "seen" and not later:  # `… and are seen in the left lower lobe`
            forms = [[*s, *p] for s in shared for p in alternatives(lead2)]
            return [Statement(f, clause.denied) for f in forms], Frame(shared, forms)
        later_shared = [[*s, *p] for s in shared for p in alternatives(lead2)]
        made, frame = listed(later, later_shared, clause.denied)
        return made, frame
    bare = [f for f in subjects[0].forms(shared)]
    for n, subject in enumerate(subjects):
        if n == 0 or subject.group.link != "with":
            subject.places = [*subject.places, *lead2]
    made, frame = listed([*subjects, *later], shared, clause.denied)
    return made, Frame(bare, frame.last, frame.denied)


def listed(found: list[Finding], shared: list[list[Term]], denied: bool) -> tuple[list[Statement], Frame]:
    made: list[Statement] = []
    main: Finding | None = None
    for finding in found:
        if main is not None and finding.group.link in ("with", "hedge", "sizes"):
            if finding.group.link == "hedge" and (main.group.denied or denied):
                continue
            made += added(finding, main, shared, finding.group.link == "hedge", main.group.denied != denied)
            continue
        if main is not None and not finding.places and finding.group.link == "and":
            finding.places = [p for p in main.places] if not any(t.site for c in finding.group.chunks for t in c.terms) else []
        main = finding
        made += [Statement(f, finding.group.denied != denied) for f in finding.forms(shared)]
    forms = [f for f in main.forms(shared)] if main else shared
    return made, Frame(forms, [heads(f) for f in forms], bool(main) and main.group.denied != denied)


def added(extra: Finding, main: Finding, shared: list[list[Term]], hedged: bool, off: bool) -> list[Statement]:
    """`…, with ill-defined margins`: said of the main finding; `…, with effusion`: a finding of its own."""
    made = []
    places = alternatives([g for g in main.places if g.kind == "S"])
    for chunk in extra.group.chunks:
        own = alternatives(extra.places)
        descriptive = not any(t.role in HEADS for t in chunk.terms) and describes(chunk)
        sited = any(t.place for t in chunk.terms) or any(t.place for o in own for t in o)
        for s in shared:
            for p in places:
                for o in own:
                    if descriptive and not sited:
                        made += [
                            Statement([*s, *heads(c.terms), *chunk.terms, *p, *o], extra.group.denied or off, hedged)
                            for c in main.group.chunks
                        ]
                    elif sited:
                        made.append(Statement([*chunk.terms, *o], extra.group.denied, hedged))
                    else:
                        inner = [t for c in main.group.chunks[:1] for t in c.terms if t.site]
                        made.append(Statement([*s, *inner, *chunk.terms, *p, *o], extra.group.denied, hedged))
    return made


def describes(chunk: Chunk) -> bool:
    """Margins, density, signal and the like are said of a lesion; a change of size or thickness of the organ."""
    return not any(t.role == "quality" and t.sense[0][:-1] in ("size", "thick", "patency", "position") for t in chunk.terms)


def heads(terms: list[Term]) -> list[Term]:
    return [t for t in terms if t.role in HEADS or t.site]


def predication(clause: Clause, subjects: list[list[Term]], findings: list[Finding], denied: list[bool]) -> tuple[list[Statement], Frame]:
    """`X is A and B`, `X shows A with B`."""
    lead, found = gather(clause.post, False, True)
    if not found and lead and lead[0].kind in "XAD":
        found = [Finding(lead[0], lead[1:])]
        lead = []
    places = alternatives(lead)
    subjects = [[*s, *p] for s in subjects for p in places]
    off = denied[0] or clause.denied
    if found and findings and found[0].group.link == "with" and found[0].group.kind != "X":
        made = [Statement(s, off or clause.negates) for s in subjects]
        for extra in found:
            made += added(extra, findings[0], [[]], False, off)
        return made, Frame(subjects, subjects)
    if not found:
        made = [Statement(s, off or clause.negates) for s in subjects] if findings else []
        return made, Frame(subjects, subjects)
    made = []
    main = found[0]
    if clause.pre and not findings and all(t.role == "change" for c in main.group.chunks for t in c.terms):
        nodes = [s for s in subjects if any("lymph-node" in t.site for t in s)]  # nodes that shrink are seen
        return [Statement([*s, VISIBLE, *c.terms], off) for s in nodes for c in main.group.chunks], Frame(subjects, subjects)
    for finding in found:
        if finding is not main and finding.group.link in ("with", "hedge"):
            if finding.group.link == "hedge" and (main.group.denied or off):
                continue
            made += added(finding, main, subjects, finding.group.link == "hedge", main.group.denied or off)
            continue
        made += [Statement(f, finding.group.denied or off) for f in finding.forms(subjects)]
    return made, Frame(subjects, [heads(f) for f in main.forms(subjects)], main.group.denied or off)
