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
    """Do two findings of a sentence belong in one bullet?

    Those that the reading links, and those that the words between them make one: `changes of sternotomy`, `nodules,
    sequela of granulomatous disease`. After `with` the second must belong under the same header: `hyperexpanded
    lungs with flat diaphragms`, but `cardiomegaly with left pacemaker`, where it is only seen beside the first.
    """
    gap = between(first, second)
    said = [word.form for word in split(reading.text(gap))]
    told = [word for word in said if word not in WORDS["joints"] | WORDS["carrying"] | {","}]
    opening, short = (told or [""])[0], len(said) <= 2
    alike = header_of(first) == header_of(second)
    both = any({first.id, second.id} <= {*f.evidence} for f in reading.in_sentence(first.sentence))
    beside = first.kind in ("finding", "diagnosis") and said[:1] == ["with"] and not (alike or both)
    if first.span == second.span or first.id in second.evidence or (alike and both):
        return True  # lucency and scarring, consistent with emphysema
    if first.id in second.associate and not beside:
        return True
    if "negative" in (first.status, second.status):
        clear = first.kind == "structure" and first.status == second.status and alike
        if clear and opening == "without" and "," not in said[said.index("without") :]:
            return True  # the denial only says more of what is clear
        cue = denied_by(first)
        return keep_denials and cue is not None and cue == denied_by(second)
    notes = {cue.note for cue in reading.sentences[first.sentence].cues if gap.contains(cue.span)}
    if not told:
        return "link" in notes or (said == ["and"] and first.kind == second.kind == "procedure")
    if {*told} == {BLANK} and second.kind in ("finding", "diagnosis", "generic"):
        return True  # opacity XXXX atelectasis
    return (
        "link" in notes
        or (opening in WORDS["attaching"] and "and" not in said)
        or ("hedge" in notes and opening in WORDS["relating"])
        or (short and (opening == "of" or (opening == "with" and alike)))
        or (short and opening == "in" and second.kind == "device")
    )


def denied_by(finding: Finding) -> Span | None:
    return next((e.span for e in finding.trace if e.note == "denied"), None)


def between(first: Finding, second: Finding) -> Span:
    """What stands between two findings and the words that describe them."""
    end = max([first.span.end, *(a.span.end for a in first.attributes if a.span.end <= second.span.start)])
    start = min([second.span.start, *(a.span.start for a in second.attributes if a.span.start >= end)])
    return Span(end, max(start, end))
