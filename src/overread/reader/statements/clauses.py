"""Items of a sentence → clauses: groups around one verb."""

from itertools import pairwise, takewhile

from msgspec import Struct, structs

from overread.reader.statements.chunks import Chunk, Item, chunked, new_chunk
from overread.reader.statements.classes import ENDING, VERBS, adjectival
from overread.reader.statements.groups import LACKING, Group, groups, lacking, removes
from overread.reader.statements.terms import Term, Terms

CUTTING = VERBS | {"stop", "break", "except", "relative", "there", "pronoun", "act"}
"""Small words that may end the run, or begin another."""

TRAILED = VERBS | {"with"}
AROUND = VERBS | {"deny", "det"}
SPREADS = ("spreads",)
LIES = ("lies",)
HAVE = ("has", "have", "had")
UNLIKELY = {
    "unlikely",
    "highly unlikely",
    "very unlikely",
    "most unlikely",
    "improbable",
    "doubtful",
    "dubious",
}
GONE = UNLIKELY.union(
    ("absent", "lacking", "removed", "withdrawn", "removal", "ruled out"),
    (f"{verb} excluded" for verb in ("is", "are", "was", "were", "been")),
)
ABSENT = GONE | {"none", "no", "negative", "nil"}


class Clause(Struct, gc=False):
    """Groups before and after one verb."""

    pre: list[Group]
    verb: str
    """`-`, be, seen or have."""

    denied: bool
    """The verb itself is denied: `is not seen`."""

    negates: bool
    """What follows the verb is denied: `does not show`."""

    post: list[Group]
    manner: Terms
    """`poorly` in `is poorly visualized`."""

    inherit: str
    """What stands for a missing subject: `subject` or `last` of the clause before; empty for none.

    `rest`: what is excepted of it.
    """

    topic: bool
    """A colon follows."""

    lacking: bool
    """The verb says that something is not there: `is free of`."""

    aside: bool = False
    """What the subject does to another place; what follows is said of the subject again."""

    spreads: bool = False
    """The verb puts the subject in one more place: `extends into`."""


class Run(Struct, frozen=True, gc=False):
    """Items with one verb."""

    items: list[Item]
    inherit: str
    topic: bool
    aside: bool = False


def runs_of(terms: list[Term]) -> list[Run]:
    """The runs of one sentence, each of which is a clause, in order."""
    cutter = Cutter()
    forms, roles = {t.form for t in terms}, {t.role for t in terms}
    if "deny" in roles and not OF_PLACES.isdisjoint(forms):
        terms = with_verb_denied(terms)
    if "there" in roles:
        terms = with_stop_before_there(terms)
    for item in chunked(terms, forms, roles):
        if item.role in CUTTING:
            cutter.add(item)  # type: ignore[arg-type]  # a chunk has no role
        else:
            cutter.current.append(item)
    if cutter.current:
        cutter.close()
    runs = cutter.out
    if ":" in forms:
        runs = labelled(runs)
    if "," in forms:
        runs = [part for run in runs for part in parted(run)]
    if "have" in roles:
        runs = [part for run in runs for part in with_verb_again(run)]
    if "the" in forms and "and" in roles and not VERBS.isdisjoint(roles):
        runs = [part for run in runs for part in with_verb_left_out(run)]
    return [without_reason(run) for run in runs] if "by" in forms and not GONE.isdisjoint(forms) else runs


OF_PLACES = frozenset({"no", "neither", "none"})
WHERE = frozenset({"in", "on", "at"})


STOP = Term("stop", (), (), "-", "-", ";", -1, -1)


def with_stop_before_there(terms: list[Term]) -> list[Term]:
    """`The tube remains there is a new opacity`: a second clause begins where no mark says so."""
    out: list[Term] = []
    said = False
    for n, term in enumerate(terms):
        exists = term.role == "there" and n + 1 < len(terms) and terms[n + 1].role == "be"
        if exists and said and out[-1].role not in JOINING:
            out.append(STOP)
        said = term.role in VERBS or (said and term.role not in ENDING)
        out.append(term)
    return out


