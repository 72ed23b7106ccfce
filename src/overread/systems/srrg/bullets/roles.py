"""The words of a sentence: whose each is, and what it does in a bullet.

It says something, links what is said, only leads to it, or has no place in any bullet."""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from overread.lexicon.words import BLANK, split
from overread.reader import Attribute, Finding, Reading, SentenceReading
from overread.reader.wording import spoken
from overread.report.span import Span
from overread.systems.srrg.tables import WORDS

Role = Literal["says", "links", "leads", "skipped", "gone"]
LOST = ("skipped", "gone")
"""What is not told. What led to skipped words may lead to the next: `with increased edema`."""


class Word(Struct, gc=False):
    """A word of a sentence, and what becomes of it in any bullet."""

    text: str
    form: str
    span: Span
    number: int
    """Its place among the words of the sentence."""

    joint: str
    """What stands between it and the word before."""

    owners: frozenset[str] = frozenset()
    """Ids of the findings it is said of; words that nobody owns may stand in any bullet."""

    role: Role = "says"


NOUNS = {"costophrenic": "angle", "cardiophrenic": "angle", "lymph": "node", "x": "ray"}
"""What a blank behind these words can only be."""

TELLING_LIMITATIONS = ("obscures", "obscuring", "accentuat", "exaggerat", "superimposed", "overlapping")
"""Limitations that say what the finding does or owes its look to."""


def sentence_words(reading: Reading, sentence: SentenceReading) -> list[Word]:
    """The words of a sentence; a request for another study stands as it is, but for its blanks."""
    found = reading.in_sentence(sentence.index)
    start = sentence.span.start
    words: list[Word] = []
    for n, one in enumerate(split(reading.text(sentence.span))):
        span = Span(start + one.start, start + one.end)
        joint = reading.text(Span(words[-1].span.end, span.start)) if words else ""
        words.append(
            Word(reading.text(span), one.form, span, n, " " if " " in joint.replace("\n", " ") else joint)
        )
    if words:
        words[0].text = spoken(words[0].text)
    asks = sentence.kind == "recommendation"
    notes = () if asks else CUE_NOTES if found else ("prior", "link", "hedge")
    cues = {
        note: letters(c.span for c in sentence.cues if c.note == note and note in notes) for note in CUE_NOTES
    }
    owned = {f.id: letters(spans_kept(f)) for f in found}
    compared = letters(
        [
            *(a.span for f in found for a in f.attributes if compares(f, a) and a.span != f.span),
            *(a.span for a in sentence.changes if not asks),
            *(e.span for f in found for e in f.trace if e.note == "denied"),
        ]
    )
    carrying = frozenset() if asks else WORDS["carrying"]
    devices = letters(f.span for f in found if f.kind == "device")
    leaving = False
    for n, word in enumerate(words):
        before = words[n - 1] if n else None
        word.owners = frozenset(id for id, held in owned.items() if touches(word, held))
        if word.form == BLANK:
            fill(word, words[:n], touches(word, devices))
        elif touches(word, compared):
            word.role, word.owners = "skipped", frozenset()
        elif word.form in WORDS["always"]:
            word.role = "says" if asks and before and before.form == "there" else "gone"
        elif word.form in carrying and not word.owners:
            word.role = "skipped"
        elif not word.owners and (touches(word, cues["prior"]) or touches(word, cues["technique"])):
            word.role = "gone"
        elif touches(word, cues["link"]) or word.form in WORDS["links"]:
            word.role = "links"
        elif word.form == "be" and before is not None and before.form in WORDS["may"]:
            continue
        elif word.form in WORDS["leading"] and word.joint != "-":
            tied = before is not None and before.role == "links" and word.form in WORDS["tying"]
            word.role = "links" if tied else "leads"
        leaving = goes_along(word, before, leaving, compared, cues["prior"])
        verb = word.form.removesuffix("s")
        behind = next((w.form for w in reversed(words[:n]) if w.role not in LOST), "" if before else ".")
        if verb in WORDS["verbs"] and behind not in MARKS | WORDS["modal"]:
            word.text = f"{verb}ing"
    return words if asks else without_pictures(without_gradings(words, cues["hedge"]))


CUE_NOTES = ("prior", "technique", "link", "hedge")


