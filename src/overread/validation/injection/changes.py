"""Errors put into a report, by rules or by a language model, and harmless rewrites: what should lower a score or not.

Every change is made from the reading of the report, so that it lands on a finding and not on any word. The same report
always gets the same changes.

A language model quotes what it changes and says what stands there instead; the exchange is made here, so that the rest
stays as it was, and an answer that quotes nothing, or changes more than a few sentences, is sent back.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from random import Random

from msgspec import Struct
from rapidfuzz.distance import LCSseq

from overread.lexicon.lexicon import lexicon
from overread.llm import Answer, Client, Failure, Item, ask_many, failures, load_prompt
from overread.reader import Finding, Reading, read
from overread.report import Report, parse
from overread.report.span import Span
from overread.validation.shown import shipped, shipped_rows

UNCHANGED = "homophone, seen through"
"""Homophones that any reader sees through change no meaning and are counted apart."""

UNMEANT = frozenset({"repetition", "typo"})
"""Errors that leave the meaning as it was: a fault of style, not of fact."""

NUMBER_IN_SIZE = re.compile(r"\d+(?:\.\d+)?")
IN_PLACE_OF = re.compile(r"\b(?:in place of|instead of|replacing)\s+(?:the |an? )?$", re.IGNORECASE)
NUMBER_WITH_UNIT = re.compile(r"\d\s*-?(?:mm|cm)", re.IGNORECASE)

DEVICE_PARTS = {"pacemaker": frozenset({"lead"}), "icd": frozenset({"lead"})}
"""What is there where a part of it is: to add it is no error."""

BODY = ("findings", "impression", "addendum", "other")


class ChangedPair(Struct, frozen=True):
    """A report and the same with one change."""

    id: str
    kind: str
    what: str
    """The change in a few words, without the report."""

    changes_meaning: bool
    reference: str
    candidate: str


Edits = Sequence[tuple[Span, str]]
"""Places of a text, and what stands there instead; an empty place takes an insertion."""


class Alteration(Struct, frozen=True):
    """One way to change a report."""

    edits: Edits
    what: str
    changes_meaning: bool


Maker = Callable[[Reading, Random], Iterable[Alteration]]
"""Every way that a report can be changed so."""


def edited(text: str, edits: Edits) -> str:
    """The text with other words at these places, each in the case of the old ones.

    >>> edited("Small left effusion.", [(Span(0, 5), "large"), (Span(6, 10), "right")])
    'Large right effusion.'
    """
    for span, by in sorted(edits, reverse=True):
        cased = by[:1].upper() + by[1:] if span.of(text)[:1].isupper() else by
        text = text[: span.start] + cased + text[span.end :]
    return text


def changes(reading: Reading, seed: int = 0) -> Iterator[ChangedPair]:
    """Every kind of change that the report allows, one each; homophones that change nothing are a kind of their own."""
    id, whole = reading.report.id, reading.report.text
    for kind, make in (ERROR_MAKERS | HARMLESS_MAKERS).items():
        random = Random(f"{seed}|{kind}|{id}")
        if found := list(make(reading, random)):
            one = random.choice(found)
            told = UNCHANGED if kind == "homophone" and not one.changes_meaning else kind
            text = edited(whole, one.edits)
            if text != whole:
                yield ChangedPair(id, told, one.what, one.changes_meaning, whole, text)


# ---- where and by which words
@cache
def swaps(kind: str) -> dict[str, tuple[str, bool]]:
    """The rows of one kind: what they change → what stands there then, and whether the meaning is another."""
    rows = shipped_rows("injections.tsv", "kind", "from", "to", "meaning", "reason")
    return {row["from"]: (row["to"], row["meaning"] == "yes") for row in rows if row["kind"] == kind}


def asserted(reading: Reading) -> list[Finding]:
    """Findings that the body of the report says are there, and not that they went away."""
    return [
        f
        for f in reading.findings
        if f.section in BODY and f.status == "positive" and f.kind in ("finding", "diagnosis") and f.concept
        and f.level == "definite" and not f.values("improved", "past_hx")
    ]  # fmt: skip


def devices(reading: Reading) -> list[Finding]:
    return [
        f
        for f in reading.findings
        if f.section in BODY and f.kind == "device" and f.status == "positive" and not f.removals
    ]  # fmt: skip


def already_named(concept: str, known: set[str]) -> bool:
    """Is it, a kind of it, a wider name of it or a part of it in the report already?"""
    up = lexicon().ancestors
    parts = DEVICE_PARTS.get(concept, frozenset()) & known
    return bool(parts) or any(concept in up(one) or one in up(concept) for one in known)


def appended(reading: Reading, sentence: str) -> Edits:
    """One more sentence at the end of the findings, or of the body."""
    sections = [s for s in reading.report.sections if s.name in BODY and s.sentences]
    first = next((s for s in sections if s.name == "findings"), sections[0] if sections else None)
    text = reading.report.text
    at = first.sentences[-1].span.end if first else len(text)
    while at < len(text) and text[at] in ".!?":
        at += 1
    stop = "" if text[:at].rstrip().endswith((".", "!", "?")) or not text[:at].strip() else "."
    return [(Span(at, at), f"{stop} {sentence}")]


def words_in(text: str, span: Span, pattern: str) -> list[Span]:
    found = re.compile(pattern, re.IGNORECASE).finditer(text, span.start, span.end)
    return [Span(*m.span()) for m in found]


def words_of_body(reading: Reading, pattern: str) -> list[Span]:
    report = reading.report
    spans = (part.span for part in report.sections if part.name in BODY)
    return [word for span in spans for word in words_in(report.text, span, pattern)]


# ---- errors
def added_sentence(kind: str, reading: Reading, _: Random) -> Iterator[Alteration]:
    """A sentence about something that the report does not name."""
    known = {f.concept for f in reading.findings if f.concept}
    if any(f.section in BODY for f in reading.findings):
        for concept, (sentence, meaning) in swaps(kind).items():
            if not already_named(concept, known):
                yield Alteration(appended(reading, sentence), f"adds {concept}", meaning)


def repetition(reading: Reading, _: Random) -> Iterator[Alteration]:
    for sentence in reading.sentences:
        span = sentence.span
        words = span.of(reading.report.text)
        if sentence.section in BODY and len(words.split()) > 2:
            twice = [(Span(span.start, span.start), f"{words.rstrip('.')}. ")]
            yield Alteration(twice, "says a sentence twice", False)


def contradiction(reading: Reading, _: Random) -> Iterator[Alteration]:
    for f in asserted(reading):
        if denies(f):
            yield Alteration(
                appended(reading, f"No {f.entity.lower()}."), f"denies {f.concept} as well", True
            )


def denies(finding: Finding) -> bool:
    """Do the entity's own words, after `no`, deny the same concept?"""
    found = read(parse(f"No {finding.entity.lower()}.")).findings
    return [(f.concept, f.status) for f in found] == [(finding.concept, "negative")]


