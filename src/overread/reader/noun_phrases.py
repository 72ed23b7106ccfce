"""Noun phrases of a sentence, and the words that stand between them."""

from itertools import dropwhile, pairwise, takewhile

from overread.reader.grammar import PREPOSITIONS
from overread.reader.roles import ANATOMY, Role, RoleName
from overread.reader.units import Unit

JOINING = frozenset({"and / or", "versus", "vs"})
"""Cues that join like a conjunction."""

IN_CHUNK = frozenset(
    {
        Role.FINDING,
        Role.PLACE,
        Role.STRUCTURE,
        Role.ATTRIBUTE,
        Role.MEASURE,
        Role.DURATION,
        Role.DETERMINER,
        Role.BLANK,
        Role.WORD,
        Role.INNER_HEDGE,
    }
)
"""Roles that stay inside one noun phrase; everything else stands between phrases."""

NAMELESS = frozenset({Role.DETERMINER, Role.BLANK})
"""A phrase of nothing else names nothing."""

BLANK_NOUN = frozenset({Role.ATTRIBUTE, Role.PLACE, Role.BLANK})
"""`Calcified aortic ____`: the blank hides the noun."""
NOUN_ENDS = frozenset({Role.FINDING, Role.ATTRIBUTE, Role.BLANK})
"""What the last statement may end with where stops are left out."""

NOUN_BEGINS = frozenset({Role.FINDING, Role.PLACE, Role.STRUCTURE, Role.ATTRIBUTE, Role.MEASURE})
"""… and what the next may begin with."""


class Chunk:
    """One noun phrase: `before` are the verbs, prepositions, cues and conjunctions since the last one."""

    __slots__ = ("before", "empty", "findings", "joins", "roles", "structure", "units")

    def __init__(self, before: list[Unit], units: list[Unit]) -> None:
        self.before = before
        self.units = units
        self.joins: list[Unit] = []
        """The conjunctions before it."""
        for unit in before:
            if unit.role is Role.JOIN or unit.form in JOINING:
                self.joins.append(unit)
        self.look()

    def look(self) -> None:
        """Note what the phrase names; again when a word has turned out to be a finding."""
        self.roles: set[RoleName] = set()
        self.findings: list[int] = []
        """Places of the finding nouns."""
        self.structure: int | None = None
        """Place of the last noun that names a structure."""
        for place, unit in enumerate(self.units):
            role = unit.role
            self.roles.add(role)
            if role is Role.FINDING:
                self.findings.append(place)
            elif role is Role.STRUCTURE or (role is Role.PLACE and names_place(unit)):
                self.structure = place
        self.empty = self.roles <= NAMELESS
        if self.structure is None and not self.joins and self.roles >= BLANK_NOUN:  # calcified aortic ____
            adjectives = [i for i, u in enumerate(self.units) if is_adjective(u)]
            self.structure = adjectives[-1] if adjectives else None

    def __repr__(self) -> str:
        return f"<{' '.join(map(repr, self.before))} | {' '.join(map(repr, self.units))}>"

    @property
    def named(self) -> bool:
        """Does it name a finding or a structure?"""
        return bool(self.findings) or self.structure is not None

    def has(self, role: RoleName) -> bool:
        return role in self.roles


def is_adjective(unit: Unit) -> bool:
    row = unit.row("locations") if unit.role is Role.PLACE else None
    return row is not None and row.role == "adj"


def names_place(unit: Unit) -> bool:
    """Can a place be the subject of a sentence about anatomy: the left lung base, and not `basilar`?"""
    row = unit.tables.get("locations")
    return row is not None and row.role in ("noun", "zone")


def chunks(units: list[Unit]) -> list[Chunk]:
    """The noun phrases in order; the last may be empty and only carry what follows the sentence's last noun."""
    found: list[Chunk] = []
    before: list[Unit] = []
    phrase: list[Unit] = []
    telegraphic = drops_stops(units)
    for place, unit in enumerate(units):
        if telegraphic and begins_anew(before, phrase, units[place:]):
            found.append(Chunk(before, phrase))
            before, phrase = [mark(Role.STOP, ";", unit)], []
        elif phrase and phrase[-1].role in RUNS_ON and runs_on(phrase, unit):
            found.append(Chunk(before, phrase))
            before, phrase = [mark(Role.JOIN, ",", unit)], []
        if unit.role in IN_CHUNK:
            phrase.append(unit)
            continue
        if phrase:
            found.append(Chunk(before, phrase))
            before, phrase = [], []
        before.append(unit)
    found.append(Chunk(before, phrase))
    return found


PREDICATES = frozenset({Role.ATTRIBUTE, Role.MEASURE})
BREAKS = frozenset({Role.JOIN, Role.STOP})


