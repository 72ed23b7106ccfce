"""Which conditions are there: every finding votes through statements.tsv, and the votes are settled."""

from collections.abc import Iterable

from msgspec import Struct, structs

from overread.lexicon.lexicon import lexicon
from overread.reader import Finding, Reading
from overread.report.marks import RUN
from overread.report.model import SectionName
from overread.systems.clear.schema import CONDITIONS, WORDS, Condition, Level
from overread.systems.clear.statements import Statement, in_lung, rows_for
from overread.systems.definitions import WIDE, Definitions, overlaid, speaks, sure

# ---- a finding with what its evidence lends it
COURSE = ("improved", "worsened", "no_change")
SECTIONS_WITH_FINDINGS: tuple[SectionName, ...] = ("findings", "impression", "addendum")
LENT = ("location", "severity", "improved", "worsened", "no_change", "onset")
"""What an observation lends to the diagnosis drawn from it: `left base opacity, probably atelectasis`."""

MOST_LENDING = 20
"""Observations that lend to one finding: no person draws a diagnosis from more."""


def with_lent(reading: Reading, finding: Finding) -> Finding:
    """Relations the finding lacks, from the observations that support it; a lobe of its own is place enough.

    What lies beside another in the chest (`effusion with underlying atelectasis`) has its place and course.
    """
    sources = [reading.finding(id) for id in finding.evidence[:MOST_LENDING]]
    said = {word for a in finding.attributes for word in a.text.lower().split()}
    relations: tuple[str, ...] = LENT
    if not sources and not said.isdisjoint(WORDS["near"]):
        hosts = [reading.finding(id) for id in finding.associate[:MOST_LENDING]]
        before = [f for f in hosts if f.sentence == finding.sentence and f.span < finding.span]
        sources = [f for f in before[-1:] if in_lung(f)]
        relations = ("location", *COURSE)
    own = any(a.concept in WORDS["lobes"] for a in finding.values("location"))  # not `basilar effusion`
    wanted = [r for r in relations if not informative(finding, r) and not (own and r == "location")]
    lent = {(r, a.text.lower()): a for s in sources for r in wanted for a in s.values(r)}
    new = tuple(a for a in lent.values() if a not in finding.attributes)
    site = finding.site or next((s.site for s in sources if s.site), None)
    return structs.replace(finding, attributes=(*finding.attributes, *new), site=site)


def informative(finding: Finding, relation: str) -> bool:
    """Does it have words of this relation? A place without a side (`underlying`) may borrow one."""
    return any(relation != "location" or a.side != "-" for a in finding.values(relation))


# ---- findings that say nothing of some conditions: an opacity that is a hernia, one lung called clear
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
    seen = {side for f in clear for side in sides_named(f)}
    one_lung = (f for f in clear if sides_named(f) and not seen >= WORDS["sides"])
    return found | {f.id: frozenset(CONDITIONS) for f in one_lung}


def sides_named(finding: Finding) -> set[str]:
    """The one side a finding names; `bilateral` names none."""
    return {a.side for a in finding.values("location")} & WORDS["sides"]


def outside_lung(finding: Finding) -> bool:
    known = lexicon().concepts.get(finding.concept or "")
    home = known.site if known is not None else None
    return finding.status == "positive" and home is not None and home not in WORDS["airways"]


# ---- votes
LIMITS = {"onset": frozenset({"acute"}), "severity": frozenset({"moderate", "significant", "extreme"})}
"""A denial that names a kind (`no acute fracture`, `no large effusion`) leaves the other kinds open."""


class Vote(Struct, frozen=True, forbid_unknown_fields=True):
    """What one finding says of one condition."""

    condition: Condition
    level: Level
    mentioned: bool
    finding: Finding


def votes(reading: Reading, definitions: Definitions = WIDE) -> Iterable[Vote]:
    """Every vote of the findings and the impression, in reading order."""
    otherwise = explained(reading)
    for finding in (f for f in reading.findings if f.section in SECTIONS_WITH_FINDINGS):
        lent = with_lent(reading, with_hardware(reading, finding))
        for row in rows_for(lent):
            level = counted_level(lent, row, definitions)
            silent = row.condition in otherwise.get(finding.id, ()) or over(finding, row.condition)
            if level is not None and not silent:
                yield Vote(row.condition, level, row.mentioned, lent)


def with_hardware(reading: Reading, finding: Finding) -> Finding:
    """The wires that a blank hides behind the operation they are from: `sternotomy XXXX are intact`."""
    hidden = finding.concept == "sternotomy" and finding.status == "positive"
    if not (hidden and RUN.match(reading.seen, finding.span.end + 1)):
        return finding
    return structs.replace(finding, kind="device", concept="sternal-wire")