JOINING = frozenset({"and", "prep", "det", "relative", "break", "stop", "deny"})


def with_verb_denied(terms: list[Term]) -> list[Term]:
    """`Nodules are seen in neither lung`: they are not seen in the lungs."""
    for n in range(2, len(terms)):
        deny, prep, verb = terms[n], terms[n - 1], terms[n - 2]
        if (
            deny.form in OF_PLACES and prep.form in WHERE and verb.role in VERBS
        ):  # also: is present at no level
            after = n + 2 if [t.form for t in terms[n + 1 : n + 2]] == ["of"] else n + 1
            return [*terms[: n - 2], structs.replace(deny, form="not"), verb, prep, *terms[after:]]
    return terms


def without_reason(run: Run) -> Run:
    """`Pneumonia is excluded by the clear lungs`: what follows `by` is why, and nothing that is denied or there."""
    for n, (cue, after) in enumerate(pairwise(run.items), 1):
        if cue.form in GONE and after.form == "by":
            return Run(run.items[:n], run.inherit, run.topic, run.aside)
    return run


class Cutter:
    """Cuts items into runs of one verb each."""

    def __init__(self) -> None:
        self.out: list[Run] = []
        self.current: list[Item] = []
        self.inherit = ""
        self.verb: int | None = None
        self.aside = False

    def close(self, inherit: str = "", topic: bool = False) -> None:
        if self.out and self.out[-1].topic and self.answers():
            self.out[-1] = Run(self.out[-1].items + self.current, "", topic)
        elif has_chunk(self.current) or (topic and is_term(self.current, role="deny")):
            self.out.append(Run(self.current, self.inherit, topic, self.aside))
        self.current, self.inherit, self.verb, self.aside = [], inherit, None, False

    def answers(self) -> bool:
        """`Effusion: none.`, `Consolidation: present in the left lung.`: what was asked before the colon."""
        if not self.current:
            return False
        roles = [i.role for i in self.current]
        return roles[0] == "seen" or ("deny" in roles and not has_chunk(self.current))

    def act(self) -> None:
        """`… and indents the bladder base`: a clause of its own."""
        if has_chunk(self.current):
            self.drop_joints()
            denied = [i for i in self.current[-1:] if i.role == "deny"]  # without eroding the bone
            if denied:
                self.current.pop()
            self.close()
            self.current, self.aside = denied, True

    def drop_joints(self) -> None:
        while self.current and self.current[-1].role == "and":
            self.current.pop()

    def add(self, item: Term) -> None:
        """A small word that may end the run, or begin another."""
        role = item.role
        if role in VERBS:
            if self.verb is not None and (self.trails(item) or self.only_adds(item)):
                return
            if self.verb is not None and self.places(item):
                self.current.append(structs.replace(item, role="prep"))
                return
            self.meet(item)
            self.current.append(item)
        elif role in ("stop", "break", "except"):
            self.drop_joints()
            self.close("rest" if role == "except" else "", topic=item.form == ":")
        elif role == "relative":
            self.close("last")
        elif role == "act":
            self.act()
        else:
            self.point(item)
            self.current.append(item)

    def point(self, word: Term) -> None:
        """`There` and the pronouns: a clause of its own, or one whose subject was named before."""
        if word.role == "there" and self.verb is None and not leads(self.current):
            self.close()
        elif word.role == "pronoun" and (self.verb is None or self.current[-1].role == "prep"):
            self.inherit = "last"

    def trails(self, verb: Term) -> bool:
        """`…, with both sharp and blurred margins present`: no verb of its own."""
        if verb.role != "seen" or self.verb is None or self.current[-1].role:
            return False
        small = [i.role for i in self.current[self.verb + 1 :] if i.role in TRAILED]
        return small[-1:] == ["with"]

    def places(self, verb: Term) -> bool:
        """`There are clips overlying the neck`: the only word for where they are."""
        if verb.sense != LIES or self.verb is None or not verb.form.endswith("ing"):
            return False
        chunks = [i for i in self.current if isinstance(i, Chunk)]
        return self.current[-1:] == chunks[-1:] and not any(t.site for c in chunks for t in c.terms)

    def only_adds(self, verb: Term) -> bool:
        """`There is no effusion or mass identified`: the second verb adds nothing, and the denial reaches over all."""
        if verb.role != "seen" or self.verb is None or self.current[-1].role:
            return False
        roles = [i.role for i in self.current]
        return "there" in roles[: self.verb] and "seen" not in roles[self.verb :]

    def meet(self, verb: Term) -> None:
        """A verb: the first of this run, part of the same verb group, or the sign of a new clause."""
        if self.aside:
            self.drop_joints()
            self.close("subject")
        if self.verb is not None and self.begins(verb):
            if says_how(self.current[self.verb :], verb):
                return
            self.part(verb)
        if self.verb is None:
            self.verb = len(self.current)

    def begins(self, verb: Term) -> bool:
        """Does a second verb begin something new? Not right after the first."""
        if verb.form.endswith("ing") or self.current[-1].form == "to":
            return True
        return has_chunk(self.current[self.verb :])

    def part(self, verb: Term) -> None:
        """Close the clause so far, and say what stands for the subject of the next."""
        assert self.verb is not None
        last = max((n for n, i in enumerate(self.current) if isinstance(i, Chunk)), default=-1)
        between = [i for i in self.current[last + 1 :] if isinstance(i, Term)]
        if verb.form.endswith("ing"):
            side = last_side(self.current, verb.form == "being")
            rest = self.current[side:]
            self.current = self.current[:side]
            self.close("" if rest else "last")
            self.current = rest
        elif is_term(between[-1:], form="to"):  # `is seen to enhance`
            self.current = self.current[:-1]
            self.close("last")
        elif is_term(between, role="there"):
            self.current = self.current[: last + 1]
            self.close()
        elif is_term(between, role="pronoun"):  # `on T1 it is dark, and on T2 it is bright`
            cut = joint(self.current, self.verb)
            rest = self.current[cut:]
            self.current = self.current[:cut]
            self.close("last")
            self.current = rest
        elif is_term(between, role="and"):  # `is enlarged and shows …`
            self.current = self.current[: last + 1]
            self.close("subject")
            self.current = [t for t in between if t.role != "and"]
        else:
            cut = joint(self.current, self.verb)
            cut = cut if cut is not None else unmarked(self.current, self.verb)
            rest = self.current[cut:] if cut is not None else []
            if cut is not None:
                self.current = self.current[:cut]
                self.close()
                self.current = rest
            self.verb = None


