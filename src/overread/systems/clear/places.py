"""Descriptive locations: one phrase per site, from a finding's own words; a device first, then where it ends."""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct, structs

from overread.lexicon.lexicon import lexicon
from overread.reader import Attribute, Finding, Reading
from overread.report.marks import BLANKED
from overread.report.span import Span
from overread.systems.clear.described import names_lobe
from overread.systems.clear.schema import DEVICES, WORDS, Condition
from overread.systems.tables import names_of

# ---- devices
BLANK_BEFORE = re.compile(rf"\s*{BLANKED}", re.IGNORECASE)
HARDWARE = {"sternotomy": "sternal-wire"}
"""Operations that leave wires: `sternotomy XXXX are intact` lost that word."""

SEEN = (
    r"(?:is|are|was|were|has|now|again|seen|noted|visualized|identified|located|positioned|"
    r"lies?|lying|sits?|rests?|resid(?:es?|ing))"
)
ITS_TIP = re.compile(rf"(?:(?:with|and|has|its|the)\s+)*((?:distal\s+|catheter\s+)*tips?)\s+(?:{SEEN}\s+)*")
"""The tip of a device, and words that only say that it is seen."""

PREPOSITION = re.compile(r"\b(?:in|at|within|over|overlying|near|above|below|into|to)(?:\s+the)?\s*$")
OPENING = re.compile(
    r"(?:in|at|within|over|overlying|near|above|below|into|to|project\w*|terminat\w*|ending|cours\w*|approximat\w*|\d)\b"
)
GOING = {
    "terminates ": "terminating ",
    "projects ": "projecting ",
    "ends ": "ending ",
    "overlies ": "overlying ",
}


def with_hardware(reading: Reading, finding: Finding) -> Finding:
    """The device that a blank hides behind the operation it is from."""
    hidden = HARDWARE.get(finding.concept or "")
    if not hidden or finding.status == "negative" or not BLANK_BEFORE.match(reading.seen[finding.span.end :]):
        return finding
    return structs.replace(finding, kind="device", concept=hidden)


def device_named(finding: Finding) -> str:
    """The device without its tip, and by some name: `left chest XXXX` is a device."""
    return (
        BLANK_BEFORE.sub(" device", finding.entity.lower()).strip().removesuffix(" tip").removesuffix(" tips")
    )


def ending(reading: Reading, finding: Finding, text: str, span: Span) -> str:
    """Where it ends: `with tip at the lower SVC`, `in the mid SVC`.

    The words before the place say whether it is the tip; a place that came without a preposition takes the
    one that stands there.
    """
    told = BLANK_BEFORE.sub("", text.lower()).strip()
    for verb, going in GOING.items():
        told = told.replace(verb, going)
    if tip := ITS_TIP.match(told):
        return f"with {tip.group(1)} {led(told[tip.end() :], '', 'at the')}"
    begin = max(finding.span.end, span.start - MOST_BETWEEN)
    gap = reading.text(Span(begin, max(begin, span.start))).lower()
    before = BLANK_BEFORE.sub("", gap)
    tipped = finding.entity.lower().endswith(("tip", "tips")) or re.search(r"\btips?\b", before)
    return f"with tip {led(told, before, 'at the')}" if tipped else led(told, before)


MOST_BETWEEN = 1_000
"""Characters before a place among which its preposition is looked for: those of a sentence."""


def led(place: str, before: str, else_by: str = "") -> str:
    """A place with the preposition that leads to it."""
    found = PREPOSITION.search(before)
    preposition = "" if OPENING.match(place) else found.group().strip() if found else else_by
    return f"{preposition} {place}".strip()


# ---- phrases


MEASURED = re.compile(r"\d.*(?:mm|cm|millimeters?|centimeters?)\b", re.IGNORECASE)


ADJECTIVES = {"mediastinum": "mediastinal", "hilum": "hilar", "hila": "hilar", "axilla": "axillary"}
"""Places that take another form before a noun: clips in the mediastinum are mediastinal clips."""

PART = re.compile(r"\b(\w+) (?:aspect|portion|part|region) of (?:the )?")
"""`Posterior aspect of the right upper lobe`: before a noun, posterior right upper lobe."""

BLANK = re.compile(BLANKED, re.IGNORECASE)
"""A name taken out of the report; what is left shows that it was a device."""

OF = re.compile(rf"\s+{BLANKED}\s+the\b", re.IGNORECASE)
ADVERB = re.compile(r"\b(\w+(?:al|or|ar))(?:ly)\b")
"""`Left upper lobe, peripherally`: before a noun, peripheral."""

