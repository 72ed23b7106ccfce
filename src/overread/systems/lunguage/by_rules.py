"""Reading → StructuredReport: nearly one to one."""

import re
from typing import cast

from overread.lexicon.lexicon import lexicon
from overread.reader import Finding, Reading
from overread.reader.reading import Status
from overread.report.span import Span
from overread.systems.lunguage.quoting import (
    enlarged_part,
    part_of_structure,
    parted_name,
    quotes,
    renamed,
    with_extent,
)
from overread.systems.lunguage.schema import Category, Quote, Relation, StructuredFinding, StructuredReport

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
