"""One sentence → its statements, with the place, side and level that go on through it."""

from collections.abc import Sequence
from itertools import takewhile

from msgspec import Struct, structs

from overread.reader.statements.chunks import new_chunk
from overread.reader.statements.clauses import Clause, clause_of, runs_of
from overread.reader.statements.coordination import alternatives, bare_side, other_side, resolve, side_term
from overread.reader.statements.groups import Group
from overread.reader.statements.interpret import LEVEL, NOTHING, OF_A_DISC, Frame, Statement, interpret
from overread.reader.statements.terms import Term, Terms, terms, terms_of
from overread.reader.statements.vocabulary import Vocabulary

SPINE = "spine"
TIP = ("tip",)
OWNED = frozenset({"its", "their"})
FINDINGS = frozenset({"head", "compound", "quality"})
LIMB = ("limb",)
OTHER_SIDE = {"left": "right", "right": "left"}
BOTH = frozenset(OTHER_SIDE)
SAME_SIDE = {"left": "left", "right": "right"}
POINTING = {("contralateral",): OTHER_SIDE, ("ipsilateral",): SAME_SIDE}
"""Words that name a side by the one named before."""


ONE = ("is", "us", "ss")
"""Ends of nouns that only look like many: hydronephrosis."""

MOST, GOES_ON = 200, 24
"""Statements of one sentence; things that go on from a clause to the next. More would multiply without end."""

REMEMBERED = 4096
"""Sentences kept, so that memory stays small."""


class Known(Struct, frozen=True, gc=False):
    """A sentence that means the same wherever it stands: no topic of its own, no pronoun for something before it."""

    statements: tuple[Statement, ...]
    frame: Frame
    side: str
    """The side named last, `-` where none or both are."""


