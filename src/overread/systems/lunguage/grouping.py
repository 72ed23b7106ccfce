"""Entity groups by rules: which findings of a patient are one underlying finding.

Together: words for one concept, change and size words, overlapping places, the same device. Apart: other topics,
other sides, distinct places, a denial of something new. In doubt, apart.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence

from overread.systems.lunguage.terms import AnatomyPath, Mention, home_of, overlap


class Cluster:
    """An entity group in the making."""

    def __init__(self, members: Iterable[Mention]) -> None:
        self.members: list[Mention] = []
        self.numbers: dict[int, list[int]] = {}
        """Of its members by study, in order."""

        self.present: dict[int, set[str]] = {}
        """By study, the concepts under which it is there."""

        self.sides: frozenset[str] = frozenset()
        self.places: frozenset[AnatomyPath] = frozenset()
        for mention in members:
            self.add(mention)

    def add(self, mention: Mention) -> None:
        self.members.append(mention)
        insort(self.numbers.setdefault(mention.study, []), mention.number)
        if mention.state == "present":
            self.present.setdefault(mention.study, set()).add(mention.concept)
        self.sides |= mention.sides
        self.places |= mention.places

    def fits(self, mention: Mention) -> bool:
        """No contradiction of side or place; what is not said contradicts nothing."""
        sides = not self.sides or not mention.sides or bool(self.sides & mention.sides)
        places = not self.places or not mention.places or overlap(self.places, mention.places)
        return sides and places

    def may_be_meant(self, mention: Mention) -> bool:
        """Fits, and where only the mention says a place, such a finding is at home there."""
        home = home_of(self.members[0].concept)
        at_home = all(place[: len(home)] == home for place in mention.places)
        return self.fits(mention) and (bool(self.places) or at_home)

    def last_before(self, mention: Mention) -> int:
        """The number of what was last said of it in the same study before the mention; -1 where nothing was."""
        here = self.numbers.get(mention.study, [])
        before = bisect_left(here, mention.number)
        return here[before - 1] if before else -1


def groups(mentions: Sequence[Mention]) -> list[list[Mention]]:
    """The mentions of each entity group; every mention in exactly one."""
    by_topic: dict[str, list[Mention]] = {}
    exact = refined_nouns(mentions)
    for mention in mentions:
        by_topic.setdefault(topic_in_study(mention, exact), []).append(mention)
    clusters: dict[str, list[Cluster]] = {}
    for topic in sorted(by_topic, key=lambda topic: bool(by_topic[topic][0].may_be)):
        unsettled = point(by_topic[topic], clusters)
        clusters[topic] = told_apart(unsettled)
    found = [sorted(c.members, key=lambda m: m.number) for some in clusters.values() for c in some]
    return sorted(found, key=lambda members: members[0].number)


MOST_MEANINGS = 50
"""Of one noun in one report that are told apart by place."""

Refined = dict[tuple[int, str], list[Mention]]
"""Study and noun → the mentions that say what the noun is there, and where."""


def refined_nouns(mentions: Iterable[Mention]) -> Refined:
    found: Refined = {}
    for mention in mentions:
        if mention.refined and mention.places:
            known = found.setdefault((mention.study, mention.entity), [])
            new = all((m.sides, m.places) != (mention.sides, mention.places) for m in known)
            if new and len(known) < MOST_MEANINGS:
                known.append(mention)
    return found


def topic_in_study(mention: Mention, refined: Refined) -> str:
    """Its topic; but a noun used again in one report for the same place means what it meant there before.

    *The rounded density in the right midzone … Stable right midzone density.*
    """
    if mention.places and not mention.refined:
        for other in refined.get((mention.study, mention.entity), ()):
            if mention.sides == other.sides and overlap(mention.places, other.places):
                return other.topic
    return mention.topic


def point(mentions: Sequence[Mention], clusters: Mapping[str, Sequence[Cluster]]) -> list[Mention]:
    """Settle general words on what they point at; the mentions that point at nothing come back."""
    rest = []
    for mention in mentions:
        meant_by = dict.fromkeys(mention.may_be)
        candidates = [c for topic in meant_by for c in clusters.get(topic, ()) if c.may_be_meant(mention)]
        meant = referent(mention, candidates) or nearest_before(mention, candidates)
        if meant is None:
            rest.append(mention)
        else:
            meant.add(mention)
    return rest


def referent(mention: Mention, candidates: Sequence[Cluster]) -> Cluster | None:
    """What an inexact mention means: named in the same report, else most recently, else the only one there is."""
    here = [c for c in candidates if mention.study in c.numbers]
    before = {study for c in candidates for study in c.numbers if study < mention.study}
    recent = [c for c in candidates if before and max(before) in c.numbers]
    nearest = (recent, here) if mention.history else (here, recent)
    meant = next((found for found in nearest if found), candidates)
    return meant[0] if len(meant) == 1 else None


def nearest_before(mention: Mention, clusters: Sequence[Cluster]) -> Cluster | None:
    """The one spoken of last in the same report."""
    last = max(clusters, key=lambda c: c.last_before(mention), default=None)
    return last if last is not None and last.last_before(mention) >= 0 else None


def told_apart(mentions: Sequence[Mention]) -> list[Cluster]:
    """The groups of one topic: exact mentions make them, inexact ones join where only one can be meant."""
    known = [m for m in mentions if not m.denies_new]
    exact = [m for m in known if m.sides or m.places]
    clusters: list[Cluster] = []
    for mention in sorted(exact, key=exactness):
        chosen = join_placed(mention, clusters)
        if chosen is None:
            clusters.append(Cluster([mention]))
        else:
            chosen.add(mention)
    unplaced = join_unplaced([m for m in known if not (m.sides or m.places)], clusters)
    leftover = [unplaced, [m for m in mentions if m.denies_new]]
    return clusters + [Cluster(members) for members in leftover if members]


def exactness(mention: Mention) -> int:
    """One side and a place, one side, both sides, a place alone."""
    sides, places = mention.sides, bool(mention.places)
    if len(sides) == 1:
        return 0 if places else 1
    return 2 if sides else 3


def join_placed(mention: Mention, clusters: Sequence[Cluster]) -> Cluster | None:
    """The group of a mention that says where; None for a new one."""
    fitting = [c for c in clusters if c.fits(mention)]
    level = exactness(mention)
    if level == 0:
        fitting = [c for c in fitting if c.sides == mention.sides]
        return fitting[0] if fitting else None
    if level == 2:  # bilateral: with a bilateral group, or with the only side there is
        both = [c for c in fitting if len(c.sides) == 2]
        return both[0] if both else fitting[0] if len(fitting) == 1 else None
    return fitting[0] if len(fitting) == 1 else referent(mention, fitting) if fitting else None


def join_unplaced(mentions: Sequence[Mention], clusters: Sequence[Cluster]) -> list[Mention]:
    """Settle mentions that do not say where; those that could mean several groups, or none, come back."""
    barred = {m.concept for m in mentions if contradicted(m, clusters)}
    both = [c for c in clusters if len(c.sides) == 2]
    rest = []
    for mention in mentions:
        if mention.state == "absent":
            meant = None if mention.concept in barred or len(clusters) != 1 else clusters[0]
        else:
            meant = referent(mention, clusters)
        if meant is None and len(both) == 1 and mention.concept not in barred:
            meant = both[0]  # no effusion, effusions unchanged: said of both sides
        if meant is None:
            rest.append(mention)
        else:
            meant.add(mention)
    return rest


def contradicted(mention: Mention, clusters: Sequence[Cluster]) -> bool:
    """Denied beside a finding of the same topic under another name: *basal opacity, no consolidation*."""
    return mention.state == "absent" and any(
        c.present.get(mention.study, set()) - {mention.concept} for c in clusters
    )
