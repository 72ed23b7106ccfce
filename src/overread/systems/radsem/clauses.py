"""Terms of a sentence → clauses: noun phrases in groups, around one verb."""

from collections.abc import Iterator

from msgspec import Struct, field

from overread.systems.radsem.terms import NAMED, Term

VERBS = frozenset({"be", "seen", "have"})
ASSERTS = frozenset("head normal abnormal quality up down".split())


COMPARED = frozenset("up down detail aspect measure".split())
"""What is said in comparing with an earlier study: more, less, larger."""


class Chunk(Struct):
    """One noun phrase or run of adjectives."""

    terms: list[Term]
    before: list[Term] = field(default_factory=list)
    """The small words since the chunk before."""

    @property
    def kind(self) -> str:
        """F finding, O words no table knows, X aspect (`cardiac size`), S place, A describing words, D details."""
        roles = {t.role for t in self.terms if t.role != "compound"}
        if roles & ASSERTS or any(t.role in ("compound", "aspect") and asserts(t) for t in self.terms):
            return "F"
        if "shape" in roles and "aspect" not in roles and any(t.site for t in self.terms):
            return "F"
        if "open" in roles:
            return "O"
        if "aspect" in roles:
            return "X"
        if any(t.site for t in self.terms) or "seq" in roles - {"shape"} and "shape" not in roles:
            return "S"
        return "A" if "shape" in roles else "D"


def asserts(term: Term) -> bool:
    """A compound finding, or enhancement, which is a finding when it is there."""
    return bool(term.sense) and (term.role == "compound" or term.sense[0] == "enhancement")


class Group(Struct):
    """Chunks joined by `and`, `or` and commas; `link` is what ties the group to the words before."""

    chunks: list[Chunk]
    link: str
    denied: bool = False

    @property
    def kind(self) -> str:
        kinds = {c.kind for c in self.chunks}
        found = next(k for k in "FOXSAD" if k in kinds)
        return "S" if found == "O" and self.link == "prep" else found


class Clause(Struct):
    """Groups before and after one verb."""

    pre: list[Group]
    verb: str
    """`-`, be, seen or have."""

    denied: bool
    """The verb itself is denied: `is not seen`."""

    negates: bool
    """What follows the verb is denied: `does not show`."""

    post: list[Group]
    manner: list[Term]
    """`poorly` in `is poorly visualized`."""

    inherit: str
    """What stands for a missing subject: `subject` or `last` of the clause before; empty for none."""

    topic: bool
    """A colon follows."""


Item = Chunk | Term


def clauses(terms: list[Term]) -> list[Clause]:
    """The clauses of one sentence, in order."""
    return [clause(items, inherit, topic) for items, inherit, topic in runs(chunked(terms))]


def chunked(terms: list[Term]) -> list[Item]:
    """Noun phrases, and the words between them that decide how they hang together."""
    items: list[Item] = []
    skipping = False
    for n, term in enumerate(terms):
        if term.role == "thing":
            term = thing(items, terms[n:])
        elif term.form == "over" and any(isinstance(i, Term) and i.form.startswith("favor") for i in items):
            term = term._replace(role="deny")  # `favors atelectasis over pneumonia`
        if skipping and (term.form == "," or term.role in ("stop", "break", "relative")):
            skipping = False
        if term.role == "prior" and not skipping:
            skipping = True
            if items and isinstance(items[-1], Chunk) and all(t.role in COMPARED for t in items[-1].terms):
                items[-1] = Chunk([changed(t) for t in items[-1].terms if t.role in ("up", "down")] or items[-1].terms)
        if skipping and term.role != "change" or term.role == "ignore":
            continue
        last = items[-1] if items else None
        if term.role not in NAMED:
            items.append(term)
        elif isinstance(last, Chunk):
            last.terms.append(term)
        else:
            items.append(Chunk([term]))
    return items


def changed(term: Term) -> Term:
    """`increased` in a comparison with an earlier study."""
    return term._replace(role="change", sense=("change:worse" if term.role == "up" else "change:better",))


def thing(items: list[Item], ahead: list[Term]) -> Term:
    """`patchy areas`, `areas of low density` are something seen; `the area of the hilum` is not."""
    last = items[-1] if items else None
    before = isinstance(last, Chunk) and last.terms[-1].role in DESCRIBING
    after = len(ahead) > 2 and ahead[1].form == "of" and ahead[2].role in DESCRIBING
    return ahead[0]._replace(role="head", sense=("focus",)) if before or after else ahead[0]._replace(role="ignore")


DESCRIBING = frozenset("quality shape up down abnormal".split())


