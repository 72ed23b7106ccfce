"""Shadows that are nothing: overlapping structures and artifacts are no disease."""

import re

from overread.reader import Finding, Reading
from overread.report.span import Span

OVERLAP = re.compile(
    r"\W*(?:\w+\W+){0,2}?(?:overlap\w*|overlay\w*|superimpos\w*|summation|confluence|artifact\w*|"
    r"overlying (?:soft|breast|bony|osseous|shadow))",
    re.IGNORECASE,
)
"""What follows `due to` or `represents` where nothing is there: `density due to overlapping soft tissues`."""

UNNAMED = frozenset({"open", "structure"})
"""Kinds of findings that are no disease by themselves."""


def overlaid(reading: Reading, finding: Finding) -> bool:
    """Is it said to be nothing but structures that overlap, or an artifact? Not where it only may be."""
    if any(a.text.lower() == "artifactual" for a in finding.values("assessment_limitations")):
        return True
    sentence = reading.sentences[finding.sentence]
    links = [c.span.end for c in sentence.cues if c.note == "link" and c.span.start >= finding.span.end]
    named = (f for f in reading.in_sentence(finding.sentence) if f.kind not in UNNAMED)
    if not links or any(f.span.start >= links[0] for f in named):
        return False
    return OVERLAP.match(reading.text(Span(links[0], sentence.span.end))) is not None
