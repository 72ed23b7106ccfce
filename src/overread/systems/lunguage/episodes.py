"""Episodes by rules: where one run of a finding ends and the next begins."""

from collections.abc import Sequence

from overread.systems.lunguage.grouping import Mention
from overread.systems.lunguage.terms import LUNG
from overread.systems.lunguage.traits import State, home_of

GAP = 90.0
"""Days without mention after which a passing finding, seen again, is another episode."""


Clear = Sequence[tuple[int, frozenset[str]]]
"""Studies that call a lung clear, each with the sides it means; none named: both."""


def episodes(members: Sequence[Mention], gap: float = GAP, clear: Clear = ()) -> dict[int, tuple[int, State]]:
    """Mention number → (episode, state) for one entity group.

    Normal statements in a row are one episode whatever the interval; an abnormal run ends when the finding is
    said to be gone or, if it is not of the lasting kind, after `gap` days without mention; a device is one
    episode until it is removed and put back; a symptom begins anew each time unless said to go on. `clear`
    ends what passes in the lung, too: *the right lung is now clear*.
    """
    run = Run(gap, ends_in(members, clear))
    ordered = sorted(members, key=lambda m: (m.study, m.traits.state != "gone", m.number))
    return {mention.number: run.next(mention) for mention in ordered}


def clear_lungs(mentions: Sequence[Mention]) -> Clear:
    """The studies that call a lung clear."""
    return [(m.study, m.sides) for m in mentions if m.traits.topic == "lungs" and m.traits.state == "absent"]


def ends_in(members: Sequence[Mention], clear: Clear) -> frozenset[int]:
    """Studies in which a passing finding of the lung must be gone, because its lung is called clear."""
    first = members[0].traits
    if home_of(first.concept) != LUNG or first.course.lasting:
        return frozenset()
    sides = frozenset(side for m in members for side in m.sides)
    spoken_of = {m.study for m in members}
    covered = {study for study, meant in clear if not meant or (sides and sides <= meant)}
    return frozenset(covered - spoken_of)


class Run:
    """The state of a group while its mentions go by."""

    def __init__(self, gap: float, ends: frozenset[int] = frozenset()) -> None:
        self.gap = gap
        self.ends = ends
        self.number = 0
        self.abnormal = 0
        """Number of the latest abnormal episode."""

        self.state: State | None = None
        self.last: Mention | None = None

    def next(self, mention: Mention) -> tuple[int, State]:
        state = mention.traits.state
        if state == "same":
            state = self.state if self.state in ("present", "absent") else "present"
        looks_back = mention.traits.past or state == "gone"
        if looks_back and self.abnormal:
            return self.looked_back(mention, state)
        if self.last is None or self.breaks(mention, state):
            self.number += 1
        self.state, self.last = state, mention
        if state != "absent":
            self.abnormal = self.number
        return self.number, state

    def looked_back(self, mention: Mention, state: State) -> tuple[int, State]:
        """History and resolution belong to the latest abnormal episode."""
        if self.abnormal == self.number and state == "gone":
            self.state, self.last = state, mention
        return self.abnormal, state

    def breaks(self, mention: Mention, state: State) -> bool:
        assert self.last is not None
        if (state == "absent") != (self.state == "absent"):
            return True
        if state == "absent" or mention.study == self.last.study:
            return False
        if self.state == "gone" or any(self.last.study < study < mention.study for study in self.ends):
            return True
        traits = mention.traits
        if traits.kind == "device":
            return False
        if traits.begins:
            return True
        if traits.goes_on:
            return False
        silent = mention.day - self.last.day > self.gap and not traits.course.lasting
        return silent or traits.kind == "symptom"
