"""Places as a sentence gives them: each counted bone, parts of a whole, without the title's and what is touched."""

import re

from msgspec.structs import replace

from overread.lexicon.lexicon import lexicon
from overread.reader import Attribute, Finding
from overread.systems.ledger.where import NUMBERED, SERIES
from overread.systems.ledger.words import Words, overlaps

NUMBERS = re.compile(
    r"(?:\s+numbers?)?\s+\d{1,2}(?:\s*(?:-|–|,|and|&|to|through)\s*(?:and\s+)?\d{1,2})*(?![\w%.]*\d|\s*[cm]m\b)",
    re.I,
)
ON = re.compile(r"([CTLS]\d{1,2}) (?:on|over|upon) ([CTLS]\d{1,2})\b")
AFTER_ON = re.compile(r"\b[CTLS]\d{1,2} (?:on|over|upon) $")
"""`L4 on L5`: a vertebra that slipped on the next."""

COUNT = re.compile(
    rf"(?:\b(?:left|right)\s+)?(?:{NUMBERED.pattern}\s*(?:,\s*and|,|and|&|to|through|thru|-|–)\s*)+$",
    re.IGNORECASE,
)
WITH_NEXT = re.compile(
    r",? (?:with|and)(?: associated| mild| moderate| severe| some| small)? ", re.IGNORECASE
)
AHEAD = re.compile(r"\b(?:proximal|distal)\s+$", re.IGNORECASE)
OF = re.compile(r"\s+of (?:the )?$", re.IGNORECASE)
TOUCHED = re.compile(
    r"\b(?:obscur|silhouett|effac|obliterat|abut|compress|displac|deviat|push|contact|blunt|indent|encas|invad|eras)\w*\s+"
    r"(?:of |on |against )?(?:the )?$",
    re.IGNORECASE,
)
"""Words whose object is where a finding reaches, not where it is."""


def placed(finding: Finding, words: Words) -> Finding:
    """The finding with its places mended."""
    if not finding.attributes:
        return finding
    kept = [whole_text(a, finding, words) for a in finding.attributes if not is_elsewhere(a, finding, words)]
    changed = tuple(kept)
    return part_of_whole(
        finding if changed == finding.attributes else replace(finding, attributes=changed), words
    )


def is_elsewhere(attribute: Attribute, finding: Finding, words: Words) -> bool:
    """Is it a place that only the title of the examination names, that another finding moves to, or that is touched?"""
    if attribute.relation != "location":
        return False
    return (
        words.is_title(finding, attribute.span)
        or words.is_of_shift(finding, attribute.span)
        or is_touched(attribute, finding, words)
        or is_of_description(attribute, finding, words)
        or is_of_count(attribute, finding)
        or AFTER_ON.search(
            words.text, max(finding.span.start, attribute.span.start - 16), attribute.span.start
        )
        is not None
    )


def is_of_description(attribute: Attribute, finding: Finding, words: Words) -> bool:
    """`Meniscus sign at the base`: a word of the sign's name, not a place; one with a side is a place all the same."""
    return any(
        n.shown
        and n.start <= attribute.span.start < n.end
        and (attribute.side == "-" or not overlaps(n, finding.span))
        for n in words.diseases.get(finding.sentence, ())
    )


def is_of_count(attribute: Attribute, finding: Finding) -> bool:
    """`Third through fifth ribs`: the first number belongs to the ribs."""
    return attribute.concept.startswith("ordinal-") and any(
        SERIES.search(a.text) for a in finding.values("location")
    )


def is_touched(attribute: Attribute, finding: Finding, words: Words) -> bool:
    """`Opacity in the middle lobe obscuring the heart border`: it lies in the lobe."""
    others = [a for a in finding.values("location") if a is not attribute and a.path]
    if not others or finding.kind == "structure" or attribute.span.start < finding.span.end:
        return False
    return (
        TOUCHED.search(words.text, max(finding.span.end, attribute.span.start - 30), attribute.span.start)
        is not None
    )