def has_chunk(items: list[Item]) -> bool:
    for i in items:  # noqa: SIM110 — asked many times of every sentence
        if not i.role:
            return True
    return False


def last_side(items: list[Item], being: bool) -> int:
    """Where a bare side at the end begins: `both lobes are large, the right containing a nodule`.

    Before `being` any place: `the medial compartment is worn, the lateral compartment being normal`.
    """
    side = items[-1] if items else None
    bare = isinstance(side, Chunk) and all(t.kind == "dir" and t.side != "-" for t in side.terms)
    bare = bare or (being and isinstance(side, Chunk) and side.kind in "SX")
    begins = bare and is_term(items[-2:-1], form="the") and is_term(items[-3:-2], form=",")
    return len(items) - 2 if begins else len(items)


def is_term(items: list[Item] | list[Term], role: str = "", form: str = "") -> bool:
    """Is one of the items a small word of this role or form?"""
    for i in items:  # noqa: SIM110 — asked many times of every sentence
        if isinstance(i, Term) and (i.role == role or i.form == form):
            return True
    return False


def leads(items: list[Item]) -> bool:
    """Is it only a place in front: `in the left lung there is …`?"""
    first = next((i.role for i in items if i.role != "and"), "")
    placed = first == "prep"  # also where no table knows the place
    return all(i.kind == "S" or (placed and i.kind == "O") for i in items if isinstance(i, Chunk))


def says_how(items: list[Item], verb: Term) -> bool:
    """`is poorly visualized`: the words between the verbs say how, not what."""
    inner = [i for i in items if isinstance(i, Chunk)]
    return verb.role == "seen" and len(inner) == 1 and items[-1] is inner[0] and adverbial(inner[0])


