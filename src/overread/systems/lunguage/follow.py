"""Structured reports of one patient → Timeline, by rules."""

from collections.abc import Sequence

from overread.systems.lunguage.episodes import GAP, clear_lungs, episodes
from overread.systems.lunguage.grouping import Mention, groups
from overread.systems.lunguage.naming import names
from overread.systems.lunguage.schema import StructuredFinding
from overread.systems.lunguage.timeline import Placed, StudyView, Timeline, assemble
from overread.systems.lunguage.traits import stated_place, traits


def follow(patient: str, studies: Sequence[StudyView], gap: float = GAP) -> Timeline:
    """Every finding in one entity group and one episode.

    `studies` stand in order of time; `gap` is the silence in days that ends an episode.
    """
    findings = [(order, study, f) for order, study in enumerate(studies) for f in study.view.findings]
    mentions = [
        Mention(number, order, study.day, f.entity.lower(), f.section == "indication", traits(f), sides_of(f))
        for number, (order, study, f) in enumerate(findings)
    ]
    found = groups(mentions)
    clear = clear_lungs(mentions)
    placed = {}
    for group, members in enumerate(found):
        for number, (episode, state) in episodes(members, gap, clear).items():
            _, study, finding = findings[number]
            status = "negative" if state == "absent" else finding.status
            placed[number] = Placed(study, finding, group, episode, status)
    called = names([[findings[m.number][2] for m in members] for members in found])
    return assemble(patient, studies, [placed[number] for number in range(len(findings))], called)


def sides_of(finding: StructuredFinding) -> frozenset[str]:
    return stated_place(finding).sides
