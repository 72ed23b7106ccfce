"""Sentences → statements: which findings stand in one bullet, where it goes, in which words."""

from collections.abc import Iterator, Sequence

from msgspec import Struct, structs

from overread.lexicon.words import BLANK, split
from overread.reader import Finding, Reading, SentenceReading
from overread.reader.wording import spoken
from overread.report.model import SectionName
from overread.report.span import Span
from overread.systems.definitions import Definitions, overlaid
from overread.systems.srrg.bullets.roles import ADJECTIVES, NOUNS
from overread.systems.srrg.bullets.wording import bullet, plain_wording
from overread.systems.srrg.labelling import labels
from overread.systems.srrg.labels import NO_FINDING
from overread.systems.srrg.schema import LabelRead, SectionOfInterest
from overread.systems.srrg.tables import DEVICES, ELSEWHERE, LUNGS, QUIET, WORDS, header_of, rank

SOURCES: dict[SectionOfInterest, frozenset[SectionName]] = {
    "findings": frozenset({"findings", "addendum", "other"}),
    "impression": frozenset({"impression", "recommendation"}),
}
"""Sections of a report whose statements stand in a section of the template."""


class Statement(Struct, frozen=True):
    """One bullet: its words, its place, and the findings it states."""

    header: str
    text: str
    span: Span
    findings: tuple[Finding, ...]
    labels: tuple[LabelRead, ...] = (LabelRead(NO_FINDING),)
    rank: int = QUIET
    """How soon somebody must act, for what it states itself."""

    joint: str = ""
    """How it stands behind the statement it belongs to; empty when it stands alone."""

    more: tuple["Statement", ...] = ()
    """What later sentences say of it: explanations and advice."""

    @property
    def bullet(self) -> str:
        """All of it in one line."""
        return self.text + "".join(one.joint + one.text for one in self.more)

    def parts(self) -> tuple["Statement", ...]:
        """Itself with its advice, and each explanation alone: these have labels of their own."""
        if not self.more:
            return (self,)
        advice = "".join(one.joint + one.text for one in self.more if not one.findings)
        own = structs.replace(self, text=self.text + advice, more=())
        return (own, *(one for one in self.more if one.findings))


def statements(reading: Reading, section: SectionOfInterest, definitions: Definitions) -> list[Statement]:
    """The bullets of a section, in the order of the report, each once.

    A sentence that says what the last statement is goes behind it after a comma, advice and what else goes
    on about it after a semicolon. What could not be read stands under Other in its own words: a statement
    may be misplaced, not lost.
    """
    made: list[Statement] = []
    for sentence in reading.sentences:
        if sentence.section not in SOURCES[section]:
            continue
        target = explained_statement(reading, sentence, made)
        told = sentence_bullets(reading, sentence, definitions, section == "impression", target is not None)
        if target is not None and told:
            joint = ", which " if told[0].text.split(" ")[0] in WORDS["may"] else ", "
            more = structs.replace(told[0], joint=joint, header=target.header)
            explained = structs.replace(target, more=(*target.more, more))
            made = [explained if one is target else one for one in made] + told[1:]
        else:
            made = with_next_sentence(reading, sentence, made, told)
    return list({(one.header, one.bullet): one for one in reversed(made)}.values())[::-1]


def explains(reading: Reading, sentence: SentenceReading) -> bool:
    """Does the sentence only say of the one before what it is: `This may represent scarring`?

    A blank may have taken the verb: `The appearance XXXX scarring.`
    """
    said = [word.form for word in split(reading.text(sentence.span))]
    first, second, *_ = (*said, "", "")
    if first in WORDS["explaining"]:
        return True
    named = first in WORDS["pointing"] | {"the", "its"} and second in WORDS["looks"]
    if not named and first not in WORDS["pointing"]:
        return False
    behind = (word for word in said[2 if named else 1 :] if not word.endswith("ly") or word == "likely")
    verb = next((word for word in behind if word not in WORDS["adverbs"]), "")
    return verb in WORDS["telling"] or (named and said[2:3] == [BLANK])


def explained_statement(
    reading: Reading, sentence: SentenceReading, made: Sequence[Statement]
) -> Statement | None:
    """The statement of which the sentence says what it is; None when it speaks for itself."""
    if not explains(reading, sentence):
        return None
    seen = {id for finding in sentence.findings for id in reading.finding(finding).evidence}
    holding = (s for s in reversed(made) if any(f.id in seen for p in (s, *s.more) for f in p.findings))
    last = (s for s in made[-1:] if any(f.status == "positive" for f in s.findings))
    return (next(holding, None) if seen else None) or next(last, None)


def with_next_sentence(
    reading: Reading, sentence: SentenceReading, made: list[Statement], told: list[Statement]
) -> list[Statement]:
    """The statements with those of one more sentence, or with its words behind the last."""
    unread = all(f.kind == "open" for s in told for f in s.findings)
    first = reading.text(sentence.span).lower().split()[:1]
    goes_on = sentence.kind == "recommendation" or not WORDS["pointing"].isdisjoint(first)
    follows = bool(made) and unread and goes_on
    if (told or sentence.findings) and not follows:
        return made + told
    text = aside(reading, sentence)
    if text and follows:
        advice = Statement(made[-1].header, spoken(text), sentence.span, (), joint="; ")
        return [*made[:-1], structs.replace(made[-1], more=(*made[-1].more, advice))]
    if text and sentence.kind in ("statement", "recommendation"):
        return [*made, Statement(ELSEWHERE, text, sentence.span, ())]
    return made + told


