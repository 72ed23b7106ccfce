"""Structured reports of one patient → Timeline, grouped by a language model.

    for outcome in follow(client, patients):
        ...  # a Followed (the timeline, and what was left over), or the Failure that says why there is none

The model sees every observation with its number, day and status, and sorts them. Observations missing, or in
two groups, get one turn to be mended; what is still left over becomes a group of its own and is counted.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from overread.llm import Answer, Client, Failure, Item, ask_many, load_prompt
from overread.systems.lunguage.asking import LUNGUAGE_PROMPTS, Grouping, SaidGroup
from overread.systems.lunguage.follow import GAP, name_of_group, unique
from overread.systems.lunguage.likeness import phrase
from overread.systems.lunguage.schema import Relation, StructuredFinding, StudyView, Timeline, assemble


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
    """One timeline, or one failure, per patient, in order; answers with problems are asked for once more."""
    asked = [one for one in patients if one.findings]
    items = [asked_of(one, gap=f"{gap:g}") for one in asked]
    first = ask_many(client, load_prompt(LUNGUAGE_PROMPTS, "follow"), items, Grouping)
    answers = {one.item: one if isinstance(one, Failure) else one.value for one in first}
    wrong = [
        asked_of(one, sorted=msgspec.json.encode(answer).decode(), problems="\n".join(problems))
        for one in asked
        if isinstance(answer := answers[one.patient], Grouping)
        and (problems := complaints(answer, len(one.findings)))
    ]
    again = ask_many(client, load_prompt(LUNGUAGE_PROMPTS, "regroup"), wrong, Grouping)
    answers |= {one.item: one.value for one in again if isinstance(one, Answer)}
    return [settled(one, answers.get(one.patient, Grouping([]))) for one in patients]


def asked_of(history: History, **more: str) -> Item:
    told = observation_list((s.day, f.status, f.entity, f.attributes) for s, f in history.findings)
    return Item(history.patient, {"observations": told, **more}, patient=history.patient)


GONE = re.compile(r"\b(?:resol\w+|gone|cleared|disappeared|no longer)\b", re.IGNORECASE)


def observation_list(findings: Iterable[tuple[float, str, str, Mapping[Relation, Sequence[str]]]]) -> str:
    """The observations as the model sees them: day, status, entity and attributes of each.

    Findings that have gone are told apart: as the schema has it they are positive, with *improved*.
    """
    lines = []
    for number, (day, status, entity, attributes) in enumerate(findings, 1):
        resolved = " (resolved)" if any(map(GONE.search, attributes.get("improved", ()))) else ""
        lines.append(f"{number}. day {day:g}, {status}{resolved}: {phrase(entity, attributes)}")
    return "\n".join(lines)


def complaints(answer: Grouping, count: int) -> list[str]:
    """Observations that do not stand in exactly one group."""
    seen = Counter(number for group in answer.groups for number in group.members)
    said = {
        "In no group: ": [number for number in range(1, count + 1) if not seen[number]],
        "In more than one group: ": [number for number, times in sorted(seen.items()) if times > 1],
        "No such observation: ": [number for number in sorted(seen) if not 1 <= number <= count],
    }
    return [words + ", ".join(map(str, numbers)) for words, numbers in said.items() if numbers]


def settled(history: History, answer: Grouping | Failure) -> Followed | Failure:
    """The timeline of an answer, with leftovers in groups of their own."""
    if isinstance(answer, Failure):
        return answer
    groups = list(answer.groups)
    owner: dict[int, int] = {}
    repeated = undated = 0
    for place, group in enumerate(groups):
        for number in group.members:
            repeated += number in owner
            if 1 <= number <= len(history.findings):
                owner.setdefault(number, place)
    for number, (_, finding) in enumerate(history.findings, 1):
        if number not in owner:
            owner[number] = len(groups)
            groups.append(SaidGroup(name_of_group([finding]), [number], []))
    used = sorted(set(owner.values()))
    names = unique([" ".join(groups[place].name.split()) or "unnamed" for place in used])
    name_at = dict(zip(used, names, strict=True))
    placed = []
    for number, (study, finding) in enumerate(history.findings, 1):
        runs = groups[owner[number]].episodes
        episode = next((n for n, one in enumerate(runs, 1) if study.day in one.days), None)
        undated += episode is None and bool(runs)
        last = episode or max(len(runs), 1)
        placed.append((study, finding, name_at[owner[number]], last, finding.status))
    timeline = assemble(history.patient, history.studies, placed, names)
    return Followed(timeline, len(groups) - len(answer.groups), repeated, undated)
