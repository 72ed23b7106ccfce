"""Lexicon forms found in a sentence: one unit per form, word or mark, none overlapping."""

import re
from collections.abc import Iterator

from overread.lexicon.lexicon import Lexicon
from overread.lexicon.load import Row
from overread.lexicon.match import Match
from overread.lexicon.meanings import FLAGS, Cue
from overread.lexicon.words import Word, split, words
from overread.reader.grammar import (
    CONJUNCTIONS,
    DETERMINERS,
    IN_PHRASE_HEDGES,
    PARTICIPLES,
    PREPOSITIONS,
    RELATIVES,
    VERBS,
)

SOME = re.compile(
    r"\b(?:approximately|about|up to|at least|roughly|nearly|greater than|less than|over)\s+$", re.IGNORECASE
)
SIZE = re.compile(
    r"\d+(?:\.\d+)?(?:\s*(?:x|×|by|-|–|to)\s*\d+(?:\.\d+)?(?:\s*(?:cm|mm))?)*\s*(?:-\s*)?"
    r"(?:mm|cm|millimeters?|centimeters?|millimetres?|centimetres?|hu|hounsfield units|%|percent|degrees?|ml|cc)\b"
    r"(?:\s+in\s+(?:diameter|size|length|thickness|width|greatest dimension|maximum diameter))?",
    re.IGNORECASE,
)


def sizes(text: str) -> Iterator[tuple[int, int]]:
    """Where sizes such as `approximately 2.5 x 3 cm` stand."""
    for match in SIZE.finditer(text):
        start = match.start()
        about = SOME.search(text, max(0, start - 16), start)
        yield (about.start() if about is not None else start), match.end()


NUMBER = r"(?:\d+|one|two|three|four|five|six|seven|eight|ten|a|an|several|a few)"
PERIOD = r"(?:day|week|month|year|hour|hr|wk|mo|yr)s?"
DURATION = re.compile(
    rf"\b(?:for|x|times)\s*(?:the (?:last|past) |about )?{NUMBER}?\s*{PERIOD}\b|\b{NUMBER}\s+{PERIOD}\s+ago\b",
    re.IGNORECASE,
)
LASTING = re.compile(r"\b(?:day|week|month|year|hour|hr|wk|mo|yr)s?\b", re.IGNORECASE)
DIGIT = re.compile(r"\d")
BLANK = re.compile(r"x{3,}|_{2,}")


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


def form_of(match: Match[Row | Cue], lexicon: Lexicon) -> Form:
    key = id(match.rows)  # rows of one form are one tuple for as long as the lexicon lives
    found = lexicon.remembered.get(key)
    if found is None:
        found = lexicon.remembered[key] = Form(match.rows)
    assert isinstance(found, Form)
    return found


Flag = tuple[Cue, int, int]
"""A sentence-wide cue and where it stands."""

REMEMBERED_SENTENCES = 20_000


def mentions(text: str, offset: int, lexicon: Lexicon) -> tuple[list[Unit], list[Flag]]:
    """Units of a sentence in order, and the sentence-wide cues with their places.

    Reports repeat each other: a sentence met before is not matched again, only moved to its place.
    """
    known = lexicon.sentences.get(text)
    if known is None:
        if len(lexicon.sentences) >= REMEMBERED_SENTENCES:
            lexicon.sentences.clear()
        known = lexicon.sentences[text] = matched(text, lexicon)
    units, flags = known
    moved = [
        Unit(u.tag, u.form, u.first, u.last, u.start + offset, u.end + offset, u.rows, u.tables)
        for u in units
    ]
    return moved, [(cue, start + offset, end + offset) for cue, start, end in flags]


