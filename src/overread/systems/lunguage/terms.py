"""What the words of a structured finding stand for: concept, topic, place, and what it says of its course.

A view holds words only, whoever read the report; here they become comparable between reports."""

from collections.abc import Iterable
from functools import cache, lru_cache, partial
from typing import Literal, cast

from msgspec import Struct

from overread.encoders.embedded import Term, longest, of_table, terms_in
from overread.lexicon.lexicon import knows_words, lexicon
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


lunguage_rows = partial(tables.row_tuples, "lunguage")


@cache
def topics() -> dict[tuple[str, str], str]:
    """(concept, what is said of it or `-`) → topic; `*` for a bag of different things."""
    return {(concept, said): topic for concept, said, topic, _reason in lunguage_rows("topics")}


@cache
def courses() -> dict[str, Course]:
    """By topic; of topics without a row by `kind:` and the kind of their concept."""
    return {
        topic: Course(cast(Apart, apart), course == "lasting")
        for topic, apart, course, _reason in lunguage_rows("courses")
    }


@cache
def references() -> dict[str, tuple[str, ...]]:
    """Topics a general word may point at."""
    pairs = [(topic, may_be) for topic, may_be, _reason in lunguage_rows("references")]
    return {topic: tuple(other for one, other in pairs if one == topic) for topic, _ in pairs}


# ---- concepts and places
AnatomyPath = tuple[str, ...]
"""Anatomy from the whole to the part: `("thorax", "lung", "lower-lobe")`."""


LUNG = ("thorax", "lung")
ZONE_OF_LEVEL = {"upper": "upper-lung-zone", "middle": "mid-lung-zone", "lower": "lower-lung-zone"}


class Where(Struct, frozen=True):
    """Sides and places that a phrase names."""

    sides: frozenset[str] = frozenset()
    places: frozenset[AnatomyPath] = frozenset()


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
    terms = terms_in(split(entity))
    head = max(
        of_table(terms, "findings"), key=lambda term: (term.last, term.last - term.first), default=None
    )
    if head is None:
        structures = of_table(terms, "locations")
        concept = structures[0].rows[0].concept if structures else None
        return Named(concept, "structure" if structures else "open", where(terms), False)
    concept = head.rows[0].concept
    rest = [term for term in terms if term.last <= head.first or term.first >= head.last]
    inner = [term for term in terms if head.first <= term.first and term.last <= head.last]
    kind = lexicon().concepts[concept].kind
    return Named(concept, kind, where([*rest, *inner]), bool(where(rest).places))


@knows_words
@lru_cache(maxsize=50_000)
def located(phrase: str) -> Where:
    """Sides and places of a location phrase.

    >>> sorted(located("both lower lobes").sides), sorted(located("both lower lobes").places)
    (['left', 'right'], [('thorax', 'lung', 'lower-lobe')])
    """
    return where(terms_in(split(phrase)))


@knows_words
@lru_cache(maxsize=50_000)
def described(relation: str, phrase: str) -> tuple[tuple[str, str], ...]:
    """(concept, grade) of each attribute form in a phrase, longest forms only."""
    found = longest(of_table(terms_in(split(phrase)), relation))
    return tuple((row.concept, row.path[0]) for term in found for row in term.rows)


def where(terms: Iterable[Term]) -> Where:
    rows = [row for term in longest(of_table(terms, "locations")) for row in term.rows]
    sides = {side for row in rows for side in (("left", "right") if row.side == "both" else (row.side,))}
    places = {(*row.path, row.concept) for row in rows if row.role != "dir"}
    if any(place[:2] == LUNG for place in places):  # right middle and lower lobe
        places |= {(*LUNG, ZONE_OF_LEVEL[row.concept]) for row in rows if row.concept in ZONE_OF_LEVEL}
    return Where(frozenset(sides - {"-"}), frozenset(places))


# ---- traits: what following a patient needs to know
State = Literal["present", "absent", "gone", "same"]
"""`gone`: said to have resolved or been removed; `same`: only said not to have changed."""

CHEST = frozenset({"lung", "thorax", "airway", "cardiovascular-system", "hemithorax"})
"""*No acute cardiopulmonary process* and *no acute thoracic abnormality* deny the same."""

ROUTES = frozenset({"jugular-vein", "subclavian-vein", "femoral-vein", "brachiocephalic-vein"})
CHANGE_RELATIONS: tuple[Relation, ...] = ("improved", "worsened", "no_change", "onset", "placement")
QUALITY_RELATIONS: tuple[Relation, ...] = (
    "morphology",
    "measurement",
    "severity",
    "distribution",
    "placement",
)


class Mention(Struct, frozen=True):
    """One finding as grouping and episodes see it, numbered in the order of writing."""

    number: int
    """Study by study, sentence by sentence."""

    study: int
    day: float
    entity: str
    """Lower case."""

    history: bool
    """Told before the findings: it speaks of earlier studies rather than of this one."""

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
    """Those that tell such findings apart."""

    every_side: frozenset[str]
    places: frozenset[AnatomyPath]
    state: State
    begins: bool
    """Said to be new, placed or back again."""

    goes_on: bool
    """Said to have changed, or not to have, since an earlier study."""

    past: bool
    """Told as history."""

    denies_new: bool
    """*No new nodule* says nothing of the old one."""


