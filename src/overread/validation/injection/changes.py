"""Errors put into a report, by rules or by a language model, and harmless rewrites: what should lower a score or not.

Every change is made from the reading of the report, so that it lands on a finding and not on any word. The same report
always gets the same changes.

A language model quotes what it changes and says what stands there instead; the exchange is made here, so that the rest
stays as it was, and an answer that quotes nothing, or changes more than a few sentences, is sent back.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from random import Random

from msgspec import Struct

from overread.llm import Client, Failure, Item, ask_many, load_prompt
from overread.reader import Finding, Reading, read
from overread.report import Report, parse
from overread.report.span import Span
from overread.validation.injection.places import (
    BODY,
    Made,
    Maker,
    Pair,
    Swap,
    anywhere,
    appended,
    asserted,
    devices,
    formatting,
    order,
    related,
    replaced,
    said,
    swaps,
    words_in,
    words_of_body,
)
from overread.validation.tables import shipped

UNCHANGED = "homophone, seen through"
"""Homophones that any reader sees through change no meaning and are counted apart."""

UNMEANT = frozenset({"repetition", "typo"})
"""Errors that leave the meaning as it was: a fault of style, not of fact."""

NUMBER = re.compile(r"\d+(?:\.\d+)?")
GONE = re.compile(r"\b(?:in place of|instead of|replacing)\s+(?:the |an? )?$", re.IGNORECASE)
LENGTH = re.compile(r"\d\s*-?(?:mm|cm)", re.IGNORECASE)


def changes(reading: Reading, seed: int = 0) -> Iterator[Pair]:
    """Every kind of change that the report allows, one each; homophones that change nothing are a kind of their own."""
    id, whole = reading.report.id, reading.report.text
    for kind, make in (ERROR_MAKERS | HARMLESS_MAKERS).items():
        random = Random(f"{seed}|{kind}|{id}")
        if found := make(reading, random):
            text, what, meaning = random.choice(found)
            told = UNCHANGED if kind == "homophone" and not meaning else kind
            if text != whole:
                yield Pair(id, told, what, meaning, whole, text)


def added(kind: str) -> Maker:
    """A sentence about something that the report does not name."""

    def make(reading: Reading, _: Random) -> list[Made]:
        if not any(f.section in BODY for f in reading.findings):
            return []
        free = [s for s in swaps(kind).values() if not related(s.before, said(reading))]
        return [(appended(reading, one.after), f"adds {one.before}", one.meaning) for one in free]

    return make


def repetition(reading: Reading, _: Random) -> list[Made]:
    text = reading.report.text
    spans = [s.span for s in reading.sentences if s.section in BODY and len(s.span.of(text).split()) > 2]
    twice = (f"{text[: s.start]}{s.of(text).rstrip('.')}. {text[s.start :]}" for s in spans)
    return [(one, "says a sentence twice", False) for one in twice]


def contradiction(reading: Reading, _: Random) -> list[Made]:
    found = [f for f in asserted(reading) if denies(f)]
    return [
        (appended(reading, f"No {f.entity.lower()}."), f"denies {f.concept} as well", True) for f in found
    ]


def denies(finding: Finding) -> bool:
    """Do the entity's own words, after `no`, deny the same concept?"""
    found = read(parse(f"No {finding.entity.lower()}.")).findings
    return [(f.concept, f.status) for f in found] == [(finding.concept, "negative")]


def worded(kind: str, spans: Callable[[Reading], list[Span]]) -> Maker:
    """A word of the table at one of these places changed for its partner."""
    return lambda reading, _: partners(reading.report.text, spans(reading), swaps(kind))


def partners(text: str, spans: Iterable[Span], table: Mapping[str, Swap]) -> list[Made]:
    there = [(span, table[word]) for span in spans if (word := span.of(text).lower()) in table]
    return [(replaced(text, span, s.after), f"{s.before} → {s.after}", s.meaning) for span, s in there]


def degrees(reading: Reading) -> list[Span]:
    """Degrees of findings; an adverb may belong to a shape (`mildly displaced`)."""
    return [a.span for f in asserted(reading) for a in f.values("severity") if not a.text.endswith("ly")]


def sides(reading: Reading) -> list[Span]:
    """The words left and right inside the places of findings and devices."""
    found = []
    for f in (*asserted(reading), *devices(reading)):
        for a in f.values("location"):
            if len(a.places) < 2 and a.side in ("left", "right"):
                found += words_in(reading.report.text, a.span, r"\b(?:left|right)(?:-sided)?\b")
    return found


def renamed(reading: Reading, _: Random) -> list[Made]:
    """Every mention of one device by the name of another; one that another stands `in place of` is gone."""
    text = reading.report.text
    spans = [f.span for f in devices(reading) if not GONE.search(text[: f.span.start][-24:])]
    found: list[Made] = []
    for word in sorted({span.of(text).lower() for span in spans} & swaps("device name").keys()):
        one, changed = swaps("device name")[word], text
        for span in reversed([s for s in spans if s.of(text).lower() == word]):
            changed = replaced(changed, span, one.after)
        found.append((changed, f"{one.before} → {one.after}", True))
    return found


