"""Statements → atoms: one site, one side, one finding, with what matching needs to know."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct, structs

from overread.reader.growth import growth
from overread.reader.statements.chunks import asserts
from overread.reader.statements.interpret import LEVEL, Statement
from overread.reader.statements.terms import ROLE, SEGMENT, START, Term, Terms
from overread.reader.statements.vocabulary import Path, Vocabulary, vocabulary
from overread.systems.radsem.matching.places import DIRECTIONS, SAME
from overread.systems.radsem.matching.relate import devices
from overread.systems.radsem.meaning.features import axis, features, told_of_place
from overread.systems.radsem.meaning.tentative import doubtful, tentative
from overread.systems.radsem.schema import Atom, Normality, Side
from overread.systems.radsem.wording.sentence import Wording

OF_A_LEVEL = frozenset(
    "disc disc-space vertebra vertebral-body spine cervical-spine thoracic-spine lumbar-spine".split()
)
"""What a disc level already says."""

LIVER = ("abdomen", "liver")
CHAMBERS = ("left-", "right-")
SIDE_WORDS = frozenset({"left", "right", "bilateral", "both"})
THORAX = ("thorax",)
THORACIC_SPINE = ("spine", "thoracic-spine")
OF_THE_SPINE = re.compile(
    r"kyphosis|scolio|lordo|spondyl|vertebra|degenerative|disc|curvature|osteophyt|compression"
)
"""Findings that a thoracic place has in the spine."""

LUNG = ("thorax", "lung")
PLEURA = ("thorax", "pleura")
DEEP = frozenset(
    "basal-ganglia thalamus brainstem centrum-semiovale corona-radiata periventricular pons".split()
)
"""Inside the brain: no part of the white matter under its surface."""

VENTRICLE, MENISCUS = "ventricular-system", "meniscus"
NOTHING: frozenset[str] = frozenset()

SIZE = ("measure", ("size",), (), "size")
"""Any size: what a statement means does not hang on how many millimetres."""

CHANGE_BY_SIZE = {"worsened": "change:worse", "improved": "change:better", "no_change": "change:same"}
OPERATION = "postoperative"
ONE_SPACE = frozenset({"pleura", "rib"})
"""Paired, but spoken of as one where no side is named."""


def atoms(statement: Statement, span: tuple[int, int], text: str) -> list[Atom]:
    """The atoms of a statement: one per side; none where nothing is said. `text` is the sentence."""
    made = understood(statement, text)
    return [] if made is None else atoms_of(made, span, text)


def atoms_of(made: "Understood", span: tuple[int, int], text: str) -> list[Atom]:
    """The atoms of a statement that is understood."""
    known, place = made.meaning, made.place
    start, end = span
    if made.said is None:
        made.said = sentences(made, text)
    return [
        Atom(
            said,
            known.normality,
            start,
            end,
            side,
            place.sites,
            place.parts,
            known.finding,
            made.details,
            made.denied,
            text,
        )
        for side, said in zip(place.sides, made.said, strict=True)
    ]


def once(terms: Terms) -> Terms:
    """Each term once; where no two begin at one place none is there twice, which is sooner seen."""
    return terms if len(set(map(START, terms))) == len(terms) else tuple(dict.fromkeys(terms))


GONE = "change:gone"
MAY_GO = frozenset({"head", "compound", "quality", "abnormal", "shape", "open", "normal"})
IN_PART = re.compile(
    r"\b(?:partial\w*|partly|incomplete\w*|nearly|almost|largely|mostly|"
    r"not (?:yet |completely |fully |entirely )?)\s*$",
    re.IGNORECASE,
)
"""What has nearly gone is still there."""

SOME = re.compile(r"\b(?:some|parts?|most|portions?)\b[^,;:.]*$", re.IGNORECASE)
"""Where some have gone, others are left."""


def without_gone(terms: Terms, denied: bool, text: str) -> tuple[Terms, bool]:
    """`The pneumothorax has resolved`: it is not there. `It has not resolved`: it is."""
    named = [t for t in terms if t.role == "change" and GONE in t.sense]
    if not named:
        return terms, denied
    gone = named[0]
    rest = tuple([t for t in terms if t is not gone])
    if not any(t.role in MAY_GO or asserts(t) for t in rest):
        return terms, denied
    before = text[: max(0, gone.start)]
    if IN_PART.search(before[-24:]) or SOME.search(before):
        return rest, False
    return rest, not denied


def spinal(terms: Terms) -> Terms:
    """`Thoracic spondylosis` is in the spine, not in the chest."""
    if not any(OF_THE_SPINE.search(t.form) for t in terms if not t.site):
        return terms
    return tuple(
        structs.replace(t, site=THORACIC_SPINE)
        if t.site == THORAX and t.kind == "adj" and t.form == "thoracic"
        else t
        for t in terms
    )


class Meaning(Struct, frozen=True, gc=False):
    """What a statement says is there or not, wherever."""

    normality: Normality
    finding: tuple[str, ...]
    details: tuple[str, ...]
    empty: bool
    """Only names an aspect, and says nothing of it."""

    unknown: bool
    """In words that no table knows."""

    one_device: bool
    """Names one tube or the like."""


class Whereabouts(Struct, frozen=True, gc=False):
    """Where it is, whatever it is."""

    sites: tuple[str, ...]
    parts: tuple[str, ...]
    sides: tuple[Side, ...]


class Understood(Struct, eq=False, gc=False):
    """What a statement says, wherever its sentence stands; kept, and changed by nobody but `atoms_of`."""

    meaning: Meaning
    place: Whereabouts
    details: tuple[str, ...]
    denied: bool
    hedged: bool
    terms: Terms
    """What is to be put into words."""

    said: tuple[str, ...] | None = None
    """Those words, for each side, once they were asked for."""


Words = tuple[Any, ...]
"""What a term tells of a finding, or of a place, wherever it stands."""


@lru_cache(maxsize=4096)
def understood(statement: Statement, text: str) -> Understood | None:
    """What a statement says in its sentence; None where nothing is said.

    Asked for without the vocabulary, to which a statement belongs anyway: what is kept then holds nothing in which the
    search for garbage has to look.
    """
    terms, denied = once(statement.terms), statement.denied
    if "horacic" in text:
        terms = spinal(terms)
    if statement.hedged and all(t.role == "open" or OPERATION in t.sense for t in terms if t.role != "site"):
        return None  # `secondary to …`: nothing known is inferred, or an operation, which is not seen
    thought = not denied and doubtful(text) and tentative(terms, text)
    if "change" in map(ROLE, terms):
        terms, denied = without_gone(terms, denied, text)
    return put_together(terms, denied, thought, vocabulary(), text)


def put_together(terms: Terms, denied: bool, hedged: bool, forms: Vocabulary, text: str) -> Understood | None:
    """The same. What and where are worked out apart: other statements say the same of other places."""
    found: list[Words] = []
    where: list[Words] = []
    told: frozenset[str] = NOTHING
    more: set[str] = set()
    for t in terms:
        role, site = t.role, t.site
        if role == "measure":
            found.append(SIZE)
            more.update(t.sense)
        elif role != "site" or t.sense:
            found.append((role, t.sense, site, t.form))
        elif tells := told_of_place(site, t.form):
            told |= tells
        if site or t.side != "-":
            where.append((site, t.side, t.kind, t.form))
    known = meaning(tuple(found), told, denied, forms)
    if known.empty or (hedged and known.unknown):
        return None
    place = whereabouts(tuple(where), known.one_device, forms)
    for grown in growth(text):
        if any(grown.start <= t.start < grown.end for t in terms):
            more.add(CHANGE_BY_SIZE[grown.direction])
    if hedged:
        more.add("hedged")
    details = tuple(sorted(more.union(known.details))) if more else known.details
    return Understood(known, place, details, denied, hedged, terms)


def sentences(made: Understood, text: str) -> tuple[str, ...]:
    """What is understood in plain words, for each side."""
    return tuple(map(Wording(made.terms, text, made.denied, made.hedged).said, made.place.sides))


@lru_cache(maxsize=4096)
def meaning(words: tuple[Words, ...], places: frozenset[str], denied: bool, forms: Vocabulary) -> Meaning:
    """The meaning of terms without their place in the text or in the body."""
    terms = [Term(role, sense, site, "-", "-", form, 0, 0) for role, sense, site, form in words]
    said = features(terms, places, denied)
    empty, unknown = all(axis(f)[1] == "?" for f in said.finding), all(f[0] == "~" for f in said.finding)
    finding, details = tuple(sorted(said.finding)), tuple(sorted(said.details - {"size"}))
    one_device = any(t.sense and t.sense[0] in devices() and not t.form.endswith("s") for t in terms)
    return Meaning(said.normality, finding, details, empty, unknown, one_device)


@lru_cache(maxsize=4096)
def whereabouts(words: tuple[Words, ...], one_device: bool, forms: Vocabulary) -> Whereabouts:
    """Places and sides of terms without their place in the text."""
    terms = [Term("site", (), site, side, kind, form, 0, 0) for site, side, kind, form in words]
    return Whereabouts(*placed(terms), sides(terms, one_device, forms))


def placed(terms: Sequence[Term]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The most special places, and what narrows them."""
    paths = [t.site for t in terms if t.place]
    parts = {t.site[0] for t in terms if t.site and not t.place} - SIDE_WORDS
    for term in terms:
        if term.place and "ventricle" not in term.form:  # `beside the lateral ventricles`: their name
            parts.update(w for w in term.form.split() if w in DIRECTIONS and not holds(term.site[-1], w))
    if any(LEVEL.fullmatch(p[-1]) for p in paths):
        paths = [p for p in paths if p[-1] not in OF_A_LEVEL]
    if PLEURA in paths:  # `the lungs are clear of pneumothorax`
        paths = [p for p in paths if p != LUNG]
    if any(p[-1] in DEEP for p in paths):  # `subcortical white matter, basal ganglia and thalami`
        paths = [p for p in paths if p[-1] not in ("white-matter", "lateral-ventricle") or p[-1] in DEEP]
    if any(VENTRICLE in p for p in paths):  # its horns, not those of a meniscus
        paths = [p for p in paths if MENISCUS not in p]
    segment = min((p for p in parts if SEGMENT.fullmatch(p)), default=None)
    if segment is not None and any(p[:2] == LIVER for p in paths):
        parts.discard(segment)
        paths = [p for p in paths if p[:2] != LIVER] + [(*LIVER, f"hepatic-segment-{segment[1:]}")]
    return tuple(sorted("/".join(p) for p in most_special(paths))), tuple(sorted(parts))