class Reader:
    """Reads sentence after sentence; keeps the place named before a colon, and what a pronoun may stand for."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.topic: Terms = ()
        self.frame = NOTHING
        self.side = "-"
        """The side named last in this sentence."""

        self.earlier = "-"
        """The side named last before it, for `contralateral`."""

        self.limb: Term | None = None
        """The side of the limb that a heading names."""

        self.left = NOTHING
        """What this sentence leaves for the next."""

        self.owner: Terms = ()
        """The subject with a side that was named last in this sentence."""

        self.asked = False
        """Something before the sentence was needed to understand it."""

        self.apart: dict[str, list[Clause]] = {}
        """The clauses of sentences that are still to be read."""

    def look_ahead(self, texts: list[str]) -> None:
        """Take sentences apart that are to be read soon, and that were not read before."""
        known = self.vocabulary.sentences
        self.take_apart([text for text in dict.fromkeys(texts) if text not in known])

    def take_apart(self, texts: list[str]) -> None:
        """Find the clauses of sentences, whatever stands before them.

        One step for all sentences and then the next takes a processor less time than all steps for each.
        """
        runs = list(map(runs_of, terms_of(texts, self.vocabulary)))
        for text, some in zip(texts, runs, strict=True):
            self.apart[text] = [clause_of(run) for run in some]
        for text in texts:
            for one in self.apart[text]:
                self.prepare(one)

    def read(self, text: str) -> list[Statement]:
        """The statements of one sentence; one that was read before and stands alone is not read again."""
        self.earlier = self.side if self.side != "-" else self.earlier
        self.side = "-"
        if self.topic or self.limb:
            return self.work(text)
        memory = self.vocabulary.sentences
        known = memory.get(text)
        if known is None:
            return self.work_and_remember(text, memory)
        if known.frame.said:
            self.frame = known.frame
        self.side = known.side
        return list(known.statements)

    def work_and_remember(self, text: str, memory: "dict[str, Known]") -> list[Statement]:
        self.asked = False
        found = self.work(text)
        if not self.asked and not self.topic and self.limb is None:
            if len(memory) >= REMEMBERED:
                memory.clear()
            memory[text] = Known(tuple(found), self.left.kept(), self.side)
        return found

    def work(self, text: str) -> list[Statement]:
        if text not in self.apart:
            self.take_apart([text])
        found = self.apart.pop(text)  # they are changed in reading
        self.owner = ()
        frame, side, fronted = NOTHING, "-", False
        level: Terms = ()
        out: list[Statement] = []
        for clause in takewhile(lambda _: len(out) <= MOST, found):
            if clause.topic and not clause.post:
                self.head(clause)
                continue
            if clause.verb == "-" and all(g.kind == "S" for g in clause.pre):  # `Right shoulder MRI`
                self.named_limb([t for g in clause.pre for c in g.chunks for t in c.terms])
            made, left = self.clause(clause, frame)
            frame = frame if clause.aside else left
            if clause is not found[-1]:  # what follows is asked about where something follows
                self.keep_owner(clause, left)
            if clause is found[0] and clause.pre:
                if len(found) > 1:
                    level, fronted = spinal_level(clause.pre), clause.pre[0].link == "prep"
            elif level:
                made = [
                    structs.replace(s, terms=at_level(s.terms, level))
                    if fronted or any(t.site[-1] in OF_A_DISC for t in s.terms if t.place)
                    else s
                    for s in made
                ]
            side = self.put(made, side, out)
        self.left = bounded(frame)
        frame = self.left
        if frame.said:
            self.frame = frame
        return out

    def keep_owner(self, clause: Clause, left: Frame) -> None:
        """The subject of this clause, where it has a side, for those that follow; else its place that has one."""
        if clause.inherit:
            return
        if clause.pre and any(t.side != "-" for f in left.subject for t in f):
            self.owner = left.subject[0]
            return
        sided = [t for f in left.last for t in f if t.place and t.role == "site" and t.side in BOTH]
        self.owner = tuple(sided[-1:]) or self.owner

    def put(self, made: list[Statement], side: str, out: list[Statement]) -> str:
        """Add the statements with the topic and the side that go on; the side that goes on behind them."""
        named: set[str] = set()
        for statement in made:
            here = with_topic(statement.terms, self.topic) if self.topic else statement.terms
            placed, side = self.sided(here, side, statement.denied)
            named.add(side)
            side = "-" if named >= BOTH else side
            unmoved = placed is statement.terms
            out.append(statement if unmoved else structs.replace(statement, terms=placed))
        return side

    def head(self, clause: Clause) -> None:
        """Before a colon: `Left knee:` is a topic; `MRI of the left knee shows:` only tells the side of the limb."""
        places = tuple([t for g in clause.pre for c in g.chunks for t in c.terms if t.site])
        if clause.verb == "-":
            self.topic = places or self.topic
        self.named_limb(places)

    def read_title(self, text: str) -> list[Statement]:
        """The title of a study names the limb or the organ, and nothing seen."""
        self.read(text)
        self.named_limb(terms(text, self.vocabulary))
        return []

    def named_limb(self, places: Sequence[Term]) -> None:
        if any(t.site[:1] == LIMB for t in places):
            self.limb = next((t for t in places if t.side in OTHER_SIDE), self.limb)

    def prepare(self, clause: Clause) -> None:
        """Share what joined words share; leave out what was done before."""
        after = False
        for group in (*clause.pre, *clause.post):
            after |= group.link == "after"
            if len(group.chunks) > 1:
                resolve(group, self.vocabulary)
        if not after:
            return
        before = [
            t for g in clause.pre if g.link == "after" for c in g.chunks for t in c.terms if t.role == "head"
        ]
        clause.pre = [g for g in clause.pre if g.link != "after"]
        clause.post = [g for g in clause.post if g.link != "after"]
        if before and clause.pre and tip(clause.pre[0]):  # `After venous catheterization, the tip is …`
            for chunk in clause.pre[0].chunks:
                chunk.hold((*before, *chunk.terms))

    def clause(self, clause: Clause, frame: Frame) -> tuple[list[Statement], Frame]:
        rest = clause.inherit == "rest"
        if rest:
            clause.inherit = ""
            if frame.said and clause.verb == "-" and only_where(clause.pre):
                return excepted(clause.pre, frame)
        if clause.pre and clause.pre[0].kind == "D" and all(largest(g) for g in clause.pre):
            clause.inherit = "last"
        self.name_owner(clause, frame)
        goes_on = clause.inherit == "last"
        negative = goes_on and frame.denied
        if goes_on and not frame.said:
            self.asked = True
            frame = self.frame
        made, left = interpret(clause, bounded(frame))
        made = made[:MOST]
        if rest and frame.subject:
            made = [within(s, frame.subject[0]) for s in made]
        return ([structs.replace(s, denied=True) for s in made] if negative else made), left

    def name_owner(self, clause: Clause, frame: Frame) -> None:
        """`The left has two stones`, `its wall is thickened`: of what was spoken of before."""
        if not clause.pre:
            return
        first = clause.pre[0].chunks[0]
        alone = len(clause.pre) == 1 and clause.pre[0].link != "prep" and clause.verb != "-"
        sides = alone and first.kind == "S" and all(bare_side(t) for t in first.terms)
        if not sides and (not first.before or OWNED.isdisjoint([t.form for t in first.before])):
            return
        if any(t.place for t in first.terms):
            return
        known = frame if frame.subject else self.frame
        self.asked |= known is not frame
        if sides:
            self.on_sides(clause, self.owner or (known.subject[0] if known.subject else ()))
            return
        for subject in known.subject[:1]:
            owner = next((t for t in subject if t.place and t.role == "site"), None)
            first.hold(first.terms if owner is None else (owner, *first.terms))

    def on_sides(self, clause: Clause, subject: Terms) -> None:
        """The same on the sides that are named now: an organ of which there are two, or a finding.

        `Blunting of the left angle, the right is sharp`: of the organ where it is said to be normal.
        """
        place = next((t for t in subject if t.place and t.role == "site"), None)
        if place is None or place.site[-1] not in self.vocabulary.paired:
            return
        normal = any("normal" in c.roles for g in clause.post for c in g.chunks)
        finding = not normal and any(t.role in FINDINGS for t in subject)
        named = subject if finding else (structs.replace(place, side="-"),)
        for chunk in clause.pre[0].chunks:
            chunk.hold(other_side(chunk.terms[0], new_chunk(named), self.vocabulary))

    def sided(self, found: Terms, side: str, denied: bool) -> tuple[Terms, str]:
        """`The right kidney is small and the ureter wide`: the side goes on."""
        named: set[str] = set()
        for term in found:
            if term.side != "-":
                named.add(term.side)
            elif term.kind == "dir" and term.site in POINTING:
                return self.pointed(found, side, POINTING[term.site])
        if len(named) == 1 and not named.isdisjoint(OTHER_SIDE):
            self.side = named.pop()
            return found, self.side
        if named:
            return found, "-"
        if self.limb is not None and any(t.site[:1] == LIMB for t in found):
            return (side_term(self.limb.side, found[0].start), *found), side
        if side != "-" and self.one_of_two(found, denied):
            return (side_term(side, found[0].start), *found), side
        return found, side

    def one_of_two(self, found: Terms, denied: bool) -> bool:
        """Is an organ named of which there are two, and not both: `low lung volumes` are of both?

        What is denied names its organ itself: `right catheter; no pneumothorax` is none on either side.
        """
        paired = self.vocabulary.paired
        plural = any(t.role == "aspect" and t.form.endswith("s") for t in found)
        return not plural and any(
            t.place
            and t.site[-1] in paired
            and not (t.form.endswith("s") and not t.form.endswith(ONE))
            and (t.kind == "noun" or not denied)
            for t in found
        )

    def pointed(self, found: Terms, side: str, pointing: dict[str, str]) -> tuple[Terms, str]:
        """`The contralateral lung is clear`: the side not named last, in this sentence or before it."""
        self.asked |= side == "-"
        rest = tuple([t for t in found if t.site not in POINTING])
        named = self.side if self.side != "-" else self.earlier
        if named == "-" or not rest:
            return rest or found, side
        meant = pointing[named]
        return (side_term(meant, found[0].start), *rest), meant


def tip(group: Group) -> bool:
    """Is only the end of something named?"""
    return all(t.site == TIP for c in group.chunks for t in c.terms)


THINGS = frozenset({"head", "compound", "quality"})


def within(statement: Statement, subject: Terms) -> Statement:
    """`The right kidney is normal apart from a cyst at the lower pole`: the pole is the kidney's."""
    sites = [t for t in statement.terms if t.site]
    owner = [t for t in subject if t.place and t.role == "site"]
    thing = any(t.role in THINGS for t in statement.terms)
    if not thing or not sites or not owner or any(t.place for t in sites):
        return statement
    return structs.replace(statement, terms=(*owner, *statement.terms))


