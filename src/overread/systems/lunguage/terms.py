"""What the words of a structured finding stand for: concept, topic, place, and what it says of its course.

A view holds words only, whoever read the report; here they become comparable between reports."""

from collections.abc import Iterable
from functools import cache, lru_cache, partial
from typing import Literal, cast

from msgspec import Struct

from overread.lexicon.lexicon import knows_words, lexicon
from overread.lexicon.load import Row
from overread.lexicon.match import Match
from overread.lexicon.meanings import Cue
from overread.lexicon.words import split
from overread.systems import tables
from overread.systems.lunguage.schema import Relation, StructuredFinding

# ---- tables: topics, courses, references and zones
Apart = Literal["none", "side", "route", "place"]
"""What tells two findings of one topic apart: nothing, their side, side and vein, or side and place."""


class Course(Struct, frozen=True):
    """How a topic is followed."""

    apart: Apart
    lasting: bool
    """It stays without being mentioned; a long silence does not end the episode."""


table = partial(tables.rows, "lunguage")


@cache
def topics() -> dict[tuple[str, str], str]:
    """(concept, what is said of it or `-`) → topic; `*` for a bag of different things."""
    return {(concept, said): topic for concept, said, topic, _reason in table("topics")}


@cache
def courses() -> dict[str, Course]:
    """By topic; of topics without a row by `kind:` and the kind of their concept."""
    return {
        topic: Course(cast(Apart, apart), course == "lasting")
        for topic, apart, course, _reason in table("courses")
    }


@cache
def references() -> dict[str, tuple[str, ...]]:
    """Topics a general word may point at."""
    found: dict[str, tuple[str, ...]] = {}
    for topic, may_be, _reason in table("references"):
        found[topic] = (*found.get(topic, ()), may_be)
    return found


@cache
def zones() -> dict[str, str]:
    """Place → zone of the lung it is seen in."""
    return {place: zone for place, zone, _reason in table("zones")}


# ---- concepts and places
Place = tuple[str, ...]
"""Anatomy from the whole to the part: `("thorax", "lung", "lower-lobe")`."""


LUNG = ("thorax", "lung")
LEVELS = {"upper": "upper-lung-zone", "middle": "mid-lung-zone", "lower": "lower-lung-zone"}


class Where(Struct, frozen=True):
    """Sides and places that a phrase names."""

    sides: frozenset[str] = frozenset()
    places: frozenset[Place] = frozenset()

    def with_(self, other: "Where") -> "Where":
        return Where(self.sides | other.sides, self.places | other.places)


class Named(Struct, frozen=True):
    """What an entity is called in the lexicon, and any place its words name besides."""

    concept: str | None
    kind: str
    where: Where
    qualified: bool
    """Its words name a place beside the concept: *mediastinal drain*."""


@knows_words
@lru_cache(maxsize=20_000)
def named(entity: str) -> Named:
    """The concept of an entity: the last and longest form in it; the rest may say where.

    >>> named("right rib fractures").concept, sorted(named("right rib fractures").where.sides)
    ('fracture', ['right'])
    """
    forms = look_up_forms(entity)
    matches = lexicon().matcher.find(forms)
    heads = [m for m in matches if any(row.table == "findings" for row in rows_of(m))]
    head = max(heads, key=lambda m: (m.last, m.last - m.first), default=None)
    rest = [m for m in matches if head is None or m.last <= head.first or m.first >= head.last]
    if head is None:
        structure = next((row for m in rest for row in rows_of(m) if row.table == "locations"), None)
        kind = "structure" if structure else "open"
        return Named(structure.concept if structure else None, kind, where(rest), False)
    row = next(row for row in rows_of(head) if row.table == "findings")
    inner = [m for m in matches if head.first <= m.first and m.last <= head.last]
    kind = lexicon().concepts[row.concept].kind
    return Named(row.concept, kind, where([*rest, *inner]), bool(where(rest).places))


@knows_words
@lru_cache(maxsize=50_000)
def located(phrase: str) -> Where:
    """Sides and places of a location phrase.

    >>> sorted(located("both lower lobes").sides), sorted(located("both lower lobes").places)
    (['left', 'right'], [('thorax', 'lung', 'lower-lobe')])
    """
    return where(lexicon().matcher.find(look_up_forms(phrase)))


