"""What was heard → findings: nouns by their concept, values by their normal form, and who says so."""

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from msgspec.structs import replace

from overread.lexicon.lexicon import Lexicon
from overread.lexicon.load import Row
from overread.lexicon.meanings import Cue
from overread.reader.hearing import EVEN, Heard, Value
from overread.reader.naming import NETWORK, Sense, Words
from overread.reader.reading import Attribute, Evidence, Finding, Level, MeasuredSpan, one_side
from overread.report import Section, Sentence
from overread.report.marks import alike
from overread.report.span import Span

RELATIONS = (
    "location", "morphology", "distribution", "measurement", "severity", "comparison", "onset", "improved",
    "worsened", "no_change", "placement", "past_hx", "other_source", "assessment_limitations",
)  # fmt: skip
ORDER = {name: n for n, name in enumerate(RELATIONS)}
CHANGE_KINDS = frozenset({"improved", "worsened", "no_change", "gone", "onset"})
PLAIN = {"improved": "smaller", "worsened": "larger", "no_change": "unchanged", "gone": "resolved"}
"""The plain word for a change that only sizes tell, or that the lexicon has no row for."""

LOOKS = frozenset({"location", "morphology", "measurement", "distribution"})
NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Context(NamedTuple):
    """A report's text and the sentences around a claim."""

    text: str
    places: dict[int, tuple[Section, Sentence]]
    words: dict[int, Words]
    lex: Lexicon

    def words_at(self, sentence: int) -> tuple[Words, int]:
        """The words of a sentence, and where it begins."""
        return self.words[sentence], self.places[sentence][1].span.start

    def asked(self, value: Value) -> tuple[Words, int, int]:
        """The words of a value's sentence, and where the value begins and ends among them."""
        words, start = self.words_at(value.sentence)
        return words, value.span.start - start, value.span.end - start

    def cue(self, value: Value, kind: str) -> Cue | None:
        words, first, last = self.asked(value)
        return words.cue(kind, first, last)

    def sense(self, heard: Heard) -> Sense:
        """What the noun names, with the words of its values before it."""
        words, start = self.words_at(heard.sentence)
        said = (v for v in heard.values if v.kind not in ("denied_by", "hedged_by"))
        own = [v.span.shift(-start) for v in said if v.sentence == heard.sentence]
        return words.named(heard.span.start - start, heard.span.end - start, own)


# ---- a noun that stands for several things
MOST_PARTS = 12
"""Places among which a noun is parted; more are no report's, and each of many nouns would become all of them."""


def parted(heard: Heard, now: Context) -> list[Heard]:
    """`Smaller on the right, larger on the left`: one mention for each place, with what is said there."""
    located = [v for v in heard.values if v.kind == "location"]
    sides = [sides_of(v, now) for v in located]
    apart_by_side = {"left"} in sides and {"right"} in sides
    places = [
        v
        for v, side in zip(located, sides, strict=True)
        if (side if apart_by_side else not leads_to(v, heard, now))
    ]
    if not 2 <= len(places) <= MOST_PARTS:
        return [heard]
    shared, own = shares(heard, places, now)
    if heard.several < EVEN and not (apart_by_side and all(len(some) > 1 for some in own)):
        return [heard]
    made = [replace(heard, values=[*shared, *some]) for some in own]
    structure = now.sense(heard).kind == "structure"
    denied = [any(v.kind == "denied_by" or (structure and normal(v, now)) for v in some) for some in own]
    if any(denied) and not all(denied):
        less, more = sorted((heard.positive, 1 - heard.positive))
        for one, absent in zip(made, denied, strict=True):
            one.positive = less if absent else more
    return made


def shares(heard: Heard, places: Sequence[Value], now: Context) -> tuple[list[Value], list[list[Value]]]:
    """What is said of all places, and what belongs to each: the nearest, unless it leads straight to the noun."""
    own = [[place] for place in places]
    shared: list[Value] = []
    for value in heard.values:
        if value not in places:
            far = [apart(now.text, value.span, place.span) for place in places]
            leads = leads_to(value, heard, now) and min(far) > 1
            whole = value.sentence != heard.sentence or leads
            (shared if whole else own[far.index(min(far))]).append(value)
    return shared, own


def leads_to(value: Value, heard: Heard, now: Context) -> bool:
    """Does it stand right before the noun?"""
    return value.span.end <= heard.span.start and not now.text[value.span.end : heard.span.start].strip()


