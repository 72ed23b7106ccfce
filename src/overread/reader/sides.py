"""One noun, two sides, each with a word of its own: `effusions, large left, tiny right` are two findings."""

import re
from collections.abc import Collection, Iterator
from itertools import zip_longest

from overread.lexicon.lexicon import Lexicon
from overread.reader.drafts import CHANGES, Draft, Held
from overread.reader.places import place_side
from overread.reader.reading import Evidence
from overread.reader.roles import Role
from overread.reader.units import Unit
from overread.report.span import Span

RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)
WHOLE = frozenset({"finding", "diagnosis", "open"})
DEGREES = frozenset({"severity"})
COURSES = CHANGES | {"onset"}
PASSED_OVER = frozenset("one side counterpart now also still much slightly than before".split())
Paired = tuple[Unit, Unit]
"""A word that tells a side, and one that says how much there is or how it has changed."""

OPPOSITE = {"left": "right", "right": "left"}
OTHER_SIDE = frozenset({"other", "opposite", "contralateral"})
BARE_DENIALS = frozenset({"none", "neither", "nil"})

GRAMMAR_WORDS = frozenset({Role.VERB, Role.DETERMINER, Role.PREPOSITION, Role.STOP, Role.JOIN, Role.BLANK})
"""Words that say nothing of their own."""


def split_by_side(text: str, drafts: list[Draft], units: list[Unit]) -> list[Draft]:
    """The drafts of a sentence, one that is told of both sides apart made two."""
    told = [d for d in drafts if d.kind in WHOLE]
    if len(told) != 1 or len(side_words(units)) != 2:
        return drafts
    if told[0].denied:
        apart = denied_on_one_side(told[0], units)
        return [p for d in drafts for p in (apart if apart and d is told[0] else [d])]
    ordered = RESPECTIVELY.search(text, units[0].start, units[-1].end) is not None
    parted: list[Draft] = []
    for relations in (DEGREES, COURSES):
        if pairs := pair_sides(units, relations, ordered):
            source = parted or [told[0], told[0]]
            parted = [
                on_side(d, *pair, relations) for d, pair in zip(source, sorted_by_side(pairs), strict=True)
            ]
            if relations is COURSES:
                stand_at_its_side(parted, max((side for side, _ in pairs), key=lambda u: u.start))
    return [p for d in drafts for p in (parted if parted and d is told[0] else [d])]


def stand_at_its_side(apart: list[Draft], last: Unit) -> None:
    """The noun is the first one's; the other stands where its side is named, so that each has a course of its own."""
    for draft in apart:
        if draft.held and any(h.unit is last for h in draft.held):
            draft.start, draft.end = last.start, last.end


def denied_on_one_side(draft: Draft, units: list[Unit]) -> list[Draft]:
    """`Effusion: none on the right, small on the left`: there on the one side alone."""
    denials = [u for u in units if u.role is Role.DENIAL and u.start >= draft.end]
    degrees = side_and_told_words(units, DEGREES)[1]
    if len(denials) != 1 or len(degrees) != 1:
        return []
    found: list[Draft] = []
    for side, word in sorted_by_side(paired(side_words(units), [*denials, *degrees])):
        other = on_side(draft, side, word if word in degrees else None, DEGREES)
        other.negated = None
        other.trace = [e for e in other.trace if e.note != "denied"]
        if word in denials:
            other.held = [h for h in other.held if h.relation == "location"]
            other.deny(word)
        found.append(other)
    return found


def tell_other_sides(drafts: list[Draft], units: list[Unit], lex: Lexicon) -> list[Draft]:
    """`Left effusion; right, none`: a part of a sentence without a noun goes on with the noun of the part before."""
    before: list[Draft] = []
    found: list[Draft] = []
    for clause in parts(units):
        start, end = clause[0].start, clause[-1].end
        own = [d for d in drafts if start <= d.start < end]
        carried = carry_to_other_side(clause, before, lex) if not own else []
        before = carried or own or before
        found += carried
    return sorted([*drafts, *found], key=lambda d: d.start) if found else drafts


def parted(units: list[Unit], forms: Collection[str]) -> bool:
    """May the sentence have more than one part? Most have but the stop at their end."""
    return not BARE_DENIALS.isdisjoint(forms) or Role.STOP in [u.role for u in units[:-1]]


def parts(units: list[Unit]) -> Iterator[list[Unit]]:
    """A sentence between its stops; a comma or `and` between a finding and a bare `none` parts it, too."""
    part: list[Unit] = []
    for unit, after in zip_longest(units, units[1:]):
        bare = unit.role is Role.JOIN and after is not None and after.form in BARE_DENIALS
        if unit.role is Role.STOP or (bare and any(u.role is Role.FINDING for u in part)):
            if part:
                yield part
            part = []
        else:
            part.append(unit)
    if part:
        yield part


def on_one_side(drafts: list[Draft]) -> Draft | None:
    """The one finding of a sentence, where it is told to be on the left or on the right."""
    told = [d for d in drafts if d.kind in WHOLE]
    if len(told) != 1:
        return None
    here = told[0].sides
    return told[0] if len(here) == 1 and here <= OPPOSITE.keys() else None