def adverbial(item: Item) -> bool:
    return isinstance(item, Chunk) and all(t.role in ("normal", "abnormal", "detail") for t in item.terms)


def joint(items: list[Item], verb: int) -> int | None:
    """Where the next clause begins, after the verb at `verb`: at the joint that looks most like one."""
    best, best_rank = None, 0
    n = verb
    while n < len(items):
        small: list[Term] = []
        for item in items[n:]:
            if isinstance(item, Chunk):
                break
            small.append(item)
        if small and small[0].role == "and":
            rank = 1 + 3 * is_term(small, form=",") + is_term(small, form="and")
            rank += 2 * any(t.role in ("det", "deny") for t in small)
            if rank > best_rank:
                best, best_rank = n, rank
            n += len(small)
        else:
            n += 1
    return best


VALUES = frozenset({"normal", "abnormal", "quality", "aspect"})


def unmarked(items: list[Item], verb: int) -> int | None:
    """`The heart is normal the lungs are clear`: where the next clause begins without a mark."""
    for n in range(verb + 2, len(items) - 1):
        said, article, subject = items[n - 1 : n + 2]
        told = isinstance(said, Chunk) and said.terms[-1].role in VALUES
        if told and is_term([article], form="the") and isinstance(subject, Chunk) and subject.kind in "SX":
            return n
    return None


def parted(run: Run) -> list[Run]:
    """`Increased markings in both lungs, both diaphragms are smooth`: only the last place is the subject."""
    items = run.items
    forms = [i.form for i in items]
    if "," not in forms:
        return [run]
    roles = [i.role for i in items]
    start, end = verb_group(items, roles)
    if "," not in forms[1:start] or meaning(items[start:end])[0] not in ("be", "have"):  # type: ignore[arg-type]
        return [run]
    comma = next(n for n in range(start - 1, 0, -1) if forms[n] == ",")
    begin = comma + 1
    if forms[begin] == "and" and "det" in roles[begin + 1 : begin + 2]:
        begin += 1  # `Small effusion, and the heart is normal`
    subject = [i for i in items[begin:start] if isinstance(i, Chunk)]
    if not subject or "and" in roles[begin:start]:
        return [run]
    before = [i for i in items[:comma] if isinstance(i, Chunk)]
    stated = any(c.kind == "F" for c in before) and any(t.site for c in before for t in c.terms)
    if not stated or "after" in roles[:comma] or any(c.kind not in "SX" for c in subject):
        return [run]
    return [Run(items[:comma], run.inherit, False), Run(items[begin:], "", run.topic)]


NO = Term("deny", (), (), "-", "-", "no", -1, -1)


def labelled(runs: list[Run]) -> list[Run]:
    """Runs behind a label and a colon as one would say them: `Effusion: small`, `Normal: heart`, `Absent: ascites`."""
    out: list[Run] = []
    denied = False
    for run in runs:
        label = out[-1] if out and out[-1].topic else None
        if label is not None:
            denied = denies(label)
            out[-1:] = with_label(label, run)
        elif denied and VERBS.isdisjoint([i.role for i in run.items]):  # absent: ascites; adenopathy
            out.append(Run([NO, *run.items], run.inherit, run.topic))
        else:
            out.append(run)
    if out and out[-1].topic and any(i.kind == "F" for i in out[-1].items if isinstance(i, Chunk)):
        out[-1] = Run(out[-1].items, out[-1].inherit, False)  # `Nodule: as before`
    return [run for run in out if has_chunk(run.items)]


