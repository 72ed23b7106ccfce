"""Descriptive locations: one phrase per site, from a finding's own words; a device as the report tells it."""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from overread.lexicon.lexicon import lexicon
from overread.reader import Attribute, Finding, Reading
from overread.report.marks import RUN, alike
from overread.report.span import Span
from overread.systems.clear.schema import DEVICES, WORDS, Condition

MEASURED = re.compile(r"\d.*(?:mm|cm|millimeters?|centimeters?)\b", re.IGNORECASE)
PART = re.compile(r"\b(\w+) (?:aspect|portion|part|region) of (?:the )?")
"""`Posterior aspect of the right upper lobe`: before a noun, posterior right upper lobe."""

ADJECTIVES = {"mediastinum": "mediastinal", "hilum": "hilar", "hila": "hilar", "axilla": "axillary"}
"""Places that take another form before a noun: a node in the mediastinum is a mediastinal node."""

SPREADING: frozenset[Condition] = frozenset({"Lung Opacity", "Lung Lesion"})
RANKS = {
    "measurement": 0,
    "severity": 0,
    "distribution": 1,
    "placement": 1,
    "past_hx": 2,
    "location": 2,
    "morphology": 3,
}
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
    if condition in WORDS["placeless"] or not (condition == DEVICES or placed(condition, finding)):
        return None
    told = sorted(described_by(reading, condition, finding), key=lambda a: a.span)
    if condition == DEVICES and runs(finding):
        ordered = [a for a in told if a.span < finding.span]
        after = [quoted(reading, finding, [a for a in told if a not in ordered])]
    else:
        behind = [a for a in told if follows_noun(finding, a)]
        ordered = [a for a in told if a not in behind]
        ordered.sort(key=lambda a: (RANKS[a.relation], bool(a.path), a.span < finding.span))
        after = [f", {a.text}" if a.relation == "comparison" else a.text for a in behind]
    own = set(finding.entity.lower().split())
    heads, tails = zip(*map(parted, ordered), strict=True) if ordered else ((), ())
    noun = RUN.sub("device", finding.entity)  # a name that was taken out of the report
    words = [*(h for h in heads if h.lower() not in own), noun, *tails, *after]
    text = " ".join(" ".join(words).split()).lower().replace(" ,", ",")
    return Phrase(site_key(condition, finding), text, (finding.span, *(a.span for a in told)))


def runs(finding: Finding) -> bool:
    """Does it run from one place to another, or is it told where it ends? Then what stands behind it is told so."""
    line = not WORDS["ending"].isdisjoint(lexicon().ancestors(finding.concept or ""))
    return line or any(ends(a) for a in finding.values("placement"))


def ends(placement: Attribute) -> bool:
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


def placed(condition: Condition, finding: Finding) -> bool:
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
        return [*told, *surgery, *filter(ends, finding.values("placement"))]
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


def parted(place: Attribute) -> tuple[str, str]:
    """What goes before the noun, and what points at the place and goes behind it.

    `Left midlung overlying the fifth rib`: left midlung *nodule* overlying the fifth rib. `Opacities on both sides`
    are bilateral, a node `in the hilum` is hilar.
    """
    size = MEASURED.search(place.text) if place.relation == "measurement" else None
    text = size[0] if size else "bilateral" if place.concept == "bilateral" else RUN.sub("", place.text)
    words = PART.sub(r"\1 ", text.replace(",", " ")).split()
    words[-1:] = [ADJECTIVES.get(word.lower(), word) for word in words[-1:]]
    pointing = (n for n, word in enumerate(words) if n and word.lower() in WORDS["pointing_places"])
    cut = next(pointing, len(words))
    return " ".join(words[:cut]), " ".join(words[cut:])


def site_key(condition: Condition, finding: Finding) -> frozenset[str]:
    """What is where; two kinds of device at one place stay two."""
    what = finding.entity.lower() if condition == DEVICES else finding.concept or finding.entity
    places = (f"{a.side} {a.concept}" for a in finding.values("location"))
    return frozenset({what, *places})