def carry_to_other_side(units: list[Unit], before: list[Draft], lex: Lexicon) -> list[Draft]:
    """`Right effusion stable. Left larger.`: what is told of a side, said of the noun before on its other side."""
    told = on_one_side(before)
    if told is None:
        return []
    opposite = OPPOSITE[next(iter(told.sides))]
    named = side_words(units)
    sides = named or [meant(u, opposite, lex) for u in units if u.form in OTHER_SIDE]
    words = side_and_told_words(units, DEGREES | COURSES)[1]
    denials = [u for u in units if u.role is Role.DENIAL]
    ones = [u for u in units if u.form in ("one", "another")]
    known = {u.start for u in (*sides, *words, *denials, *ones)}
    rest = [u for u in units if u.start not in known and u.role not in GRAMMAR_WORDS]
    said = words or denials or (ones and told.denied)
    if len(sides) != 1 or not said or any(u.form not in PASSED_OVER for u in rest):
        return []
    if place_side(sides) != opposite:
        return []
    return [with_other_side(told, sides[0], words[:1], denials)]


ACROSS = re.compile(r"\b(?:contralateral(?:ly)?|opposite|other)\b", re.IGNORECASE)
ACROSS_WORDS = frozenset("contralateral contralaterally opposite other other's".split())


def tell_across(text: str, span: Span, drafts: list[Draft], before: list[Draft], lex: Lexicon) -> None:
    """`Stone in the left kidney. A cyst in the other kidney`: the place lies on the side that was not named."""
    for word in ACROSS.finditer(text, span.start, span.end):
        known = sides_of([d for d in drafts if d.start < word.start()]) or sides_of(before)
        if len(known) != 1 or not known <= OPPOSITE.keys():
            continue
        side = OPPOSITE[next(iter(known))]
        row = lex.described("locations", side)
        assert row is not None
        for draft in drafts:
            if not draft.sides and any(stands_there(h, word) for h in draft.held):
                unit = Unit(Role.PLACE, side, -1, -1, *word.span(), (row,), {"locations": row})
                draft.held.append(Held("location", row, *word.span(), unit, [[unit]], side))
                draft.trace.append(Evidence(Span(*word.span()), "other-side", side))


def sides_of(drafts: list[Draft]) -> set[str]:
    return {side for d in drafts for side in d.sides}


def stands_there(held: Held, word: re.Match[str]) -> bool:
    """Does the place hold the word, or begin right after it?"""
    if held.relation != "location":
        return False
    return held.start <= word.start() < held.end or 0 < held.start - word.end() <= 1


def meant(unit: Unit, side: str, lex: Lexicon) -> Unit:
    """`The other side shows none`: the word stands for the side that was not named."""
    row = lex.described("locations", side)
    assert row is not None
    return Unit(Role.PLACE, side, unit.first, unit.last, unit.start, unit.end, (row,), {"locations": row})


def with_other_side(draft: Draft, side: Unit, words: list[Unit], denials: list[Unit]) -> Draft:
    """The finding once more, on the other side, with what is told of it there."""
    other = on_side(draft, side, words[0] if words else None, DEGREES | COURSES)
    other.start, other.end = side.start, side.end
    other.trace = [e for e in other.trace if e.note != "denied"]
    if denials:
        other.held = [h for h in other.held if h.relation == "location"]
        other.deny(denials[0])
    return other


def side_and_told_words(units: list[Unit], relations: frozenset[str]) -> tuple[list[Unit], list[Unit]]:
    """The words that tell one side, and those that say something of these relations."""
    return side_words(units), [
        u for u in units if u.role is Role.ATTRIBUTE and any(u.row(name) for name in relations)
    ]


def side_words(units: list[Unit]) -> list[Unit]:
    return [u for u in units if "locations" in u.tables and place_side([u]) in ("left", "right")]


def sorted_by_side(pairs: list[Paired]) -> list[Paired]:
    return sorted(pairs, key=lambda pair: place_side([pair[0]]))


def pair_sides(units: list[Unit], relations: frozenset[str], ordered: bool) -> list[Paired]:
    """Left and right, each with one of two words; nothing where it is not plain which belongs to which."""
    sides, words = side_and_told_words(units, relations)
    if len(sides) != 2 or len(words) != 2 or place_side([sides[0]]) == place_side([sides[1]]):
        return []
    return list(zip(sides, words, strict=True)) if ordered else paired(sides, words)


def paired(sides: list[Unit], words: list[Unit]) -> list[Paired]:
    """Each of two sides with the word that stands beside it; nothing where that is not plain."""
    if len({place_side([u]) for u in sides}) != 2 or len(words) != 2:
        return []
    line = sorted([*sides, *words], key=lambda u: u.start)
    found: list[Paired] = []
    for one, two in (line[:2], line[2:]):
        if (one in sides) == (two in sides):
            return []
        found.append((one, two) if one in sides else (two, one))
    return found


def on_side(draft: Draft, side: Unit, word: Unit | None, relations: frozenset[str]) -> Draft:
    """The finding on one side, with what is said of it there."""
    other = draft.once_more()
    kept = [
        h
        for h in draft.held
        if h.relation not in relations and not (h.relation == "location" and names_side(h))
    ]
    place = Held("location", side.row("locations"), side.start, side.end, side)
    place.runs = [[side]]
    other.held = [*kept, place]
    if word is not None:
        relation = next(name for name in sorted(relations) if word.row(name) is not None)
        other.held.append(Held(relation, word.row(relation), word.start, word.end, word))
    other.hedge, other.site, other.join = draft.hedge, draft.site, draft.join
    other.associate, other.evidence = draft.associate, draft.evidence
    other.trace = [*draft.trace, Evidence(Span(side.start, side.end), "each-side", place_side([side]))]
    return other


def names_side(held: Held) -> bool:
    return any(place_side(run) != "-" for run in held.runs)