SPREADING: frozenset[Condition] = frozenset({"Lung Opacity", "Lung Lesion"})


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
        drawn_from = ids & set(finding.evidence) if condition == "Lung Opacity" else set()
        if drawn_from and not elsewhere(reading, finding, drawn_from):
            continue  # `opacity, probably atelectasis`: one thing at one place
        phrase = phrase_of(reading, condition, finding)
        if phrase is not None and len(phrase.text) > len(kept[phrase.key].text if phrase.key in kept else ""):
            kept[phrase.key] = phrase
    phrases = list({phrase.text: phrase for phrase in kept.values()}.values())
    around = (phrases[max(0, n - MOST_AROUND) : n + MOST_AROUND] for n in range(len(phrases)))
    return tuple(p for p, some in zip(phrases, around, strict=True) if not any(says_more(q, p) for q in some))


def elsewhere(reading: Reading, finding: Finding, signs: set[str]) -> bool:
    """Is it in a lobe that none of its signs is said to be in?"""
    own = reading.finding(finding.id)
    told = {a.concept for id in signs for a in reading.finding(id).values("location")}
    return names_lobe(own) and not any(a.concept in told for a in own.values("location"))


def says_more(one: Phrase, other: Phrase) -> bool:
    """Does it say all that the other does, and more? `Right PICC with tip in the SVC`, `right PICC`."""
    longer = iter(one.text.split())
    return one.text != other.text and all(
        word in longer for word in other.text.split() if word not in WORDS["articles"]
    )


def phrase_of(reading: Reading, condition: Condition, finding: Finding) -> Phrase | None:
    """`left lower lobe patchy opacity`; None when no place is named (a device needs none).

    Words before the noun keep their order behind size and number; a place named after it goes to the front
    (`patchy opacity in the left base`: left base patchy opacity), unless its preposition says more than `in`.
    """
    if condition in WORDS["placeless"] or (condition != DEVICES and not placed(condition, finding)):
        return None
    told = sorted(described_by(reading, condition, finding), key=lambda a: a.span)
    before = [a for a in told if a.span < finding.span and not follows_noun(a) and a.relation != "comparison"]
    before += [a for a in told if a not in before and measured(a)]  # a nodule that measures 8 mm
    behind = [a for a in told if a not in before]
    front = [a for a in behind if a.relation == "location" and not follows_noun(a) and not at_tip(finding, a)]
    front = [a for a in front if not most_of_it(finding, a)]
    looks = [a for a in behind if a.relation == "morphology" and condition != DEVICES]
    before += [a for a in looks if " " not in a.text]
    after = [a for a in behind if a not in front and a not in before]
    first = [a for a in before if a.relation in ("measurement", "severity")]
    ordered = [*first, *sides_first(front, [a for a in before if a not in first])]
    entity = set(finding.entity.lower().split())
    heads, tails = zip(*map(split, ordered), strict=True) if ordered else ((), ())
    behind_it = [behind_noun(reading, finding, a) for a in after]
    words = [*(h for h in heads if h.lower() not in entity), noun(finding, after), *tails, *behind_it]
    text = " ".join(" ".join(words).split()).lower().replace(" ,", ",")
    return Phrase(site_key(condition, finding), text, (finding.span, *(a.span for a in told)))


def sides_first(front: list[Attribute], before: list[Attribute]) -> list[Attribute]:
    """Both sides, then the place, then the looks: `calcified left hilar node` is a left hilar calcified one."""
    both = [a for a in before if a.text.lower() == "bilaterally"]
    rest = [a for a in before if a not in both]
    cut = max((n + 1 for n, a in enumerate(rest) if a.relation == "location" and a.side != "-"), default=0)
    looks = [a for a in rest[:cut] if a.relation == "morphology"]
    return [*both, *front, *(a for a in rest[:cut] if a not in looks), *looks, *rest[cut:]]


def placed(condition: Condition, finding: Finding) -> bool:
    """Is a place named, or at least a spread? `Scattered granulomas` are all over the lung."""
    if any(a.path or a.side != "-" for a in finding.values("location")):
        return True
    spread = any(a.concept != "focal" for a in finding.values("distribution"))
    words = finding.entity.lower().split()
    pattern = "interstitial" in words and words[-1] not in ("disease", "edema")
    return condition in SPREADING and (spread or pattern)


def behind_noun(reading: Reading, finding: Finding, told: Attribute) -> str:
    if finding.kind == "device" and told.relation in ("placement", "location"):
        return ending(reading, finding, told.text, told.span)
    if told.relation == "comparison":
        return f", {told.text}"
    if most := most_of_it(finding, told):
        return f", {most.text} in the {told.text}"
    return told.text.removeprefix("its ")


def most_of_it(finding: Finding, place: Attribute) -> Attribute | None:
    """The word that makes a place only where most of it is: `scattered, most notably in the right middle lobe`."""
    words = [a for a in finding.values("comparison") if a.concept == "predominant" and finding.span < a.span]
    return next((a for a in words if place.relation == "location" and a.span < place.span), None)


