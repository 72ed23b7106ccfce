"""Chunks → groups: what is joined by `and`, `or` and commas, and how far a denial reaches."""

from collections.abc import Sequence

from msgspec import Struct, structs

from overread.reader.statements.chunks import Chunk, Item, new_chunk
from overread.reader.statements.classes import HEADS, adjectival
from overread.reader.statements.terms import Term, Terms

LINKS = ("after", "hedge", "sizes", "prep", "and")
"""Roles that tie a group to the words before, the stronger first."""

NAMES = frozenset({"head", "compound", "open", "normal"})
ANYTHING = ("focus",)
"""What a lesion, an opacity or a shadow is: something seen."""

MADE_OF = frozenset({"calcified", "fat", "necrotic", "solid", "groundglass"})
TURNS = frozenset({"with", "hedge", "undo", "except"})
"""Roles that end a denial."""

COMES_FROM = frozenset({"by", "from"})
"""`Enlarged by fibroids`, `a deformity from an old fracture`: two findings."""

NO_ROLES: set[str] = set()
TURNING = TURNS | {"deny"}


class Group(Struct, gc=False):
    """Joined chunks; `link` is what ties the group to the words before."""

    chunks: list[Chunk]
    link: str
    denied: bool = False

    @property
    def kind(self) -> str:
        """The kind of its chunks; unknown words after a preposition are a place."""
        chunks = self.chunks
        found = chunks[0].kind if len(chunks) == 1 else min([c.kind for c in chunks], key="FOXSAD".index)
        return "S" if found == "O" and self.link == "prep" else found


def groups(
    items: list[Item],
    denied: bool = False,
    front: bool = True,
    subject: bool = False,
    taken_out: bool = False,
    again: bool = True,
) -> list[Group]:
    """Coordinated chunks together; a denial reaches until something is added or turned.

    `again`: may one thing be denied after another?
    """
    first = items[0]
    if len(items) == 1 and isinstance(first, Chunk):
        return [Group([first], "", denied)]
    joiner = Joiner(denied, front, subject, taken_out)
    pending: list[Term] = []
    one_by_one = again and denies_one_by_one(items)
    for n, item in enumerate(items):
        if not isinstance(item, Chunk):
            pending.append(item)
            continue
        ended = one_by_one or (joiner.denied and said_normal(items[: n + 1]))
        if ended and [t.form for t in pending] == [","] and not list_goes_on(items[n + 1 :]):
            joiner.denied = denied
        if item.kind == "X" and item.terms[-1].form == "density":
            see_density(item, pending, items[n + 1 :])
        more = on_the_next(item, items[n + 1 : n + 3]) if item.terms[0].role == "seq" else ()
        chunk = new_chunk(item.terms + more) if more else item
        if joiner.inferred and resumes(pending, items[n + 1 : n + 2]):
            joiner.denied, joiner.said = True, ""
            pending = [t for t in pending if t.form != "or"]
        chunk.before = pending
        joiner.take(chunk)
        pending = []
    return joiner.out


SORTS = frozenset(
    {"suspicious for", "concerning for", "worrisome for", "suggestive of", "to suggest", "to indicate"}
)
"""Which sort of thing is denied."""

INFERRED = frozenset({"to suggest", "to indicate"})


def resumes(before: list[Term], after: list[Item]) -> bool:
    """`No line to suggest air or blunting to suggest fluid`: the second sign is denied like the first."""
    return any(t.form == "or" for t in before) and any(
        isinstance(i, Term) and i.form in INFERRED for i in after
    )


def see_density(chunk: Chunk, before: list[Term], after: list[Item]) -> None:
    """`A density in the lung`, `right hilar density, likely a node`: something seen, and not how dense it is."""
    last = chunk.terms[-1]
    hedge = next((n for n, i in enumerate(after) if isinstance(i, Term) and i.role == "hedge"), len(after))
    taken = any(t.role in HEADS for i in after[hedge:] if isinstance(i, Chunk) for t in i.terms)
    if taken or any(t.form in ("a", "an") for t in before):
        chunk.hold((*chunk.terms[:-1], structs.replace(last, role="head", sense=ANYTHING)))


def denies_one_by_one(items: list[Item]) -> bool:
    """`No abscess, no free air, trace pelvic fluid`: who says `no` again denies one thing at a time."""
    return [i.role for i in items].count("deny") > 1


def said_normal(items: list[Item]) -> bool:
    """`No pneumothorax, left base clear, ETT in place`: what is normal is told, and no longer a list of what is not."""
    last = [i for i in items if isinstance(i, Chunk)][-2:]
    return any(c.terms[-1].role == "normal" and c.terms[0].role == "site" for c in last)


def list_goes_on(items: list[Item]) -> bool:
    """Does a list end with `or` or `and` further on, before another denial?"""
    for item in items:
        if item.role == "deny" or item.form in ("and", "or", "nor"):
            return item.role != "deny"
    return False


LACKING = frozenset(
    {"free of", "free from", "clear of", "void of", "without", "devoid", "lack", "lacks", "lacking"}
)
"""Denials that are denied themselves in `not free of nodules`."""


