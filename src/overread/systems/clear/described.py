"""How a positive condition is described: a finding with what its evidence lends it."""

from collections.abc import Iterable

from msgspec import structs

from overread.reader import Attribute, Finding, Reading

LENT = ("location", "severity", "improved", "worsened", "no_change", "onset")
"""What an observation lends to the diagnosis drawn from it: `left base opacity, probably atelectasis`."""


def described(reading: Reading, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, each once, with the attributes it takes over from its evidence."""
    return tuple(with_lent(reading, f) for f in unique(findings))


def unique(findings: Iterable[Finding]) -> list[Finding]:
    return list({f.id: f for f in findings}.values())


def with_lent(reading: Reading, finding: Finding) -> Finding:
    """Relations the finding lacks, from the observations that support it."""
    sources = [reading.finding(id) for id in finding.evidence]
    lent = [a for s in sources for r in LENT if not informative(finding, r) for a in s.values(r)]
    site = finding.site or next((s.site for s in sources if s.site), None)
    return structs.replace(extended(finding, lent), site=site)


def informative(finding: Finding, relation: str) -> bool:
    """Does it have words of this relation? A place without a side (`underlying`) may borrow one."""
    return any(relation != "location" or a.side != "-" for a in finding.values(relation))


def extended(finding: Finding, more: Iterable[Attribute]) -> Finding:
    new = [a for a in more if a not in finding.attributes]
    return structs.replace(finding, attributes=(*finding.attributes, *new)) if new else finding
