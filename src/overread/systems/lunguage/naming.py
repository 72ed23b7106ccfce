"""Names of entity groups: entity, location, then the most recent word on its course."""

from collections import Counter
from collections.abc import Sequence

from overread.systems.lunguage.schema import Relation, StructuredFinding
from overread.systems.lunguage.terms import described, named

QUALITIES: tuple[Relation, ...] = ("morphology", "measurement")
COURSE: tuple[Relation, ...] = ("improved", "worsened", "no_change")


def names(groups: Sequence[Sequence[StructuredFinding]]) -> list[str]:
    """One name a group, in order, each used once."""
    return unique([name_of(members) for members in groups])


def unique(names: Sequence[str]) -> list[str]:
    """The names, a counter behind those that stood before.

    >>> unique(["nodule left", "nodule left"])
    ['nodule left', 'nodule left (2)']
    """
    taken: Counter[str] = Counter()
    found = []
    for name in names:
        taken[name] += 1
        found.append(name if taken[name] == 1 else f"{name} ({taken[name]})")
    return found


def name_of(members: Sequence[StructuredFinding]) -> str:
    """The commonest entity and location of the group in its own words, and its latest course."""
    entity = commonest([f.entity for f in members])
    location = commonest([" ".join(f.attributes.get("location", [])) for f in members])
    parts = (entity, what_is_wrong(entity, members), location, latest_course(members))
    return " ".join(part for part in parts if part)


def what_is_wrong(entity: str, members: Sequence[StructuredFinding]) -> str:
    """A structure alone names nothing to follow: *lungs* hyperinflated, *heart* enlarged."""
    if named(entity).kind != "structure":
        return ""
    abnormal = [f for f in members if f.entity.lower() == entity and f.status == "positive"]
    return commonest([" ".join(w for r in QUALITIES for w in f.attributes.get(r, [])) for f in abnormal])


def commonest(phrases: Sequence[str]) -> str:
    """The phrase said most often, the earliest of equals; empty when nothing is said."""
    counted = Counter(phrase.lower() for phrase in phrases if phrase)
    return max(counted, key=lambda phrase: counted[phrase], default="")


def latest_course(members: Sequence[StructuredFinding]) -> str:
    """The last change word, or `new` where that was said last.

    A denial tells no course, and neither does an end: what has resolved is still called *edema*.
    """
    telling = [f for f in members if f.status == "positive"] or members
    for finding in reversed(telling):
        words = [w for r in COURSE for w in finding.attributes.get(r, []) if not tells_end(r, w)]
        words += [w for w in finding.attributes.get("onset", []) if w.lower() in ("new", "recurrent")]
        if words:
            return words[-1].lower()
    return ""


def tells_end(relation: Relation, words: str) -> bool:
    """`Resolved`, `cleared`: nothing is left to take a course."""
    return relation == "improved" and any(grade == "extreme" for _, grade in described(relation, words))