def removes(words: Sequence[Term]) -> bool:
    """`Removal of the chest tube with an effusion`: the effusion is there."""
    forms = [t.form for t in words]
    return "remov" in " ".join(forms) or "withdrawn" in forms or "explanted" in forms


def lacking(words: Sequence[Term]) -> bool:
    return not LACKING.isdisjoint([t.form for t in words])


def on_the_next(chunk: Chunk, ahead: list[Item]) -> Terms:
    """`T2WI and FLAIR hyperintense lesions`: what a bare sequence shares with the one joined to it."""
    if len(ahead) < 2 or any(t.role != "seq" for t in chunk.terms):
        return ()
    joint, later = ahead
    joined = isinstance(joint, Term) and joint.role == "and" and isinstance(later, Chunk)
    return later.terms[1:] if joined and later.terms[0].role == "seq" else ()  # type: ignore[union-attr]


class Joiner:
    """Puts each chunk into the last group, or begins a new one."""

    def __init__(self, denied: bool, front: bool, subject: bool, taken_out: bool) -> None:
        self.out: list[Group] = []
        self.said = ""
        """How the last finding was tied: what is joined to its place is tied likewise."""

        self.inferred = False
        """Something is told to be what a denied sign would have suggested."""

        self.leading = False
        """The last group is a place in front, or something that was done before."""

        self.subject = subject
        """A verb follows."""

        self.denied = denied
        self.front = front
        """The words stand before the verb, or there is none."""

        self.taken_out = taken_out
        """The denial is a removal: what a device is removed with is no part of it."""

    def take(self, chunk: Chunk) -> None:
        before, roles, link = chunk.before, NO_ROLES, ""
        if before:
            roles = {before[0].role} if len(before) == 1 else {t.role for t in before}
            link = self.tie(chunk, before, roles)
        may_join = self.out and ("and" in roles or chunk.kind == "D")
        if not may_join or not self.join(self.out[-1], chunk, link, roles):
            self.begin(chunk, link)

    def tie(self, chunk: Chunk, before: Sequence[Term], roles: set[str]) -> str:
        """What the small words before it tie the chunk with; whether it is denied changes with them."""
        if not TURNING.isdisjoint(roles):
            self.turn(chunk, before, roles)
        link = link_of_one(before[0]) if len(before) == 1 else link_of(before, roles)
        if link == "prep" and self.out and chunk.kind == "F":
            link = self.meant(chunk, roles)
        if self.denied and len(before) > 1 and "as well as" in [t.form for t in before[1:]]:
            self.denied = False  # without necrosis, as well as edema
        return link

    def turn(self, chunk: Chunk, before: Sequence[Term], roles: set[str]) -> None:
        """Begin a denial, or end it."""
        turned = not TURNS.isdisjoint(roles) and (self.out or not self.denied)
        if turned and self.denied and [g.kind for g in self.out] == ["S"] and before[0].form in SORTS:
            return  # no nodes suspicious for metastasis
        if turned and not self.goes_on(chunk, roles):
            self.inferred = self.denied and any(t.form in INFERRED for t in before)
            self.denied = False
        if not self.denied:
            self.denied = "deny" in roles
            self.taken_out = removes(before)
        elif not self.out and lacking(before):  # are not without stones
            self.denied = False

    def meant(self, chunk: Chunk, roles: set[str]) -> str:
        """What a preposition before a finding ties it with."""
        if chunk.before[0].form in COMES_FROM:
            return "with"
        return "and" if "and" in roles else "prep"  # no change in the cyst or in the stone

    def goes_on(self, chunk: Chunk, roles: set[str]) -> bool:
        """`No lesion with ring enhancement is seen`: what stands before the verb is denied with it.

        After the verb only a description is: `no lesion with ring enhancement`, not `no effusion with a mass`.
        """
        if self.taken_out or not TURNS.isdisjoint(roles - {"with"}):
            return False
        return self.subject or (
            all(describing(t) for t in chunk.terms) and not any(t.form == "," for t in chunk.before)
        )

    def join(self, group: Group, chunk: Chunk, link: str, roles: set[str]) -> bool:
        """Put a chunk of details, or one behind an `and` or a comma, into the group if it belongs there."""
        if chunk.kind == "D" and (link == "sizes" or tells_size(group, chunk)):
            last = group.chunks[-1]
            own = names_largest(last) or any(
                t.form == "of" for t in chunk.before
            )  # stones and a polyp of 11 mm
            for other in [last] if own else group.chunks:
                other.hold(other.terms + chunk.terms)
            return True
        if ("prep" in roles and again(group, chunk)) or (
            link == "and"
            and group.denied == self.denied
            and not self.apart(group, chunk, roles)
            and alike(group, chunk)
        ):
            group.chunks.append(chunk)
            self.leading = self.leading and len(self.out) == 1 and chunk.kind == "S"
            return True
        return False

    def apart(self, group: Group, chunk: Chunk, roles: set[str]) -> bool:
        """`At L3/4, the disc …`, `After surgery, the tube …`: the comma ends what stands in front."""
        if not self.leading or not ("det" in roles or group.link == "after"):
            return False
        return [t.form for t in chunk.before if t.role == "and"] == [","]

    def begin(self, chunk: Chunk, link: str) -> None:
        if link == "and" and self.out and self.out[-1].kind == "S":
            link = self.said
        if chunk.kind == "F":
            self.said = link if link in ("with", "hedge") else ""
        self.leading = link == "after" or (link == "prep" and self.front and not self.out)
        self.out.append(Group([chunk], link, self.denied))