def described_by(reading: Reading, condition: Condition, finding: Finding) -> list[Attribute]:
    """The words that belong into the phrase: places, looks, size and number; a device's tip.

    How small the sign was from which it is inferred is no size of its own.
    """
    own = reading.finding(finding.id).attributes
    sizes = [a for a in finding.values("measurement") if counts(finding, a)]
    degree = [a for a in finding.values("severity") if a in own] if condition in WORDS["sized"] else []
    tips = finding.values("placement") if condition == DEVICES else ()
    looks = [
        a
        for a in finding.values("location", "distribution", "morphology")
        if a.concept not in WORDS["no_descriptor"]
    ]
    after_surgery = finding.values("past_hx") if condition == DEVICES else ()
    return [
        *looks,
        *sizes,
        *degree,
        *(a for a in tips if says_where(a)),
        *(a for a in finding.values("comparison") if condition != DEVICES and "than" in a.text.split()),
        *(a for a in after_surgery if a.span < finding.span and a.text.lower().startswith("post")),
    ]


def says_where(placement: Attribute) -> bool:
    """Is it where a device ends? Words that no row knows are when they open as a place does."""
    if placement.concept in WORDS["tip"] or "thorax" in placement.path:
        return True
    words = placement.text.lower()
    return not placement.path and " " in words and bool(OPENING.match(words) or ITS_TIP.match(words))


def counts(finding: Finding, told: Attribute) -> bool:
    """Is it a number, a measured size, or a size before the noun? Not `of varying sizes`, nor `a few`.

    What is measured of a device is how far it is from where it should be.
    """
    if finding.kind == "device" and measured(told):
        return False
    if told.path[:1] == ("quantity",):
        return WORDS["uncounted"].isdisjoint(told.text.lower().split())
    return told.path[:1] == ("size",) and (measured(told) or told.span < finding.span)


def measured(told: Attribute) -> bool:
    return told.relation == "measurement" and MEASURED.search(told.text) is not None


def noun(finding: Finding, after: Sequence[Attribute]) -> str:
    """The entity; a device whose end is told behind it stands without its tip."""
    if finding.kind == "device" and after:
        return device_named(finding)
    if finding.concept == "fluid" and "pleura" not in finding.entity.lower():
        return f"pleural {finding.entity}"
    return BLANK.sub("device", finding.entity.lower()) if finding.kind == "device" else finding.entity


def adjective(place: Attribute) -> str:
    """`Opacities bilaterally` are bilateral opacities, clips `in the mediastinum` mediastinal clips."""
    if place.concept == "bilateral":
        return "bilateral"
    words = [ADVERB.sub(r"\1", word) for word in PART.sub(r"\1 ", unblanked(place.text)).split()]
    return " ".join([*words[:-1], ADJECTIVES.get(words[-1].lower(), words[-1])]) if words else ""


def unblanked(text: str) -> str:
    """`Superior segment XXXX the left lower lobe` lost its `of`."""
    return " ".join(BLANK.sub("", OF.sub(" of the", text)).replace(",", " ").split())


def split(place: Attribute) -> tuple[str, str]:
    """What goes before the noun, and what points at the place and goes behind it.

    `Left midlung overlying the fifth rib`: left midlung *nodule* overlying the fifth rib.
    """
    size = MEASURED.search(place.text) if measured(place) else None
    words = size[0].split() if size else adjective(place).split()
    cut = next(
        (n for n, word in enumerate(words) if n and word.lower() in WORDS["pointing_places"]), len(words)
    )
    return " ".join(words[:cut]), " ".join(words[cut:])


def at_tip(finding: Finding, place: Attribute) -> bool:
    """`Right PICC tip is at the SVC`: where a tip is comes behind it."""
    if finding.kind != "device" or not place.path:
        return False
    ends = finding.entity.lower().split()[-1] in ("tip", "tips")
    runs = not WORDS["ending"].isdisjoint(lexicon().ancestors(finding.concept or ""))
    return ends or (runs and "chest-wall" not in names_of(place) and place.concept not in WORDS["surface"])


def follows_noun(place: Attribute) -> bool:
    """Does the place open with a preposition of its own? `along the left chest wall`"""
    first, _, rest = place.text.lower().partition(" ")
    return bool(rest) and first in WORDS["prepositions"]


def site_key(condition: Condition, finding: Finding) -> frozenset[str]:
    """What is where; two kinds of device at one place stay two."""
    what = finding.entity.lower() if condition == DEVICES else finding.concept or finding.entity
    places = (f"{a.side} {a.concept}" for a in finding.values("location"))
    return frozenset({what, *places})