@knows_words
@lru_cache(maxsize=50_000)
def described(relation: str, phrase: str) -> tuple[tuple[str, str], ...]:
    """(concept, grade) of each attribute form in a phrase, longest forms only."""
    found = [
        (m, row)
        for m in lexicon().matcher.find(look_up_forms(phrase))
        for row in rows_of(m)
        if row.table == relation
    ]
    longest = maximal([m for m, _ in found])
    return tuple((row.concept, row.path[0]) for m, row in found if m in longest)


def look_up_forms(text: str) -> list[str]:
    return [lexicon().normal(word.form) for word in split(text)]


def rows_of(match: Match[Row | Cue]) -> list[Row]:
    return [row for row in match.rows if isinstance(row, Row)]


def where(matches: Iterable[Match[Row | Cue]]) -> Where:
    spots = [m for m in matches if any(row.table == "locations" for row in rows_of(m))]
    rows = [row for m in maximal(spots) for row in rows_of(m) if row.table == "locations"]
    sides = {side for row in rows for side in (("left", "right") if row.side == "both" else (row.side,))}
    places = {(*row.path, row.concept) for row in rows if row.role != "dir"}
    if any(place[:2] == LUNG for place in places):  # right middle and lower lobe
        places |= {(*LUNG, LEVELS[row.concept]) for row in rows if row.concept in LEVELS}
    return Where(frozenset(sides - {"-"}), frozenset(places))


def maximal(matches: list[Match[Row | Cue]]) -> list[Match[Row | Cue]]:
    """Matches that no longer one contains."""
    return [
        m
        for m in matches
        if not any(
            o.first <= m.first and m.last <= o.last and o.last - o.first > m.last - m.first for o in matches
        )
    ]


# ---- traits: what following a patient needs to know
State = Literal["present", "absent", "gone", "same"]
"""`gone`: said to have resolved or been removed; `same`: only said not to have changed."""

CHEST = frozenset({"lung", "thorax", "airway", "cardiovascular-system", "hemithorax"})
"""*No acute cardiopulmonary process* and *no acute thoracic abnormality* deny the same."""

ROUTES = frozenset({"jugular-vein", "subclavian-vein", "femoral-vein", "brachiocephalic-vein"})
CHANGES: tuple[Relation, ...] = ("improved", "worsened", "no_change", "onset", "placement")
SAYING: tuple[Relation, ...] = ("morphology", "measurement", "severity", "distribution", "placement")


class Traits(Struct, frozen=True):
    """One finding as grouping and episodes see it."""

    topic: str
    """What it is about; findings of different topics are never one."""

    concept: str
    kind: str
    course: Course
    may_be: tuple[str, ...]
    """Other topics it may point at, when its own word is a general one."""

    refined: bool
    """Its description, not its noun, made the topic: a rounded density is a nodule."""

    sides: frozenset[str]
    places: frozenset[Place]
    state: State
    begins: bool
    """Said to be new, placed or back again."""

    goes_on: bool
    """Said to have changed, or not to have, since an earlier study."""

    past: bool
    """Told as history."""

    denies_new: bool
    """*No new nodule* says nothing of the old one."""


def traits(finding: StructuredFinding) -> Traits:
    """Look up what the finding's words stand for."""
    name = named(finding.entity)
    concept, refined = refine(name.concept, finding)
    place = stated_place(finding).with_(name.where)
    topic = topic_of(concept, finding, place)
    kind = name.kind
    course = courses().get(topic) or courses().get(f"kind:{kind}") or Course("place", False)
    changes = {relation: said(finding, relation) for relation in CHANGES}
    begins = is_new(changes)
    negative = finding.status == "negative"
    return Traits(
        topic=topic,
        concept=concept or topic,
        kind=kind,
        course=course,
        may_be=() if name.qualified else references().get(topic, ()),
        refined=refined,
        sides=frozenset() if course.apart == "none" else place.sides,
        places=kept_places(place.places, course.apart, concept),
        state=state_of(finding, kind, changes),
        begins=begins,
        goes_on=not begins and any(changes[r] for r in ("improved", "worsened", "no_change")),
        past="past_hx" in finding.attributes and not negative,
        denies_new=negative and any(c == "new" for c, _ in changes["onset"]),
    )


