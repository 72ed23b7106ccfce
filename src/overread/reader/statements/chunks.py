"""Terms of a sentence → noun phrases, and the words between them."""

from collections.abc import Sequence, Set
from itertools import takewhile
from typing import ClassVar

from msgspec import Struct, structs

from overread.lexicon.words import BLANK
from overread.reader.statements.classes import DESCRIBED, DESCRIBING, ENDING, VERBS, finite
from overread.reader.statements.in_full import in_full
from overread.reader.statements.terms import NAMED, ROLE, Term, Terms
from overread.reader.statements.vocabulary import DENIABLE, Entry, denied

ASSERTS = frozenset("head normal abnormal quality up down".split())
MAY_ASSERT = frozenset({"compound", "aspect"})
PREFIXED = DENIABLE | {"open"}
"""What `non` may stand before."""

LOOKED = frozenset("visible visualized visualised discernible imaged observed identified".split())
RANGES = frozenset({"to", "through"})
ADJECTIVES = DESCRIBING | {"normal", "det"}
CHANGE = frozenset({"change", "changes", "changed"})
COMPARED = frozenset("up down detail aspect measure".split())
"""What is said in comparing with an earlier study: more, less, larger."""


class Chunk(Struct, eq=False, gc=False):
    """One noun phrase or run of adjectives; made by `new_chunk`."""

    role: ClassVar[str] = ""
    form: ClassVar[str] = ""
    """Empty, as no small word has: so a run of chunks and small words is asked for either without a look at each."""

    terms: Terms
    """To be changed by `hold` only, which knows that roles and kind may change with them."""

    roles: Set[str]
    kind: str
    """F finding, O words no table knows, X aspect (`cardiac size`), S place, A describing words, D details."""

    before: Sequence[Term] = ()
    """The small words since the chunk before."""

    def hold(self, terms: Terms) -> None:
        if terms is not self.terms:
            self.terms = terms
            self.roles, self.kind = roles_and_kind(terms)


def new_chunk(terms: Terms, before: Sequence[Term] = ()) -> Chunk:
    roles, kind = roles_and_kind(terms)
    return Chunk(terms, roles, kind, before)


def roles_and_kind(terms: Sequence[Term]) -> tuple[Set[str], str]:
    if len(terms) == 1:  # mostly
        only = terms[0]
        known = ALONE.get(only.role) if only.site or only.role in ASSERTS else ALONE_NOWHERE.get(only.role)
        if known is not None:
            return known
    roles = set(map(ROLE, terms))
    return roles, kind_of(terms, roles)


ALONE = {role: (frozenset({role}), "F") for role in ASSERTS} | {"site": (frozenset({"site"}), "S")}
"""What a term of this role is that stands alone."""

ALONE_NOWHERE = {
    role: (frozenset({role}), kind)
    for role, kind in {"detail": "D", "measure": "D", "open": "O", "shape": "A", "seq": "S"}.items()
}
"""What others are that name no place."""


def kind_of(terms: Sequence[Term], roles: Set[str]) -> str:
    if not ASSERTS.isdisjoint(roles):
        return "F"
    if not MAY_ASSERT.isdisjoint(roles) and any(asserts(t) for t in terms):
        return "F"
    placed = "site" in roles or bool([t for t in terms if t.site])
    if "shape" in roles and placed and "aspect" not in roles:
        return "F"
    if "open" in roles:
        return "O"
    if "aspect" in roles:
        return "X"
    if placed or ("seq" in roles and "shape" not in roles):
        return "S"
    return "A" if "shape" in roles else "D"


def asserts(term: Term) -> bool:
    """A compound finding, or enhancement and the like, which is a finding when it is there."""
    if term.role == "compound":
        return bool(term.sense)
    return term.role == "aspect" and term.sense[0] in ("enhancement", "uptake", "opacification")


Item = Chunk | Term
Part = list[Term] | Term
"""The same while the sentence is still being read: the terms of a noun phrase, or a small word."""

EARLIER = frozenset({"prior", "previous"})
DOUBTFUL = frozenset({"thing", "change", "seen", "have", "emphasis"})
PROCESSES = frozenset({"process", "processes"})
ABSENT = frozenset({"absence", "nonvisualization", "disappearance"})
DOUBTED = EARLIER | RANGES | PROCESSES | ABSENT | {"midline", "non", "both", "over", "appearing", BLANK}
"""Roles and words that depend on their neighbours."""

OF_OLD = frozenset({"head", "compound", "quality", "shape"})
NAMING = frozenset({"head", "compound", "aspect"})


def chunked(terms: list[Term], forms: set[str], roles: set[str]) -> list[Item]:
    """Noun phrases and the words that decide how they hang together; comparisons with earlier studies left out.

    `forms` and `roles` are those of the terms.
    """
    found = parts(in_full(terms, forms, roles), not DOUBTED.isdisjoint(forms))
    return [new_chunk(tuple(part)) if isinstance(part, list) else part for part in found]


