"""A statement's terms as pieces of the sentence they come from, and what stands between two pieces."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter

from msgspec import Struct, structs

from overread.lexicon.words import BLANK
from overread.reader.statements.terms import Term
from overread.report.marks import BLANKED
from overread.systems.radsem.wording.grammar import adjectival, singular

START = attrgetter("start")
QUALIFIERS = frozenset(
    """significant significantly definite definitely obvious appreciable convincing discrete grossly essentially overt
    frank suspicious relatively partially partly predominantly typical other known residual apparent gross visible
    otherwise small large appearing area areas""".split()
)
"""Words that say how sure, how much or which, and that a plain sentence keeps."""

IN_A_PHRASE = QUALIFIERS | {BLANK}
BEFORE_A_NAME = QUALIFIERS - {"area", "areas", "visible", "small", "large"}
LEADING = BEFORE_A_NAME | {BLANK}
KEPT = QUALIFIERS | {
    "of",
    "in",
    "on",
    "like",
    "shaped",
    "approximately",
    "about",
    "up",
    "to",
    "type",
    "weighted",
}
ARTICLES = frozenset({"the", "a", "an", "its", "their", "this", "these", "both", "all", "some", "any", BLANK})
PLACE_GLUE = frozenset(
    """of the a an its both all aspect aspects portion portions part parts region regions level levels side sided area
    areas zone zones margin margins respective""".split()
) | {BLANK}
BE = re.compile(r"\b(?:is|are|was|were|appears?|remains?|seems?|being)\b", re.IGNORECASE)
HAVE = re.compile(
    r"\b(?:with|without|shows?|demonstrates?|demonstrating|has|have|exhibits?|containing|contains?|showing)\b",
    re.I,
)
JOINED = re.compile(r"[ ,]*(?:and|or|to) (?:(?!is |are |with |in |of )[\w-]+ ){0,3}", re.IGNORECASE)
RANGE = (" to ", " through ")
DENIAL = re.compile(r"\b(?:no|not|without|nor|neither|non|free|absent)\b", re.IGNORECASE)
HEDGED_GAP = re.compile(
    r"\b(?:represent\w*|suggest\w*|consistent|compatible|likely|possibly|probably|due|secondary|related)\b",
    re.I,
)
PLACING = re.compile(
    r"\b(adjacent to|next to|at the level of|projecting over|projected over|overlying|underlying|along|over|within|near"
    r"|at|on|behind|below|under|above|beneath|around|through|into|between|beside|in|from|of|to)"
    rf"(?:\s+(?:the|a|an|its|both|{BLANKED}|level|region|area|of))*\s*$",
    re.IGNORECASE,
)
TRAILING = re.compile(
    rf"(?:\s+{BLANKED})*\s+(findings?|appearance|appearances|pattern|signs?|features?|structures?)\b",
    re.IGNORECASE,
)
WRITTEN = {
    "pneumothoraces": "pneumothorax", "cardio mediastinal": "cardiomediastinal", "protrudes": "protrusion",
    "protrude": "protrusion", "bulges": "bulge", "enhances": "enhancement", "enhance": "enhancement",
    "herniates": "herniation", "compresses": "compression", "thickens": "thickening", "indents": "indentation",
    "impinges": "impingement", "thins": "thinning", "occludes": "occlusion", "deviates": "deviation", "shifts": "shift",
    "invades": "invasion", "narrows": "narrowing", "compress": "compression", "compressing": "compression",
    "indent": "indentation", "indenting": "indentation", "impinge": "impingement", "impinging": "impingement",
    "efface": "effacement", "effaces": "effacement", "effacing": "effacement", "invade": "invasion",
    "invading": "invasion", "displace": "displacement", "displaces": "displacement", "displacing": "displacement",
    "deviate": "deviation", "deviating": "deviation", "encase": "encasement", "encases": "encasement",
    "encasing": "encasement", "erode": "erosion", "erodes": "erosion", "eroding": "erosion",
    "destroys": "destruction", "destroying": "destruction", "distorts": "distortion", "distorting": "distortion",
    "flatten": "flattening", "flattens": "flattening", "deforms": "deformity", "deforming": "deformity",
    "obscuring": "obscured",
}  # fmt: skip
"""Forms that a plain sentence writes otherwise: a verb as its noun; what is hidden is only described."""

NOUN_AGAIN = frozenset({"one", "largest"})
"""Words that stand for a noun said before."""

TOKEN = re.compile(r"[\w'-]+|[,;:./()]")
CODE = re.compile(r"[ctls]\d|svc|ivc|[a-z]*\d+[a-z]*$")
SIDES = frozenset("left right both bilateral bilaterally either and or side sides sided each".split())
NOUN_SHAPES = ("s", "ion", "ity", "ing", "rim")
MANNER = ("open", "abnormal")
VALUES = ("quality", "normal", "shape")
NOUN_VALUES = frozenset({"patency", "symmetry", "homogeneity", "midline position"})


class Piece(Struct, frozen=True, gc=False):
    """A term and its words; `start` is -1 where it comes from an earlier sentence."""

    term: Term
    words: str
    start: int
    end: int
    site: bool
    noun: bool
    """Does it name something, rather than describe it?"""


def piece(term: Term, words: str, start: int = -1, end: int = -1) -> Piece:
    return Piece(term, words, start, end, term.role == "site", names(term.role, words))


@lru_cache(maxsize=4096)
def names(role: str, words: str) -> bool:
    """Do the words name something, rather than describe it?"""
    if role in ("detail", "measure", "seq") or (role in MANNER and words.endswith("ly")):
        return False
    if role == "normal":
        return words in NOUN_VALUES
    if role == "shape":
        return words.endswith(NOUN_SHAPES)
    return not adjectival(words)


def stands(form: str, text: str, start: int) -> bool:
    """Does the form stand here? Its spelling may differ; a number may not: T10 is not in `T9-T12`."""
    if len(form) > 1 and text.startswith(form, start):  # mostly
        return True
    first = form.split(" ", 1)[0]
    seen = len(first) if first[-1:].isdigit() else 2
    return text[start : start + seen].lower() == form[:seen]


def pieces(terms: Iterable[Term], text: str) -> list[Piece]:
    """The terms in the order in which they are to be said; what came before the sentence first."""
    before: list[Piece] = []
    here: list[Piece] = []
    after: list[Piece] = []
    for term in terms:
        role, start, end, form = term.role, term.start, term.end, term.form
        if role == "change":
            continue
        raw = text[start:end]
        if raw == form and role == "measure":  # nearly always a new one
            here.append(Piece(term, spelled(raw), start, end, False, False))
        elif raw == form and (known := as_it_stands(form, role)):  # mostly
            here.append(Piece(term, known[0], start, end, role == "site", known[1]))
        elif start < 0 or form.startswith("no "):
            after.append(piece(structs.replace(term, start=-1, end=-1), form))
        elif end > start:
            found = piece_here(term, raw, text)
            (before if found.start < 0 else here).append(found)
    if len(here) > 1:
        here.sort(key=START)
    if before or after:
        before.sort(key=lambda p: p.term.start)
        return [*before, *here, *after]
    return here


@lru_cache(maxsize=8192)
def as_it_stands(form: str, role: str) -> tuple[str, bool] | None:
    """The words for a form that stands in the report letter by letter, and whether they name something.

    None for a mark, for the tip of a tube and for a denial, of which more is to be asked.
    """
    return None if len(form) < 2 or form.startswith(("tip", "no ")) else written(form, form, role)


def piece_here(term: Term, raw: str, text: str) -> Piece:
    """The term with its words in the sentence, if they stand there: capitals, other spellings, `a smaller one`."""
    role, start, end, form = term.role, term.start, term.end, term.form
    if stands(form, text, start):
        if term.kind == "part" and form.startswith("tip"):  # of a tube, not of the body
            term, role = structs.replace(term, role="head", site=(), kind="-", form="tip"), "head"
            raw = raw.split()[0]
        words, noun = written(raw, form, role)
        return Piece(term, words, start, end, role == "site", noun)
    if raw.lower() in NOUN_AGAIN:
        words = singular(form)
        return Piece(term, words, start, end, role == "site", names(role, words))
    return piece(term, coded(form))


@lru_cache(maxsize=8192)
def written(raw: str, form: str, role: str) -> tuple[str, bool]:
    """The words for a form as it stands in the report, and whether they name something."""
    whole = -5 < len(raw) - len(form) <= 2  # else it shares a noun: `upper and lower lobes`
    words = spelled(raw) if whole else coded(form)
    return words, names(role, words)


def spelled(raw: str) -> str:
    """Words as the report writes them, without capitals but for codes and short names."""
    if raw.islower():
        return WRITTEN.get(raw, raw)
    words = raw.split()
    if len(words) > 1 and raw.isupper() and min(map(len, words)) > LONGEST_CODE:  # RIGHT BREAST
        return raw.lower()
    plain = (
        w if len(w) > 1 and (w.isupper() or w[1:].lower() != w[1:]) and len(w) < 7 else w.lower()
        for w in words
    )
    return " ".join(w for w in plain if w.lower() != BLANK)


LONGEST_CODE = 3
"""Letters of most short names: SVC, DVT."""


def coded(form: str) -> str:
    """A form of the tables as it is written: codes in capitals."""
    return " ".join(w.upper() if CODE.match(w) else w for w in form.split())


def between(a: Piece, b: Piece, text: str, out: Iterable[Piece] = ()) -> str | None:
    """The words between two pieces, less those of pieces said elsewhere; None where they are not of one sentence."""
    if a.start < 0 or b.start < 0:
        return None
    gap, at = "", a.end
    for p in out:
        if at <= p.start < b.start:
            gap += text[at : p.start]
            at = max(at, p.end)
    return gap + text[at : b.start]


def beside(a: Piece, b: Piece, text: str) -> bool:
    """Is there a space between them, and nothing else?"""
    return a.end + 1 == b.start and a.start >= 0 and text[a.end] == " "


def close(a: Piece, b: Piece, text: str) -> bool:
    """Do they stand side by side in one noun phrase?"""
    if a.start < 0 or b.start < 0:
        return False
    gap = text[a.end : b.start]
    if gap == " ":
        return True
    return "," not in gap and (in_one_phrase(gap) or (a.term.kind == "dir" and gap in RANGE))


@lru_cache(maxsize=8192)
def in_one_phrase(gap: str) -> bool:
    return gap == "-" or only(IN_A_PHRASE, gap)


def only(words: frozenset[str], gap: str) -> bool:
    """Does the gap hold no other words? Most fail at the first."""
    for found in TOKEN.finditer(gap):  # noqa: SIM110
        if found[0].lower() not in words:
            return False
    return True


def sharing(a: Piece, b: Piece, text: str) -> bool:
    """Do they stand in one noun phrase, or share a noun over a joint: `clear or blurred margins`?"""
    if a.start < 0 or b.start < 0:
        return False
    return shares_noun(text[a.end : b.start])


@lru_cache(maxsize=8192)
def shares_noun(gap: str) -> bool:
    return in_one_phrase(gap) or JOINED.fullmatch(gap) is not None


def one_place(a: Piece, b: Piece, text: str) -> bool:
    """`the anterior segment of the right lower lobe`: one place in several words."""
    if a.start < 0 or b.start < 0:
        return False
    gap = text[a.end : b.start]
    return "," not in gap and (in_one_place(gap) or (a.term.kind == "dir" and gap in RANGE))


@lru_cache(maxsize=8192)
def in_one_place(gap: str) -> bool:
    return only(PLACE_GLUE, gap)


def run_words(run: list[Piece], text: str) -> str:
    """The words of one place, with the `of the` between them."""
    words = run[0].words
    for a, b in pairwise(run):
        gap = between(a, b, text)
        inner = place_glue(gap) if gap is not None and gap != " " else ""
        words += f" {inner} {b.words}" if inner else f" {b.words}"
    return words


@lru_cache(maxsize=8192)
def place_glue(gap: str) -> str:
    """What is written of the words between two pieces of a place."""
    kept = [w.lower() for w in TOKEN.findall(gap)]
    if not all(w in PLACE_GLUE for w in kept) and gap not in RANGE:
        return ""
    return " ".join(w for w in kept if w != BLANK and w not in ("a", "an", "both", "all", "sided", "-"))


def leading(start: int, text: str) -> str:
    """Qualifiers right before a place in the text: `no definite` effusion, `grossly` clear."""
    kept = ""
    near = text[max(0, start - 20) : start].split() if start > 0 else []
    if not near or near[-1].lower() not in LEADING:
        return kept
    for word in reversed(text[max(0, start - 40) : start].lower().split()):
        if word in BEFORE_A_NAME:
            kept = f"{word} {kept}"
        elif word != BLANK:
            break
    return kept


def joint(
    found: list[Piece], n: int, text: str, out: Sequence[Piece], named: bool, many: bool, denied: bool
) -> tuple[str, bool]:
    """What to write before a piece of a finding, after the piece before it, and whether the denial was written there.

    `named`: a noun was said before; `many`: it speaks of several.
    """
    a, b = found[n - 1], found[n]
    after_noun, role = a.noun and named, b.term.role
    gap = between(a, b, text, out) if out else text[a.end : b.start] if a.start >= 0 <= b.start else None
    if gap == " " and (not after_noun or role not in VALUES or noun_ahead(found, n, text)):
        return gap, False
    largest = b.words.startswith("largest")
    return connection(gap, role, noun_ahead(found, n, text), largest, named, after_noun, many, denied)


def noun_ahead(found: list[Piece], n: int, text: str) -> bool:
    """Is the piece a noun, or does it stand before one in its phrase: `well-defined` margins?"""
    while not found[n].noun:
        n += 1
        if n == len(found) or not sharing(found[n - 1], found[n], text):
            return False
    return True


@lru_cache(maxsize=8192)
def connection(
    gap: str | None,
    role: str,
    noun: bool,
    largest: bool,
    named: bool,
    after_noun: bool,
    many: bool,
    denied: bool,
) -> tuple[str, bool]:
    """The same, by what the second piece does; `noun`: it begins a phrase with a noun."""
    tokens = TOKEN.findall(gap.lower()) if gap is not None else []
    if gap is not None and all(t in KEPT or t in ARTICLES for t in tokens):
        return glued(tokens, gap, after_noun and not noun and role in VALUES, many), False
    off = denied and (gap is None or DENIAL.search(gap) is not None)
    if role == "measure":
        return " measuring ", False
    if largest:
        return ", the ", False
    if role == "seq" and gap is not None and not BE.search(gap):
        return " on ", False
    if not named:
        return " ", False
    if gap and HEDGED_GAP.search(gap) and noun:
        return " with ", False
    if not noun and (gap is None or HAVE.search(gap) or BE.search(gap)):
        return (" that are" if many else " that is") + (" not " if off else " "), off
    if gap is None or HAVE.search(gap):
        return (" with no " if off else " with "), off
    if noun:
        return " ", False
    return (" that are " if many else " that is "), False


def glued(tokens: list[str], gap: str, described: bool, many: bool) -> str:
    if gap in ("-", "/"):
        return gap
    kept = [t for n, t in enumerate(tokens) if t in KEPT or (n and t == "the")]
    if described and not kept:
        return " that are " if many else " that is "
    return f" {' '.join(kept)} " if kept else " "


def placing(run: list[Piece], text: str) -> str:
    """The preposition before a place, `in` where none stands there."""
    start = run[0].start
    found = PLACING.search(text[max(0, start - 40) : start]) if start > 0 else None
    return "in" if found is None else found.group(1).lower()


def unsided(words: str) -> str:
    bare = " ".join(w for w in words.split() if w not in SIDES and not w.endswith("-sided"))
    return bare.removesuffix(" on the").removesuffix(" on")


def trailing(piece: Piece, text: str) -> str:
    """The plain noun after an adjective that the tables pass over: `no acute bony` findings."""
    found = TRAILING.match(text[piece.end : piece.end + 30]) if piece.start >= 0 else None
    return found.group(1).lower() if found else ""
