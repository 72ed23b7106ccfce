"""Which conditions are there: every finding votes through statements.tsv, and the votes are settled."""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import Literal

from msgspec import Struct, convert, structs

from overread.lexicon.lexicon import lexicon
from overread.reader import Finding, Reading
from overread.report.marks import RUN
from overread.systems.clear.schema import CONDITIONS, WORDS, Condition, Level
from overread.systems.definitions import WIDE, Definitions, overlaid, speaks, sure
from overread.systems.tables import Wanted, names_of, records


# ---- statements.tsv: what a finding says about the conditions, one row per consequence
class Requirement(Wanted, frozen=True, forbid_unknown_fields=True):
    """What else a row may ask of a finding.

    `evidence=*` asks whether observations support it, `head=…` for the last word of its name, `name=…` for any,
    `side=…` for the side it is on, `word=…` for a word of its place (`pleural-parenchymal`).
    """

    def holds(self, finding: Finding) -> bool:
        places, name = finding.values("location"), finding.entity.lower().split()
        match self.relation:
            case "place":
                return in_lung(finding, pointing="over-lung" in self.values)
            case "evidence":
                return bool(finding.evidence)
            case "site":
                told = {finding.site or "-"}
            case "side":
                told = {a.side for a in places}
            case "word":
                told = {word for a in places for word in a.text.lower().split("-")[0].split()}
            case "head":
                told = {name[-1]}
            case "name":
                told = {*name}
            case "certainty":
                told = {finding.certainty}
            case _:
                return super().holds(finding)
        return not self.values.isdisjoint(told)


class Statement(Struct, frozen=True, forbid_unknown_fields=True):
    """One row: when a finding says this, that follows for the condition."""

    needs: tuple[Requirement, ...]
    """At least one must hold; empty: nothing is needed."""

    unless: tuple[Requirement, ...]
    """None may hold."""

    condition: Condition
    effect: Literal["present", "likely present", "neutral", "likely absent", "absent", "none"]
    """What follows for the condition; `present` and `absent` are softened when the words are."""

    mentioned: bool

    def fits(self, finding: Finding) -> bool:
        needed = not self.needs or any(t.holds(finding) for t in self.needs)
        return needed and not any(t.holds(finding) for t in self.unless)


def in_lung(finding: Finding, pointing: bool = False) -> bool:
    """Is it in the lung? A finding that names no organ is where such findings usually are.

    `Left nodule` and `nodule` are in the lung, `nodule in the left breast` is not. With `pointing` a landmark
    only points at it (`over the seventh rib`); a lesion of the rib is in the rib.
    """
    places = [names for a in finding.values("location") if (names := names_of(a)) != {a.concept}]
    inside = WORDS["lung"] | WORDS["landmarks"] if pointing else WORDS["lung"]
    return not places or any(names & inside for names in places)


@cache
def statements() -> dict[tuple[str, str], tuple[Statement, ...]]:
    """The rows by what is said of what: a lexicon concept, whose children follow it, or `kind:` and a kind."""
    found: dict[tuple[str, str], list[Statement]] = defaultdict(list)
    for cell in records("clear", "statements"):
        tests = (Requirement.read(cell[column], " | ") for column in ("with", "unless"))
        row = (*tests, cell["condition"], cell["level"], cell["mentioned"] == "yes")
        told = dict(zip(Statement.__struct_fields__, row, strict=True))
        found[cell["concept"], cell["said"]].append(convert(told, Statement))
    return {key: tuple(rows) for key, rows in found.items()}


def rows_for(finding: Finding) -> tuple[Statement, ...]:
    """The rows of its concept, of the nearest ancestor that has any, or of its kind; else of what it implies."""
    own = [*lexicon().ancestors(finding.concept), f"kind:{finding.kind}"] if finding.concept else []
    rows = fitting_rows(finding, own)
    if any(row.effect not in ("neutral", "none") for row in rows):
        return rows
    return fitting_rows(finding, lexicon().ancestors(finding.implies or "")) or rows


def fitting_rows(finding: Finding, names: Iterable[str]) -> tuple[Statement, ...]:
    table = statements()
    rows = next((table[n, finding.status] for n in names if (n, finding.status) in table), ())
    return tuple(row for row in rows if row.fits(finding))


# ---- a finding with what its evidence lends it
COURSE = ("improved", "worsened", "no_change")
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
    told = {a.relation for a in finding.attributes if own or a.relation != "location" or a.side != "-"}
    wanted = [r for r in relations if r not in told]  # a place without a side (`underlying`) may borrow one
    lent = {(r, a.text.lower()): a for s in sources for r in wanted for a in s.values(r)}
    new = tuple(a for a in lent.values() if a not in finding.attributes)
    site = finding.site or next((s.site for s in sources if s.site), None)
    return structs.replace(finding, attributes=(*finding.attributes, *new), site=site)


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
    clear = {
        f.id: WORDS["sides"].intersection(a.side for a in f.values("location"))  # `bilateral` names none
        for f in reading.findings
        if f.concept == "lungs" and f.status == "negative"
    }
    one_lung = clear if WORDS["sides"] > frozenset().union(*clear.values()) else {}
    return found | {id: frozenset(CONDITIONS) for id, sides in one_lung.items() if sides}


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
    for finding in (f for f in reading.findings if f.section in ("findings", "impression", "addendum")):
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
    return {c: settled_condition(cast) for c, cast in by.items()}


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
