"""Noun phrases of a sentence, and the words that stand between them."""

import re
from collections.abc import Iterator
from itertools import pairwise, takewhile

from overread.reader.grammar import PREPOSITIONS
from overread.reader.units import Unit

JOINING = frozenset({"and / or", "versus", "vs"})
"""Cues that join like a conjunction."""

IN_CHUNK = frozenset("ELSAMYDBWh")
"""Tags that stay inside one noun phrase; everything else stands between phrases."""


class Chunk:
    """One noun phrase: `before` are the verbs, prepositions, cues and conjunctions since the last one."""

    __slots__ = ("before", "findings", "joins", "structure", "tags", "units")

    def __init__(self, before: list[Unit], units: list[Unit]) -> None:
        self.before = before
        self.units = units
        self.joins = [u for u in before if u.tag == "C" or u.form in JOINING]
        """The conjunctions before it."""
        self.look()

    def look(self) -> None:
        """Note what the phrase names; again when a word has turned out to be a finding."""
        self.tags = {u.tag for u in self.units}
        self.findings: list[int] = []
        """Places of the finding nouns."""
        self.structure: int | None = None
        """Place of the last noun that names a structure."""
        for place, unit in enumerate(self.units):
            if unit.tag == "E":
                self.findings.append(place)
            elif unit.tag in "SL" and is_structure(unit):
                self.structure = place
        if (
            self.structure is None and not self.joins and self.tags >= {"A", "L", "B"}
        ):  # calcified aortic ____
            adjectives = [i for i, u in enumerate(self.units) if is_adjective(u)]
            self.structure = adjectives[-1] if adjectives else None

    def __repr__(self) -> str:
        return f"<{' '.join(map(repr, self.before))} | {' '.join(map(repr, self.units))}>"

    @property
    def named(self) -> bool:
        """Does it name a finding or a structure?"""
        return bool(self.findings) or self.structure is not None

    def has(self, tag: str) -> bool:
        return tag in self.tags

    @property
    def empty(self) -> bool:
        return not self.tags - {"D", "B"}


def is_adjective(unit: Unit) -> bool:
    row = unit.row("locations") if unit.tag == "L" else None
    return row is not None and row.role == "adj"


def is_structure(unit: Unit) -> bool:
    """Can the unit be the subject of a sentence about anatomy?"""
    if unit.tag == "S":
        return True
    row = unit.row("locations") if unit.tag == "L" else None
    return row is not None and row.role in ("noun", "zone")


def chunks(units: list[Unit]) -> Iterator[Chunk]:
    """The noun phrases in order; the last may be empty and only carry what follows the sentence's last noun."""
    before: list[Unit] = []
    phrase: list[Unit] = []
    telegraphic = drops_stops(units)
    for place, unit in enumerate(units):
        if telegraphic and begins_anew(before, phrase, units[place:]):
            yield Chunk(before, phrase)
            before, phrase = [mark("X", ";", unit)], []
        elif runs_on(phrase, unit):
            yield Chunk(before, phrase)
            before, phrase = [mark("C", ",", unit)], []
        if unit.tag in IN_CHUNK:
            phrase.append(unit)
            continue
        if phrase:
            yield Chunk(before, phrase)
            before, phrase = [], []
        before.append(unit)
    yield Chunk(before, phrase)


def mark(tag: str, form: str, unit: Unit) -> Unit:
    """A stop that was not written, before the unit."""
    return Unit(tag, form, unit.first, unit.first, unit.start, unit.start)


def drops_stops(units: list[Unit]) -> bool:
    """`No ptx small left effusion no fracture`: a `no` right after a noun shows that stops are left out."""
    return any(b.tag == "N" and b.form == "no" and a.tag in "EAB" for a, b in pairwise(units))


def begins_anew(before: list[Unit], phrase: list[Unit], ahead: list[Unit]) -> bool:
    """Where stops are left out: does the next statement begin here, after a noun and with one of its own?"""
    unit = ahead[0]
    named = any(u.tag == "E" for u in phrase)
    if unit.tag == "N" and unit.form == "no":
        return named or any(u.tag == "A" for u in phrase)
    if unit.tag not in "ELSAM" or not named or not any(u.tag == "N" for u in before):
        return False
    rest = "".join(u.tag for u in takewhile(lambda u: u.tag in IN_CHUNK, ahead))
    return "E" in rest or re.search("[SL].*A", rest) is not None


def runs_on(phrase: list[Unit], unit: Unit) -> bool:
    """Is a comma missing before the unit: `normal heart size mediastinal contours`, `low lung volumes mild edema`?"""
    last = phrase[-1] if phrase else None
    if last is not None and last.tag == "B" and unit.tag == "E":  # low lung volumes ____ atelectasis
        noun = next((u for u in reversed(phrase) if u.tag != "B"), last)
        return noun.tag == "S" and noun.form.endswith("volumes")
    if last is None or last.tag not in "SA":
        return False
    if unit.form == "the":  # the lungs are hyperexpanded the hemidiaphragms are flattened
        return last.tag == "A" and last.form.split()[-1] not in PREPOSITIONS and not last.row("placement")
    if unit.tag == "S" and " " in unit.form:
        return (last.tag == "S" and " " in last.form) or (
            last.tag == "A" and len(phrase) > 1 and phrase[-2].tag == "S"
        )
    if unit.tag == "S":
        return last.tag == "A" and len(phrase) > 1 and phrase[-2].tag == "S"
    said = any(u.tag == "A" for u in phrase[:-1])
    return unit.tag == "A" and last.tag == "S" and said and unit.row("severity") is not None