def counted_level(finding: Finding, row: Statement, definitions: Definitions) -> Level | None:
    """The level a row gives as far as the definitions let it count: what is not sure enough stays open."""
    level = level_of(finding, row.effect, row.condition in WORDS["transient"])
    if level not in ("confidently present", "likely present"):
        return level
    choice = definitions.counted("clear", row.condition)
    if not speaks(choice, finding, sign=row.effect == "likely present"):
        return None
    return level if sure(choice, finding) else "neutral"


def level_of(finding: Finding, effect: str, passing: bool = False) -> Level | None:
    """The level a row gives, softened where the words are.

    A finding that has gone (`resolved`, `no longer seen`) is absent although the report speaks of it. Of a
    condition that passes, `no acute` denies as much as `no`.
    """
    if effect in ("none", "neutral"):
        return "neutral" if effect == "neutral" else None
    if effect.endswith("present"):
        if gone(finding):
            return "likely absent"
        sure = effect == "present" and finding.level == "definite"
        return "confidently present" if sure else "likely present"
    sure = effect == "absent" and finding.level == "definite" and not limited(finding, passing)
    return "confidently absent" if sure else "likely absent"


def gone(finding: Finding) -> bool:
    """Has it gone since the earlier study?"""
    return any("extreme" in a.path for a in finding.values("improved")) and not finding.values("worsened")


def over(finding: Finding, condition: Condition) -> bool:
    """Does the finding only belong to the history? `Prior pneumonia`, not `known effusion, unchanged`.

    An old disease is over; an old opacity is still seen.
    """
    past = any(a.concept in WORDS["past_history"] for a in finding.values("past_hx"))
    if finding.kind == "diagnosis":
        past = past or any(a.concept in WORDS["long_ago"] for a in finding.values("onset"))
    return past and condition in WORDS["transient"] and not finding.values(*COURSE)


def limited(finding: Finding, passing: bool) -> bool:
    """Is only a kind of it denied, or is it `normal though larger`? There is no old kind of a condition that passes."""
    asked = {name: steps for name, steps in LIMITS.items() if not (passing and name == "onset")}
    graded = any(steps & set(a.path) for relation, steps in asked.items() for a in finding.values(relation))
    upper = any(a.concept == "upper-normal" for a in finding.values("measurement"))
    larger = bool(finding.values("measurement") and finding.values("worsened"))
    part = any(a.concept in WORDS["fragments"] for a in finding.values("morphology"))
    return graded or upper or larger or part


# ---- and what they come to
class SettledCondition(Struct, frozen=True, forbid_unknown_fields=True):
    """One condition settled."""

    level: Level
    mentioned: bool
    votes: tuple[Vote, ...]
    """Those that decided."""

    beside: tuple[Finding, ...] = ()
    """Findings that do not decide but still tell how it is going: what has gone, what is only called stable."""


def settle(votes: Iterable[Vote]) -> dict[Condition, SettledCondition]:
    """One verdict per condition."""
    by: dict[Condition, list[Vote]] = {c: [] for c in CONDITIONS}
    for vote in votes:
        by[vote.condition].append(vote)
    return {c: settled_condition(heard) for c, heard in by.items()}


def settled_condition(votes: list[Vote]) -> SettledCondition:
    """What is seen outweighs what is denied (`no new opacity` beside `stable opacity`); a spoken denial outweighs a
    statement that leaves it open, and that outweighs a denial only implied.

    How sure it is, the impression says where it names the condition; an opacity that is seen stays one, whatever it
    may be.
    """
    ranked = (
        [v for v in votes if v.level.endswith("present")],
        [v for v in votes if v.level.endswith("absent") and v.mentioned],
        [v for v in votes if v.level == "neutral"],
        [v for v in votes if v.level.endswith("absent")],
    )
    deciding = next((group for group in ranked if group), [])
    weighed = deciding
    if deciding is ranked[0] and deciding and deciding[0].condition != "Lung Opacity":
        weighed = [v for v in deciding if v.mentioned and v.finding.section == "impression"] or deciding
    sure = next((v.level for v in weighed if v.level.startswith("confidently")), None)
    level = sure or (weighed[0].level if weighed else "neutral")
    beside = tuple(v.finding for v in votes if gone(v.finding) or (v.level == "neutral" and v.mentioned))
    return SettledCondition(level, any(v.mentioned for v in votes), tuple(deciding), beside)