def sides_of(value: Value, now: Context) -> set[str]:
    words, first, last = now.asked(value)
    return {p.side for p in words.places(first, last)} - {"-"}


SEPARATES = re.compile(r"[,;|]|\b(?:and|but|while|whereas)\b", re.IGNORECASE)


def apart(text: str, one: Span, other: Span) -> int:
    """How far two stretches are from each other, a comma or conjunction counting for many letters."""
    first, last = sorted((one, other))
    between = SEPARATES.findall(text, first.end, last.start)
    return max(0, last.start - first.end) + 40 * len(between)


def normal(value: Value, now: Context) -> bool:
    words, first, last = now.asked(value)
    row = words.described(value.kind, first, last)
    return row is not None and (row.path[:2] == ("condition", "normal") or row.path[:1] == ("normality",))


# ---- findings
def finding(id: str, heard: Heard, ids: Sequence[Sequence[str]], now: Context) -> Finding:
    """One mention as a finding; `ids` are those of the findings that each mention became."""
    section, _ = now.places[heard.sentence]
    sense = now.sense(heard)
    attributes = tuple(sorted(attributes_of(heard, now), key=lambda a: (ORDER[a.relation], a.span.start)))
    concept = refined(sense.concept, attributes, now.lex)
    known = now.lex.concepts.get(concept or "")
    negative = heard.positive < EVEN
    tentative = heard.tentative >= EVEN
    linked = {kind: [id for n in some for id in ids[n]] for kind, some in heard.links.items()}
    evidence = [other for other in linked.get("evidence", ()) if other != id]
    associate = [other for other in (*evidence, *linked.get("associate", ())) if other != id]
    return Finding(
        id, section.name, heard.sentence, alike(heard.span.of(now.text)), heard.span, concept,
        known.kind if known is not None and sense.concept != concept else sense.kind, heard.category,
        sense.site or (known.site if known is not None else None),
        "negative" if negative else "positive", "tentative" if tentative else "definitive",
        level_of(heard, negative, tentative, attributes, now), attributes,
        tuple(dict.fromkeys(associate)), tuple(dict.fromkeys(evidence)), traced(heard, sense.rule, now),
        tuple(dict.fromkeys(other for other in linked.get("same_as", ()) if other != id)),
        implied(concept, sense, attributes, now.lex),
    )  # fmt: skip


def traced(heard: Heard, rule: str, now: Context) -> tuple[Evidence, ...]:
    """The noun by its row, and the words that deny or hedge; each with how sure the network was."""
    found = [Evidence(heard.span, rule, "", max(heard.positive, round(1 - heard.positive, 3)))]
    for kind, note, cue_kind in (("denied_by", "denied", "negation"), ("hedged_by", "hedged", "hedge")):
        for value in heard.values:
            if value.kind == kind:
                cue = now.cue(value, cue_kind)
                found.append(Evidence(value.span, rule_of(cue), note, value.sure))
    return tuple(found)


def level_of(
    heard: Heard, negative: bool, tentative: bool, attributes: Iterable[Attribute], now: Context
) -> Level:
    if negative:
        return "doubtful" if tentative else "definite"
    if any(a.concept == "borderline" for a in attributes):
        return "possible"
    if not tentative:
        return "definite"
    hedges = [now.cue(value, "hedge") for value in heard.values if value.kind == "hedged_by"]
    senses = [cue.sense if cue else "possible" for cue in hedges]
    return "probable" if senses and all(s == "probable" for s in senses) else "possible"


def attributes_of(heard: Heard, now: Context) -> Iterable[Attribute]:
    """What is said of it, by the lexicon's normal forms; an earlier size counts only beside the present one."""
    told: set[tuple[str, Span]] = set()
    for value in heard.values:
        if value.kind in ORDER or value.kind == "gone":
            made = attribute(value, now)
            if (made.relation, made.span) not in told:
                told.add((made.relation, made.span))
                yield made
    if not any(v.kind in CHANGE_KINDS for v in heard.values):
        yield from by_size(heard, now)


