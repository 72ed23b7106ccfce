"""Findings that turn out to be something else, or of everything: an opacity that is a hernia, lungs called clear."""

import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from overread.lexicon.lexicon import lexicon
from overread.reader import Finding, Reading
from overread.report.sentences import LONGEST
from overread.report.span import Span
from overread.systems.clear.schema import WORDS, Condition
from overread.systems.shadows import overlaid

# ---- lungs called clear: are both meant, and of everything?


def partly_clear(reading: Reading) -> frozenset[str]:
    """Lungs that leave the lung conditions open.

    `Clear of airspace disease` denies that disease and no other. `The left lung is clear` says nothing of the
    right one, unless another sentence calls it clear too.
    """
    clear = [f for f in reading.findings if f.concept == "lungs" and f.status == "negative"]
    seen = {side for f in clear for side in sides(f)}
    one = {f.id for f in clear if sides(f) and not seen >= WORDS["sides"]}
    denials = sorted(c.span for s in reading.sentences for c in s.cues if c.note == "negation")
    return frozenset(one | {f.id for f in clear if clear_of(denials, f)})


def sides(finding: Finding) -> set[str]:
    """The one side a finding names; `bilateral` names none."""
    return {a.side for a in finding.values("location")} & WORDS["sides"]


def clear_of(denials: Sequence[Span], finding: Finding) -> bool:
    """Does the word `clear` open a denial? They are sorted."""
    words = [a.span for a in finding.values("morphology") if a.concept == "clear"]
    return any(denial.contains(word) for word in words for denial in begun_before(denials, word))


def begun_before(spans: Sequence[Span], word: Span) -> Iterator[Span]:
    """Those that begin at the word or up to a sentence before it, the nearest first."""
    for n in range(bisect_right(spans, Span(word.start, sys.maxsize)) - 1, -1, -1):
        if spans[n].start < word.start - LONGEST:
            return
        yield spans[n]


# ---- an opacity that is a hernia, a fracture of a screw
IN_LUNG: frozenset[Condition] = frozenset({"Lung Opacity", "Lung Lesion", "Consolidation"})
LESION: frozenset[Condition] = frozenset({"Lung Lesion"})
FRACTURE: frozenset[Condition] = frozenset({"Fracture"})


def explained(reading: Reading) -> dict[str, frozenset[Condition]]:
    """Finding → conditions of which it says nothing, because it is something else."""
    found = dict.fromkeys(explained_elsewhere(reading), IN_LUNG)
    found |= {f.id: IN_LUNG for f in reading.findings if overlaid(reading, f)}
    given = explanations(reading)
    found |= {
        f.id: LESION for f in reading.findings if f.id not in found and no_lesion(f, given.get(f.id, []))
    }
    return found | {f.id: FRACTURE for f in reading.findings if of_hardware(reading, f)}


def explanations(reading: Reading) -> dict[str, list[Finding]]:
    """Observation → what it is said to be."""
    found: dict[str, list[Finding]] = {}
    for finding in reading.findings:
        for supported in finding.evidence:
            found.setdefault(supported, []).append(finding)
    return found


def explained_elsewhere(reading: Reading) -> frozenset[str]:
    """Findings of the lung that turn out to be something outside it.

    `Retrocardiac density consistent with hiatal hernia` is no lung opacity; `… hernia or atelectasis` may be.
    """
    found = explanations(reading).items()
    return frozenset(id for id, given in found if all(outside_lung(f) for f in given))


def outside_lung(finding: Finding) -> bool:
    concepts = lexicon().concepts
    home = concepts[finding.concept].site if finding.concept in concepts else None
    return (
        finding.status == "positive"
        and home is not None
        and home not in ("lung", "pleura", "airway", "bronchus")
    )


def no_lesion(finding: Finding, given: list[Finding]) -> bool:
    """A round opacity that is said to be, or probably to be, something other than a lesion."""
    if not any(a.concept in WORDS["rounded"] for a in finding.values("morphology")):
        return False
    return bool(given) and all(f.level in ("definite", "probable") and other(f) for f in given)


def other(finding: Finding) -> bool:
    return finding.status == "positive" and not WORDS["no_lesion"].isdisjoint(
        lexicon().ancestors(finding.concept or "")
    )


def of_hardware(reading: Reading, finding: Finding) -> bool:
    """`Fracture of the upper sternal wire`: what broke is no bone."""
    if finding.concept != "fracture":
        return False
    thing = next((f for f in reading.in_sentence(finding.sentence) if f.span > finding.span), None)
    if thing is None or thing.kind not in ("device", "procedure"):
        return False
    between = reading.text(Span(finding.span.end, thing.span.start)).lower().split()
    return between[:1] in (["of"], ["through"], ["in"]) and len(between) <= 5
