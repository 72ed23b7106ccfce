"""Entity groups by rules: which findings of a patient are one underlying finding.

Together: words for one concept, change and size words, overlapping places, the same device. Apart: other topics,
other sides, distinct places, a denial of something new. In doubt, apart.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from overread.systems.lunguage.terms import Place
from overread.systems.lunguage.traits import Traits, home_of, overlap


class Mention(Struct, frozen=True):
    """One finding, numbered in the order of writing: study by study, sentence by sentence."""

    number: int
    study: int
    day: float
    entity: str
    """Lower case."""

    history: bool
    """Told before the findings: it speaks of earlier studies rather than of this one."""

    traits: Traits
    sides: frozenset[str] = frozenset()
    """Every side it names, also where sides do not tell such findings apart."""


class Cluster:
    """An entity group in the making."""

    def __init__(self, topic: str, members: Iterable[Mention] = ()) -> None:
        self.topic = topic
        self.members: list[Mention] = []
        self.sides: frozenset[str] = frozenset()
        self.places: frozenset[Place] = frozenset()
        for mention in members:
            self.add(mention)

    def add(self, mention: Mention) -> None:
        self.members.append(mention)
        self.sides |= mention.traits.sides
        self.places |= mention.traits.places

    def fits(self, mention: Mention) -> bool:
        """No contradiction of side or place; what is not said contradicts nothing."""
        other = mention.traits
        sides = not self.sides or not other.sides or bool(self.sides & other.sides)
        places = not self.places or not other.places or overlap(self.places, other.places)
        return sides and places

    def may_be_meant(self, mention: Mention) -> bool:
        """Fits, and where only the mention says a place, such a finding is at home there."""
        home = home_of(self.members[0].traits.concept)
        at_home = all(place[: len(home)] == home for place in mention.traits.places)
        return self.fits(mention) and (bool(self.places) or at_home)

    def present_in(self, study: int, but: str = "") -> bool:
        """Is it there in this study, under another concept than `but`?"""
        return any(
            m.study == study and m.traits.state == "present" and m.traits.concept != but for m in self.members
        )


def groups(mentions: Sequence[Mention]) -> list[list[Mention]]:
    """The mentions of each entity group; every mention in exactly one."""
    by_topic: dict[str, list[Mention]] = {}
    for mention in mentions:
        by_topic.setdefault(topic_in_study(mention, mentions), []).append(mention)
    clusters: list[Cluster] = []
    for topic in sorted(by_topic, key=lambda topic: bool(by_topic[topic][0].traits.may_be)):
        unsettled = point(by_topic[topic], clusters)
        clusters += told_apart(topic, unsettled)
    found = [sorted(c.members, key=lambda m: m.number) for c in clusters]
    return sorted(found, key=lambda members: members[0].number)


def topic_in_study(mention: Mention, mentions: Sequence[Mention]) -> str:
    """Its topic; but a noun used again in one report for the same place means what it meant there before.

    *The rounded density in the right midzone … Stable right midzone density.*
    """
    for other in mentions:
        same_words = other.study == mention.study and other.entity == mention.entity
        placed = mention.traits.places and other.traits.places
        if same_words and placed and other.traits.refined and not mention.traits.refined:
            same_side = mention.traits.sides == other.traits.sides
            if same_side and overlap(mention.traits.places, other.traits.places):
                return other.traits.topic
    return mention.traits.topic


def point(mentions: Sequence[Mention], clusters: Sequence[Cluster]) -> list[Mention]:
    """Settle general words on what they point at; the mentions that point at nothing come back."""
    rest = []
    for mention in mentions:
        candidates = [c for c in clusters if c.topic in mention.traits.may_be and c.may_be_meant(mention)]
        meant = referent(mention, candidates) or nearest_before(mention, candidates)
        if meant is None:
            rest.append(mention)
        else:
            meant.add(mention)
    return rest


def referent(mention: Mention, candidates: Sequence[Cluster]) -> Cluster | None:
    """What an inexact mention means: named in the same report, else most recently, else the only one there is."""
    here = [c for c in candidates if any(m.study == mention.study for m in c.members)]
    before = [m.study for c in candidates for m in c.members if m.study < mention.study]
    recent = [c for c in candidates if before and any(m.study == max(before) for m in c.members)]
    nearest = (recent, here) if mention.history else (here, recent)
    meant = next((found for found in nearest if found), candidates)
    return meant[0] if len(meant) == 1 else None


def nearest_before(mention: Mention, clusters: Sequence[Cluster]) -> Cluster | None:
    """The one spoken of last in the same report."""
    spoken = {
        m.number: c
        for c in clusters
        for m in c.members
        if m.study == mention.study and m.number < mention.number
    }
    return spoken[max(spoken)] if spoken else None


def told_apart(topic: str, mentions: Sequence[Mention]) -> list[Cluster]:
    """The groups of one topic: exact mentions make them, inexact ones join where only one can be meant."""
    known = [m for m in mentions if not m.traits.denies_new]
    exact = [m for m in known if m.traits.sides or m.traits.places]
    clusters: list[Cluster] = []
    for mention in sorted(exact, key=exactness):
        chosen = join_placed(mention, clusters)
        if chosen is None:
            clusters.append(Cluster(topic, [mention]))
        else:
            chosen.add(mention)
    unplaced = join_unplaced([m for m in known if m not in exact], clusters)
    leftover = [unplaced, [m for m in mentions if m.traits.denies_new]]
    return clusters + [Cluster(topic, members) for members in leftover if members]


def exactness(mention: Mention) -> int:
    """One side and a place, one side, both sides, a place alone."""
    sides, places = mention.traits.sides, bool(mention.traits.places)
    if len(sides) == 1:
        return 0 if places else 1
    return 2 if sides else 3


def join_placed(mention: Mention, clusters: Sequence[Cluster]) -> Cluster | None:
    """The group of a mention that says where; None for a new one."""
    fitting = [c for c in clusters if c.fits(mention)]
    level = exactness(mention)
    if level == 0:
        fitting = [c for c in fitting if c.sides == mention.traits.sides]
        return fitting[0] if fitting else None
    if level == 2:  # bilateral: with a bilateral group, or with the only side there is
        both = [c for c in fitting if len(c.sides) == 2]
        return both[0] if both else only({c.sides for c in fitting}, fitting)
    return fitting[0] if len(fitting) == 1 else referent(mention, fitting) if fitting else None


def only(kinds: set[frozenset[str]], clusters: Sequence[Cluster]) -> Cluster | None:
    return clusters[0] if len(kinds) == 1 and len(clusters) == 1 else None


def join_unplaced(mentions: Sequence[Mention], clusters: Sequence[Cluster]) -> list[Mention]:
    """Settle mentions that do not say where; those that could mean several groups, or none, come back."""
    barred = {m.traits.concept for m in mentions if contradicted(m, clusters)}
    both = [c for c in clusters if len(c.sides) == 2]
    rest = []
    for mention in mentions:
        if mention.traits.state == "absent":
            meant = None if mention.traits.concept in barred or len(clusters) != 1 else clusters[0]
        else:
            meant = referent(mention, clusters)
        if meant is None and len(both) == 1 and mention.traits.concept not in barred:
            meant = both[0]  # no effusion, effusions unchanged: said of both sides
        if meant is None:
            rest.append(mention)
        else:
            meant.add(mention)
    return rest


def contradicted(mention: Mention, clusters: Sequence[Cluster]) -> bool:
    """Denied beside a finding of the same topic under another name: *basal opacity, no consolidation*."""
    concept = mention.traits.concept
    return mention.traits.state == "absent" and any(
        c.present_in(mention.study, but=concept) for c in clusters
    )
