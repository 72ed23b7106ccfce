"""How LUNGUAGE quotes what was read: places one by one, `enlargement of the heart` as the heart and its size."""

import re

from overread.lexicon.lexicon import lexicon
from overread.lexicon.words import phrase
from overread.reader import Attribute, Finding
from overread.report.marks import BLANKED
from overread.report.span import Span

Said = tuple[str, str, Span]
"""A relation, its words, and where they stand."""


def quotes(attribute: Attribute) -> list[Said]:
    """An attribute as LUNGUAGE quotes it: places that are whole without each other are two."""
    text, span = attribute.text, attribute.span
    if attribute.relation == "measurement":
        return sizes(text, span)
    if attribute.relation == "morphology" and text.lower() == "alveolar":
        return [("location", text, span)]
    if attribute.relation != "location" or " and " not in text:
        return [(attribute.relation, text, span)]
    first = text.index(" and ")
    parts = [text[:first], text[first + len(" and ") :]]
    if not whole(parts):
        return [("location", text, span)]
    ends = [Span(span.start, span.start + first), Span(span.end - len(parts[1]), span.end)]
    return [("location", part, end) for part, end in zip(parts, ends, strict=True)]


DENIED_DEGREE = re.compile(r"not (\w+ly) (enlarged)", re.IGNORECASE)
LOOK = re.compile(
    r"(normal|unremarkable) appearance|(within normal limits) for (?:size|contour|appearance).*",
    re.IGNORECASE,
)


def sizes(text: str, span: Span) -> list[Said]:
    """`Not grossly enlarged` is a size and its degree, which the status denies; what looks normal is normal."""
    degree = DENIED_DEGREE.fullmatch(text)
    if degree is not None:
        return [
            ("severity", degree[1], within(span, degree.span(1))),
            ("measurement", degree[2], within(span, degree.span(2))),
        ]
    look = LOOK.fullmatch(text)
    kept = (look[1] or look[2]) if look else text
    return [("measurement", kept, Span(span.start, span.start + len(kept)) if look else span)]


def within(span: Span, part: tuple[int, int]) -> Span:
    return Span(span.start + part[0], span.start + part[1])


SHARED_NOUNS = ("region", "regions", "area", "areas")


def whole(parts: list[str]) -> bool:
    """`Left upper lobe and lingula`, `mediastinal and hilar`; not `hilar and perihilar region`, which share a noun."""
    roles = [place_role(phrase(part)) for part in parts]
    shared = roles == ["adj", "noun"] or (roles[0] == "adj" and parts[1].lower().endswith(SHARED_NOUNS))
    sided = all(
        part.lower().startswith(("left ", "right ")) for part in parts
    )  # left hilar and left lower lobe
    return "dir" not in roles and None not in roles and (sided or not shared)


def place_role(words: str) -> str | None:
    """Is the last word of a place a noun, an adjective or a direction?"""
    parts = words.split()
    rows = (lexicon().described("locations", " ".join(parts[n:])) for n in range(len(parts)))
    return next((row.role for row in rows if row is not None), None)


DIRECTED = re.compile(
    r"(upper|lower|central|superior|inferior|anterior|posterior)\s+(?!abdomen)(?=\S)", re.IGNORECASE
)


def part_of_structure(finding: Finding) -> re.Match[str] | None:
    """`Upper mediastinum` is the mediastinum, and where in it: the word, where the rest is known without it."""
    directed = DIRECTED.match(finding.entity) if finding.kind == "structure" else None
    rest = phrase(finding.entity[directed.end() :]) if directed else ""
    return directed if directed and lexicon().named(rest) is not None else None


LOST = re.compile(rf"\b([a-z]+)\s+{BLANKED}\s+$", re.IGNORECASE)


def parted_name(text: str, finding: Finding, said: list[Said]) -> tuple[str, list[Said]]:
    """`Cardiac ____ generator`: the device's name, in the midst of which a word was taken out, and the rest of it."""
    start = finding.span.start
    lost = LOST.search(text, max(0, start - 40), start) if finding.kind == "device" else None
    if lost is None or lexicon().named(phrase(f"{lost[1]} {finding.entity}")) is None:
        return finding.entity, said
    rest = [cut_before(one, lost.start(1)) if one[2].end == lost.end(1) else one for one in said]
    return f"{lost[1]} {finding.entity}", [one for one in rest if one[1]]


def cut_before(said: Said, end: int) -> Said:
    relation, words, span = said
    kept = words[: max(0, end - span.start)].rstrip()
    return relation, kept, Span(span.start, span.start + len(kept))


MOSTLY = re.compile(r"\b(?:predominantly|primarily|mainly|mostly)\s+$", re.IGNORECASE)


def with_extent(text: str, said: Said) -> Said:
    """`Predominantly basal`: how much of it lies there belongs to the place."""
    relation, words, span = said
    most = MOSTLY.search(text, max(0, span.start - 20), span.start) if relation == "location" else None
    return (
        said
        if most is None
        else (relation, text[most.start() : span.start] + words, Span(most.start(), span.end))
    )


SIDE = re.compile(r"(left|right|bilateral|both)\s+(?=\S)", re.IGNORECASE)


def enlarged_part(finding: Finding) -> Attribute | None:
    """`Enlargement of the heart` tells of the heart: the place, where it is the only one and a noun."""
    places = finding.values("location")
    said = finding.entity.lower() == "enlargement" and finding.status == "positive"
    if not said or len(places) != 1 or " and " in places[0].text:
        return None
    return places[0] if place_role(phrase(places[0].text)) == "noun" else None


def renamed(finding: Finding, part: Attribute, said: list[Said]) -> tuple[str, Span, list[Said]]:
    """The part as entity, that it is enlarged as its size, and its side as its place."""
    side = SIDE.match(part.text)
    begin = side.end() if side else 0
    kept = [one for one in said if one[2] != part.span]
    if side:
        kept.append(("location", side[1], Span(part.span.start, part.span.start + len(side[1]))))
    size, where = finding.entity, finding.span
    before = next((one for one in kept if one[0] == "measurement" and one[2].end + 1 == where.start), None)
    if before is not None:  # borderline | enlargement of the heart
        kept.remove(before)
        size, where = f"{before[1]} {size}", Span(before[2].start, where.end)
    kept.append(("measurement", size, where))
    return part.text[begin:], Span(part.span.start + begin, part.span.end), kept
