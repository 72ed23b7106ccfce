"""Writing a bullet: of the words of a sentence, those that speak of its findings today.

A bullet is what its findings own and what nobody owns; words that led to others go with those."""

from collections.abc import Collection, Iterable, Sequence
from itertools import dropwhile, takewhile
from typing import Literal

from overread.lexicon.words import BLANK
from overread.reader import Finding, Reading, SentenceReading
from overread.reader.wording import described, spoken
from overread.report.span import Span
from overread.systems.srrg.bullets.identifiers import without_identifiers
from overread.systems.srrg.bullets.roles import LOST, MARKS, Word, sentence_words
from overread.systems.srrg.tables import WORDS

# ---- what is left of a sentence
Gap = Literal["", "own", "others"]
LOOSE = {"own": WORDS["joints"], "others": WORDS["linking"]}
"""What cannot lead on behind a gap."""


def left(words: Iterable[Word], ids: Collection[str] | None = None, linked: bool = False) -> str:
    """The words of some findings (or of all), without what led to or joined words that are not among them.

    A `linked` stretch goes on about something and begins with its link: `compatible with scarring`.
    """
    kept: list[Word] = []
    waiting: list[Word] = []  # what may lead to the next word
    held: list[Word] = []  # what led to words now gone
    gap: Gap = ""
    pause = False  # is a blank or a mark among them?
    for word in words:
        if ids is not None and word.owners and word.owners.isdisjoint(ids):
            held, waiting, gap = held if gap else waiting, [], "others"
        elif word.role in LOST:
            led = word.role == "skipped" and bool(waiting)
            held = waiting if led else held if word.role == "skipped" else []
            pause = pause or word.form == BLANK or any(one.form in MARKS for one in waiting)
            waiting = [one for one in waiting if one.role == "links"]
            gap = "own" if led else gap or "own"
        elif word.role == "says":
            if gap == "own" and not waiting:
                comma = [Word(",", ",", word.span, -1, "")]
                waiting = bridged(held, word) or (comma if pause and tells_more(kept, word) else [])
            kept += [*(waiting if kept else [w for w in waiting if linked and w.role == "links"]), word]
            waiting, held, gap, pause = [], [], "", False
        elif gap and not waiting and word.form in LOOSE[gap]:
            listed = gap == "others" and word.form in WORDS["joints"]
            waiting = held if listed else []  # spurs of hips and knees
        elif waiting and waiting[-1].form == word.form:
            continue
        elif not (gap and word.role == "leads" and any(one.role == "links" for one in waiting)):
            waiting.append(word)
    return written(kept)


def bridged(held: Sequence[Word], word: Word) -> list[Word]:
    """What led to skipped words leads to the next: `with increased edema`; but `in the XXXX bilaterally`."""
    apart = word.form.endswith("ly") or any(one.form in ("which", "whose", "that") for one in held)
    return [] if apart else [one for one in held if one.form not in WORDS["joints"] | {"a", "an"}]


def tells_more(kept: Sequence[Word], word: Word) -> bool:
    """`Opacity XXXX atelectasis`: what is named behind the blank tells what is named before it."""
    return bool(kept and kept[-1].owners and word.owners) and kept[-1].owners.isdisjoint(word.owners)


def written(words: Sequence[Word]) -> str:
    """Words in a row, those that were neighbours joined as they stood."""
    said, last = "", -2
    for word in words:
        apart = "" if not said or word.text in MARKS - {"("} else " "
        said += (word.joint if apart and word.number == last + 1 else apart) + word.text
        last = word.number
    missing = said.count("(") - said.count(")")
    return said + ")" * missing if missing >= 0 else said.replace(")", "").replace("(", "")


# ---- in the order of a bullet
def bullet(
    reading: Reading,
    sentence: SentenceReading,
    group: Sequence[Finding],
    within: Span,
    goes_on: bool = False,
) -> str:
    """The words of `within` that speak of the findings of `group`, as one bullet.

    Words that go on about the statement before keep what links them to it; a cause in the patient's history stays
    with what it caused: `fibrosis due to radiation`.
    """
    ids = {f.id for f in group}
    ids |= {f.id for f in reading.in_sentence(sentence.index) if f.kind == "history" and ids & {*f.evidence}}
    words = [word for word in sentence_words(reading, sentence) if within.contains(word.span)]
    behind = Span(group[0].span.end, group[0].span.end)
    for word in words:
        if word.form == "otherwise" and group[0].kind == "structure":
            word.span = behind  # `otherwise, the lungs are clear`: lungs otherwise clear
    words.sort(key=lambda word: word.span)
    if goes_on:
        return without_identifiers(left(words, ids, linked=True))
    told = denied(reading, group, words, ids) or turned(group, words, ids)
    return without_identifiers(as_bullet_text(told))


def plain_wording(reading: Reading, sentence: SentenceReading) -> str:
    """A whole sentence without comparison and blanks."""
    return without_identifiers(as_bullet_text(left(sentence_words(reading, sentence))))


def as_bullet_text(told: str) -> str:
    """What is only possible is said to be so; first letter capital.

    >>> as_bullet_text("may be a faint nodule")
    'Possible faint nodule'
    """
    told = told.replace("otherwise, ", "otherwise ")
    for opening in WORDS["presenting"]:
        if told.lower().startswith(f"{opening} "):
            told = told[len(opening) + 1 :].removeprefix("the ").removeprefix("a ")
    first, _, rest = told.partition(" ")
    if first in WORDS["may"] and rest.startswith("be "):
        told = f"possible {rest.removeprefix('be ').removeprefix('a ').removeprefix('an ')}"
    return told[:1].upper() + told[1:]