def sentence_bullets(
    reading: Reading, sentence: SentenceReading, definitions: Definitions, keep_denials: bool, goes_on: bool
) -> list[Statement]:
    """The bullets of one sentence, worked out.

    `keep_denials` leaves `no effusion or pneumothorax` in one; the first of a sentence that goes on about
    what was said before is worded to stand behind it.
    """
    worth = [f for f in reading.in_sentence(sentence.index) if worth_saying(f)]
    made: list[Statement] = []
    for group, within in territories(sentence, together(reading, worth, keep_denials, goes_on)):
        text = bullet(reading, sentence, group, within, goes_on and not made)
        if text and not says_nothing(reading, group[0], text):
            told = tuple(labels([f for f in group if not overlaid(reading, f)], definitions))
            header = header_of_group(reading, group)
            made.append(Statement(header, text, extent(group), tuple(group), told, rank(group)))
    return made


def worth_saying(finding: Finding) -> bool:
    """Not a structure that is only said to be unchanged: nothing about today is stated."""
    if finding.kind in WORDS["silent"]:
        return False
    today = [a for a in finding.attributes if a.relation not in WORDS["change"] and a.relation != "location"]
    told = bool(today) or bool(finding.evidence)  # opacity due to soft tissues
    return finding.kind != "structure" or told or finding.status == "negative"


def says_nothing(reading: Reading, first: Finding, text: str) -> bool:
    """A structure named and nothing more, or well and without its noun: `Pulmonary XXXX are normal`."""
    name, named = first.entity.lower(), text.lower().removeprefix("otherwise").strip(" ,")
    lost = name.endswith(ADJECTIVES) and name not in NOUNS and blank_behind(reading, first)
    return first.kind == "structure" and (named == name or (lost and first.status == "negative"))


def blank_behind(reading: Reading, finding: Finding) -> bool:
    rest = reading.text(Span(finding.span.end, reading.sentences[finding.sentence].span.end))
    return any(word.form == BLANK for word in split(rest)[:1])


def aside(reading: Reading, sentence: SentenceReading) -> str:
    """The words of a sentence without findings; nothing when too few are left to mean something.

    `Otherwise, clear.` is short, and says all the rest is.
    """
    said = [word.form for word in split(reading.text(sentence.span))]
    seen_before = said[:1] and said[0] in WORDS["pointing"] and said[1:2] in (["was"], ["were"])
    unseen = said[:3] == ["end", "of", "report"] or not WORDS["unseen"].isdisjoint(said)
    if sentence.kind in ("technique", "communication") or seen_before or unseen:
        return ""
    text = plain_wording(reading, sentence)
    short = len(text.split()) < 3 and said[:1] != ["otherwise"]
    return "" if short or (BLANK in said and sentence.kind == "statement") else text


def territories(
    sentence: SentenceReading, groups: list[list[Finding]]
) -> Iterator[tuple[list[Finding], Span]]:
    """Each group with the stretch of the sentence it may take words from.

    A group's stretch begins after the group before it and runs on over words it shares (`heart and
    mediastinum are normal`); the last one runs to the end of the sentence.
    """
    begin = sentence.span.start
    for number, group in enumerate(groups):
        last = number == len(groups) - 1
        whole = extent(group)
        yield group, Span(min(begin, whole.start), sentence.span.end if last else whole.end)
        begin = max(f.span.end for f in group)


def extent(group: Sequence[Finding]) -> Span:
    """From the first to the last word the group uses."""
    spans = [s for f in group for s in (f.span, *(a.span for a in f.attributes))]
    return Span(min(s.start for s in spans), max(s.end for s in spans))


def header_of_group(reading: Reading, group: Sequence[Finding]) -> str:
    """The header of the first finding that has one, or of what that is said to be: a density, a hernia.

    What is seen at a place outside the lung stays there, whatever caused it: `calcified hilar nodes,
    consistent with granulomatous disease`. `Sternotomy XXXX` are wires. A break of a catheter stays with the catheter.
    """
    if group[0].concept == "sternotomy" and blank_behind(reading, group[0]):
        return DEVICES
    if len(group) > 1 and group[1].kind == "device":
        between = reading.text(Span(group[0].span.end, group[1].span.start)).split()
        if between[:1] in (["of"], ["in"]):
            return DEVICES
    headers = [header_of(f) for f in group]
    first = next((h for h in headers if h != ELSEWHERE), ELSEWHERE)
    if first not in (ELSEWHERE, LUNGS):
        return first
    turned = [h for f, h in zip(group, headers, strict=True) if h != ELSEWHERE and becomes(f, group[0])]
    return first if first in turned or not turned else turned[0]


def becomes(finding: Finding, seen: Finding) -> bool:
    """Is the finding what was seen? A shadow that is linked with a device and has no place is the device."""
    if finding.kind == "device":
        return finding.id in seen.associate and not seen.values("location")
    said_so = finding.certainty == "definitive" and finding.status == "positive"
    overlies = finding.concept in WORDS["overlap"] or finding.kind in ("structure", "open")
    return bool(finding.evidence) and said_so and not overlies


# ---- which findings stand in one bullet: those a sentence links
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
    # what stands between the two and the words that describe them
    end = max([first.span.end, *(a.span.end for a in first.attributes if a.span.end <= second.span.start)])
    start = min([second.span.start, *(a.span.start for a in second.attributes if a.span.start >= end)])
    gap = Span(end, max(start, end))
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
        one, two = (next((e.span for e in f.trace if e.note == "denied"), None) for f in (first, second))
        return keep_denials and one is not None and one == two
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
