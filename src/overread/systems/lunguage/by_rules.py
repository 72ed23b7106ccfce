"""Reading → StructuredReport: nearly one to one."""

from typing import cast

from overread.reader import Finding, Reading
from overread.systems.lunguage.schema import Category, Quote, Relation, StructuredFinding, StructuredReport

SECTIONS = ("indication", "findings", "impression", "addendum")


def view(reading: Reading) -> StructuredReport:
    """The findings of history, findings, impression and what was added later, as LUNGUAGE writes them."""
    kept = [f for f in reading.findings if f.section in SECTIONS]
    ids = {f.id for f in kept}
    return StructuredReport(reading.report.id, [structured(reading, f, ids) for f in kept])


def structured(reading: Reading, finding: Finding, ids: set[str]) -> StructuredFinding:
    attributes: dict[Relation, list[str]] = {}
    spans = {"entity": [finding.span]}
    for a in finding.attributes:
        relation = cast(Relation, a.relation)
        attributes.setdefault(relation, []).append(a.text)
        spans.setdefault(a.relation, []).append(a.span)
    sentence = reading.sentences[finding.sentence].span
    return StructuredFinding(
        id=finding.id,
        section=finding.section,
        sentence=Quote(sentence.start, sentence.end, reading.quote(sentence)),
        entity=finding.entity,
        category=cast(Category, finding.category),
        status="positive" if taken_out(finding) else finding.status,
        certainty=finding.certainty,
        attributes=attributes,
        associate=[i for i in finding.associate if i in ids],
        evidence=[i for i in finding.evidence if i in ids],
        spans=spans,
    )


def taken_out(finding: Finding) -> bool:
    """A removed device is positive, with its removal: `extubated` no less than `tube removed`."""
    words = [a for a in finding.attributes if a.relation == "placement"]
    return finding.kind == "device" and any(a.path[:1] == ("removed",) for a in words)