def partners(kind: str, reading: Reading, spans: Iterable[Span]) -> Iterator[Alteration]:
    """A word of the table at one of these places changed for its partner."""
    for span in spans:
        word = span.of(reading.report.text).lower()
        if word in swaps(kind):
            other, meaning = swaps(kind)[word]
            yield Alteration([(span, other)], f"{word} → {other}", meaning)


def degree(reading: Reading, _: Random) -> Iterator[Alteration]:
    """The degree of a finding; an adverb may belong to a shape (`mildly displaced`)."""
    values = (a for f in asserted(reading) for a in f.values("severity"))
    yield from partners("severity", reading, [a.span for a in values if not a.text.endswith("ly")])


def side(reading: Reading, _: Random) -> Iterator[Alteration]:
    """The words left and right inside the places of findings and devices."""
    for f in (*asserted(reading), *devices(reading)):
        for a in f.values("location"):
            if len(a.places) < 2 and a.side in ("left", "right"):
                words = words_in(reading.report.text, a.span, r"\b(?:left|right)(?:-sided)?\b")
                yield from partners("location", reading, words)


def renamed(reading: Reading, _: Random) -> Iterator[Alteration]:
    """Every mention of one device by the name of another; one that another stands `in place of` is gone."""
    text, table = reading.report.text, swaps("device name")
    spans = [f.span for f in devices(reading) if not IN_PLACE_OF.search(text[: f.span.start][-24:])]
    for word in sorted({span.of(text).lower() for span in spans} & table.keys()):
        other = table[word][0]
        edits = [(span, other) for span in spans if span.of(text).lower() == word]
        yield Alteration(edits, f"{word} → {other}", True)