def said(finding: StructuredFinding, relation: Relation) -> tuple[tuple[str, str], ...]:
    """(concept, grade) of the finding's words of one relation; unknown words stand for themselves."""
    return tuple(
        pair
        for phrase in finding.attributes.get(relation, ())
        for pair in described(relation, phrase) or ((phrase.lower(), "-"),)
    )


def refine(concept: str | None, finding: StructuredFinding) -> tuple[str | None, bool]:
    """The concept that the entity and its description make together."""
    if concept is None:
        return None, False
    for relation, phrases in finding.attributes.items():
        for phrase in phrases:
            for value in values(relation, phrase):
                together = lexicon().compounds.get((concept, relation, value))
                if together:
                    return together, True
    return concept, False


def values(relation: Relation, phrase: str) -> Iterable[str]:
    if relation == "location":
        return [place[-1] for place in located(phrase).places]
    return [concept for concept, _ in described(relation, phrase)]


def topic_of(concept: str | None, finding: StructuredFinding, place: Where) -> str:
    said_of_it = {c for relation in SAYING for c, _ in said(finding, relation)}
    said_of_it |= {part for spot in place.places for part in spot} | {"-"}
    rows = (
        topic for (about, quality), topic in topics().items() if about == concept and quality in said_of_it
    )
    topic = next(rows, concept or "*")
    if topic == "*":
        return "words: " + " ".join(sorted(finding.entity.lower().split()))
    return region_of(place) if topic == "abnormality" else topic


def region_of(place: Where) -> str:
    """The topic of a general word: what part of the body it speaks of."""
    parts = {part for spot in place.places for part in spot}
    if parts & {"bone", "bony-thorax", "skeleton"}:
        return "bones"
    named_part = "chest" if parts & CHEST else min(parts, default="anywhere")
    return f"abnormality: {named_part}"


def stated_place(finding: StructuredFinding) -> Where:
    """Sides and places in the location words; a device's may stand in the words of its placement."""
    spots = [located(phrase) for phrase in finding.attributes.get("location", ())]
    spots += [Where(located(phrase).sides) for phrase in finding.attributes.get("placement", ())]
    one_sided = {next(iter(spot.sides)) for spot in spots if len(spot.sides) == 1}
    sides = frozenset(one_sided) or frozenset(side for spot in spots for side in spot.sides)
    return Where(sides, frozenset(place for spot in spots for place in spot.places))


def kept_places(places: frozenset[Place], apart: Apart, concept: str | None) -> frozenset[Place]:
    """The places that tell findings apart: none that only say where such a finding always is."""
    if apart == "route":
        return frozenset(place for place in places if place[-1] in ROUTES)
    if apart != "place":
        return frozenset()
    home = home_of(concept)
    return frozenset(place for place in places if home[: len(place)] != place and place != ("thorax",))


@knows_words
@cache
def home_of(concept: str | None) -> Place:
    """Where the lexicon says a concept is at home."""
    known = lexicon().concepts.get(concept or "")
    site = known.site if known else None
    return next(
        ((*r.path, r.concept) for r in lexicon().rows if r.table == "locations" and r.concept == site), ()
    )


def overlap(one: Iterable[Place], other: Iterable[Place]) -> bool:
    """Do two sets of places meet: one a part of the other, or both seen in one zone of the lung?

    >>> overlap([("thorax", "lung", "lower-lobe")], [("thorax", "lung", "lung-base")])
    True
    """
    return any(
        a[: len(b)] == b or b[: len(a)] == a or (zone(a) is not None and zone(a) == zone(b))
        for a in one
        for b in other
    )


def zone(place: Place) -> str | None:
    return next((zones()[part] for part in reversed(place) if part in zones()), None)


def is_new(changes: dict[Relation, tuple[tuple[str, str], ...]]) -> bool:
    words = {concept for relation in ("onset", "worsened") for concept, _ in changes[relation]}
    return bool(words & {"new", "recurrent"}) or any(grade == "new" for _, grade in changes["placement"])


def state_of(
    finding: StructuredFinding, kind: str, changes: dict[Relation, tuple[tuple[str, str], ...]]
) -> State:
    if any(grade == "removed" for _, grade in changes["placement"]):
        return "gone"
    if finding.status == "negative":
        return "absent"
    if any(grade == "extreme" for _, grade in changes["improved"]):
        return "gone"
    described_ = any(finding.attributes.get(relation) for relation in SAYING)
    return "same" if kind == "structure" and changes["no_change"] and not described_ else "present"
