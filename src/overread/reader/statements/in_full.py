"""A sentence said in full: what it leaves out, or puts in another order, written as plainly as rules read it."""

from collections.abc import Iterator
from itertools import pairwise, takewhile

from msgspec import structs

from overread.lexicon.lexicon import lexicon
from overread.reader.statements.classes import DESCRIBED, ENDING, HEADS, VERBS, finite
from overread.reader.statements.terms import NAMED, Term

JOINED = Term("and", (), (), "-", "-", "and", -1, -1)
STOP = Term("stop", (), (), "-", "-", ";", -1, -1)


def in_full(terms: list[Term], forms: set[str], roles: set[str]) -> list[Term]:
    """The terms of a sentence without stops left out, nouns and verbs said once for two, exceptions in between.

    `forms` and `roles` are theirs.
    """
    if not MARKED.isdisjoint(forms):
        terms = with_left_out(terms, forms)
    if "left" in forms and "right" in forms:
        terms = with_each_side(terms)
    if "except" in roles and any(t.role == "except" for t in terms):
        terms = with_exception_last(terms)
    return terms


def with_left_out(terms: list[Term], forms: set[str]) -> list[Term]:
    """Each step serves a few words; most sentences have none of them."""
    if "no" in forms and drops_stops(terms):
        terms = list(with_stops(terms))
    if "but" in forms:
        terms = without_aside(terms)
    if not MORE.isdisjoint(forms):
        terms = with_emphasis(terms)
    if "as" in forms:
        terms = with_whole_subject(terms)
    if "should" in forms:
        terms = without_advice(terms)
    if not AGAIN.isdisjoint(forms):
        terms = with_noun_again(terms)
    return terms


def without_aside(terms: list[Term]) -> list[Term]:
    """`The effusion, but not the mass, has grown`: the mass is there, and what is said is not said of it."""
    at = next((n for n, (a, b) in enumerate(pairwise(terms)) if a.form == "but" and b.form == "not"), None)
    if at is None:
        return terms
    end = next((n for n in range(at, len(terms)) if terms[n].form == ","), len(terms) - 1)
    inner = terms[at + 2 : end]
    if not finite(terms[end + 1 :]) or any(t.role in VERBS for t in inner):
        return terms
    before = terms[: at - 1] if at and terms[at - 1].form == "," else terms[:at]
    rest = [t for t in terms[end + 1 :] if t.form != "."]
    return [*before, *rest, STOP, *inner]


ONES = frozenset({"one", "ones"})
THAT = frozenset({"that", "those"})
AGAIN = ONES | THAT | {"largest"}
BEFORE_ONE = DESCRIBED | {"det", "open", "measure"}


def with_noun_again(terms: list[Term]) -> list[Term]:
    """`A cyst in segment 4 and a smaller one in segment 7`, `cysts, the largest in segment 4`: another cyst, or one."""
    made: list[Term] = []
    noun: Term | None = None
    counted = False
    for n, term in enumerate(terms):
        counted = term.form in ARTICLES or (counted and term.role in NAMED)
        if term.role in ("head", "compound") and (noun is None or counted or term.form.endswith("s")):
            noun = term
        if noun is None or not n or term.form not in AGAIN:
            made.append(term)
            continue
        again = structs.replace(noun, start=term.start, end=term.end)
        after = terms[n + 1].role if n + 1 < len(terms) else ""
        if stands_for_noun(term, terms[n - 1].role, after):
            made.append(again)
        elif term.form == "largest" and after == "prep" and measured(terms[n:]):
            made += [term, again]
        else:
            made.append(term)
    return made


ARTICLES = frozenset({"a", "an", "another"})


def stands_for_noun(term: Term, before: str, after: str) -> bool:
    """`A smaller one`, `one in the liver and one in the spleen`, `while that in the liver persists`."""
    if term.form in THAT:
        return after == "prep" and before in ("break", "and", "stop")
    if term.form not in ONES or after in NAMED:
        return False
    return before in BEFORE_ONE or (after == "prep" and before in ("stop", "and"))


def measured(terms: list[Term]) -> bool:
    return any(t.role == "measure" for t in terms)