def with_label(label: Run, run: Run) -> list[Run]:
    chunks = [i for i in label.items if isinstance(i, Chunk)]
    if denies(label):
        return [Run([NO, *run.items], run.inherit, run.topic)]
    if all(c.roles <= LISTING for c in chunks):
        return [Run([*chunks, *run.items], run.inherit, run.topic)]
    named = any(c.kind == "F" for c in chunks)
    if named and all(isinstance(i, Chunk) and is_gone(i) for i in run.items):
        return [Run([NO, *label.items], run.inherit, run.topic)]  # opacity in the right base: gone
    if not named or not JOINTS.issuperset([i.role for i in label.items]):
        return [label, run]
    if apart := by_place(chunks, run):
        return apart
    answer = [i.role for i in run.items[:2]]
    if answer == ["deny", "and"] and run.items[0].form in ABSENT:  # pneumothorax: none, small effusion
        return [Run([*label.items, run.items[0]], "", False), Run(run.items[2:], run.inherit, run.topic)]
    if all(describes(i) for i in run.items):
        return [Run([*label.items, IS, *run.items], run.inherit, run.topic)]
    if isinstance(run.items[0], Chunk) and all(lacks_noun(i) for i in run.items):
        return [
            Run([*label.items, *run.items], run.inherit, run.topic)
        ]  # free fluid: small volume around the liver
    return [label, run]


ON = Term("prep", (), (), "-", "-", "on", -1, -1)


def by_place(label: list[Chunk], run: Run) -> list[Run]:
    """`Effusion: none on the right, small on the left`: what the label names, said of each place apart."""
    parts: list[list[Item]] = [[]]
    for item in run.items:
        if item.role == "and":
            parts.append([])
        else:
            parts[-1].append(item)
    said = [[t for i in part if isinstance(i, Chunk) for t in i.terms] for part in parts]
    places = [[t for t in terms if t.role == "site"] for terms in said]
    plain = all(lacks_noun(i) for part in parts for i in part)
    if len(label) != 1 or len(parts) < 2 or not plain or not all(places):
        return []
    made: list[Run] = []
    for part, terms, place in zip(parts, said, places, strict=True):
        named = new_chunk((*(t for t in terms if t not in place), *label[0].terms))
        denied = [NO] if any(i.role == "deny" for i in part) else []
        made.append(Run([*denied, named, ON, new_chunk(tuple(place))], "", False))
    return made


def lacks_noun(item: Item) -> bool:
    """Degrees, sizes, places and the small words between them: said of what the label names."""
    return item.kind in "DS" if isinstance(item, Chunk) else item.role in ("and", "prep", "det", "deny")


def denies(label: Run) -> bool:
    """`Absent: …`, `Excluded: …`."""
    words = [t.form for i in label.items if isinstance(i, Chunk) for t in i.terms]
    return not words or words == ["excluded"]


LISTING = frozenset({"normal", "change"})
"""Roles of words under which others are listed: `Normal: …`, `Unchanged: …`."""


def describes(item: Item) -> bool:
    """Words that only say how something is, or on which side."""
    if not isinstance(item, Chunk):
        return item.role in ("and", "deny")
    return item.kind in "AD" or (item.kind == "S" and all(t.kind in ("dir", "adj") for t in item.terms))


def with_verb_again(run: Run) -> list[Run]:
    """`The left kidney has two stones and the right a cyst`: the verb is said once for both."""
    items = run.items
    roles = [i.role for i in items]
    if "have" not in roles or "and" not in roles:
        return [run]
    verb = roles.index("have")
    for n in range(verb or len(items), len(items) - 4):
        if roles[n] != "and" or items[n + 1].form != "the":
            continue
        article, place, another, thing = items[n + 1 : n + 5]
        if (
            isinstance(place, Chunk)
            and place.kind == "S"
            and (another.form in ("a", "an") or another.role == "deny")
            and isinstance(thing, Chunk)
        ):
            rest = Run([article, place, items[verb], *items[n + 3 :]], "", run.topic)
            return [Run(items[:n], run.inherit, False, run.aside), rest]
    return [run]


def with_verb_left_out(run: Run) -> list[Run]:
    """`The liver is enlarged, the left kidney probably obstructed`: the verb of the first clause is meant again."""
    items, roles = run.items, [i.role for i in run.items]
    verb = next((n for n, role in enumerate(roles) if role in VERBS), len(items))
    for n in range(verb + 2, len(items) - 2):
        if roles[n] == "and" and items[n + 1].form == "the" and VERBS.isdisjoint(roles[n:]):
            rest = with_verb_between(items[n + 2 :])
            if rest and (items[n].form == "," or ends_predicate(items[n - 1])):
                later = with_verb_left_out(Run([items[n + 1], *rest], "", run.topic))
                return [Run(items[:n], run.inherit, False, run.aside), *later]
    return [run]


