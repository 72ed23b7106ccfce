"""The attributes that are phrases: places, one phrase per site, and recommendations with the findings they follow from.

A place is told in a finding's own words, that of a device as the report tells it."""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from overread.lexicon.lexicon import lexicon
from overread.reader import Attribute, Finding, Reading, SentenceReading
from overread.report.marks import RUN, alike
from overread.report.span import Span
from overread.systems.clear.schema import DEVICES, WORDS, Condition

# ---- places
MEASURED = re.compile(r"\d.*(?:mm|cm|millimeters?|centimeters?)\b", re.IGNORECASE)
PART = re.compile(r"\b(\w+) (?:aspect|portion|part|region) of (?:the )?")
"""`Posterior aspect of the right upper lobe`: before a noun, posterior right upper lobe."""

PLACE_ADJECTIVES = {"mediastinum": "mediastinal", "hilum": "hilar", "hila": "hilar", "axilla": "axillary"}
"""Places that take another form before a noun: a node in the mediastinum is a mediastinal node."""

SPREADING: frozenset[Condition] = frozenset({"Lung Opacity", "Lung Lesion"})
ORDER = (("measurement", "severity"), ("distribution", "placement"), ("past_hx", "location"), ("morphology",))
RANKS = {relation: rank for rank, relations in enumerate(ORDER) for relation in relations}
"""Before a noun stand its size and number, its place, and then its looks."""


class Phrase(Struct, frozen=True, forbid_unknown_fields=True):
    """One location phrase with the words it was made of."""

    key: frozenset[str]
    """What is where: phrases with one key speak of one site."""

    text: str
    spans: tuple[Span, ...]


MOST_AROUND = 60
"""Phrases before and after one that may say more than it."""


def locations(reading: Reading, condition: Condition, findings: Iterable[Finding]) -> tuple[Phrase, ...]:
    """The phrases of a condition, merged per site: of two for one site the longer is kept."""
    found = list(findings)
    ids = {f.id for f in found}
    kept: dict[frozenset[str], Phrase] = {}
    for finding in found:
        if condition == "Lung Opacity" and ids & set(finding.evidence):
            continue  # `opacity, probably atelectasis`: one thing at one place
        phrase = phrase_of(reading, condition, finding)
        if phrase is not None and len(phrase.text) > len(kept[phrase.key].text if phrase.key in kept else ""):
            kept[phrase.key] = phrase
    phrases = list({phrase.text: phrase for phrase in kept.values()}.values())
    around = (phrases[max(0, n - MOST_AROUND) : n + MOST_AROUND] for n in range(len(phrases)))
    return tuple(p for p, some in zip(phrases, around, strict=True) if not any(says_more(q, p) for q in some))


def says_more(one: Phrase, other: Phrase) -> bool:
    """Does it say all that the other does, and more? `Right PICC with tip in the SVC`, `right PICC`."""
    longer = iter(one.text.split())
    return one.text != other.text and all(
        word in longer for word in other.text.split() if word not in WORDS["articles"]
    )


def phrase_of(reading: Reading, condition: Condition, finding: Finding) -> Phrase | None:
    """`left lower lobe patchy opacity`; None when no place is named (a device needs none)."""
    if condition in WORDS["placeless"] or not (condition == DEVICES or names_place(condition, finding)):
        return None
    told = sorted(described_by(reading, condition, finding), key=lambda a: a.span)
    line = not WORDS["ending"].isdisjoint(lexicon().ancestors(finding.concept or ""))
    if condition == DEVICES and (line or any(map(says_where_it_ends, finding.values("placement")))):
        # it runs from one place to another, or is told where it ends: what stands behind it is told so
        ordered = [a for a in told if a.span < finding.span]
        after = [quoted(reading, finding, [a for a in told if a not in ordered])]
    else:
        behind = [a for a in told if follows_noun(finding, a)]
        ordered = [a for a in told if a not in behind]
        ordered.sort(key=lambda a: (RANKS[a.relation], bool(a.path), a.span < finding.span))
        after = [f", {a.text}" if a.relation == "comparison" else a.text for a in behind]
    own = set(finding.entity.lower().split())
    heads, tails = zip(*map(head_and_tail, ordered), strict=True) if ordered else ((), ())
    noun = RUN.sub("device", finding.entity)  # a name that was taken out of the report
    words = [*(h for h in heads if h.lower() not in own), noun, *tails, *after]
    text = " ".join(" ".join(words).split()).lower().replace(" ,", ",")
    # two kinds of device at one place stay two
    what = finding.entity.lower() if condition == DEVICES else finding.concept or finding.entity
    site = frozenset([what, *(f"{a.side} {a.concept}" for a in finding.values("location"))])
    return Phrase(site, text, (finding.span, *(a.span for a in told)))


