"""Findings that say nothing of some conditions: an opacity that is a hernia, one lung called clear."""

from overread.lexicon.lexicon import lexicon
from overread.reader import Finding, Reading
from overread.systems.clear.schema import CONDITIONS, WORDS, Condition
from overread.systems.shadows import overlaid

IN_LUNG: frozenset[Condition] = frozenset({"Lung Opacity", "Lung Lesion", "Consolidation"})


def explained(reading: Reading) -> dict[str, frozenset[Condition]]:
    """Finding → conditions of which it says nothing.

    `Retrocardiac density consistent with hiatal hernia` is no lung opacity; `… hernia or atelectasis` may be. Nor are
    structures that overlap. `The left lung is clear` leaves all open, unless another sentence calls the right one
    clear too.
    """
    said: dict[str, list[Finding]] = {}
    for finding in reading.findings:
        for observation in finding.evidence:
            said.setdefault(observation, []).append(finding)
    found = {id: IN_LUNG for id, causes in said.items() if all(outside_lung(f) for f in causes)}
    found |= {f.id: IN_LUNG for f in reading.findings if overlaid(reading, f)}
    clear = [f for f in reading.findings if f.concept == "lungs" and f.status == "negative"]
    seen = {side for f in clear for side in sides(f)}
    one_lung = (f for f in clear if sides(f) and not seen >= WORDS["sides"])
    return found | {f.id: frozenset(CONDITIONS) for f in one_lung}


def sides(finding: Finding) -> set[str]:
    """The one side a finding names; `bilateral` names none."""
    return {a.side for a in finding.values("location")} & WORDS["sides"]


def outside_lung(finding: Finding) -> bool:
    known = lexicon().concepts.get(finding.concept or "")
    home = known.site if known is not None else None
    return finding.status == "positive" and home is not None and home not in WORDS["airways"]