def ends_predicate(item: Item) -> bool:
    """`… is enlarged`, `… is normal in size`."""
    return is_predicate(item) or (isinstance(item, Chunk) and all(t.role == "aspect" for t in item.terms))


def with_verb_between(items: list[Item]) -> list[Item]:
    """A place, `is` and how it is said to be; empty where something else follows."""
    first = items[0]
    if not isinstance(first, Chunk):
        return []
    cut = described_from(first.terms)
    if cut:
        return [new_chunk(first.terms[:cut], first.before), IS, new_chunk(first.terms[cut:]), *items[1:]]
    hedged = len(items) > 2 and items[1].role == "hedge" and is_predicate(items[2])
    return [first, IS, *items[1:]] if hedged and first.kind == "S" else []


IS = Term("be", (), (), "-", "-", "is", -1, -1)


def is_predicate(item: Item) -> bool:
    """`Heterogeneous`, `normal`: only how something is."""
    return isinstance(item, Chunk) and all(map(is_adjective, item.terms))


def is_adjective(term: Term) -> bool:
    return term.role == "normal" or (term.role == "quality" and adjectival(term))


def is_describing(term: Term) -> bool:
    """`Mildly` enlarged: how something is, or how far."""
    return is_adjective(term) or term.role == "detail"


def described_from(terms: Terms) -> int:
    """`Uterus enlarged`: where the words begin that say how the place is; 0 where none do."""
    cut = next((n for n, t in enumerate(terms) if t.role != "site"), 0)
    return cut if all(t.role == "measure" or is_adjective(t) for t in terms[cut:]) else 0


def with_verb(items: list[Item], roles: list[str]) -> list[Item]:
    """`Heart and mediastinum normal`: the verb is left out, and what follows it is said of both."""
    first, last = items[0], items[-1]
    if len(items) < 3 or not TELEGRAPHIC.issuperset(roles):
        return items
    if isinstance(first, Chunk) and roles[1] == "and" and is_predicate(items[2]):
        cut = described_from(first.terms)
        if cut:
            place, said = first.terms[:cut], first.terms[cut:]
            return [new_chunk(place, first.before), IS, new_chunk(said), *items[1:]]
    if not JOINTS.issuperset(roles):
        return items
    if isinstance(first, Chunk) and is_describing(first.terms[0]):
        behind = with_verb_behind(items, first)
        if behind is not items or first.terms[0].role == "normal":
            return behind
    if not isinstance(last, Chunk) or "normal" not in last.roles:
        return items
    cut = next(n for n, t in enumerate(last.terms) if t.role == "normal")
    before = [i for i in items[:-1] if isinstance(i, Chunk)]
    if not cut or any(t.role not in ("site", "aspect") for t in last.terms[:cut]):
        return items
    if any(c.kind not in "SX" for c in before):
        return items
    return [*items[:-1], new_chunk(last.terms[:cut], last.before), IS, new_chunk(last.terms[cut:])]


def with_verb_behind(items: list[Item], first: Chunk) -> list[Item]:
    """`Normal heart, lungs and ribs`, `enlarged heart and mediastinum`: said of all."""
    said = tuple(takewhile(is_describing, first.terms))
    places = [i for i in items[1:] if isinstance(i, Chunk)]
    own = first.terms[len(said) :]
    if any(c.kind != "S" for c in places) or any(t.role != "site" for t in own):
        return items
    if said[0].role != "normal" and (not is_adjective(said[-1]) or not own or adjectival(own[-1])):
        return items  # `enlarged hilar and mediastinal nodes`
    named = [new_chunk(own, first.before)] if own else []
    if not own and not places:
        return items
    rest = items[1:] if own else items[items.index(places[0]) :]
    return [*named, *rest, IS, new_chunk(said)]