def parts(terms: list[Term], doubted: bool) -> list[Part]:  # noqa: C901, PLR0912
    """What `chunked` returns, with each noun phrase as the list of its terms.

    More than ten branches: one pass over the terms, each branch one kind of term that opens or ends what is left out.
    """
    items: list[Part] = []
    phrase: list[Term] | None = None
    """The noun phrase that more terms may be added to: the last item, if it is one."""

    skipping = telling = of_details = emphatic = False
    for n, term in enumerate(terms):
        role = term.role
        if role in DOUBTFUL or (doubted and (term.form in DOUBTED or (n and terms[n - 1].form == "non"))):
            meant = considered(items, terms, n)
            if meant is None:
                continue
            of_details = (
                meant.role == "ignore" and role == "thing" and phrase is not None and detailed(phrase)
            )
            term, role = meant, meant.role
        elif of_details and term.form == "of":  # `focal areas of consolidation`
            of_details = False
            continue
        if role in NAMED:
            if not telling and (not skipping or role == "change"):
                if role in VERBAL and acts(terms, n):
                    items.append(ACT)
                    phrase = None
                if phrase is None:
                    phrase = [term]
                    items.append(phrase)
                else:
                    phrase.append(term)
            continue
        if role in ENDING or term.form == "," or (emphatic and role == "with"):
            skipping = telling = emphatic = False
        elif role == "history":
            telling = True
        elif telling and role in VERBS:  # `follow-up after fixation shows …`
            telling = False
        elif role == "prior" and not skipping:
            skipping, emphatic = True, terms[n].role == "emphasis"
            phrase = turn_comparison(items)
        if role != "ignore" and not telling and not skipping:
            items.append(term)
            phrase = None
    return items


VERBAL = frozenset({"head", "quality"})
ACT = Term("act", (), (), "-", "-", "", -1, -1)
"""Stands before a finding told by a verb with an object: what the subject does to another place."""

FINITE = frozenset(
    """compresses compress indents indent impinges impinge effaces efface narrows invades invade occludes displaces
    displace deviates deviate encases encase erodes erode destroys distorts deforms flattens flatten""".split()
)


def acts(terms: list[Term], n: int) -> bool:
    """`A mass compressing the trachea`, `… and indents the bladder base`: a finding of the place behind it."""
    form = terms[n].form
    finite = form in FINITE
    if not (finite or form.endswith("ing")) or not n or n + 1 == len(terms):
        return False
    after = terms[n + 1]
    if after.form in ("a", "an"):
        return False
    return after.role == "det" or (finite and after.role == "site")


def detailed(phrase: list[Term]) -> bool:
    return roles_and_kind(phrase)[1] == "D"


def considered(items: list[Part], terms: list[Term], n: int) -> Term | None:
    """What a word means among its neighbours; None where it says nothing."""
    term = terms[n]
    after = terms[n + 1] if n + 1 < len(terms) else None
    if n and terms[n - 1].form == "non" and term.role in PREFIXED:
        term = unsaid(term)
    elif term.role == "change" and term.form.endswith("in size"):
        term = sized(term, terms, n)
    elif after is not None and passed_over(terms[n - 1] if n else None, term, after):
        return None
    if term.role == "seen" and n and terms[n - 1].role in NAMED and finite(terms[n + 1 :]):
        return None
    if term.role == "thing":
        return thing(items, terms[n:])
    meant = by_form(items, terms, n, term)
    return emphasis(items, meant) if meant.role == "emphasis" else meant


def by_form(items: list[Part], terms: list[Term], n: int, term: Term) -> Term:
    """What a word that has several uses means beside the words around it."""
    form, ahead = term.form, terms[n + 1 :]
    if form == "midline" and n < 2 and finite(ahead):  # `The midline is centred`
        return structs.replace(term, role="site", sense=(), site=("head", "intracranial"), kind="noun")
    if form in PROCESSES and n and terms[n - 1].site:  # of a bone, not of a disease
        return structs.replace(term, role="site", sense=(), site=("process",), kind="part")
    if form in ABSENT and (of_an_organ(ahead) or ends_in(terms[:n], ahead)):
        return structs.replace(term, role="quality", sense=("visible-",))
    if form == "over" and any(isinstance(i, Term) and i.form.startswith("favor") for i in items):
        return structs.replace(term, role="deny")  # `favors atelectasis over pneumonia`
    if form == BLANK and apart(items, ahead):
        return structs.replace(term, role="with")
    return term


def ends_in(before: list[Term], ahead: list[Term]) -> bool:
    """`The left kidney has postoperative absence.`"""
    verb = next((t for t in reversed(before) if t.role in VERBS), None)
    return verb is not None and verb.role == "have" and not any(t.role in NAMED for t in ahead)


def of_an_organ(ahead: list[Term]) -> bool:
    """`Absence of the left kidney` is a finding; `absence of renal stones` is none."""
    if not ahead or ahead[0].form != "of":
        return False
    near = list(takewhile(lambda t: t.role in NAMED or t.role in ("det", "ignore"), ahead[1:]))
    named = [t for t in near if t.role in NAMED]
    return any(t.place for t in named) and all(t.role in ("site", "detail") for t in named)