def flags(text: str, lexicon: Lexicon) -> list[Flag]:
    """Only the sentence-wide cues of a sentence, places counted from its beginning."""
    if text in lexicon.sentences:
        known: list[Flag] = lexicon.sentences[text][1]
        return known
    found = split(text)
    normal = lexicon.normal
    forms = [normal(w.form) for w in found]
    if lexicon.flag_words.isdisjoint(forms):
        return []
    cues = lexicon.flags.find(forms)
    return [(cue, found[m.first].start, found[m.last - 1].end) for m in cues for cue in m.rows]


def matched(text: str, lexicon: Lexicon) -> tuple[list[Unit], list[Flag]]:
    """Every form of the lexicon in a sentence, the longest that do not overlap kept as units."""
    found = words(text)
    normal = lexicon.normal
    forms = [normal(w.form) for w in found]
    line = f" {' '.join(forms)} "
    ranked, nouns, flags = [], [], []
    for number, match in enumerate(lexicon.matcher.find(forms)):
        first, last, _ = match
        form = form_of(match, lexicon)
        if form.guards:
            start = found[first].start
            form = unguarded(form, first, last, forms, line, text[start : start + len(forms[first])])
        if form.flags:
            flags += [(cue, found[first].start, found[last - 1].end) for cue in form.flags]
        if form.rows:
            # several words that name a thing come first: chest tube wins over left sided chest
            naming = last - first > 1 and form.tag in "ES"
            ranked.append((not naming, first - last, first, number, last, form))
            if form.noun:
                nouns.append((first, last))
    ranked.sort()
    taken: list[Unit | None] = [None] * len(found)
    measures(text, found, taken)
    for _, size, first, _, last, form in ranked:
        free = taken[first] is None if size == -1 else not any(taken[first:last])
        if free and not swallows(first, last, form, nouns):
            written = forms[first] if size == -1 else " ".join(forms[first:last])
            unit = Unit(
                form.tag,
                written,
                first,
                last,
                found[first].start,
                found[last - 1].end,
                form.rows,
                form.tables,
            )
            for place in range(first, last):
                taken[place] = unit
    units: list[Unit] = []
    for index, (one, word) in enumerate(zip(taken, found, strict=True)):
        if one is None:
            units.append(Unit(word_tag(forms[index]), forms[index], index, index + 1, word.start, word.end))
        elif not units or units[-1] is not one:
            units.append(one)
    units = positioned(with_parts(units), lexicon)
    settle(units, lexicon)
    return units, flags


TIPS = frozenset({"tip", "tips"})
PARTS = frozenset(
    "lead leads generator generators wire wires tip tips catheter catheters tube tubes line lines".split()
)


def with_parts(units: list[Unit]) -> list[Unit]:
    """`Cardiac pacemaker leads` is one device: the noun before only says whose leads they are."""
    found: list[Unit] = []
    for unit in units:
        last = found[-1] if found else None
        if last is not None and unit.form in PARTS and is_device(unit) and is_device(last):
            form = f"{last.form} {unit.form}"
            found[-1] = Unit("E", form, last.first, unit.last, last.start, unit.end, unit.rows, unit.tables)
        else:
            found.append(unit)
    return found


BETWEEN_TIP_AND_PLACE = frozenset("VPWMDBH")


def positioned(units: list[Unit], lexicon: Lexicon) -> list[Unit]:
    """`with its tip approximately 4 cm above the carina`: tip, distance and direction are one position."""
    tip = lexicon.described("placement", "tip in")
    if tip is None or not any(u.row("placement") or u.form in TIPS for u in units):
        return units
    found: list[Unit] = []
    at = 0
    while at < len(units):
        end = position_ends(units, at)
        if end - at < 2:
            found.append(units[at])
            at += 1
            continue
        first, last = units[at], units[end - 1]
        row = last.row("placement") or tip
        form = " ".join(u.form for u in units[at:end])
        found.append(
            Unit("A", form, first.first, last.last, first.start, last.end, (row,), {"placement": row})
        )
        at = end
    return found