JOINTS = frozenset({"", "and", "det"})
"""Roles in a list: what is named, and what joins it."""

TELEGRAPHIC = JOINTS | {"deny"}
"""The same, and that something is not there."""


def clause_of(run: Run) -> Clause:
    items = run.items
    roles = [i.role for i in items]
    start, end = verb_group(items, roles)
    if start == len(items) and (whole := with_verb(items, roles)) is not items:
        items = whole
        roles = [i.role for i in items]
        start, end = verb_group(items, roles)
    words: list[Term] = items[start:end]  # type: ignore[assignment]  # no chunk is part of a verb
    manner: Terms = ()
    if words and roles[end + 1 : end + 2] == ["seen"] and adverbial(items[end]):
        chunk, seen = items[end], items[end + 1]
        assert isinstance(chunk, Chunk)
        assert isinstance(seen, Term)
        manner = chunk.terms
        words.append(seen)
        end += 2
    verb, denied, negates = meaning(words) if words else ("-", False, False)
    if verb == "-" and items[-1].form in ABSENT:  # `Pleural effusion: absent`
        verb, denied = "seen", True
    again = roles.count("deny") > 1
    if end < len(items) and is_back_to_normal(items[:start], items[end : end + 2]):
        items = [*items[:end], new_chunk((AS_IT_SHOULD_BE,)), *items[end + 1 :]]
    return Clause(
        groups(items[:start], subject=verb == "seen", again=again) if start else [],
        verb,
        denied,
        negates,
        groups(items[end:], negates, False, taken_out=negates and removes(words), again=again)
        if end < len(items)
        else [],
        manner,
        run.inherit,
        run.topic,
        bool(words) and lacking(words),
        run.aside,
        bool(words) and SPREADS in [t.sense for t in words],
    )


AS_IT_SHOULD_BE = Term("normal", ("*0",), (), "-", "-", "normal", -1, -1)


def is_gone(chunk: Chunk) -> bool:
    return all(t.sense == ("change:gone",) for t in chunk.terms)


def is_back_to_normal(before: list[Item], after: list[Item]) -> bool:
    """`The lungs have cleared`, `the heart size has normalized`: what has gone was no organ, but what ailed it."""
    said = after[0]
    gone = isinstance(said, Chunk) and is_gone(said) and (len(after) == 1 or after[1].role == "and")
    return gone and all(i.kind in "SX" for i in before if isinstance(i, Chunk)) and has_chunk(before)


def verb_group(items: list[Item], roles: list[str]) -> tuple[int, int]:
    """From the first to after the last word of the verb, denials included."""
    start = end = main_verb(items, roles)
    while 0 < start < len(items) and roles[start - 1] == "deny":
        start -= 1
    while end < len(items) and roles[end] in AROUND and items[end].form != "without":
        end += 1  # but `a tendon is noted without thickening` denies what follows, not the tendon
    return start, end


def main_verb(items: list[Item], roles: list[str]) -> int:
    """The verb after the last chunk that stands between verbs: `nodules seen on the left are …`."""
    verbs = [n for n, role in enumerate(roles) if role in VERBS]
    if not verbs:
        return len(items)
    at = verbs[0]
    for one, two in pairwise(verbs):
        inner = [i for i in items[one:two] if isinstance(i, Chunk)]
        how = len(inner) == 1 and roles[two] == "seen" and adverbial(inner[0])
        if inner and not how:
            at = two
    return at


def meaning(words: list[Term]) -> tuple[str, bool, bool]:
    """Which verb it is, whether it is denied, and whether what follows is."""
    roles = [t.role for t in words]
    having = "have" in roles and not (
        "be" in roles and any(t.form in HAVE for t in words)
    )  # `there has been`
    verb = "seen" if "seen" in roles else "have" if having else "be" if "be" in roles else "-"
    denied = negates = False
    for word in words if "deny" in roles else ():
        if word.role != "deny":
            continue
        if word.form in GONE:
            verb, denied = "seen", True
        elif verb == "seen" and word.form != "no":
            denied = True
        else:
            negates = not (negates and word.form in LACKING)  # are not free of nodules
    return verb, denied, negates
