"""Reading → StructuredReport: nearly one to one, quoted as LUNGUAGE quotes."""

import re
from typing import cast

from overread.lexicon.lexicon import lexicon
from overread.lexicon.words import phrase
from overread.reader import Attribute, Finding, Reading
from overread.reader.reading import Status
from overread.report.marks import BLANKED
from overread.report.span import Span
from overread.systems.lunguage.schema import Category, Quote, Relation, StructuredFinding, StructuredReport

# ---- quotes: places one by one, `enlargement of the heart` as the heart and its size
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
    return directed if directed and lexicon().described("findings", rest) is not None else None


LOST = re.compile(rf"\b([a-z]+)\s+{BLANKED}\s+$", re.IGNORECASE)


def parted_name(text: str, finding: Finding, said: list[Said]) -> tuple[str, list[Said]]:
    """`Cardiac ____ generator`: the device's name, in the midst of which a word was taken out, and the rest of it."""
    start = finding.span.start
    lost = LOST.search(text, max(0, start - 40), start) if finding.kind == "device" else None
    if lost is None or lexicon().described("findings", phrase(f"{lost[1]} {finding.entity}")) is None:
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


# ---- findings
SECTIONS = ("indication", "findings", "impression", "addendum")


def view(reading: Reading) -> StructuredReport:
    """The findings of history, findings, impression and what was added later, as LUNGUAGE writes them."""
    kept = [f for f in reading.findings if f.section in SECTIONS and not reading.describes_another(f)]
    led = {f.id: procedures for f in kept if (procedures := left_by(reading, f))}
    traces = {one.id: f for f in kept for one in led.get(f.id, ())}
    ids = {f.id for f in kept if f.id not in led}
    return StructuredReport(
        reading.report.id, [structured(reading, f, ids, traces.get(f.id)) for f in kept if f.id in ids]
    )


def structured(reading: Reading, finding: Finding, ids: set[str], trace: Finding | None) -> StructuredFinding:
    """`trace`: the changes that a procedure has left, which tell that it was done."""
    said = [with_extent(reading.report.text, quote) for a in finding.attributes for quote in quotes(a)]
    name, said = parted_name(reading.report.text, finding, said)
    span = finding.span
    if trace is not None:
        said.append(("past_hx", trace.entity, trace.span))
    if (part := enlarged_part(finding)) is not None:
        name, span, said = renamed(finding, part, said)
    elif (part_of := part_of_structure(finding)) is not None:
        said.append(("location", part_of[1], Span(span.start, span.start + len(part_of[1]))))
        name, span = name[part_of.end() :], Span(span.start + part_of.end(), span.end)
    attributes: dict[Relation, list[str]] = {}
    spans = {"entity": [span]}
    for relation, text, where in said:
        attributes.setdefault(cast(Relation, relation), []).append(text)
        spans.setdefault(relation, []).append(where)
    sentence = reading.sentences[finding.sentence].span
    return StructuredFinding(
        id=finding.id,
        section=finding.section,
        sentence=Quote(sentence.start, sentence.end, reading.quote(sentence)),
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
    if (
        finding.kind != "procedure"
        or finding.attributes
        or not finding.entity.lower().endswith(("changes", "change"))
    ):
        return []
    found: list[Finding] = []
    for other in reading.in_sentence(finding.sentence):
        if other.kind != "procedure" or other.span.start <= finding.span.end:
            continue
        end = found[-1].span.end if found else finding.span.end
        gap = reading.text(Span(end, other.span.start))
        if not (JOINED if found else LEFT_BY).fullmatch(gap):
            break
        found.append(other)
    return found


def status_of(finding: Finding) -> Status:
    """Of a device that is out: `removed` tells what was done with it, which is asserted; else it is not there."""
    if finding.kind != "device" or not finding.removals:
        return finding.status
    return "positive" if any("remov" in a.text.lower() for a in finding.removals) else "negative"
