"""One stretch of words that is looked at as one thing, and what it is looked at as."""

from functools import lru_cache

from msgspec import Struct

from overread.lexicon.endings import medical
from overread.lexicon.load import Row
from overread.lexicon.meanings import FLAGS, Cue
from overread.lexicon.words import BLANK
from overread.reader.grammar import (
    CONJUNCTIONS,
    DETERMINERS,
    IN_PHRASE_HEDGES,
    NEVER_FINDINGS,
    PREPOSITIONS,
    RELATIVES,
    VERBS,
)
from overread.reader.roles import Role, RoleName


class Unit(Struct, eq=False, gc=False):
    """A stretch of words that is looked at as one thing."""

    role: RoleName
    form: str
    first: int
    last: int
    start: int
    end: int
    rows: tuple[Row | Cue, ...] = ()
    tables: dict[str, Row] = {}
    """The first row of each table that knows the form."""

    name: str = ""
    """The noun it stands for, where it is another word for one."""

    def __repr__(self) -> str:
        return f"{self.role}:{self.form}"

    @property
    def cue(self) -> Cue:
        for row in self.rows:
            if isinstance(row, Cue):
                return row
        raise LookupError(self.form)

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

    __slots__ = (
        "_less", "cased", "flags", "free", "guards", "noun", "position", "role", "rows", "tables",
    )  # fmt: skip

    def __init__(self, rows: tuple[Row | Cue, ...]) -> None:
        self.flags = tuple(r for r in rows if isinstance(r, Cue) and r.kind in FLAGS)
        self.rows = tuple(r for r in rows if not (isinstance(r, Cue) and r.kind in FLAGS))
        self.tables = tables_of(self.rows)
        self.noun = any(is_noun(r) for r in self.rows)
        tables = {r.table if isinstance(r, Row) else "cues" for r in self.rows}
        self.free = bool(tables & {"cues", "findings", "improved", "worsened", "no_change"})
        self.free |= any(names_organ(r) for r in self.rows)
        """May hold a finding's noun: `interval enlargement` is a change, whatever enlarged; `nasal cavity` a place."""
        self.guards = guards_of(self.rows)
        self.cased = frozenset(r.id for r in self.rows if isinstance(r, Row) and r.path[-1:] == ("cased",))
        """Rows that count in capitals alone."""
        self.position = "placement" in self.tables
        self.role = role_of(self.rows)
        self._less: dict[frozenset[str], Form] = {}

    def without(self, gone: frozenset[str]) -> "Form":
        """The form less the rows of these ids."""
        if gone not in self._less:
            self._less[gone] = Form((*(r for r in self.rows if r.id not in gone), *self.flags))
        return self._less[gone]


def guards_of(rows: tuple[Row | Cue, ...]) -> dict[str, list[tuple[str, list[str]]]]:
    """Row ids and the words of their guards, by one word of the guard: a sentence without it is not guarded."""
    found: dict[str, list[tuple[str, list[str]]]] = {}
    for row in rows:
        for guard in row.unless if isinstance(row, Row) else ():
            found.setdefault(telling_word(guard, row.form), []).append((row.id, guard.split()))
    return found


def telling_word(guard: str, form: str) -> str:
    """The longest word of a guard that the guarded form itself does not have: `pericardial effusion`."""
    words = guard.split()
    return max([w for w in words if w not in form] or words, key=len)


def is_noun(row: Row | Cue) -> bool:
    """Does the row name a finding of its own (not a structure, not a general word such as `change`)?"""
    return isinstance(row, Row) and row.table == "findings" and row.path[0] not in ("structure", "generic")


def names_organ(row: Row | Cue) -> bool:
    """`Nasal cavity`, `growth plate`, `fracture site`: a place, whatever its noun means elsewhere."""
    if not isinstance(row, Row) or row.table != "locations":
        return False
    return row.role in ("noun", "zone") and row.side == "-"


CUE_ROLES = {
    "negation": Role.DENIAL,
    "pseudo": Role.NO_DENIAL,
    "hedge": Role.HEDGE,
    "link": Role.LINK,
    "end": Role.STOP,
}


def role_of(rows: tuple[Row | Cue, ...]) -> RoleName:
    """What a form is looked at as first; a cue outranks a term, a finding outranks a modifier."""
    for row in rows:
        if isinstance(row, Cue):
            inner = row.kind == "hedge" and row.form in IN_PHRASE_HEDGES
            return Role.INNER_HEDGE if inner else CUE_ROLES[row.kind]
    tables = {r.table for r in rows if isinstance(r, Row)}
    if "findings" in tables:
        structure = any(
            isinstance(r, Row) and r.table == "findings" and r.path[:1] == ("structure",) for r in rows
        )
        return Role.STRUCTURE if structure else Role.FINDING
    if "locations" not in tables:
        return Role.ATTRIBUTE
    place = next(r for r in rows if isinstance(r, Row) and r.table == "locations")
    described = tables & {"distribution", "morphology"} and place.role == "adj" and place.side == "-"
    return Role.ATTRIBUTE if described else Role.PLACE  # lobar, interstitial: a pattern before a place


WORD_ROLES = (
    dict.fromkeys(DETERMINERS, Role.DETERMINER)
    | dict.fromkeys(RELATIVES, Role.RELATIVE)
    | dict.fromkeys(CONJUNCTIONS, Role.JOIN)
    | dict.fromkeys(PREPOSITIONS, Role.PREPOSITION)
    | dict.fromkeys(VERBS, Role.VERB)
    | dict.fromkeys(("with", "w"), Role.WITH)
    | dict.fromkeys(";:.?!–—", Role.STOP)
)


@lru_cache(maxsize=8192)
def word_role(form: str) -> RoleName:
    """What a word no table knows is looked at as."""
    known = WORD_ROLES.get(form)
    if known is not None:
        return known
    if form not in NEVER_FINDINGS and medical().fullmatch(form):  # a diagnosis is no disease by its name
        return Role.FINDING
    if form == BLANK:
        return Role.BLANK
    return Role.WORD if form[0].isalnum() else Role.MARK