def position_ends(units: list[Unit], at: int) -> int:
    """Where a position that begins here ends: before the place it names, or with a position that names its own."""
    begin = at
    if units[at].tag == "T":
        begin += 1
    if begin < len(units) and begin > at and units[begin].tag == "D":
        begin += 1
    if begin >= len(units):
        return at
    head = units[begin]
    said = head.row("placement") is not None
    tip = head.form in TIPS or (said and head.form.split()[-1] in TIPS)
    measured = begin == at and "M" in (
        head.tag,
        units[begin + 1].tag if said and begin + 1 < len(units) else "",
    )
    if not tip and not measured:
        return at
    for place in range(begin + 1, len(units)):
        unit = units[place]
        if unit.tag == "A" and unit.row("placement") is not None:
            return place + 1
        if unit.tag in "LS" and tip and any(u.tag == "P" for u in units[begin + 1 : place]):
            return place
        if (
            unit.tag not in BETWEEN_TIP_AND_PLACE
            or not (tip or unit.tag == "M")
            or unit.form in ("of", "and")
        ):
            return at
    return at


def is_device(unit: Unit) -> bool:
    row = unit.row("findings")
    return unit.tag == "E" and row is not None and row.path[0] == "device"


def names(unit: Unit, concept: str) -> bool:
    row = unit.row("findings")
    return row is not None and row.concept == concept


BLANKED_VERBS = frozenset({"represent", "reflect", "represents", "reflects"})


def unsure(verb: Unit, rest: list[Unit]) -> bool:
    """`____ represent` was `may represent`; `____ represents A or B` is a choice."""
    return verb.form in ("represent", "reflect") or any(u.form == "or" for u in rest)


BLANK_LIKELY = Cue("blank", "hedge", "blank", "after", "probable", "a blank after `most` hides `likely`")
BLANK_HEDGE = Cue("blank", "hedge", "blank", "after", "possible", "a blank before `represent` hides a hedge")


STUDIES = frozenset({"ct", "cta", "mri", "radiograph", "radiographs", "film", "films", "ultrasound", "scan"})


def unplaced(units: list[Unit]) -> None:
    """`abdomen and pelvis CT`: organs right before the name of a study say what it showed, not where something is."""
    for unit in reversed(units):
        if unit.tag in "SL":
            unit.tag = "W"
        elif unit.form != "and" and unit.form not in STUDIES and unit.tag != "W":
            return


def device_follows(units: list[Unit]) -> bool:
    """`of the superior sternotomy wire`: is the next noun a device?"""
    if not units or units[0].form != "of":
        return False
    noun = next((u for u in units[1:] if u.tag not in "DLAMBW"), None)
    return noun is not None and is_device(noun)


def begins(after: Unit | None) -> bool:
    """`crowding otherwise lungs are clear`: a new subject."""
    return after is not None and after.tag in "SD"


def is_low(before: Unit | None, after: Unit | None) -> bool:
    """`Lower lung volumes`, `volumes are lower than`: a size, where no place follows."""
    if after is not None and after.tag == "S":
        return after.form.endswith("volumes")
    return before is not None and before.tag == "V" and (after is None or after.tag not in "LEA")