def describing(term: Term) -> bool:
    """Is it said of a lesion, and no finding of its own?"""
    if term.role in NAMES or term.place:
        return term.sense == ANYTHING
    plain = term.role == "quality" and term.sense[0][-1] not in "+-!~"
    return not plain or term.sense[0] in MADE_OF


def tells_size(group: Group, chunk: Chunk) -> bool:
    """`nodules, the largest 9 mm`, `a cyst of 9 mm`: more about what was named."""
    if "measure" in chunk.roles:
        return True
    return group.kind == "F" and any("largest" in t.sense for t in chunk.terms)


def names_largest(chunk: Chunk) -> bool:
    """`…, the largest in the liver`: what follows is said of this one."""
    return chunk.kind == "F" and "largest" in chunk.terms[0].sense and len(chunk.terms) > 1


def link_of(before: Sequence[Term], roles: set[str]) -> str:
    if "technique" in roles:
        return "after"
    if "undo" in roles:
        return "hedge"
    if "and" in roles and "prep" in roles:  # `thin throughout and free of …`
        last = next(t.role for t in reversed(before) if t.role in ("and", "prep"))
        if last == "and":
            return "and"
    if "with" in roles or ("deny" in roles and any(t.form == "without" for t in before)):
        return "with"
    for link in LINKS:
        if link in roles:
            return link
    return ""


def link_of_one(word: Term) -> str:
    """The same for a word that stands alone, as most do."""
    role = word.role
    if role in TIES:
        return role
    return "with" if role == "deny" and word.form == "without" else LIKE.get(role, "")


LIKE = {"technique": "after", "undo": "hedge"}
TIES = frozenset({*LINKS, "with"})


def again(group: Group, chunk: Chunk) -> bool:
    """`in the left lobe and in the right lobe`: one more place, not a place within a place."""
    if group.link != "prep":
        return False
    roles = [t.role for t in chunk.before if t.role == "prep" or (t.role == "and" and t.form != ",")]
    if roles[:1] != ["and"] or "prep" not in roles:
        return False
    return group.kind == chunk.kind == "S"


def alike(group: Group, chunk: Chunk) -> bool:
    """Can the chunk be one more of the group? A place and a finding cannot be joined."""
    one, two = group.kind, chunk.kind
    if one == "S" and two == "X":  # `the femoral, tibial and patellar articular margins`
        last = group.chunks[-1].terms[-1]
        bare = last.kind == "adj" or last.side in ("left", "right")  # `right and left hilar contours`
        return bare and any(t.place for t in chunk.terms)
    if one == "S" and two == "F":  # `left upper and lower lobe opacities`
        last, first = group.chunks[-1].terms[-1], after_degree(chunk)
        if [t.role for t in chunk.before] != ["and"] or chunk.before[0].form == ",":
            return False
        if last.kind == "dir" and last.side != "-":  # `small right and moderate left effusions`
            return first.side != "-"
        if last.kind == "dir":
            return first.place
        return group.link == "" and last.place and thing_at_place(chunk)
    if one == "X" and two == "S":  # `heart size and pulmonary vascularity`
        return all(any(t.place for t in c.terms) for c in group.chunks)
    if one == "F" and two == "S":  # `normal heart size and mediastinum`, `enlarged hilar and cervical nodes`
        lacks_noun = group.chunks[-1].terms[-1].kind == "adj"
        return (lacks_noun or aspect_of_a_place(group.chunks[0])) and any(t.place for t in chunk.terms)
    if one == two == "F" and valued(group.chunks[-1]) != valued(chunk):  # `tube in place, patchy opacities`
        return False
    return (one == "S") == (two == "S") or "O" in (one, two)


def after_degree(chunk: Chunk) -> Term:
    """The first word that is no degree: `moderate left effusion`."""
    return next((t for t in chunk.terms if t.role != "detail"), chunk.terms[0])


def thing_at_place(chunk: Chunk) -> bool:
    """`lingular atelectasis`: a thing, with its place in front."""
    first, last = chunk.terms[0], chunk.terms[-1]
    thing = last.role in HEADS or (last.role in ("quality", "abnormal") and not adjectival(last))
    return chunk.kind == "F" and first.role == "site" and first.place and thing


def aspect_of_a_place(chunk: Chunk) -> bool:
    """`normal heart size`: the value comes first, and may go on."""
    roles = [t.role for t in chunk.terms]
    return roles[0] == "normal" and roles[-1] == "aspect" and "site" in roles


def valued(chunk: Chunk) -> bool:
    return "normal" in chunk.roles
