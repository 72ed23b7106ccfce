"""Lexicon forms found in a sentence: one unit per form, word or mark, none overlapping."""

import re

from overread.lexicon.lexicon import Cue, Lexicon
from overread.lexicon.load import Row
from overread.lexicon.match import Match
from overread.lexicon.words import Word, words

FLAGS = frozenset({"recommend", "communicate", "technique", "prior"})
"""Cues that say something about the whole sentence and take no words away from the others."""

VERBS = frozenset(
    """is are was were be been being am appear appears appeared appearing seem seems has have had seen noted
    identified demonstrated demonstrates demonstrate visualized shows show showing visible observed evident
    found exists exist reveals reveal revealed displays display there's remain remains contains contain
    detected appreciated redemonstrated suggested measures measuring measure lies projects projecting
    project present""".split()
)
PREPOSITIONS = frozenset(
    """in at of within on over along under below above behind near to from through throughout into involving
    about around between beneath for by against across overlying underneath beside toward towards during
    inside outside surrounding affecting abutting superimposed extending after following post onto upon per""".split()
)
CONJUNCTIONS = frozenset({"and", "or", ",", "/", "nor", "&", "plus"})
DETERMINERS = frozenset("the a an this these that those there it its his her their each any all".split())
RELATIVES = frozenset({"which", "that", "who", "where", "when"})
IN_PHRASE = frozenset(
    """possible probable likely suspected questionable apparent presumed potential equivocal presumptive
    suspect question apparently""".split()
)
"""Hedges that stand inside a noun phrase, before the noun they touch."""

MEASURE = re.compile(
    r"(?:(?:approximately|about|up to|at least|roughly|nearly|greater than|less than|over)\s+)?"
    r"\d+(?:\.\d+)?(?:\s*(?:x|×|by|-|–|to)\s*\d+(?:\.\d+)?(?:\s*(?:cm|mm))?)*\s*(?:-\s*)?"
    r"(?:mm|cm|millimeters?|centimeters?|millimetres?|centimetres?|hu|hounsfield units|%|percent|degrees?|ml|cc)\b"
    r"(?:\s+in\s+(?:diameter|size|length|thickness|width|greatest dimension|maximum diameter))?",
    re.IGNORECASE,
)
BLANK = re.compile(r"x{3,}|_{2,}")


class Unit:
    """A stretch of words that is looked at as one thing."""

    __slots__ = ("end", "first", "form", "last", "rows", "start", "tag")

    def __init__(self, tag: str, form: str, first: int, last: int, start: int, end: int,
                 rows: tuple[Row | Cue, ...] = ()) -> None:  # fmt: skip
        self.tag = tag
        """E finding, S structure, L location, A attribute, M measure, N negation, H hedge, h hedge inside a
        noun phrase, K link, X end of scope, U pseudo-negation, V verb, P preposition, T with, C conjunction,
        D determiner, R relative, B blank, W other word, . punctuation"""
        self.form = form
        self.first = first
        self.last = last
        self.start = start
        self.end = end
        self.rows = rows

    def __repr__(self) -> str:
        return f"{self.tag}:{self.form}"

    @property
    def cue(self) -> Cue:
        return next(r for r in self.rows if isinstance(r, Cue))

    def row(self, *tables: str) -> Row | None:
        """The unit's first row of one of these tables."""
        return next((r for r in self.rows if isinstance(r, Row) and r.table in tables), None)


def mentions(text: str, offset: int, lexicon: Lexicon) -> tuple[list[Unit], list[tuple[Cue, int, int]]]:
    """Units of a sentence in order, and the sentence-wide cues with their places."""
    found = [Word(lexicon.normal(w.form), w.start, w.end) for w in words(text)]
    forms = [w.form for w in found]
    matches = [m for m in lexicon.matcher.find(forms) if not silent(m, forms, text, found)]
    flags = [
        (row, found[m.first].start + offset, found[m.last - 1].end + offset)
        for m in matches
        for row in m.rows
        if isinstance(row, Cue) and row.kind in FLAGS
    ]
    taken: list[Unit | None] = [None] * len(found)
    measures(text, found, taken, offset)
    nouns = {(m.first, m.last) for m in matches if is_noun(m)}
    named = {span for span in nouns if span[1] - span[0] > 1}  # chest tube wins over left sided chest
    for m in sorted(matches, key=lambda m: ((m.first, m.last) not in named, m.first - m.last, m.first)):
        rows = tuple(r for r in m.rows if not (isinstance(r, Cue) and r.kind in FLAGS))
        if rows and not any(taken[m.first : m.last]) and not swallows(m, nouns):
            unit = Unit(tag_of(rows, forms[m.first]), " ".join(forms[m.first : m.last]), m.first, m.last,
                        found[m.first].start + offset, found[m.last - 1].end + offset, rows)  # fmt: skip
            taken[m.first : m.last] = [unit] * (m.last - m.first)
    units: list[Unit] = []
    for index, word in enumerate(found):
        unit = taken[index] or Unit(word_tag(word.form), word.form, index, index + 1, word.start + offset, word.end + offset)
        if not units or units[-1] is not unit:
            units.append(unit)
    settle(units)
    return units, flags