def holds(place: str, direction: str) -> bool:
    """Does the name of the place say the direction itself?"""
    return any(w in place for w in (direction, SAME.get(direction, direction), direction[:3]))


def most_special(paths: list[Path]) -> list[Path]:
    return [p for p in dict.fromkeys(paths) if not any(q != p and q[: len(p)] == p for q in paths)]


def sides(terms: Sequence[Term], one_device: bool, forms: Vocabulary) -> tuple[Side, ...]:
    """Left and right apart; both for a paired organ without a side."""
    named = {t.side for t in terms if not t.site or not t.site[-1].startswith(CHAMBERS)} - {"-"}
    named = named or {t.side for t in terms}  # a lead in the right ventricle of a left pacemaker is left
    if {"left", "right"} <= named:
        return ("left", "right")
    if "left" in named:
        return ("left",)
    if "right" in named:
        return ("right",)
    if "both" in named:  # alone: `both lobes of the right lung` are right
        return ("left", "right")
    if one_device:  # below the diaphragm
        return ("-",)
    paths = most_special([t.site for t in terms if t.place])
    if PLEURA in paths:  # `the lungs are clear of pneumothorax` speaks of one space
        return ("-",)
    paired = {p[-1] for p in paths if p[-1] in forms.paired}
    whole = all(p[-1] in paired or p[0] == "body" or LEVEL.fullmatch(p[-1]) for p in paths)
    return ("left", "right") if paired and whole and not paired <= ONE_SPACE else ("-",)