def position(reading: Reading, _: Random) -> Iterator[Alteration]:
    """A tip that lies where it should is said to lie where it must not."""
    table = swaps("device position")
    for f in devices(reading):
        for a in f.values("placement"):
            usual = a.path[:1] == ("standard",) and a.concept in GOOD and len(a.text.split()) > 2
            if usual and f.concept in table and reading.text(Span(f.span.end, a.span.end)).count(".") <= 1:
                wrong = table[f.concept][0]
                yield Alteration([(a.span, wrong)], f"{f.concept} {wrong}", True)


GOOD = frozenset({"in-place", "standard-position", "tip-position", "terminates"})


def measurement(reading: Reading, _: Random) -> Iterator[Alteration]:
    for f in asserted(reading):
        for a in f.values("measurement"):
            if a.path[:1] == ("size",) and NUMBER_WITH_UNIT.search(a.text):
                larger = NUMBER_IN_SIZE.sub(lambda m: f"{float(m[0]) * 3:g}", a.span.of(reading.report.text))
                yield Alteration([(a.span, larger)], "a size three times as large", True)


def negation(reading: Reading, _: Random) -> Iterator[Alteration]:
    """A sentence that asserts one finding denies it."""
    for one in asserted(reading):
        if sum(o.sentence == one.sentence for o in reading.findings) == 1 and denies(one):
            span = next(s.span for s in reading.sentences if s.index == one.sentence)
            tail = "." if span.of(reading.report.text).rstrip().endswith(".") else ""
            yield Alteration([(span, f"No {one.entity.lower()}{tail}")], f"denies {one.concept}", True)


def homophone(reading: Reading, _: Random) -> Iterable[Alteration]:
    """A word that sounds alike; where one changes the meaning, only such."""
    words = "|".join(map(re.escape, swaps("homophone")))
    found = list(partners("homophone", reading, words_of_body(reading, rf"\b(?:{words})\b")))
    return [one for one in found if one.changes_meaning] or found


def typo(reading: Reading, random: Random) -> Iterator[Alteration]:
    """Two letters of a long word change places."""
    if long := words_of_body(reading, r"\b[a-z]{9,}\b"):
        span = random.choice(long)
        word = span.of(reading.report.text)
        at = random.randrange(3, len(word) - 2)
        slipped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        yield Alteration([(span, slipped)], "two letters change places", False)


# ---- what changes nothing
LEANS = re.compile(
    r"(?:it|this|these|those|they|its|also|however|otherwise|similar|compar\w+|"
    r"there (?:is|are|has been) no (?:\w+ )?change|"
    r"the (?:tip|largest|smallest|former|latter|remainder|other|appearance|same|finding|findings))\b",
    re.I,
)


def order(reading: Reading, random: Random) -> Iterator[Alteration]:
    """The sentences of the findings in another order, where none leans on the one before."""
    parts = (s.sentences for s in reading.report.sections if s.name == "findings" and len(s.sentences) > 2)
    spans = [sentence.span for sentence in next(parts, ())]
    told = [span.of(reading.report.text).strip() for span in spans]
    if told and all(one.endswith(".") and not LEANS.match(one) for one in told):
        random.shuffle(told)
        whole = Span(spans[0].start, spans[-1].end)
        yield Alteration([(whole, " ".join(told))], "sentences in another order", False)


