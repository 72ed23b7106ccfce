"""Structured reports of one patient → Timeline, by rules: groups, their episodes and their names."""

from collections import Counter
from collections.abc import Sequence

from overread.systems.lunguage.grouping import groups
from overread.systems.lunguage.schema import Relation, StructuredFinding, StudyView, Timeline, assemble
from overread.systems.lunguage.terms import LUNG, Mention, State, described, home_of, mention, named

# ---- episodes: where one run of a finding ends and the next begins
GAP = 90.0
"""Days without mention after which a passing finding, seen again, is another episode."""


def episodes(
    members: Sequence[Mention], gap: float, clear: Sequence[Mention]
) -> dict[int, tuple[int, State]]:
    """Mention number → (episode, state) for one entity group.

    Normal statements in a row are one episode whatever the interval; an abnormal run ends when the finding is
    said to be gone or, if it is not of the lasting kind, after `gap` days without mention; a device is one
    episode until it is removed and put back; a symptom begins anew each time unless said to go on. `clear`, what
    calls a lung clear, ends what passes in the lung, too: *the right lung is now clear*.
    """
    ends = ends_in(members, clear)
    found: dict[int, tuple[int, State]] = {}
    number = abnormal = 0  # the latest episode, and the latest abnormal one
    last: tuple[Mention, State] | None = None
    for one in sorted(members, key=lambda m: (m.study, m.state != "gone", m.number)):
        state = one.state
        if state == "same":
            state = last[1] if last and last[1] in ("present", "absent") else "present"
        past = abnormal and (one.past or state == "gone")  # history and resolution belong to that episode
        number += not past and (last is None or breaks(*last, one, state, gap, ends))
        found[one.number] = abnormal if past else number, state
        if not past or (abnormal == number and state == "gone"):
            last = one, state
        if not past and state != "absent":
            abnormal = number
    return found


def ends_in(members: Sequence[Mention], clear: Sequence[Mention]) -> frozenset[int]:
    """Studies in which a passing finding of the lung must be gone, because its lung is called clear."""
    if home_of(members[0].concept) != LUNG or members[0].course.lasting:
        return frozenset()
    sides = frozenset(side for m in members for side in m.every_side)
    covered = {m.study for m in clear if not m.every_side or (sides and sides <= m.every_side)}
    return frozenset(covered - {m.study for m in members})


def breaks(
    last: Mention, was: State, mention: Mention, state: State, gap: float, ends: frozenset[int]
) -> bool:
    """Does an episode begin with a mention, `state` being what it says and `was` what was said last?"""
    if (state == "absent") != (was == "absent"):
        return True
    if state == "absent" or mention.study == last.study:
        return False
    if was == "gone" or any(last.study < study < mention.study for study in ends):
        return True
    if mention.kind == "device":
        return False
    if mention.begins or mention.goes_on:
        return mention.begins
    silent = mention.day - last.day > gap and not mention.course.lasting
    return silent or mention.kind == "symptom"


# ---- names: entity, location, then the most recent word on its course
QUALITIES: tuple[Relation, ...] = ("morphology", "measurement")
COURSE: tuple[Relation, ...] = ("improved", "worsened", "no_change")


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


def name_of_group(members: Sequence[StructuredFinding]) -> str:
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
        changes = [(r, w) for r in COURSE for w in finding.attributes.get(r, [])]
        words = [w for r, w in changes if r != "improved" or all(g != "extreme" for _, g in described(r, w))]
        words += [w for w in finding.attributes.get("onset", []) if w.lower() in ("new", "recurrent")]
        if words:
            return words[-1].lower()
    return ""


# ---- timelines
def follow(patient: str, studies: Sequence[StudyView], gap: float = GAP) -> Timeline:
    """Every finding in one entity group and one episode.

    `studies` stand in order of time; `gap` is the silence in days that ends an episode.
    """
    findings = [(order, study, f) for order, study in enumerate(studies) for f in study.view.findings]
    mentions = [mention(n, order, study.day, f) for n, (order, study, f) in enumerate(findings)]
    found = groups(mentions)
    clear = [m for m in mentions if m.topic == "lungs" and m.state == "absent"]
    names = unique([name_of_group([findings[m.number][2] for m in members]) for members in found])
    placed = {}
    for name, members in zip(names, found, strict=True):
        for number, (episode, state) in episodes(members, gap, clear).items():
            _, study, finding = findings[number]
            status = "negative" if state == "absent" else finding.status
            placed[number] = (study, finding, name, episode, status)
    return assemble(patient, studies, [placed[number] for number in range(len(findings))], names)
