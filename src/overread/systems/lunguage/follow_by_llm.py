"""Structured reports of one patient → Timeline, grouped by a language model.

    for outcome in follow(client, patients):
        ...  # a Followed (the timeline, and what was left over), or the Failure that says why there is none

The model sees every observation with its number, day and status, and sorts them. Observations missing, or in
two groups, get one turn to be mended; what is still left over becomes a group of its own and is counted.
"""

import re
from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from overread.llm import Answer, Client, Failure, Item, ask_many, load_prompt
from overread.systems.lunguage.asking import Grouping, SaidGroup
from overread.systems.lunguage.follow import GAP, name_of, unique
from overread.systems.lunguage.likeness import phrase
from overread.systems.lunguage.schema import StructuredFinding
from overread.systems.lunguage.timeline import Placed, StudyView, Timeline, assemble

PACKAGE = "overread.systems.lunguage"


class History(Struct, frozen=True):
    """One patient to follow, studies in order of time."""

    patient: str
    studies: tuple[StudyView, ...]

    @property
    def findings(self) -> list[tuple[StudyView, StructuredFinding]]:
        """Observation 1, 2, …: study by study, as written."""
        return [(study, finding) for study in self.studies for finding in study.view.findings]


class Followed(Struct, frozen=True):
    """A timeline, and what the model left to be settled."""

    timeline: Timeline
    left_over: int
    """Observations in no group, each now in one of its own."""

    repeated: int
    """Observations in several groups, kept in the first."""

    undated: int
    """Observations whose day stood in none of their group's episodes, kept in the last."""


def follow(client: Client, patients: Sequence[History], gap: float = GAP) -> list[Followed | Failure]:
    """One timeline, or one failure, per patient, in order."""
    asked = [one for one in patients if one.findings]
    items = [
        Item(one.patient, {"observations": listed(one), "gap": f"{gap:g}"}, patient=one.patient)
        for one in asked
    ]
    first = ask_many(client, load_prompt(PACKAGE, "follow"), items, Grouping)
    answers = dict(zip([one.patient for one in asked], mended(client, asked, first), strict=True))
    return [settled(one, answers.get(one.patient, Grouping([]))) for one in patients]


def listed(history: History) -> str:
    """The observations as the model sees them."""
    return "\n".join(
        f"{number}. day {study.day:g}, {finding.status}{resolved(finding)}: "
        f"{phrase(finding.entity, finding.attributes)}"
        for number, (study, finding) in enumerate(history.findings, 1)
    )


GONE = re.compile(r"\b(?:resol\w+|gone|cleared|disappeared|no longer)\b", re.IGNORECASE)


def resolved(finding: StructuredFinding) -> str:
    """Findings that have gone are told apart: as the schema has it they are positive, with *improved*."""
    return (
        " (resolved)" if any(GONE.search(words) for words in finding.attributes.get("improved", ())) else ""
    )


def mended(
    client: Client, asked: Sequence[History], first: Sequence[Answer[Grouping] | Failure]
) -> list[Grouping | Failure]:
    """The answers, those with problems asked for once more."""
    found = [one if isinstance(one, Failure) else one.value for one in first]
    items = {
        place: repair(history, one, faults)
        for place, (history, one) in enumerate(zip(asked, found, strict=True))
        if isinstance(one, Grouping) and (faults := complaints(one, len(history.findings)))
    }
    again = ask_many(client, load_prompt(PACKAGE, "regroup"), [*items.values()], Grouping)
    for place, outcome in zip(items, again, strict=True):
        if isinstance(outcome, Answer):
            found[place] = outcome.value
    return found


def repair(history: History, answer: Grouping, problems: Sequence[str]) -> Item:
    sorted_ = msgspec.json.encode(answer).decode()
    inputs = {"observations": listed(history), "sorted": sorted_, "problems": "\n".join(problems)}
    return Item(history.patient, inputs, patient=history.patient)


def complaints(answer: Grouping, count: int) -> list[str]:
    """Observations that do not stand in exactly one group."""
    seen = Counter(number for group in answer.groups for number in group.members)
    missing = [str(number) for number in range(1, count + 1) if not seen[number]]
    twice = [str(number) for number, times in sorted(seen.items()) if times > 1]
    unknown = [str(number) for number in sorted(seen) if not 1 <= number <= count]
    said = (
        ("In no group: ", missing),
        ("In more than one group: ", twice),
        ("No such observation: ", unknown),
    )
    return [words + ", ".join(numbers) for words, numbers in said if numbers]


def settled(history: History, answer: Grouping | Failure) -> Followed | Failure:
    """The timeline of an answer, with leftovers in groups of their own."""
    if isinstance(answer, Failure):
        return answer
    findings = history.findings
    owner: dict[int, int] = {}
    repeated = 0
    groups = list(answer.groups)
    for place, group in enumerate(groups):
        for number in group.members:
            repeated += number in owner
            if 1 <= number <= len(findings):
                owner.setdefault(number, place)
    left_over = [number for number in range(1, len(findings) + 1) if number not in owner]
    for number in left_over:
        owner[number] = len(groups)
        groups.append(SaidGroup(name_of([findings[number - 1][1]]), [number], []))
    return placed(history, groups, owner, len(left_over), repeated)


def placed(
    history: History, groups: Sequence[SaidGroup], owner: dict[int, int], left_over: int, repeated: int
) -> Followed:
    used = sorted(set(owner.values()))
    order = {old: new for new, old in enumerate(used)}
    members: list[Placed] = []
    undated = 0
    for number, (study, finding) in enumerate(history.findings, 1):
        group = groups[owner[number]]
        episode = next((n for n, e in enumerate(group.episodes, 1) if study.day in e.days), None)
        undated += episode is None and bool(group.episodes)
        last = episode or max(len(group.episodes), 1)
        members.append(Placed(study, finding, order[owner[number]], last, finding.status))
    names = unique([" ".join(groups[old].name.split()) or "unnamed" for old in used])
    return Followed(assemble(history.patient, history.studies, members, names), left_over, repeated, undated)