def anywhere(kind: str, reading: Reading, _: Random) -> Iterator[Alteration]:
    """Every word of the table changed for its partner."""
    table = swaps(kind)
    words = "|".join(map(re.escape, sorted(table, key=len, reverse=True)))
    if spans := words_of_body(reading, rf"(?<![\w-])(?:{words})(?![\w-])"):
        edits = [(span, table[span.of(reading.report.text).lower()][0]) for span in spans]
        yield Alteration(edits, f"{len(spans)} words", False)


def formatting(reading: Reading, _: Random) -> Iterator[Alteration]:
    """Each sentence on a line of its own."""
    text = reading.report.text
    parts = (part.sentences for part in reading.report.sections if part.name == "findings")
    starts = [sentence.span.start for sentences in parts for sentence in sentences][1:]
    if starts:
        edits = [(Span(len(text[:start].rstrip(" ")), start), "\n") for start in starts]
        yield Alteration(edits, "a line for each sentence", False)


ERROR_MAKERS: dict[str, Maker] = {
    "added device": partial(added_sentence, "added device"),
    "false finding": partial(added_sentence, "false finding"),
    "repetition": repetition,
    "contradiction": contradiction,
    "device name": renamed,
    "device position": position,
    "severity": degree,
    "location": side,
    "measurement": measurement,
    "false negation": negation,
    "homophone": homophone,
    "typo": typo,
}
HARMLESS_MAKERS: dict[str, Maker] = {
    "order": order,
    "synonym": partial(anywhere, "synonym"),
    "spelling": partial(anywhere, "spelling"),
    "formatting": formatting,
    "normal statement": partial(added_sentence, "normal statement"),
}
ERRORS, HARMLESS = tuple(ERROR_MAKERS), tuple(HARMLESS_MAKERS)


# ---- by a language model
MOST_WORDS_CHANGED = 60
"""Words that one change may touch."""

INJECTED_KINDS = shipped("prompts/kinds.toml", dict[str, str])
"""Kind of change → what the model is told to do."""


class Edit(Struct, frozen=True, forbid_unknown_fields=True):
    """What changes, and what stands there instead."""

    fits: bool
    before: str = ""
    after: str = ""
    what: str = ""


def inject_by_llm(client: Client, reports: Sequence[Report]) -> tuple[list[ChangedPair], list[Failure]]:
    """One change of every kind that the model finds room for, and what it could not do."""
    asked = [(report, kind) for report in reports for kind in INJECTED_KINDS]
    items = [
        Item(report.id, {"kind": f"{kind}: {INJECTED_KINDS[kind]}", "report": report.text}, source=report)
        for report, kind in asked
    ]
    found = ask_many(client, load_prompt("overread.validation", "inject"), items, Edit, check=edit_problems)
    pairs = []
    for (report, kind), answer in zip(asked, found, strict=True):
        if isinstance(answer, Answer) and answer.value.fits:
            told = answer.value
            meant = kind not in UNMEANT and kind not in HARMLESS
            changed = report.text.replace(told.before, told.after)
            pairs.append(ChangedPair(report.id, kind, told.what, meant, report.text, changed))
    return pairs, failures(found)


def edit_problems(item: Item, answer: Edit) -> list[str]:
    """What makes an answer unusable, in words for the model."""
    if not answer.fits:
        return []
    times = item.source.text.count(answer.before) if answer.before.strip() else 0
    if times != 1:
        found = "nowhere" if times == 0 else f"{times} times"
        return [f"`before` must stand in the report exactly once, letter by letter; it stands there {found}."]
    differing = LCSseq.distance(answer.before.split(), answer.after.split())
    if not differing:
        return ["`after` must differ from `before`."]
    return [f"Change one thing only: at most {MOST_WORDS_CHANGED} words may differ."] * (
        differing > MOST_WORDS_CHANGED
    )
