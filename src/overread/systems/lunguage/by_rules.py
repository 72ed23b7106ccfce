"""Reading → StructuredReport: nearly one to one, quoted as LUNGUAGE quotes."""

import re
from typing import cast

from overread.lexicon.lexicon import lexicon
from overread.lexicon.words import phrase
from overread.reader import Attribute, Finding, Reading
from overread.reader.reading import Status
from overread.report.marks import BLANKED, alike, hidden
from overread.report.span import Span
from overread.systems.lunguage.schema import Category, Quote, Relation, StructuredFinding, StructuredReport

# ---- quotes: places one by one, `enlargement of the heart` as the heart and its size
QuotedRelation = tuple[str, Span]
"""A relation, and where its words stand."""


def quotes(attribute: Attribute) -> list[QuotedRelation]:
    """An attribute as LUNGUAGE quotes it: places that are whole without each other are two."""
    relation, text, span = attribute.relation, attribute.text, attribute.span
    if relation == "measurement":
        return sizes(text, span)
    first, both, second = text.partition(" and ")
    if relation != "location" or not both or not are_whole_places([first, second]):
        return [(relation, span)]
    parts = Span(span.start, span.start + len(first)), Span(span.end - len(second), span.end)
    return [("location", part) for part in parts]


DENIED_DEGREE = re.compile(r"not (\w+ly) (enlarged)", re.IGNORECASE)
LOOK = re.compile(
    r"(normal|unremarkable) appearance|(within normal limits) for (?:size|contour|appearance).*",
    re.IGNORECASE,
)


def sizes(text: str, span: Span) -> list[QuotedRelation]:
    """`Not grossly enlarged` is a size and its degree, which the status denies; what looks normal is normal."""
    if degree := DENIED_DEGREE.fullmatch(text):
        return [
            (name, Span(*degree.span(n)).shift(span.start))
            for n, name in ((1, "severity"), (2, "measurement"))
        ]
    look = LOOK.fullmatch(text)
    return [("measurement", Span(span.start, span.start + len(look[1] or look[2])) if look else span)]


SHARED_NOUNS = ("region", "regions", "area", "areas")


def are_whole_places(parts: list[str]) -> bool:
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
    return directed if directed and lexicon().described("findings", rest) is not None else None


LOST = re.compile(rf"\b([a-z]+)\s+{BLANKED}\s+$", re.IGNORECASE)


def parted_name(text: str, finding: Finding, said: list[QuotedRelation]) -> tuple[str, list[QuotedRelation]]:
    """`Cardiac ____ generator`: the device's name, in the midst of which a word was taken out, and the rest of it."""
    start = finding.span.start
    lost = LOST.search(text, max(0, start - 40), start) if finding.kind == "device" else None
    if lost is None or lexicon().described("findings", phrase(f"{lost[1]} {finding.entity}")) is None:
        return finding.entity, said
    rest: list[QuotedRelation] = []
    for relation, span in said:
        if span.end == lost.end(1):
            span = Span(span.start, span.start + len(text[span.start : lost.start(1)].rstrip()))
        if span.start < span.end:
            rest.append((relation, span))
    return f"{lost[1]} {finding.entity}", rest


MOSTLY = re.compile(r"\b(?:predominantly|primarily|mainly|mostly)\s+$", re.IGNORECASE)


def with_extent(text: str, said: QuotedRelation) -> QuotedRelation:
    """`Predominantly basal`: how much of it lies there belongs to the place."""
    relation, span = said
    most = MOSTLY.search(text, max(0, span.start - 20), span.start) if relation == "location" else None
    return (relation, Span(most.start(), span.end)) if most else said


SIDE = re.compile(r"(left|right|bilateral|both)\s+(?=\S)", re.IGNORECASE)


def enlarged_part(
    finding: Finding, said: list[QuotedRelation]
) -> tuple[str, Span, list[QuotedRelation]] | None:
    """`Enlargement of the heart` tells of the heart, where that is the only place and a noun.

    The part is the entity, that it is enlarged is its size, and its side its place.
    """
    places = finding.values("location")
    if finding.entity.lower() != "enlargement" or finding.status != "positive" or len(places) != 1:
        return None
    part = places[0]
    if " and " in part.text or place_role(phrase(part.text)) != "noun":
        return None
    side = SIDE.match(part.text)
    begin = side.end() if side else 0
    kept = [one for one in said if one[1] != part.span]
    if side:
        kept.append(("location", Span(*side.span(1)).shift(part.span.start)))
    size = finding.span
    before = next((one for one in kept if one[0] == "measurement" and one[1].end + 1 == size.start), None)
    if before is not None:  # borderline | enlargement of the heart
        kept.remove(before)
        size = Span(before[1].start, size.end)
    return part.text[begin:], Span(part.span.start + begin, part.span.end), [*kept, ("measurement", size)]