def says_where_it_ends(placement: Attribute) -> bool:
    """Does it say where a device ends, and not that it was put in or taken out?"""
    return not placement.path or placement.concept in WORDS["tip"]


def quoted(reading: Reading, finding: Finding, behind: Sequence[Attribute]) -> str:
    """What stands behind a device and tells where it lies or ends, as the report says it: `with its tip in the SVC`.

    Where another finding or the end of the sentence stands between, the places alone are told.
    """
    whole = Span(finding.span.end, max((a.span.end for a in behind), default=finding.span.end))
    others = (f.span for f in reading.in_sentence(finding.sentence) if f.span > finding.span)
    sentence = reading.sentences[finding.sentence].span
    if any(span.overlaps(whole) for span in others) or not sentence.contains(whole):
        return " ".join(a.text for a in behind)
    return alike(reading.text(whole))


def names_place(condition: Condition, finding: Finding) -> bool:
    """Is a place named, or at least a spread? `Scattered granulomas` are all over the lung."""
    if any(a.path or a.side != "-" for a in finding.values("location")):
        return True
    spread = any(a.concept != "focal" for a in finding.values("distribution"))
    words = finding.entity.lower().split()
    pattern = "interstitial" in words and words[-1] not in ("disease", "edema")
    return condition in SPREADING and (spread or pattern)


def described_by(reading: Reading, condition: Condition, finding: Finding) -> list[Attribute]:
    """The words that belong into the phrase: places, looks, size and number; where a device ends.

    How small the sign was from which it is inferred is no size of its own.
    """
    looks = finding.values("location", "distribution", "morphology")
    told = [a for a in looks if a.concept not in WORDS["no_descriptor"]]
    told += [a for a in finding.values("measurement") if counts(finding, a)]
    if condition == DEVICES:
        surgery = [
            a for a in finding.values("past_hx") if a.span < finding.span and a.text.lower() in WORDS["after"]
        ]
        return [*told, *surgery, *filter(says_where_it_ends, finding.values("placement"))]
    own = reading.finding(finding.id).attributes
    told += [a for a in finding.values("severity") if a in own and condition in WORDS["sized"]]
    return told + [a for a in finding.values("comparison") if "than" in a.text.split()]


def counts(finding: Finding, told: Attribute) -> bool:
    """Is it a number, a measured size, or a size before the noun? Not `of varying sizes`, nor `a few`.

    What is measured of a device is how far it is from where it should be.
    """
    if told.path[:1] == ("quantity",):
        return WORDS["uncounted"].isdisjoint(told.text.lower().split())
    if MEASURED.search(told.text):
        return told.path[:1] == ("size",) and finding.kind != "device"
    return told.path[:1] == ("size",) and told.span < finding.span


def follows_noun(finding: Finding, told: Attribute) -> bool:
    """Does it compare two sides, open with a preposition (`along the left chest wall`) or tell the spread behind it?"""
    first, _, rest = told.text.lower().partition(" ")
    spread = told.relation == "distribution" and told.span > finding.span
    return told.relation == "comparison" or spread or (bool(rest) and first in WORDS["prepositions"])


def head_and_tail(place: Attribute) -> tuple[str, str]:
    """What goes before the noun, and what points at the place and goes behind it.

    `Left midlung overlying the fifth rib`: left midlung *nodule* overlying the fifth rib. `Opacities on both sides`
    are bilateral, a node `in the hilum` is hilar.
    """
    size = MEASURED.search(place.text) if place.relation == "measurement" else None
    text = size[0] if size else "bilateral" if place.concept == "bilateral" else RUN.sub("", place.text)
    words = PART.sub(r"\1 ", text.replace(",", " ")).split()
    words[-1:] = [PLACE_ADJECTIVES.get(word.lower(), word) for word in words[-1:]]
    pointing = (n for n, word in enumerate(words) if n and word.lower() in WORDS["pointing_places"])
    cut = next(pointing, len(words))
    return " ".join(words[:cut]), " ".join(words[cut:])


