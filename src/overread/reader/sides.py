"""One noun, two sides, each with a word of its own: `effusions, large left, tiny right` are two findings."""

import re

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

GRAMMAR_WORDS = frozenset({Role.VERB, Role.DETERMINER, Role.PREPOSITION, Role.STOP, Role.JOIN, Role.BLANK})
"""Words that say nothing of their own."""


def split_by_side(text: str, drafts: list[Draft], units: list[Unit]) -> list[Draft]:
    """The drafts of a sentence, one that is told of both sides apart made two."""
    told = [d for d in drafts if d.kind in WHOLE]
    if len(told) != 1 or told[0].denied:
        return drafts
    if len(side_words(units)) != 2:
        return drafts
    ordered = RESPECTIVELY.search(text, units[0].start, units[-1].end) is not None
    parted: list[Draft] = []
    for relations in (DEGREES, COURSES):
        if pairs := pair_sides(units, relations, ordered):
            source = parted or [told[0], told[0]]
            parted = [
                on_side(d, pair, relations) for d, pair in zip(source, sorted_by_side(pairs), strict=True)
            ]
    return [p for d in drafts for p in (parted if parted and d is told[0] else [d])]


def carry_to_other_side(units: list[Unit], before: list[Draft]) -> list[Draft]:
    """`Right effusion stable. Left larger.`: a side and a word, said of the noun before on its other side."""
    sides, words = side_and_told_words(units, DEGREES | COURSES)
    rest = [u for u in units if u not in sides and u not in words and u.role not in GRAMMAR_WORDS]
    told = [d for d in before if d.kind in WHOLE and not d.denied]
    if len(sides) != 1 or not words or len(told) != 1 or any(u.form not in PASSED_OVER for u in rest):
        return []
    here = {place_side(run) for h in told[0].held for run in h.runs} - {"-"}
    if here != {"left", "right"} - {place_side(sides)}:
        return []
    other = on_side(told[0], (sides[0], words[0]), DEGREES | COURSES)
    other.start, other.end = sides[0].start, sides[0].end
    return [other]


def side_and_told_words(units: list[Unit], relations: frozenset[str]) -> tuple[list[Unit], list[Unit]]:
    """The words that tell one side, and those that say something of these relations."""
    return side_words(units), [
        u for u in units if u.role is Role.ATTRIBUTE and any(u.row(name) for name in relations)
    ]


def side_words(units: list[Unit]) -> list[Unit]:
    return [u for u in units if u.row("locations") and place_side([u]) in ("left", "right")]


def sorted_by_side(pairs: list[Paired]) -> list[Paired]:
    return sorted(pairs, key=lambda pair: place_side([pair[0]]))


def pair_sides(units: list[Unit], relations: frozenset[str], ordered: bool) -> list[Paired]:
    """Left and right, each with one of two words; nothing where it is not plain which belongs to which."""
    sides, words = side_and_told_words(units, relations)
    if len(sides) != 2 or len(words) != 2 or place_side([sides[0]]) == place_side([sides[1]]):
        return []
    if ordered:
        return list(zip(sides, words, strict=True))
    line = sorted([*sides, *words], key=lambda u: u.start)
    found: list[Paired] = []
    for one, two in (line[:2], line[2:]):
        if (one in sides) == (two in sides):
            return []
        found.append((one, two) if one in sides else (two, one))
    return found


def on_side(draft: Draft, pair: Paired, relations: frozenset[str]) -> Draft:
    """The finding on one side, with what is said of it there."""
    side, word = pair
    other = draft.once_more()
    kept = [
        h
        for h in draft.held
        if h.relation not in relations and not (h.relation == "location" and names_side(h))
    ]
    place = Held("location", side.row("locations"), side.start, side.end, side)
    place.runs = [[side]]
    relation = next(name for name in sorted(relations) if word.row(name) is not None)
    other.held = [*kept, place, Held(relation, word.row(relation), word.start, word.end, word)]
    other.hedge, other.site, other.join = draft.hedge, draft.site, draft.join
    other.associate, other.evidence = list(draft.associate), list(draft.evidence)
    other.trace = [*draft.trace, Evidence(Span(side.start, side.end), "each-side", place_side([side]))]
    return other


def names_side(held: Held) -> bool:
    return any(place_side(run) != "-" for run in held.runs)
