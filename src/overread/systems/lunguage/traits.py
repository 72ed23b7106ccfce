"""What following a patient needs to know of one finding: its topic, where it is, and what it says of its course."""

from collections.abc import Iterable
from functools import cache
from typing import Literal

from msgspec import Struct

from overread.lexicon.lexicon import knows_words, lexicon
from overread.systems.lunguage.schema import Relation, StructuredFinding
from overread.systems.lunguage.tables import BY_KIND, Apart, Course, courses, references, topics, zones
from overread.systems.lunguage.terms import Place, Where, described, located, named

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
    course = courses().get(topic) or BY_KIND.get(kind) or Course("place", False)
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