class Runs:
    """Cuts items into runs of one verb each."""

    def __init__(self) -> None:
        self.out: list[tuple[list[Item], str, bool]] = []
        self.current: list[Item] = []
        self.inherit = ""
        self.verb: int | None = None

    def close(self, inherit: str = "", topic: bool = False) -> None:
        if any(isinstance(i, Chunk) for i in self.current):
            self.out.append((self.current, self.inherit, topic))
        self.current, self.inherit, self.verb = [], inherit, None

    def add(self, item: Item) -> None:
        if isinstance(item, Chunk):
            self.current.append(item)
        elif item.role in ("stop", "break"):
            self.close(topic=item.form == ":")
        elif item.role == "relative":
            self.close("last")
        elif item.role == "except":
            self.close()
        elif item.role == "there" and self.verb is None and self.current:
            if any(isinstance(i, Chunk) for i in self.current) and not leads(self.current):
                self.close()
            self.current.append(item)
        elif item.role == "pronoun":
            if self.verb is None:
                self.inherit = "last"
            self.current.append(item)
        else:
            if item.role in VERBS:
                self.meet(item)
            self.current.append(item)

    def meet(self, verb: Term) -> None:
        """A verb: the first of this run, part of the same verb group, or the sign of a new clause."""
        participle = verb.form.endswith("ing")
        to = bool(self.current) and isinstance(self.current[-1], Term) and self.current[-1].form == "to"
        if self.verb is not None and (participle or to or any(isinstance(i, Chunk) for i in self.current[self.verb :])):
            last = max((n for n, i in enumerate(self.current) if isinstance(i, Chunk)), default=-1)
            if participle:
                last = len(self.current) - 1
            between = self.current[last + 1 :]
            if manner(self.current[self.verb :], verb):
                return
            if any(isinstance(i, Term) and i.form == "to" for i in between[-1:]):  # `is seen to enhance`
                self.current = self.current[:-1]
                self.close("last")
            elif any(isinstance(i, Term) and i.role == "there" for i in between):
                self.current = self.current[: last + 1]
                self.close()
            elif participle or any(isinstance(i, Term) and i.role == "and" for i in between):
                self.current = self.current[: last + 1]
                self.close("last" if participle else "subject")
                self.current = [i for i in between if isinstance(i, Term) and i.role != "and"]
            else:
                cut = joint(self.current, self.verb)
                if cut is not None:
                    rest = self.current[cut:]
                    self.current = self.current[:cut]
                    self.close()
                    self.current = rest
                self.verb = None
        if self.verb is None:
            self.verb = len(self.current)


def leads(items: list[Item]) -> bool:
    """Is it a place in front: `in the left lung there is …`?"""
    return all(i.kind == "S" for i in items if isinstance(i, Chunk))


def manner(items: list[Item], verb: Term) -> bool:
    """`is poorly visualized`: the words between the verbs say how, not what."""
    inner = [i for i in items if isinstance(i, Chunk)]
    return verb.role == "seen" and len(inner) == 1 and items[-1] is inner[0] and adverbial(inner[0])


def adverbial(chunk: Chunk) -> bool:
    return all(t.role in ("normal", "abnormal", "detail") for t in chunk.terms)


def runs(items: list[Item]) -> list[tuple[list[Item], str, bool]]:
    cutter = Runs()
    for item in items:
        cutter.add(item)
    cutter.close()
    return cutter.out


def joint(items: list[Item], verb: int) -> int | None:
    """Where the next clause begins, after the verb at `verb`: at the joint that looks most like one."""
    best, best_rank = None, 0
    n = verb
    while n < len(items):
        item = items[n]
        if isinstance(item, Chunk) or item.role != "and":
            n += 1
            continue
        end = n
        forms = []
        while end < len(items) and not isinstance(items[end], Chunk):
            forms.append(items[end])
            end += 1
        rank = 1 + 3 * any(t.form == "," for t in forms) + any(t.form == "and" for t in forms)
        rank += 2 * any(t.role in ("det", "deny") for t in forms)
        if rank > best_rank:
            best, best_rank = n, rank
        n = max(end, n + 1)
    return best