PARTICIPLES = frozenset("visualized identified demonstrated noted present seen observed imaged visible".split())


def settle(units: list[Unit]) -> None:
    """Words whose part in the sentence depends on their neighbours."""
    for i, unit in enumerate(units):
        before, after = units[i - 1] if i else None, units[i + 1] if i + 1 < len(units) else None
        if unit.tag == "V" and unit.form in PARTICIPLES and (before is None or before.tag in "DPCN") and after:
            if after.tag in "LSEAW":  # the visualized spine
                unit.tag = "W"
        elif unit.form == "both" and after is not None and after.tag in "AV":
            unit.tag = "D"  # the left is small and the right is trace, both decreased
        elif unit.form == "otherwise" and before is not None and before.tag in "SLEV":
            unit.tag = "W"  # the lungs are otherwise clear


def is_noun(match: Match[Row | Cue]) -> bool:
    """Does the match name a finding of its own (not a structure, not a general word such as `change`)?"""
    return any(isinstance(r, Row) and r.table == "findings" and r.path[0] not in ("structure", "generic") for r in match.rows)


def swallows(match: Match[Row | Cue], nouns: set[tuple[int, int]]) -> bool:
    """A modifier never takes the finding it stands on: in `mild prominence` the noun is free."""
    if (match.first, match.last) in nouns or isinstance(match.rows[0], Cue):
        return False
    return any(match.first <= first and last <= match.last for first, last in nouns)


def silent(match: Match[Row | Cue], forms: list[str], text: str, found: list[Word]) -> bool:
    """Is every row of the match guarded here, or written in the wrong case?"""
    for row in match.rows:
        if isinstance(row, Cue):
            return False
        if row.path and row.path[-1] == "cased":
            word = found[match.first]
            if not text[word.start : word.end].isupper():
                continue
        if not any(inside(guard.split(), match, forms) for guard in row.unless):
            return False
    return True


def inside(guard: list[str], match: Match[Row | Cue], forms: list[str]) -> bool:
    """Does the guard phrase stand here around the match?"""
    size = len(guard)
    return any(forms[s : s + size] == guard for s in range(max(0, match.last - size), match.first + 1))


def measures(text: str, found: list[Word], taken: list[Unit | None], offset: int) -> None:
    """Free measures such as 2.5 x 3 cm, as units of their own."""
    for match in MEASURE.finditer(text) if any(c.isdigit() for c in text) else ():
        inner = [i for i, w in enumerate(found) if w.start < match.end() and match.start() < w.end]
        if inner:
            unit = Unit("M", match.group().lower(), inner[0], inner[-1] + 1,
                        found[inner[0]].start + offset, found[inner[-1]].end + offset)  # fmt: skip
            for i in inner:
                taken[i] = unit


CUE_TAGS = {"negation": "N", "pseudo": "U", "hedge": "H", "link": "K", "end": "X"}


def tag_of(rows: tuple[Row | Cue, ...], word: str) -> str:
    """What a form is looked at as first; a cue outranks a term, a finding outranks a modifier."""
    for row in rows:
        if isinstance(row, Cue):
            return "h" if row.kind == "hedge" and row.form in IN_PHRASE else CUE_TAGS[row.kind]
    tables = {r.table for r in rows if isinstance(r, Row)}
    if "findings" in tables:
        structure = any(isinstance(r, Row) and r.table == "findings" and r.path[:1] == ("structure",) for r in rows)
        return "S" if structure else "E"
    if "locations" not in tables:
        return "A"
    place = next(r for r in rows if isinstance(r, Row) and r.table == "locations")
    described = tables & {"distribution", "morphology"} and place.role == "adj" and place.side == "-"
    return "A" if described else "L"  # lobar, interstitial: a pattern before a place


def word_tag(form: str) -> str:
    """What a word no table knows is looked at as."""
    if form in ("with", "w"):
        return "T"
    if form in VERBS:
        return "V"
    if form in PREPOSITIONS:
        return "P"
    if form in CONJUNCTIONS:
        return "C"
    if form in RELATIVES:
        return "R"
    if form in DETERMINERS:
        return "D"
    if form in (";", ":", ".", "?", "!", "–", "—"):
        return "X"
    if BLANK.fullmatch(form):
        return "B"
    return "W" if form[0].isalnum() else "."