def denied(reading: Reading, group: Sequence[Finding], words: Sequence[Word], ids: set[str]) -> str:
    """The bullet of something absent; nothing when it is there.

    `The bones show no fracture` → `no fracture of the bones`; `the heart is not enlarged` stays as it is.
    """
    first = group[0]
    cue = next((e.span for f in group for e in f.trace if e.note == "denied"), None)
    if cue is None:
        return f"no {left(words, ids)}" if first.gone else ""
    structure = first.kind == "structure"
    normal = any("normality" in a.path for a in first.values("measurement"))
    if structure and normal and cue.end <= first.span.start:
        return ""  # `No heart size is normal`: it was left over
    said = reading.text(cue).lower().split()
    before = [word for word in words if word.span.start < cue.start]
    behind = words[len(before) :]
    after = left(behind, ids) if any(word.owners & ids for word in behind) else ""
    owned = left([word for word in before if word.owners], ids)
    at = next((n for n, word in enumerate(said) if word in WORDS["lacking"]), len(said) - 1)
    free = said[at] in ("free", "clear")
    if owned and (structure or free) and after:
        return f"{left(before, ids)} {' '.join(said[at : at + 1 + free])} {after}"
    if owned and structure:
        return left(before, ids) if described(first) else f"normal {owned}"
    of = f" of the {owned}" if owned and after and owned != "lungs" else ""
    opening = "otherwise " if any(word.form == "otherwise" for word in before) else ""
    told = after or owned or spoken(first.entity)
    return f"{opening}{denying(said, first.level == 'doubtful')} {told}{of}"


def denying(said: Sequence[str], hedged: bool) -> str:
    """The words of a denial that a bullet keeps: without those that limit it, it would deny all of the thing.

    >>> denying(["no", "other"], hedged=False), denying(["no", "evidence", "of"], hedged=False)
    ('no other', 'no')
    """
    more = said[1:-2] if said[-2:-1] == ["evidence"] else said[1:]
    kept = (hedged and said[0] == "no") or (more and more[0] in WORDS["limiting"])
    return " ".join(["no", *more]) if kept else "no"


def turned(group: Sequence[Finding], words: Sequence[Word], ids: set[str]) -> str:
    """What is there, what it is like first and where it is last.

    `Heart size is normal` → `normal heart size`; `the spine shows spurs` → `spurs of the spine`; `in the apex there
    is a nodule` → `nodule in the apex`.
    """
    first = group[0]
    there = next((n for n, word in enumerate(words) if word.form == "there"), 0)
    if there and words[0].form in WORDS["placing"] and (place := left(words[:there], ids)):
        return f"{left(words[there:], ids)} {words[0].text} the {place}"
    if there and not any(word.owners & ids for word in words[:there]):
        words = words[there:]
    shows = next((n for n, word in enumerate(words) if word.form in WORDS["shows"]), 0)
    subject, told = left(words[:shows], ids), left(words[shows:], ids)
    if len(group) == 1 and subject in {a.text.lower() for a in first.values("location")}:
        return f"{told} of {'' if subject.split()[0] in WORDS['counting'] else 'the '}{subject}"
    behind = predicate_at(first, words, ids)
    subject, told = left(words[:behind], ids), left(words[behind:], ids)
    end = min((told.find(word) for word in WORDS["adjectives_end"] if word in told), default=len(told))
    head = told[:end].removesuffix(" appearance")
    if subject and head and goes_in_front(head.split(), subject.split()):
        return f"{head} {subject}{told[end:]}"
    return left(words, ids)


def predicate_at(first: Finding, words: Sequence[Word], ids: set[str]) -> int:
    """Where it begins to be said how the first finding is: behind its verb, or behind a noun that needs none."""
    after = (n for n, w in enumerate(words) if w.span.start >= first.span.end and w.form != BLANK)
    behind = next(after, len(words))
    rest = words[behind:]
    verb = next((n for n, w in enumerate(rest) if w.form in WORDS["copulas"] and w.role in LOST), None)
    aside = dropwhile(lambda w: w.form not in MARKS and w.form != "which", rest[:verb])
    if verb is not None and all(w.owners for w in aside if w.role == "says" or w.form == "which"):
        verb = 0 if rest[0].form == "otherwise" else verb
        behind, rest = behind + verb, rest[verb:]
    elif first.kind != "structure" or not all(w.owners for w in rest if w.role == "says"):
        return len(words)
    own = (w for w in rest if w.role not in LOST and not (w.owners and w.owners.isdisjoint(ids)))
    told = dropwhile(lambda w: w.form in WORDS["opening"], own)
    said = list(takewhile(lambda w: w.role == "says" or w.form == "and", told))
    theirs = any(first.id not in w.owners and w.form not in WORDS["opening"] for w in said)
    return behind if said and not theirs else len(words)


def goes_in_front(said: Sequence[str], subject: Sequence[str]) -> bool:
    """Adjectives, few or joined: `tortuous and calcified aorta`; `clear` only where it stands alone."""
    told = [word.strip(",") for word in said if word != "and"]
    most = 3 if len(told) == len(said) else 4
    alone = list(said) == ["clear"]
    plain = len(told) <= most and WORDS["leading"].isdisjoint(told) and WORDS["staying"].isdisjoint(told)
    plain = plain and said[-1] not in WORDS["joints"]
    return (alone or plain) and WORDS["counting"].isdisjoint(subject)