# ---- findings
STRUCTURED_SECTIONS = ("indication", "findings", "impression", "addendum")


def view(reading: Reading) -> StructuredReport:
    """The findings of history, findings, impression and what was added later, as LUNGUAGE writes them."""
    kept = [
        f for f in reading.findings if f.section in STRUCTURED_SECTIONS and not reading.describes_another(f)
    ]
    led = {f.id: procedures for f in kept if (procedures := left_by(reading, f))}
    traces = {one.id: f for f in kept for one in led.get(f.id, ())}
    ids = {f.id for f in kept if f.id not in led}
    return StructuredReport(
        reading.report.id, [structured(reading, f, ids, traces.get(f.id)) for f in kept if f.id in ids]
    )


def structured(reading: Reading, finding: Finding, ids: set[str], trace: Finding | None) -> StructuredFinding:
    """`trace`: the changes that a procedure has left, which tell that it was done."""
    text = hidden(reading.report.text)
    said = [with_extent(text, quote) for a in finding.attributes for quote in quotes(a)]
    name, said = parted_name(text, finding, said)
    span = finding.span
    if trace is not None:
        said.append(("past_hx", trace.span))
    if (part := enlarged_part(finding, said)) is not None:
        name, span, said = part
    elif (part_of := part_of_structure(finding)) is not None:
        said.append(("location", Span(*part_of.span(1)).shift(span.start)))
        name, span = name[part_of.end() :], Span(span.start + part_of.end(), span.end)
    attributes: dict[Relation, list[str]] = {}
    spans = {"entity": [span]}
    for relation, where in said:
        attributes.setdefault(cast(Relation, relation), []).append(alike(where.of(text)))
        spans.setdefault(relation, []).append(where)
    return StructuredFinding(
        id=finding.id,
        section=finding.section,
        sentence=Quote.of(reading.sentences[finding.sentence].span, reading.report.text),
        entity=name,
        category=category_of(finding),
        status=status_of(finding),
        certainty=finding.certainty,
        attributes=attributes,
        associate=[i for i in finding.associate if i in ids],
        evidence=[i for i in finding.evidence if i in ids],
        spans=spans,
    )


def category_of(finding: Finding) -> Category:
    """As read; but what no film shows is told by its concept wherever it stands: AIDS in a history is still NCD."""
    known = lexicon().concepts.get(finding.concept or "")
    if finding.category == "PATIENT INFO" and known is not None and known.category in ("NCD", "COF"):
        return cast(Category, known.category)
    return cast(Category, finding.category)


LEFT_BY = re.compile(r"\s+of\s+(?:an?\s+|the\s+)?(?:[\w-]+\s+){0,2}$", re.IGNORECASE)
JOINED = re.compile(r"\s*(?:,|and|/)\s*(?:an?\s+)?", re.IGNORECASE)


def left_by(reading: Reading, finding: Finding) -> list[Finding]:
    """`Postoperative changes of sternotomy and CABG`: the procedures that are told by what they have left."""
    changes = finding.kind == "procedure" and finding.entity.lower().endswith(("changes", "change"))
    if not changes or finding.attributes:
        return []
    found: list[Finding] = []
    end = finding.span.end
    for other in reading.in_sentence(finding.sentence):
        if other.kind != "procedure" or other.span.start <= finding.span.end:
            continue
        if not (JOINED if found else LEFT_BY).fullmatch(reading.text(Span(end, other.span.start))):
            break
        found.append(other)
        end = other.span.end
    return found


def status_of(finding: Finding) -> Status:
    """Of a device that is out: `removed` tells what was done with it, which is asserted; else it is not there."""
    if finding.kind != "device" or not finding.removals:
        return finding.status
    return "positive" if any("remov" in a.text.lower() for a in finding.removals) else "negative"
