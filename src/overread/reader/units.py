"""One stretch of words that is looked at as one thing, and what it is looked at as."""

import re

from overread.lexicon.load import Row
from overread.lexicon.meanings import FLAGS, Cue
from overread.lexicon.words import BLANK
from overread.reader.grammar import (
    CONJUNCTIONS,
    DETERMINERS,
    IN_PHRASE_HEDGES,
    PREPOSITIONS,
    RELATIVES,
    VERBS,
)

NO_TABLES: dict[str, Row] = {}


class Unit:
    """A stretch of words that is looked at as one thing."""

    __slots__ = ("end", "first", "form", "last", "rows", "start", "tables", "tag")

    def __init__(self, tag: str, form: str, first: int, last: int, start: int, end: int,
                 rows: tuple[Row | Cue, ...] = (), tables: dict[str, Row] = NO_TABLES) -> None:  # fmt: skip
        self.tag = tag
        """E finding, S structure, L location, A attribute, M measure, Y duration, N negation, H hedge, h hedge inside a
        noun phrase, K link, X end of scope, U pseudo-negation, V verb, P preposition, T with, C conjunction,
        D determiner, R relative, B blank, W other word, . punctuation"""
        self.form = form
        self.first = first
        self.last = last
        self.start = start
        self.end = end
        self.rows = rows
        self.tables = tables
        """The first row of each table that knows the form."""

    def __repr__(self) -> str:
        return f"{self.tag}:{self.form}"

    @property
    def cue(self) -> Cue:
        return next(r for r in self.rows if isinstance(r, Cue))

    def row(self, table: str) -> Row | None:
        """The unit's row of this table."""
        return self.tables.get(table)


def tables_of(rows: tuple[Row | Cue, ...]) -> dict[str, Row]:
    found: dict[str, Row] = {}
    for row in rows:
        if isinstance(row, Row):
            found.setdefault(row.table, row)
    return found


class Form:
    """What the rows of one written form have in common, worked out once."""

    __slots__ = ("flags", "free", "guards", "noun", "rows", "tables", "tag")

    def __init__(self, rows: tuple[Row | Cue, ...]) -> None:
        self.flags = tuple(r for r in rows if isinstance(r, Cue) and r.kind in FLAGS)
        self.rows = tuple(r for r in rows if not (isinstance(r, Cue) and r.kind in FLAGS))
        self.tables = tables_of(self.rows)
        self.noun = any(is_noun(r) for r in self.rows)
        tables = {r.table if isinstance(r, Row) else "cues" for r in self.rows}
        self.free = bool(tables & {"cues", "findings", "improved", "worsened", "no_change"})
        """May hold a finding's noun: `interval enlargement` is a change, whatever enlarged."""
        self.guards = {
            r.id: ([f" {g} " for g in r.unless], r.path[-1:] == ("cased",))
            for r in self.rows
            if isinstance(r, Row) and (r.unless or r.path[-1:] == ("cased",))
        }
        self.tag = tag_of(self.rows) if self.rows else ""


def is_noun(row: Row | Cue) -> bool:
    """Does the row name a finding of its own (not a structure, not a general word such as `change`)?"""
    return isinstance(row, Row) and row.table == "findings" and row.path[0] not in ("structure", "generic")


CUE_TAGS = {"negation": "N", "pseudo": "U", "hedge": "H", "link": "K", "end": "X"}


def tag_of(rows: tuple[Row | Cue, ...]) -> str:
    """What a form is looked at as first; a cue outranks a term, a finding outranks a modifier."""
    for row in rows:
        if isinstance(row, Cue):
            return "h" if row.kind == "hedge" and row.form in IN_PHRASE_HEDGES else CUE_TAGS[row.kind]
    tables = {r.table for r in rows if isinstance(r, Row)}
    if "findings" in tables:
        structure = any(
            isinstance(r, Row) and r.table == "findings" and r.path[:1] == ("structure",) for r in rows
        )
        return "S" if structure else "E"
    if "locations" not in tables:
        return "A"
    place = next(r for r in rows if isinstance(r, Row) and r.table == "locations")
    described = tables & {"distribution", "morphology"} and place.role == "adj" and place.side == "-"
    return "A" if described else "L"  # lobar, interstitial: a pattern before a place


WORD_TAGS = (
    dict.fromkeys(DETERMINERS, "D")
    | dict.fromkeys(RELATIVES, "R")
    | dict.fromkeys(CONJUNCTIONS, "C")
    | dict.fromkeys(PREPOSITIONS, "P")
    | dict.fromkeys(VERBS, "V")
    | dict.fromkeys(("with", "w"), "T")
    | dict.fromkeys(";:.?!–—", "X")
)


MEDICAL = re.compile(
    r"[a-z]{3,}(?:omas?|omata|lith(?:s|iasis)?|itis|oses|osis|iasis|ectas[ie]s|ectasia|celes?|megaly|malacia|plasias?|"
    r"rrhages?|rrhagia|hydramnios|salpinx|listhesis|bleeds?|pathy|pathies|emboli|cysts?|ptosis|phytes?|blastomas?|sarcomas?|carcinomas?)"
)
"""Words that name a disease by how they end, whatever they begin with: osteochondroma, rhinolith."""


def word_tag(form: str) -> str:
    """What a word no table knows is looked at as."""
    known = WORD_TAGS.get(form)
    if known is not None:
        return known
    if MEDICAL.fullmatch(form):
        return "E"
    if form == BLANK:
        return "B"
    return "W" if form[0].isalnum() else "."