def attribute(value: Value, now: Context) -> Attribute:
    words, first, last = now.asked(value)
    text, start = alike(value.span.of(now.text)), value.span.start - first
    row = words.described(value.kind, first, last)
    if value.kind == "gone" and (row is None or "extreme" not in row.path):
        row = now.lex.described("improved", PLAIN["gone"])
    relation = "improved" if value.kind == "gone" else value.kind
    places: tuple[MeasuredSpan, ...] = ()
    if relation == "location":
        places = tuple(replace(p, span=p.span.shift(start)) for p in words.places(first, last))
    if places:
        chief = next((p for p in places if p.path), places[0])
        concept, path, side = chief.concept, chief.path, one_side(p.side for p in places)
    else:
        path = row.path if row else ("size",) if relation == "measurement" and NUMBER.search(text) else ()
        concept, side = (row.concept, row.side) if row else (text.lower(), "-")
    return Attribute(relation, text, value.span, concept, path, side, rule_of(row), places, value.sure)


def rule_of(row: Row | Cue | None) -> str:
    return row.id if row else NETWORK


# ---- two sizes, then and now
Direction = Literal["worsened", "improved", "no_change"]
ALIKE = 0.04
"""Two measurements that differ by less, as a share of the larger, are the same within error."""

NO_UNIT = re.compile(r"[\d.,x× ]")
MILLIMETRES = {"cm": 10.0, "centimet": 10.0, "mm": 1.0, "millimet": 1.0}


def by_size(heard: Heard, now: Context) -> Iterable[Attribute]:
    """Two sizes and no word for it: which way they go is arithmetic."""
    was = next((v for v in heard.values if v.kind == "previous_measurement"), None)
    sizes = [v for v in heard.values if v.kind == "measurement" and NUMBER.search(v.span.of(now.text))]
    if was is None or not sizes:
        return
    size, earlier = sizes[0].span.of(now.text), was.span.of(now.text)
    present = largest(size)
    before = largest(earlier) or largest(f"{earlier} {NO_UNIT.sub('', size)}")
    if present is None or before is None:
        return
    way = direction(present, before)
    row = now.lex.described(way, PLAIN[way])
    concept, path = (row.concept, row.path) if row else (PLAIN[way], ())
    yield Attribute(way, alike(earlier), was.span, concept, path, "-", "sizes-then-now", (), was.sure)


def largest(text: str) -> float | None:
    """The largest extent in millimetres; None for percentages and densities, and where no number stands.

    >>> largest("2.5 x 3 cm"), largest("40%"), largest("a few mm")
    (30.0, None, None)
    """
    scale = next((s for unit, s in MILLIMETRES.items() if unit in text.lower()), None)
    numbers = [float(n) for n in NUMBER.findall(text)]
    return max(numbers) * scale if scale is not None and numbers else None


def direction(now: float, then: float) -> Direction:
    """
    >>> direction(12, 8), direction(31, 30)
    ('worsened', 'no_change')
    """
    if abs(now - then) <= ALIKE * max(now, then):
        return "no_change"
    return "worsened" if now > then else "improved"


def refined(concept: str | None, attributes: Iterable[Attribute], lex: Lexicon) -> str | None:
    """The concept that noun and attributes make together: a nodular opacity is a nodule."""
    if concept is None:
        return None
    for a in attributes:
        for name, path in [(p.concept, p.path) for p in a.places] or [(a.concept, a.path)]:
            exact = lex.compounds.get((concept, f"{a.relation}-exact", name))
            if exact is not None:
                return exact
            for step in (name, *reversed(path)):
                become = lex.compounds.get((concept, a.relation, step))
                if become is not None:
                    return become
    return concept


def implied(concept: str | None, sense: Sense, attributes: Iterable[Attribute], lex: Lexicon) -> str | None:
    """The finding that a structure and what is said of it are together; or air, and where it is."""
    known = lex.concepts.get(concept or "")
    part_of = (known.site if known is not None else None, *sense.path) if sense.kind == "structure" else ()
    looks = [a for a in attributes if a.relation in LOOKS]
    said = [a.concept for a in looks]
    said += [name for a in looks for p in a.places for name in (p.concept, *p.path)]
    found = (lex.implied.get((thing, name)) for thing in (concept, *part_of) if thing for name in said)
    return next((means for means in found if means), None)


def both_ways(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """What one is linked with is linked with it."""
    others = {f.id: dict.fromkeys(f.associate) for f in findings}
    for f in findings:
        for id in f.associate:
            others[id].setdefault(f.id)
    return tuple(replace(f, associate=tuple(others[f.id])) for f in findings)
