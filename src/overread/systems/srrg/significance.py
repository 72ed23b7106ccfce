"""How soon somebody must act: the order of the impression, by the table `significance.tsv`."""

from collections.abc import Sequence

from overread.reader import Finding
from overread.systems.srrg.table import features, matching

PLAIN = {"finding": 5, "diagnosis": 5, "structure": 6, "open": 6, "device": 7, "procedure": 7}
"""Rank by kind, where the table has no row."""

QUIET = 8
"""Rank of what is normal, absent or gone."""


def rank(findings: Sequence[Finding]) -> int:
    """The most urgent of the findings decides; 1 is the most urgent.

    A statement that only denies or calls normal comes last, in its own order.
    """
    return min((rank_of(f) for f in findings), default=QUIET)


def rank_of(finding: Finding) -> int:
    if finding.status == "negative" or finding.gone:
        return QUIET
    rows = matching("significance.tsv", finding.concept, features(finding))
    return min((int(row.cells["rank"]) for row in rows), default=PLAIN.get(finding.kind, QUIET - 1))