def with_verbs(units: list[Unit]) -> list[Unit]:
    """`The liver is enlarged, the left kidney probably obstructed`: the verb said once stands in both clauses."""
    told = False
    left_out: list[int] = []
    for at in range(len(units) - 3):
        role = units[at].role
        if role is Role.VERB:
            told = True
        elif told and role is Role.JOIN and units[at + 1].form == "the":
            ends = units[at].form == "," or units[at - 1].role in PREDICATES
            if ends and (verb := predicate_at(units, at + 2)):
                left_out.append(verb)
    if not left_out:
        return units
    return [
        u for n, unit in enumerate(units) for u in ([mark(Role.VERB, "is", unit)] * (n in left_out) + [unit])
    ]


def predicate_at(units: list[Unit], start: int) -> int:
    """Where the words begin that say how a place at `start` is, up to the next mark; 0 where a verb or more follows."""
    rest = list(takewhile(lambda u: u.role not in BREAKS, units[start:]))
    place = list(takewhile(lambda u: u.role in ANATOMY, rest))
    said = [u for u in rest[len(place) :] if u.role not in (Role.HEDGE, Role.INNER_HEDGE)]
    only = bool(place) and bool(said) and all(u.role in PREDICATES for u in said)
    return start + len(place) if only else 0


def mark(role: RoleName, form: str, unit: Unit) -> Unit:
    """A stop or a verb that was not written, before the unit."""
    return Unit(role, form, unit.first, unit.first, unit.start, unit.start)


def drops_stops(units: list[Unit]) -> bool:
    """`No ptx small left effusion no fracture`: a `no` right after a noun shows that stops are left out."""
    for before, unit in pairwise(units):
        if unit.form == "no" and unit.role is Role.DENIAL and before.role in NOUN_ENDS:
            return True
    return False


def begins_anew(before: list[Unit], phrase: list[Unit], ahead: list[Unit]) -> bool:
    """Where stops are left out: does the next statement begin here, after a noun and with one of its own?"""
    unit = ahead[0]
    named = any(u.role is Role.FINDING for u in phrase)
    if unit.role is Role.DENIAL and unit.form == "no":
        return named or any(u.role is Role.ATTRIBUTE for u in phrase)
    if unit.role not in NOUN_BEGINS or not named or not any(u.role is Role.DENIAL for u in before):
        return False
    rest = [u.role for u in takewhile(lambda u: u.role in IN_CHUNK, ahead)]
    from_place = dropwhile(lambda role: role not in ANATOMY, rest)
    return Role.FINDING in rest or Role.ATTRIBUTE in from_place  # spleen enlarged


def runs_on(phrase: list[Unit], unit: Unit) -> bool:
    """Is a comma missing before the unit: `normal heart size mediastinal contours`, `low lung volumes mild edema`?"""
    return RUNS_ON[phrase[-1].role](phrase, unit)


def runs_on_after_attribute(phrase: list[Unit], unit: Unit) -> bool:
    """`The lungs are hyperexpanded the hemidiaphragms are flattened`, `heart size normal lungs clear`."""
    last = phrase[-1]
    if unit.form == "the":
        return last.form.split()[-1] not in PREPOSITIONS and not last.row("placement")
    return unit.role is Role.STRUCTURE and len(phrase) > 1 and phrase[-2].role is Role.STRUCTURE


def runs_on_after_structure(phrase: list[Unit], unit: Unit) -> bool:
    """`Heart size mediastinal contours are normal`, `low lung volumes mild edema`."""
    if unit.role is Role.STRUCTURE:
        return " " in unit.form and " " in phrase[-1].form
    if unit.role is not Role.ATTRIBUTE or unit.row("severity") is None:
        return False
    return any(u.role is Role.ATTRIBUTE for u in phrase[:-1])


def runs_on_after_blank(phrase: list[Unit], unit: Unit) -> bool:
    """`Low lung volumes ____ atelectasis`."""
    if unit.role is not Role.FINDING:
        return False
    noun = next((u for u in reversed(phrase) if u.role is not Role.BLANK), phrase[-1])
    return noun.role is Role.STRUCTURE and noun.form.endswith("volumes")


RUNS_ON = {
    Role.ATTRIBUTE: runs_on_after_attribute,
    Role.STRUCTURE: runs_on_after_structure,
    Role.BLANK: runs_on_after_blank,
}


def ends_somewhere(chunk: Chunk) -> bool:
    """`… was pulled back and now terminates in the axilla`: said of the same device, whose end stands there."""
    first = next((u for u in chunk.units if u.role in (Role.ATTRIBUTE, Role.STRUCTURE, Role.FINDING)), None)
    return first is not None and first.role is Role.ATTRIBUTE and first.row("placement") is not None
