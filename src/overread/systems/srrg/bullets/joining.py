"""Which findings stand in one bullet: those a sentence links, and a sentence that explains the one before."""

from collections.abc import Sequence

from overread.lexicon.words import BLANK, split
from overread.reader import Finding, Reading, SentenceReading
from overread.report.span import Span
from overread.systems.srrg.tables import WORDS, header_of


def explains(reading: Reading, sentence: SentenceReading) -> bool:
    """Does the sentence only say of the one before what it is: `This may represent scarring`?

    A blank may have taken the verb: `The appearance XXXX scarring.`
    """
    said = [word.form for word in split(reading.text(sentence.span))]
    if said[:1] and said[0] in WORDS["explaining"]:
        return True
    named = (
        said[:1] and said[0] in WORDS["pointing"] | {"the", "its"} and said[1:2] and said[1] in WORDS["looks"]
    )
    if not named and not (said and said[0] in WORDS["pointing"]):
        return False
    behind = (word for word in said[2 if named else 1 :] if not word.endswith("ly") or word == "likely")
    verb = next((word for word in behind if word not in WORDS["adverbs"]), "")
    return verb in WORDS["telling"] or (bool(named) and said[2:3] == [BLANK])


def together(
    reading: Reading, findings: Sequence[Finding], keep_denials: bool, explaining: bool = False
) -> list[list[Finding]]:
    """Findings the sentence links stand in one bullet: `opacity, likely atelectasis`.

    What explains the statement before stays one: `this could be edema superimposed on fibrosis`.
    """
    groups: list[list[Finding]] = []
    for finding in findings:
        home = next((g for g in groups if any(bound(reading, m, finding, keep_denials) for m in g)), None)
        if home is None and explaining and finding.status == "positive":
            home = next((g for g in groups if g[0].status == "positive"), None)
        if home is None:
            groups.append([finding])
        else:
            home.append(finding)
    return groups


def bound(reading: Reading, first: Finding, second: Finding, keep_denials: bool) -> bool:
    """Do two findings of a sentence belong in one bullet?"""
    gap = between(first, second)
    said = [word.form for word in split(reading.text(gap))]
    told = [word for word in said if word not in WORDS["joints"] | WORDS["carrying"] | {","}]
    alike = header_of(first) == header_of(second)
    both = any({first.id, second.id} <= {*f.evidence} for f in reading.in_sentence(first.sentence))
    if first.span == second.span or (alike and both):
        return True  # lucency and scarring, consistent with emphysema
    # `cardiomegaly with left pacemaker`: the second is only seen beside the first
    beside = first.kind in ("finding", "diagnosis") and said[:1] == ["with"] and not (alike or both)
    if first.id in second.evidence or (first.id in second.associate and not beside):
        return True
    if "negative" in (first.status, second.status):
        clear = first.kind == "structure" and first.status == second.status
        if clear and alike and told[:1] == ["without"] and "," not in said[said.index("without") :]:
            return True  # the denial only says more of what is clear
        cue = denied_by(first)
        return keep_denials and cue is not None and cue == denied_by(second)
    return joined(reading, first, second, gap, said, told, alike)


def joined(
    reading: Reading,
    first: Finding,
    second: Finding,
    gap: Span,
    said: Sequence[str],
    told: Sequence[str],
    alike: bool,
) -> bool:
    """Two findings the words make one: `changes of sternotomy`, `nodules, sequela of granulomatous disease`.

    After `with` the second must belong under the same header: `hyperexpanded lungs with flat diaphragms`.
    """
    notes = {cue.note for cue in reading.sentences[first.sentence].cues if gap.contains(cue.span)}
    if "link" in notes:
        return True
    if not told:
        return said == ["and"] and first.kind == second.kind == "procedure"
    if {*told} <= {BLANK}:
        return second.kind in ("finding", "diagnosis", "generic")  # opacity XXXX atelectasis
    if told[0] in WORDS["attaching"] and "and" not in said:
        return True
    if "hedge" in notes and told[0] in WORDS["relating"]:
        return True
    short = len(said) <= 2
    return short and (
        told[0] == "of" or (told[0] == "with" and alike) or (told[0] == "in" and second.kind == "device")
    )


def denied_by(finding: Finding) -> Span | None:
    return next((e.span for e in finding.trace if e.note == "denied"), None)


def between(first: Finding, second: Finding) -> Span:
    """What stands between two findings and the words that describe them."""
    end = max([first.span.end, *(a.span.end for a in first.attributes if a.span.end <= second.span.start)])
    start = min([second.span.start, *(a.span.start for a in second.attributes if a.span.start >= end)])
    return Span(end, max(start, end))