def position(reading: Reading, _: Random) -> list[Made]:
    """A tip that lies where it should is said to lie where it must not."""
    table = swaps("device position")
    there = [
        (a.span, table[f.concept])
        for f in devices(reading)
        for a in f.values("placement")
        if f.concept in table and a.path[:1] == ("standard",) and a.concept in GOOD
        and len(a.text.split()) > 2
        and reading.text(Span(f.span.end, a.span.end)).count(".") <= 1
    ]  # fmt: skip
    text = reading.report.text
    return [(replaced(text, span, one.after), f"{one.before} {one.after}", True) for span, one in there]


GOOD = frozenset({"in-place", "standard-position", "tip-position", "terminates"})


def measurement(reading: Reading, _: Random) -> list[Made]:
    text = reading.report.text
    sizes = [
        a.span
        for f in asserted(reading)
        for a in f.values("measurement")
        if a.path[:1] == ("size",) and LENGTH.search(a.text)
    ]
    larger = ((s, NUMBER.sub(lambda m: f"{float(m[0]) * 3:g}", s.of(text))) for s in sizes)
    return [(replaced(text, span, by), "a size three times as large", True) for span, by in larger]


def negation(reading: Reading, _: Random) -> list[Made]:
    """A sentence that asserts one finding denies it."""
    text = reading.report.text
    found: list[Made] = []
    for one in asserted(reading):
        if sum(o.sentence == one.sentence for o in reading.findings) == 1 and denies(one):
            span = next(s.span for s in reading.sentences if s.index == one.sentence)
            tail = "." if span.of(text).rstrip().endswith(".") else ""
            denied = replaced(text, span, f"No {one.entity.lower()}{tail}")
            found.append((denied, f"denies {one.concept}", True))
    return found


def homophone(reading: Reading, _: Random) -> list[Made]:
    """A word that sounds alike; those that change the meaning first."""
    for meant in (True, False):
        table = {word: swap for word, swap in swaps("homophone").items() if swap.meaning is meant}
        spans = words_of_body(reading, rf"\b(?:{'|'.join(map(re.escape, table))})\b")
        if spans:
            return partners(reading.report.text, spans, table)
    return []


def typo(reading: Reading, random: Random) -> list[Made]:
    """Two letters of a long word change places."""
    text = reading.report.text
    long = words_of_body(reading, r"\b[a-z]{9,}\b")
    if not long:
        return []
    span = random.choice(long)
    word = span.of(text)
    at = random.randrange(3, len(word) - 2)
    slipped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return [(text[: span.start] + slipped + text[span.end :], "two letters change places", False)]


ERROR_MAKERS: dict[str, Maker] = {
    "added device": added("added device"),
    "false finding": added("false finding"),
    "repetition": repetition,
    "contradiction": contradiction,
    "device name": renamed,
    "device position": position,
    "severity": worded("severity", degrees),
    "location": worded("location", sides),
    "measurement": measurement,
    "false negation": negation,
    "homophone": homophone,
    "typo": typo,
}
HARMLESS_MAKERS: dict[str, Maker] = {
    "order": order,
    "synonym": anywhere("synonym"),
    "spelling": anywhere("spelling"),
    "formatting": formatting,
    "normal statement": added("normal statement"),
}
ERRORS, HARMLESS = tuple(ERROR_MAKERS), tuple(HARMLESS_MAKERS)


PACKAGE = "overread.validation"
MOST = 60
"""Words that one change may touch."""

KINDS = shipped("prompts/kinds.toml", dict[str, str])
"""Kind of change → what the model is told to do."""


class Edit(Struct, frozen=True, forbid_unknown_fields=True):
    """What changes, and what stands there instead."""

    fits: bool
    before: str = ""
    after: str = ""
    what: str = ""


def inject_by_llm(client: Client, reports: Sequence[Report]) -> tuple[list[Pair], list[Failure]]:
    """One change of every kind that the model finds room for, and what it could not do."""
    asked = [(report, kind) for report in reports for kind in KINDS]
    answers = ask_many(
        client, load_prompt(PACKAGE, "inject"), [item(*one) for one in asked], Edit, check=problems
    )
    pairs, failed = [], []
    for (report, kind), answer in zip(asked, answers, strict=True):
        if isinstance(answer, Failure):
            failed.append(answer)
        elif answer.value.fits:
            told = answer.value
            meant = kind not in UNMEANT and kind not in HARMLESS
            changed = report.text.replace(told.before, told.after)
            pairs.append(Pair(report.id, kind, told.what, meant, report.text, changed))
    return pairs, failed


def item(report: Report, kind: str) -> Item:
    return Item(report.id, {"kind": f"{kind}: {KINDS[kind]}", "report": report.text}, source=report)


def problems(item: Item, answer: Edit) -> list[str]:
    """What makes an answer unusable, in words for the model."""
    if not answer.fits:
        return []
    times = item.source.text.count(answer.before) if answer.before.strip() else 0
    if times != 1:
        found = "nowhere" if times == 0 else f"{times} times"
        return [f"`before` must stand in the report exactly once, letter by letter; it stands there {found}."]
    if " ".join(answer.after.split()) == " ".join(answer.before.split()):
        return ["`after` must differ from `before`."]
    if touched(answer) > MOST:
        return [f"Change one thing only: at most {MOST} words may differ."]
    return []


def touched(answer: Edit) -> int:
    """Words that differ between the two.

    >>> touched(Edit(True, "a small left effusion", "a large left effusion"))
    1
    """
    one, two = answer.before.split(), answer.after.split()
    same = sum(block.size for block in SequenceMatcher(None, one, two, autojunk=False).get_matching_blocks())
    return max(len(one), len(two)) - same
