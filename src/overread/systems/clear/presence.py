"""Which conditions are there: every finding votes through statements.tsv, and the votes are settled."""

import re
from collections.abc import Iterable

from msgspec import Struct, structs

from overread.lexicon.lexicon import lexicon
from overread.reader import Finding, Reading
from overread.report.span import Span
from overread.systems.clear.described import COURSE, SECTIONS, with_lent
from overread.systems.clear.explained import explained, partly_clear
from overread.systems.clear.places import with_hardware
from overread.systems.clear.schema import CONDITIONS, WORDS, Condition, Level
from overread.systems.clear.statements import Statement, rows_for
from overread.systems.definitions import WIDE, Definitions, speaks, sure

LIMITS = {"onset": frozenset({"acute"}), "severity": frozenset({"moderate", "significant", "extreme"})}
"""A denial that names a kind (`no acute fracture`, `no large effusion`) leaves the other kinds open."""


class Vote(Struct, frozen=True, forbid_unknown_fields=True):
    """What one finding says of one condition, and the row of statements.tsv that heard it."""

    condition: Condition
    level: Level
    mentioned: bool
    finding: Finding
    rule: str


def votes(reading: Reading, definitions: Definitions = WIDE) -> tuple[Vote, ...]:
    """Every vote of the findings and the impression, in reading order."""
    silent = partly_clear(reading)
    heeded = [f for f in reading.in_section(*SECTIONS) if f.id not in silent]
    spoken = [softened(reading, with_hardware(reading, f)) for f in heeded]
    heard = [v for f in spoken for v in votes_of(f, with_lent(reading, f), definitions)]
    otherwise = explained(reading)
    return tuple(v for v in heard if v.condition not in otherwise.get(v.finding.id, ()))


def softened(reading: Reading, finding: Finding) -> Finding:
    """The finding, less sure where its sentence is.

    `No typical findings of edema` leaves the other findings of it open; a heart `normal or mildly enlarged` is
    read as both; one that is `normal though larger` is less surely normal.
    """
    if finding.status == "positive" and any(
        either(finding, f) for f in reading.in_sentence(finding.sentence)
    ):
        return structs.replace(finding, level="possible")
    cues = [e.span for e in finding.trace if e.note == "denied" and e.span.start < finding.span.start]
    said = [reading.text(Span(cue.start, finding.span.start)).lower().split() for cue in cues]
    unsure = any("typical" in words for words in said) or conceded(reading, finding)
    unsure = unsure and finding.level == "definite"
    return structs.replace(finding, level="doubtful") if unsure else finding


CONCEDING = re.compile(r"\b(?:though|although|but|albeit|yet)\b([^.;,]*)", re.IGNORECASE)


def conceded(reading: Reading, finding: Finding) -> bool:
    """Is a measure called normal and, after a `though`, said to have grown?"""
    if finding.status == "positive" or not finding.values("measurement"):
        return False
    whole = reading.sentences[finding.sentence]
    after = CONCEDING.search(reading.text(Span(finding.span.end, whole.span.end)))
    words = after[1].lower().split() if after else []
    return any(lexicon().described("worsened", word) for word in words)


def either(one: Finding, two: Finding) -> bool:
    """Two measures of one thing, one of them normal."""
    same = one.span == two.span and one.status != two.status
    return same and bool(one.values("measurement") and two.values("measurement"))


def votes_of(finding: Finding, lent: Finding, definitions: Definitions = WIDE) -> Iterable[Vote]:
    """The votes of a finding with what its observations lend it; only its own words date it."""
    for row in rows_for(lent):
        level = counted(lent, row, definitions)
        if level is not None and not over(finding, row.condition):
            yield Vote(row.condition, level, row.mentioned, lent, row.id)


def counted(finding: Finding, row: Statement, definitions: Definitions) -> Level | None:
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
    if effect == "none":
        return None
    if effect == "neutral":
        return "neutral"
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


def limited(finding: Finding, passing: bool = False) -> bool:
    """Is only a kind of it denied? There is no old kind of a condition that passes."""
    asked = {name: steps for name, steps in LIMITS.items() if not (passing and name == "onset")}
    graded = any(steps & set(a.path) for relation, steps in asked.items() for a in finding.values(relation))
    upper = any(a.concept == "upper-normal" for a in finding.values("measurement"))
    return graded or upper or any(a.concept in WORDS["fragments"] for a in finding.values("morphology"))


class Verdict(Struct, frozen=True, forbid_unknown_fields=True):
    """One condition settled."""

    level: Level
    mentioned: bool
    votes: tuple[Vote, ...]
    """Those that decided."""

    beside: tuple[Finding, ...] = ()
    """Findings that do not decide but still tell how it is going: what has gone, what is only called stable."""


def settle(votes: Iterable[Vote]) -> dict[Condition, Verdict]:
    """One verdict per condition.

    What is seen outweighs what is denied (`no new opacity` beside `stable opacity`); a spoken denial
    outweighs a statement that leaves it open, and that outweighs a denial only implied.
    """
    by: dict[Condition, list[Vote]] = {c: [] for c in CONDITIONS}
    for vote in votes:
        by[vote.condition].append(vote)
    return {c: verdict(tuple(heard)) for c, heard in by.items()}


UNTOLD = Verdict("neutral", False, ())
"""Of a condition that no finding speaks of."""


def verdict(votes: tuple[Vote, ...]) -> Verdict:
    if not votes:
        return UNTOLD
    mentioned = any(v.mentioned for v in votes)
    absent: tuple[Level, ...] = ("confidently absent", "likely absent")
    ranked = (
        [v for v in votes if v.level in ("confidently present", "likely present")],
        [v for v in votes if v.level in absent and v.mentioned],
        [v for v in votes if v.level == "neutral"],
        [v for v in votes if v.level in absent],
    )
    deciding = next((group for group in ranked if group), [])
    weighed = concluded(deciding) if deciding is ranked[0] else deciding
    sure = next((v.level for v in weighed if v.level.startswith("confidently")), None)
    level = sure or (weighed[0].level if weighed else "neutral")
    beside = tuple(v.finding for v in votes if gone(v.finding) or (v.level == "neutral" and v.mentioned))
    return Verdict(level, mentioned, tuple(deciding), beside)


def concluded(seen: list[Vote]) -> list[Vote]:
    """The votes that say how sure it is: those of the impression, where it names the condition.

    `Enlarged silhouette; cardiomegaly versus effusion` leaves it open what is enlarged. An opacity that is
    seen stays one, whatever it may be.
    """
    if any(v.condition == "Lung Opacity" for v in seen):
        return seen
    named = [v for v in seen if v.mentioned and v.finding.section == "impression"]
    hedged = {
        v.finding.sentence for v in named if v.finding.kind != "structure" and v.level == "likely present"
    }
    return [v for v in named if v.finding.kind != "structure" or v.finding.sentence not in hedged] or seen