def fill(blank: Word, before: Sequence[Word], device: bool) -> None:
    """Give a blank its noun where only one is possible; else it is gone."""
    *_, side, last = ("", "", *(word.form for word in before))
    noun = "device" if device else NOUNS.get(last, "")
    blank.role = "says" if noun else "skipped"
    blank.text = noun if device or not noun or last == "x" or side in ("left", "right") else f"{noun}s"
    blank.owners = before[-1].owners if noun and not device else blank.owners


def goes_along(
    word: Word, before: Word | None, leaving: bool, compared: frozenset[int], prior: frozenset[int]
) -> bool:
    """Does it still tell what was compared with: `increased from 2.0 x 1.4 cm`, `since the prior of May`?"""
    if touches(word, prior) and word.role == "gone":
        return True
    if before is not None and touches(before, compared):
        leaving = word.form in WORDS["than"]
    if word.owners or word.role == "links" or word.form in MARKS or word.form in ("is", "are"):
        return False
    if leaving:
        word.role = "gone"
    return leaving


MARKS = frozenset(".,;:()")
ADJECTIVES = ("ary", "al", "ar", "ic", "ous")


def without_gradings(words: list[Word], hedges: frozenset[int]) -> list[Word]:
    """What nobody owns and stands before a word now gone goes with it, where it only graded it or was its adjective.

    `or significant interval change`, `pulmonary XXXX`; of `areas of` with the noun gone nothing is left.
    """
    if len(words) > 2 and words[1].form == ":" and not words[0].owners:
        words[0].role = "gone"
    appearing = any(word.form == "appearance" for word in words)
    for n, word in reversed([*enumerate(words[:-1])]):
        after, further = words[n + 1], words[n + 2].form if n + 2 < len(words) else ""
        before = words[n - 1] if n and word.form == BLANK and word.role == "skipped" else None
        ends = before and (before.role == "says" or before.form in WORDS["articles"])
        if ends and after.form == "of" and further not in WORDS["articles"]:
            after.role = "skipped"
        if before and after.form == "the" and before.owners:
            word.text, word.role = "of", "leads"
        if word.form in WORDS["had"] and after.form in WORDS["articles"] and not appearing:
            word.text, word.role = "with", "leads"
        if after.role in LOST and word.role == "says" and not word.owners and not touches(word, hedges):
            adjective = word.form.endswith(ADJECTIVES) or word.form in WORDS["left_over"]
            graded = word.form in WORDS["grades"] or (word.form == "no" and after.role == "gone")
            if adjective if after.form == BLANK else graded and after.form not in WORDS["carrying"]:
                word.role = "gone"
    return words


def without_pictures(words: list[Word]) -> list[Word]:
    """Without the film: `Lateral view reveals`, `on the frontal view`, `normal for a supine film`."""
    for n, word in enumerate(words):
        lost = word.form == BLANK and n and words[n - 1].form in WORDS["beams"]
        of = n + 1 < len(words) and words[n + 1].form == "of"  # in view of smoking
        if lost or (word.form in WORDS["pictures"] and not of):
            begin = n
            while begin and frames(words[begin - 1]):
                begin -= 1
            framing = words[begin : n + 1]
            if (begin == 0 and not word.owners) or any(one.form in WORDS["on_film"] for one in framing):
                for one in framing:
                    one.role, one.owners = "gone", frozenset()
    return words


def frames(word: Word) -> bool:
    return word.form in WORDS["framing"] and (word.form != BLANK or word.role == "skipped")


def letters(spans: Iterable[Span]) -> frozenset[int]:
    """The places of all letters that the spans hold: of many spans it is asked for each word."""
    return frozenset().union(*(range(span.start, span.end) for span in spans))


def touches(word: Word, held: frozenset[int]) -> bool:
    return bool(held) and not held.isdisjoint(range(word.span.start, word.span.end))


def spans_kept(finding: Finding) -> list[Span]:
    """Its own words and those of what is said of it today."""
    return [finding.span, *(a.span for a in finding.attributes if not compares(finding, a))]


def compares(finding: Finding, attribute: Attribute) -> bool:
    """Does the attribute speak of another study, of a change since, or of the quality of this one?"""
    match attribute.relation:
        case "onset":
            return attribute.concept == "new" or attribute.text.lower().startswith("since ")
        case "past_hx":
            return attribute.text.lower().endswith("ly")
        case "placement":
            moved = bool({"removed", "new"} & {*attribute.path})
            return moved and attribute.text.lower() not in WORDS["lasting"]
        case "assessment_limitations":
            return finding.kind != "structure" and not attribute.text.lower().startswith(TELLING_LIMITATIONS)
        case relation:
            return relation in WORDS["change"]