def whole_text(attribute: Attribute, finding: Finding, words: Words) -> Attribute:
    """A place with the numbers that follow it: `left ribs 7 and 8`."""
    if attribute.relation != "location":
        return attribute
    if (pair := ON.match(words.text, attribute.span.start, words.end(finding))) is not None:
        return replace(attribute, text=f"{pair[1]}-{pair[2]}", places=())
    if (
        attribute.path
        and not attribute.places[1:]
        and (ahead := AHEAD.search(words.text, max(0, attribute.span.start - 12), attribute.span.start))
    ):
        return replace(attribute, text=ahead[0] + attribute.text, places=())  # `proximal` right humerus
    if not SERIES.search(attribute.text):
        return attribute
    before = COUNT.search(
        words.text, max(words.start(finding), attribute.span.start - 40), attribute.span.start
    )
    after = NUMBERS.match(words.text, attribute.span.end, words.end(finding))
    if before is None and after is None:
        return attribute
    told = (before[0] if before else "") + attribute.text + (after[0] if after else "")
    return replace(attribute, text=told, places=())


def part_of_whole(finding: Finding, words: Words) -> Finding:
    """`The neck of the left femur is fractured`: the structure is a part of what follows it."""
    for a in finding.values("location") if finding.kind == "structure" else ():
        between = words.text[finding.span.end : a.span.start]
        if a.span.start > finding.span.end and OF.fullmatch(between):
            told = replace(a, text=f"{finding.entity}{between}{a.text}", places=())
            rest = tuple(told if other is a else other for other in finding.attributes)
            return replace(finding, concept=a.concept, attributes=rest)
    return finding


def with_places(findings: list[Finding]) -> list[Finding]:
    """`Hematoma along the left convexity`: a shape said as a place belongs to the finding beside it."""
    kept: list[Finding] = []
    for f in findings:
        if kept and is_of_head(f) and kept[-1].sentence == f.sentence:
            kept[-1] = replace(kept[-1], attributes=kept[-1].attributes + f.attributes)
        elif kept and is_of_head(kept[-1]) and kept[-1].sentence == f.sentence:
            kept[-1] = replace(f, attributes=f.attributes + kept[-1].attributes)
        elif f.concept == "displacement" and kept and is_of_fracture(f, kept[-1]):
            kept[-1] = replace(kept[-1], attributes=(*kept[-1].attributes, displaced(f)))
        else:
            kept.append(f)
    return kept


def shared(findings: list[Finding], words: Words) -> list[Finding]:
    """`Bronchiectasis with mucus plugging in the right lower lobe`: the place is of both."""
    kept = list(findings)
    for n in range(len(kept) - 2, -1, -1):
        one, two = kept[n], kept[n + 1]
        later = [a for a in two.values("location") if a.span.start > two.span.end and a.path]
        if later and is_joined(one, two, words) and not one.values("location"):
            kept[n] = replace(one, attributes=(*one.attributes, *later))
    return kept


def is_joined(one: Finding, two: Finding, words: Words) -> bool:
    """Are they two findings of one organ, with nothing but `with` or `and` between them?"""
    if one.sentence != two.sentence or one.site is None or one.site != two.site:
        return False
    if "device" in (one.kind, two.kind) or one.status != two.status:
        return False
    return WITH_NEXT.fullmatch(words.text, one.span.end, two.span.start) is not None


def is_of_head(finding: Finding) -> bool:
    """Is it the convexity of the brain, a place rather than a finding?"""
    if finding.concept != "convexity":
        return False
    return not any(a.path and a.path[0] not in ("head", "body") for a in finding.values("location"))


def is_of_fracture(finding: Finding, before: Finding) -> bool:
    """`Fracture with displacement`, `without displacement`: said of the fracture before it."""
    return before.sentence == finding.sentence and "fracture" in lexicon().ancestors(before.concept or "")


def displaced(finding: Finding) -> Attribute:
    concept = "displaced" if finding.status == "positive" else "nondisplaced"
    return Attribute("morphology", finding.entity, finding.span, concept, ("condition",), "-", "ledger")