def apart(items: list[Part], ahead: list[Term]) -> bool:
    """Two findings with a word taken out between them are two: `opacities … atelectasis`."""
    last = items[-1] if items else None
    later = next((t for t in ahead if t.form != BLANK), None)
    if not isinstance(last, list) or later is None or last[-1].role not in NAMING:
        return False
    return later.role in ("head", "compound")


def unsaid(term: Term) -> Term:
    """`a non-displaced fracture` is a fracture in place; `a non-obstructing stone` is a stone all the same."""
    form = f"non {term.form}"
    entry = denied(Entry(term.role, term.sense), form)
    return structs.replace(term, role=entry.role, sense=entry.sense, form=form)


def sized(term: Term, terms: list[Term], at: int) -> Term:
    """An organ that `is decreased in size` is small; a lesion, or anything compared, has changed."""
    compared = any(t.role == "prior" for t in terms) or any(
        t.role in ("head", "compound") for t in terms[:at]
    )
    if compared or not at or terms[at - 1].role not in ("be", "detail"):
        return term
    return structs.replace(
        term, role="quality", sense=("size-" if term.sense == ("change:better",) else "size+",)
    )


def passed_over(before: Term | None, term: Term, after: Term) -> bool:
    """Words that state nothing where they stand.

    `the observed ventricles`, `no visible nodule`; `the 4th to 7th ribs`; `both sharp and blurred margins`,
    `both the upper and the lower lobe`; `prior granulomatous disease`, which is still to be seen.
    """
    if term.form == "non":
        return after.role in PREFIXED
    if term.form == "both":
        return after.role in ADJECTIVES
    if term.form in EARLIER:
        return after.role in OF_OLD
    if before is None:
        return False
    if term.form == "appearing":  # `chronic appearing opacities`
        return before.role in DESCRIBED and after.role in NAMED
    if term.role == "seen":
        joined = (
            before.role in ("and", "prep") and term.form in LOOKED
        )  # `or visible nodule`, `absence of visible …`
        return (joined or before.role in ("det", "deny")) and after.role in NAMED
    if term.role == "have":  # `no layering effusion`, `the overlying skin`
        return term.form.endswith("ing") and before.role in ("det", "deny", "with") and after.role in NAMED
    return term.form in RANGES and before.form[:1].isdigit() and after.form[:1].isdigit()


def turn_comparison(items: list[Part]) -> list[Term] | None:
    """`… has increased compared with`: the last words say how it changed, not how it is; those words."""
    while items and isinstance(items[-1], Term) and items[-1].role == "prep":  # `increased from prior`
        items.pop()
    last = items[-1] if items else None
    lesion = any(t.role in NAMING for i in items[:-1] if isinstance(i, list) for t in i)
    if not isinstance(last, list):
        return None
    if all(compares(t, lesion) for t in last):
        turned = [
            structs.replace(t, role="change", sense=(CHANGES[sized_as(t)],))
            for t in last
            if sized_as(t) in CHANGES
        ]
        items[-1] = last = turned or [t for t in last if t.form not in CHANGE] or last
    return last


def compares(term: Term, lesion: bool) -> bool:
    """May it tell a change? `enlarged` does of a lesion; of an organ it tells how it is."""
    return term.role in COMPARED or term.form in CHANGE or (lesion and sized_as(term) in CHANGES)


def sized_as(term: Term) -> str:
    """Up or down, also for a size."""
    if term.role == "quality" and term.sense in SIZES:
        return SIZES[term.sense]
    return term.role


def emphasis(items: list[Part], term: Term) -> Term:
    """`… is most marked at the bases` says where it is; `… in both lungs, more marked at the bases` adds nothing."""
    small = [i for i in items if isinstance(i, Term)]
    stated = bool(small) and small[-1] is items[-1] and small[-1].role == "be"
    again = any(t.role == "relative" for t in small)
    return structs.replace(term, role="prep" if stated and not again else "prior")


SIZES = {("size+",): "up", ("size-",): "down"}
CHANGES = {"up": "change:worse", "down": "change:better"}


def thing(items: list[Part], ahead: list[Term]) -> Term:
    """`patchy areas`, `areas of low density`, `areas with blurred margins` are something seen, not `the hilar area`."""
    last = items[-1] if items else None
    described = isinstance(last, list) and last[-1].role in DESCRIBING
    described |= len(ahead) > 2 and ahead[1].form == "of" and ahead[2].role in DESCRIBING
    described |= len(ahead) > 2 and ahead[1].role in ("with", "relative") and not isinstance(last, list)
    described |= len(ahead) > 2 and ahead[1].form in ("in", "within") and not items
    return (
        structs.replace(ahead[0], role="head", sense=("focus",))
        if described
        else structs.replace(ahead[0], role="ignore")
    )