def mention(number: int, study: int, day: float, finding: StructuredFinding) -> Mention:
    """Look up what the finding's words stand for."""
    name = named(finding.entity)
    together = compound(name.concept, finding)
    concept = together or name.concept
    stated = stated_place(finding)
    place = Where(stated.sides | name.where.sides, stated.places | name.where.places)
    topic = topic_of(concept, finding, place)
    kind = name.kind
    course = courses().get(topic) or courses().get(f"kind:{kind}") or Course("place", False)
    changes = {relation: meant_by(finding, relation) for relation in CHANGE_RELATIONS}
    onset = {concept for relation in ("onset", "worsened") for concept, _ in changes[relation]}
    begins = bool(onset & {"new", "recurrent"}) or graded(changes, "placement", "new")
    negative = finding.status == "negative"
    return Mention(
        number=number,
        study=study,
        day=day,
        entity=finding.entity.lower(),
        history=finding.section == "indication",
        topic=topic,
        concept=concept or topic,
        kind=kind,
        course=course,
        may_be=() if name.qualified else references().get(topic, ()),
        refined=together is not None,
        sides=frozenset() if course.apart == "none" else place.sides,
        every_side=stated.sides,
        places=kept_places(place.places, course.apart, concept),
        state=state_of(finding, kind, changes),
        begins=begins,
        goes_on=not begins and any(changes[r] for r in ("improved", "worsened", "no_change")),
        past="past_hx" in finding.attributes and not negative,
        denies_new=negative and any(c == "new" for c, _ in changes["onset"]),
    )


Meant = tuple[tuple[str, str], ...]
"""Concept and grade of each form in some words."""


def meant_by(finding: StructuredFinding, relation: Relation) -> Meant:
    """(concept, grade) of the finding's words of one relation; unknown words stand for themselves."""
    return tuple(
        pair
        for phrase in finding.attributes.get(relation, ())
        for pair in described(relation, phrase) or ((phrase.lower(), "-"),)
    )


def compound(concept: str | None, finding: StructuredFinding) -> str | None:
    """The concept that the entity and its description make together, if they make one."""
    for relation, phrase in ((r, phrase) for r, phrases in finding.attributes.items() for phrase in phrases):
        if relation == "location":
            values = [place[-1] for place in located(phrase).places]
        else:
            values = [value for value, _ in described(relation, phrase)]
        for value in values:
            if made := lexicon().compounds.get((concept or "", relation, value)):
                return made
    return None


def topic_of(concept: str | None, finding: StructuredFinding, place: Where) -> str:
    parts = {part for spot in place.places for part in spot}
    said_of_it = {c for relation in QUALITY_RELATIONS for c, _ in meant_by(finding, relation)} | parts | {"-"}
    rows = (
        topic for (about, quality), topic in topics().items() if about == concept and quality in said_of_it
    )
    topic = next(rows, concept or "*")
    if topic == "*":
        return "words: " + " ".join(sorted(finding.entity.lower().split()))
    if topic != "abnormality":
        return topic
    if parts & {"bone", "bony-thorax", "skeleton"}:
        return "bones"
    return f"abnormality: {'chest' if parts & CHEST else min(parts, default='anywhere')}"


def stated_place(finding: StructuredFinding) -> Where:
    """Sides and places in the location words; a device's may stand in the words of its placement."""
    spots = [located(phrase) for phrase in finding.attributes.get("location", ())]
    spots += [Where(located(phrase).sides) for phrase in finding.attributes.get("placement", ())]
    one_sided = {next(iter(spot.sides)) for spot in spots if len(spot.sides) == 1}
    sides = frozenset(one_sided) or frozenset(side for spot in spots for side in spot.sides)
    return Where(sides, frozenset(place for spot in spots for place in spot.places))


def kept_places(places: frozenset[AnatomyPath], apart: Apart, concept: str | None) -> frozenset[AnatomyPath]:
    """The places that tell findings apart: none that only say where such a finding always is."""
    if apart == "route":
        return frozenset(place for place in places if place[-1] in ROUTES)
    if apart != "place":
        return frozenset()
    home = home_of(concept)
    return frozenset(place for place in places if home[: len(place)] != place and place != ("thorax",))


@knows_words
@cache
def home_of(concept: str | None) -> AnatomyPath:
    """Where the lexicon says a concept is at home."""
    known = lexicon().concepts.get(concept or "")
    site = known.site if known else None
    return next(
        ((*r.path, r.concept) for r in lexicon().rows if r.table == "locations" and r.concept == site), ()
    )


def overlap(one: Iterable[AnatomyPath], other: Iterable[AnatomyPath]) -> bool:
    """Do two sets of places meet: one a part of the other, or both seen in one zone of the lung?

    >>> overlap([("thorax", "lung", "lower-lobe")], [("thorax", "lung", "lung-base")])
    True
    """
    return any(
        a[: len(b)] == b or b[: len(a)] == a or (zone(a) is not None and zone(a) == zone(b))
        for a in one
        for b in other
    )


def zone(place: AnatomyPath) -> str | None:
    """The zone of the lung in which a place is seen."""
    zones = tables.lookup("lunguage", "zones")
    return next((zones[part] for part in reversed(place) if part in zones), None)


def graded(changes: dict[Relation, Meant], relation: Relation, grade: str) -> bool:
    return any(found == grade for _, found in changes[relation])


def state_of(finding: StructuredFinding, kind: str, changes: dict[Relation, Meant]) -> State:
    if graded(changes, "placement", "removed"):
        return "gone"
    if finding.status == "negative":
        return "absent"
    if graded(changes, "improved", "extreme"):
        return "gone"
    told = any(finding.attributes.get(relation) for relation in QUALITY_RELATIONS)
    return "same" if kind == "structure" and changes["no_change"] and not told else "present"