def only_where(found: list[Group]) -> bool:
    """`… aside from the one in the lingula`, `except in the liver`: a place, and no other thing."""
    return bool(found) and found[-1].kind == "S" and all(g.kind in "DS" for g in found)


def bounded(frame: Frame) -> Frame:
    """The same with no more going on than a sentence has."""
    if len(frame.subject) <= GOES_ON and len(frame.said) <= GOES_ON:
        return frame
    return Frame(frame.subject[:GOES_ON], frame.said[:GOES_ON], frame.denied, frame.described)


def excepted(found: list[Group], frame: Frame) -> tuple[list[Statement], Frame]:
    """What was denied elsewhere is here."""
    places = alternatives([g for g in found if g.kind == "S"])
    things = [[t for t in b if t.role != "site"] for b in frame.last]
    things = things if any(things) else [[t for t in b if t.role != "site"] for b in frame.subject]
    forms = [(*thing, *p) for thing in things for p in places]
    return [Statement(f, not frame.denied, of_it=True) for f in forms], Frame(forms, forms)


def largest(group: Group) -> bool:
    """`The largest is in the liver`: of what was named before."""
    return group.kind == "D" and any("largest" in t.sense for c in group.chunks for t in c.terms)


def spinal_level(found: list[Group]) -> Terms:
    """The level in front (`At L3/4, …`), or the one disc that is the subject, `the disc at L3/4`: it goes on."""
    first, *behind = found
    near = [first, *(g for g in behind[:1] if g.link == "prep" and first.link != "prep")]
    named = tuple([t for g in near for c in g.chunks for t in c.terms if t.site and t.site[0] == SPINE])
    if first.link == "prep":
        return named
    levels = [t for t in named if LEVEL.fullmatch(t.site[-1])]
    return tuple(levels) if len(levels) == 1 else ()


def at_level(found: Terms, level: Terms) -> Terms:
    """`At L3/4 the disc protrudes; the thecal sac is compressed`: the level goes on."""
    places = [t for t in found if t.place]
    elsewhere = places and not any(t.site[0] == SPINE for t in places)
    if elsewhere or any(t.site[-1:] == level[0].site[-1:] for t in found):
        return found
    return level + found


def with_topic(found: Terms, topic: Terms) -> Terms:
    """A place named before a colon counts where the statement names none, or lends its side."""
    places = [t for t in found if t.place]
    if not places:
        return topic + found
    sided = next((t for t in topic if t.side != "-"), None)
    if sided is None or any(t.side != "-" for t in found):
        return found
    home = next((t.site for t in topic if t.place), None)
    near = home is None or any(t.site[:2] == home[:2] for t in places)  # `Left: basal opacity`
    return (side_term(sided.side, sided.start), *found) if near else found