def with_each_side(terms: list[Term]) -> list[Term]:
    """`Bilateral effusions, small on the left and large on the right`: a small left and a large right one."""
    told = [t for t in terms if t.role not in ("det", "prep", "ignore")]
    for n in range(1, len(told) - 5):
        comma, one, first, joint, two, second = told[n : n + 6]
        sides = {first.form, second.form} == {"left", "right"}
        if comma.form == "," and joint.role == "and" and sides and one.role == two.role == "detail":
            named = [t for t in terms[: terms.index(comma)] if t.role != "detail"]
            thing = [structs.replace(t, side="-") for t in named if t.place or t.side == "-"]
            rest = terms[terms.index(second) + 1 :]
            return [one, first, *thing, JOINED, two, second, *thing, *rest]
    return terms


def with_exception_last(terms: list[Term]) -> list[Term]:
    """`All lobes except the middle lobe show nodules`: what is excepted is told after what it is excepted from."""
    at = next(n for n, t in enumerate(terms) if t.role == "except")
    verb = next((n for n, t in enumerate(terms) if t.role in ("be", "have")), 0)
    if verb < at or any(t.role in ENDING or t.form == "," for t in terms[at:verb]):
        return terms
    end = next(
        (n for n in range(verb, len(terms)) if terms[n].role in ENDING or terms[n].form == ","), len(terms)
    )
    return [*terms[:at], *terms[verb:end], *terms[at:verb], *terms[end:]]


def without_advice(terms: list[Term]) -> list[Term]:
    """`The catheter is in the atrium and should be withdrawn`: what should be done is not done."""
    at = next(n for n, t in enumerate(terms) if t.form == "should")
    end = next((n for n in range(at, len(terms)) if terms[n].role in ENDING), len(terms))
    while at and terms[at - 1].role == "and":
        at -= 1
    return [*terms[:at], *terms[end:]]


def with_whole_subject(terms: list[Term]) -> list[Term]:
    """`The liver is normal, as are the spleen and pancreas`: said of all."""
    at = next((n for n, (a, b) in enumerate(pairwise(terms)) if a.form == "as" and b.role == "be"), None)
    verb = next((n for n, t in enumerate(terms[:at]) if t.role == "be"), None)
    if at is None or verb is None:
        return terms
    end = next((n for n in range(at, len(terms)) if terms[n].role in ENDING), len(terms))
    said = terms[verb : at - 1 if terms[at - 1].form == "," else at]
    return [*terms[:verb], JOINED, *terms[at + 2 : end], *said, *terms[end:]]


STATING = NAMED - {"site", "seq", "measure"} | {"ignore"}


def drops_stops(terms: list[Term]) -> bool:
    """`no ptx small left effusion no fracture`: a `no` right after a noun shows that stops are left out."""
    return any(terms[n - 1].role in STATING for n in [n for n, t in enumerate(terms) if t.form == "no"] if n)


def with_stops(terms: list[Term]) -> Iterator[Term]:
    """The terms with the stops that were left out: before each `no`, and after the noun that it denies."""
    denied = named = False
    for n, term in enumerate(terms):
        if term.form == "no":
            if n and terms[n - 1].role in STATING:
                yield STOP
            denied, named = True, False
        elif term.role not in NAMED:
            denied = named = False
        elif denied and named and states(terms[n:]):
            yield STOP
            denied = named = False
        named |= names(term)
        yield term


def names(term: Term) -> bool:
    """Is it a noun for a finding? Some stand among the qualities, as what an effusion or a bleed is of."""
    return term.role in HEADS or (term.role == "quality" and lexicon().named(term.form) is not None)


def states(ahead: list[Term]) -> bool:
    """Do the next words, up to a small word, name something of their own or say how a place is?"""
    near = list(takewhile(lambda t: t.role in NAMED, ahead))
    placed = next((n for n, t in enumerate(near) if t.role == "site"), len(near))
    return any(map(names, near)) or any(t.role in DESCRIBED for t in near[placed:])


MORE = frozenset("more most worse worst greater greatest larger".split())
"""Comparatives by which a report says where there is more of something."""

MARKED = MORE | AGAIN | {"no", "but", "as", "should"}
"""Words that tell of something left out."""

GRADED = frozenset("more most".split())
"""Those that need an adjective: `more pronounced`."""


def with_emphasis(terms: list[Term]) -> list[Term]:
    """The terms with each comparative before a place as one: `larger on the right`, `most marked at the bases`."""
    made: list[Term] = []
    at = 0
    while at < len(terms):
        size = 2 if terms[at].form in GRADED else 1 if terms[at].form in MORE else 0
        end = at + size
        if size and end < len(terms) and terms[end].role == "prep" and terms[end].form != "of":
            made.append(structs.replace(terms[at], role="emphasis", end=terms[end].end))
            at = end + 1
        else:
            made.append(terms[at])
            at += 1
    return made