# ---- recommendations: what a report asks for, and because of which findings
ADVICE_SECTIONS = ("findings", "impression", "recommendation", "addendum")
POINTING = ("this ", "these ")
"""`These nodules are dense`: what was said before, by another name."""


class Advice(Struct, frozen=True, forbid_unknown_fields=True):
    """One request, and the findings it follows from."""

    text: str
    span: Span
    findings: frozenset[str]


def advice(reading: Reading) -> tuple[Advice, ...]:
    """Every request, tied to the findings of its own sentence, else to those it names again or that were named last.

    What a finding was inferred from is meant too: `CT to confirm the fibrosis` is asked for its opacities.
    """
    found, before = [], frozenset[str]()
    for sentence in reading.sentences:
        if sentence.section not in ADVICE_SECTIONS:
            continue
        own = spoken_of(reading, sentence)
        if own and reading.text(sentence.span).lower().startswith(POINTING):
            own |= before
        if spans := requests(reading, sentence, alone=not own):
            meant = own or named_again(reading, sentence) or before
            tied = meant.union(*(reading.finding(id).evidence for id in meant))
            found += [Advice(alike(reading.text(span)), span, tied) for span in spans]
        before = own or before
    return tuple(found)


def spoken_of(reading: Reading, sentence: SentenceReading) -> frozenset[str]:
    """The findings a request can be about; nobody asks for a film because the lungs are otherwise clear."""
    own = [f for f in reading.in_sentence(sentence.index) if f.concept and f.kind != "symptom"]
    return frozenset(f.id for f in own if f.kind != "structure" or f.status == "positive")


def named_again(reading: Reading, sentence: SentenceReading) -> frozenset[str]:
    """Findings said before whose very word the sentence has: of two lesions the one that drainage is advised for."""
    text = reading.text(sentence.span).lower()
    before = (f for f in reading.findings if f.sentence < sentence.index and f.status == "positive")
    there = (f for f in before if f.concept and f.kind not in ("structure", "symptom"))
    return frozenset(f.id for f in there if f.entity.lower() in text)


def requests(reading: Reading, sentence: SentenceReading, alone: bool) -> list[Span]:
    """The parts that hold a request, with an `if …` before them; the whole sentence where it says nothing else.

    `No intervention is needed` asks for nothing.
    """
    text = reading.text(sentence.span).lower()
    cues = [c.span.start - sentence.span.start for c in sentence.cues if c.note == "recommend"]
    cues += [text.index(words) for words in WORDS["asking"] if words in text]
    denied = any(c.note == "negation" and c.span.start == sentence.span.start for c in sentence.cues)
    if denied or not (cues or sentence.kind == "recommendation"):
        return []
    parts = parts_of(text)
    asking = {n for n, p in enumerate(parts) if any(p.start <= at < p.end for at in cues)}
    asking |= {n - 1 for n, p in enumerate(parts) if n and p.of(text).startswith("alternatively")}
    if not asking or (alone and len(asking) < 2 and not text.startswith(POINTING)):
        return [trimmed_phrase(text, Span(0, len(text))).shift(sentence.span.start)]
    found = []
    for n in sorted(asking):
        conditional = n > 0 and parts[n - 1].of(text).strip(" ,;").startswith("if ")
        asked = Span(parts[n - conditional].start, parts[n].end)
        found.append(trimmed_phrase(text, asked).shift(sentence.span.start))
    return found


def parts_of(text: str) -> list[Span]:
    """Spans up to commas and semicolons, and from words that begin a request on.

    >>> [one.of("a, b; c") for one in parts_of("a, b; c")]
    ['a', ', b', '; c']
    """
    begun = {text.index(words) for words in WORDS["asking"] | WORDS["otherwise"] if words in text}
    cuts = sorted({0, len(text)} | begun | {n for n, sign in enumerate(text) if sign in ",;"})
    return [part for part in map(Span, cuts, cuts[1:]) if part.of(text).strip(" ,;")]


def trimmed_phrase(text: str, span: Span) -> Span:
    """The span without blanks, marks and joining words at its ends."""
    words = span.of(text).strip(" .,;")
    while link := next((w for w in WORDS["joining"] if words.startswith((f"{w} ", f"{w},"))), None):
        words = words[len(link) :].lstrip(" ,;")
    end = span.start + len(span.of(text).rstrip(" .,;"))
    return Span(end - len(words), end)