def settle(units: list[Unit], lexicon: Lexicon) -> None:
    """Words whose part in the sentence depends on their neighbours."""
    for i, unit in enumerate(units):
        if unit.tag in "ADCPNH":  # never depends on its neighbours
            continue
        before, after = units[i - 1] if i else None, units[i + 1] if i + 1 < len(units) else None
        if unit.tag == "V" and unit.form in PARTICIPLES and (before is None or before.tag in "DPCN"):
            if after is not None and after.tag in "LSEAW":  # the visualized spine
                unit.tag = "W"
        elif unit.tag == "W" and unit.form.isdigit() and len(unit.form) < 3 and after and after.tag in "EA":
            unit.tag = "M"  # 3 granulomas
        elif (
            unit.tag == "E"
            and unit.form.startswith("pre")
            and after
            and after.tag == "E"
            and names(unit, "preop")
        ):
            unit.tag = "W"  # no acute preoperative findings
        elif unit.tag == "E" and names(unit, "fracture"):
            broken = lexicon.described("placement", "fractured")
            of_device = (before is not None and is_device(before)) or device_follows(units[i + 1 :])
            if of_device and broken is not None:  # a catheter fracture is no broken bone
                unit.tag, unit.rows, unit.tables = "A", (broken,), {"placement": broken}
        elif unit.form == "lower" and is_low(before, after):
            low = lexicon.described("measurement", "low")
            if low is not None:  # lower lung volumes
                unit.tag, unit.rows, unit.tables = "A", (low,), {"measurement": low}
        elif unit.tag == "W" and unit.form in STUDIES:
            unplaced(units[:i])
        elif unit.form == "both" and after is not None and after.tag in "AV":
            unit.tag = "D"  # the left is small and the right is trace, both decreased
        elif (
            unit.tag == "B"
            and before is not None
            and before.form in ("most", "more")
            and after
            and after.tag in "KVW"
        ):
            unit.tag, unit.rows = "H", (BLANK_LIKELY,)  # most ____ represents
        elif (
            unit.form in BLANKED_VERBS
            and before is not None
            and before.tag == "B"
            and unsure(unit, units[i:])
        ):
            unit.tag, unit.rows = "H", (*unit.rows, BLANK_HEDGE)  # ____ represent: the blank was a `may`
        elif unit.form == "otherwise" and before is not None and before.tag in "SLEV" and not begins(after):
            unit.tag = "W"  # the lungs are otherwise clear


def is_noun(row: Row | Cue) -> bool:
    """Does the row name a finding of its own (not a structure, not a general word such as `change`)?"""
    return isinstance(row, Row) and row.table == "findings" and row.path[0] not in ("structure", "generic")


def swallows(first: int, last: int, form: Form, nouns: list[tuple[int, int]]) -> bool:
    """A modifier never takes the finding it stands on: in `mild prominence` the noun is free."""
    if last - first == 1 or form.free:
        return False
    return any(first <= start and end <= last for start, end in nouns)


def unguarded(form: Form, first: int, last: int, forms: list[str], line: str, written: str) -> Form:
    """The form without the rows that are guarded here, or written in the wrong case."""
    kept = []
    for row in form.rows:
        guards, cased = form.guards.get(row.id, ((), False))
        if cased and not written.isupper():
            continue
        if not any(guard in line and inside(guard.split(), first, last, forms) for guard in guards):
            kept.append(row)
    return form if len(kept) == len(form.rows) else Form((*kept, *form.flags))


def inside(guard: list[str], first: int, last: int, forms: list[str]) -> bool:
    """Does the guard phrase stand here around the match?"""
    size = len(guard)
    return any(forms[s : s + size] == guard for s in range(max(0, last - size), first + 1))


def measures(text: str, found: list[Word], taken: list[Unit | None]) -> None:
    """Free measures such as 2.5 x 3 cm, and durations such as for two weeks, as units of their own."""
    spans = [("M", *place) for place in sizes(text)] if DIGIT.search(text) else []
    if LASTING.search(text):
        spans += [("Y", *m.span()) for m in DURATION.finditer(text)]
    for tag, start, end in spans:
        inner = [i for i, w in enumerate(found) if w.start < end and start < w.end]
        if inner:
            unit = Unit(tag, text[start:end].lower(), inner[0], inner[-1] + 1,
                        found[inner[0]].start, found[inner[-1]].end)  # fmt: skip
            for i in inner:
                taken[i] = unit


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


def word_tag(form: str) -> str:
    """What a word no table knows is looked at as."""
    known = WORD_TAGS.get(form)
    if known is not None:
        return known
    if BLANK.fullmatch(form):
        return "B"
    return "W" if form[0].isalnum() else "."