def clause(items: list[Item], inherit: str, topic: bool) -> Clause:
    at = end = main_verb(items)
    while 0 < at < len(items) and isinstance(items[at - 1], Term) and items[at - 1].role == "deny":
        at -= 1
    while end < len(items) and isinstance(items[end], Term) and items[end].role in VERBS | {"deny", "det"}:
        end += 1
    words = [i for i in items[at:end] if isinstance(i, Term)]
    how: list[Term] = []
    if end + 1 < len(items) and words and isinstance(items[end], Chunk) and is_seen(items[end + 1]) and adverbial(items[end]):
        how = items[end].terms
        words.append(items[end + 1])
        end += 2
    if any(t.form in ("has", "have", "had") for t in words) and any(t.role == "be" for t in words):
        words = [t for t in words if t.role != "have"]  # `there has been`
    roles = {t.role for t in words}
    verb = next((v for v in ("seen", "have", "be") if v in roles), "-")
    denied = carried = False
    for word in (t for t in words if t.role == "deny"):
        if word.form in ("absent", "lacking"):
            verb, denied = "seen", True
        elif verb == "seen" and word.form != "no":
            denied = True
        else:
            carried = True
    if verb == "-" and items and isinstance(items[-1], Term) and items[-1].form in ("absent", "lacking"):
        verb, denied = "seen", True
    return Clause(list(groups(items[:at])), verb, denied, carried, list(groups(items[end:], carried)), how, inherit, topic)


def is_seen(item: Item) -> bool:
    return isinstance(item, Term) and item.role == "seen"


def main_verb(items: list[Item]) -> int:
    """The first verb of the last verb group that has a chunk before it; `nodules seen on the left are …`."""
    verbs = [n for n, i in enumerate(items) if isinstance(i, Term) and i.role in VERBS]
    if not verbs:
        return len(items)
    at = verbs[0]
    for one, two in zip(verbs, verbs[1:], strict=False):
        inner = [i for i in items[one:two] if isinstance(i, Chunk)]
        if inner and not (len(inner) == 1 and is_seen(items[two]) and adverbial(inner[0])):
            at = two
    return at


def groups(items: list[Item], denied: bool = False) -> Iterator[Group]:
    """Coordinated chunks together; a denial reaches until something is added or turned."""
    group: Group | None = None
    pending: list[Term] = []
    said, leading, first_seen = "", False, False
    for item in items:
        if isinstance(item, Term):
            pending.append(item)
            continue
        roles = {t.role for t in pending}
        if roles & {"with", "hedge", "undo", "except"} and (group is not None or not denied):
            denied = False
        denied = denied or "deny" in roles
        link = link_of(roles, pending)
        chunk = Chunk(item.terms, pending)
        kind = chunk.kind
        first, first_seen = not first_seen, True
        comma = [t.form for t in pending if t.role == "and"] == [","]
        apart = comma and leading and ("det" in roles or group is not None and group.link == "after")
        leading = (first and link == "prep") or link == "after"
        if "technique" in roles:
            link = "after"
        if group is not None and kind == "D" and (link == "sizes" or any(t.role == "measure" for t in chunk.terms)):
            for c in group.chunks:
                c.terms = [*c.terms, *chunk.terms]
        elif group is not None and again(group, kind, pending):
            group.chunks.append(chunk)
        elif group is not None and link == "and" and group.denied == denied and alike(group, chunk) and not apart:
            group.chunks.append(chunk)
        else:
            if link == "and" and group is not None and group.kind == "S":
                link = said
            if kind == "F":
                said = link if link in ("with", "hedge") else ""
            if group is not None:
                yield group
            group = Group([chunk], link, denied)
        pending = []
    if group is not None:
        yield group


def again(group: Group, kind: str, pending: list[Term]) -> bool:
    """`in the left lobe and in the right lobe`: one more place, not a place within a place."""
    roles = [t.role for t in pending if t.role == "prep" or (t.role == "and" and t.form != ",")]
    return group.kind == kind == "S" and group.link == "prep" and roles[:1] == ["and"] and "prep" in roles


def alike(group: Group, chunk: Chunk) -> bool:
    """Can the chunk be one more of the group? A place and a finding cannot be joined."""
    one, two = group.kind, chunk.kind
    if one == "S" and two == "X":  # `the femoral, tibial and patellar articular margins`
        return group.chunks[-1].terms[-1].kind == "adj" and any(t.place for t in chunk.terms)
    if one == two == "F" and valued(group.chunks[-1]) != valued(chunk):  # `tube in place, patchy opacities`
        return False
    return (one == "S") == (two == "S") or "O" in (one, two)


def valued(chunk: Chunk) -> bool:
    return any(t.role == "normal" for t in chunk.terms)


def link_of(roles: set[str], pending: list[Term]) -> str:
    order = [t.role for t in pending if t.role in ("and", "prep")]
    if order[-1:] == ["and"] and "prep" in order:  # `thin throughout and free of …`
        return "and"
    if "with" in roles or any(t.form == "without" for t in pending):
        return "with"
    return next((r for r in ("after", "hedge", "sizes", "prep", "and") if r in roles), "")
