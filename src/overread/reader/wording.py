"""Findings in the report's own words."""

import re
from collections.abc import Collection, Iterator
from functools import cache
from itertools import takewhile

from overread.lexicon.load import lines, table_text
from overread.lexicon.words import split
from overread.reader.reading import Finding, Reading
from overread.report.marks import alike
from overread.report.span import Span

UNTOLD = frozenset({"comparison", "past_hx", "other_source", "assessment_limitations"})
"""Attributes that are no words of a finding: which earlier study, who said so."""

OF_TIME = frozenset({"improved", "worsened", "no_change", "onset"}) | UNTOLD
"""Those, and what has become of it: left out where only what is there now counts."""

FUNCTION_WORDS = frozenset(
    "a an the of in on at to is are was were be been has have within with along near from by as into and its for "
    "around about over under above below between behind beneath beyond through throughout against across".split()
)
MOST_SMALL = 4
BOTH = {
    "bilaterally": "on the {}", "both sides": "the {} side", "bilateral": "{}", "both": "the {}",
    "bibasilar": "{} basilar", "bibasal": "{} basal", "biapical": "{} apical",
}  # fmt: skip
OF_ONE = {"are": "is", "were": "was", "have": "has"}
PLURAL_VERB = re.compile(rf"\b(?:{'|'.join(OF_ONE)})\b")
SIDED = re.compile(r"\b(?:left|right)\b", re.IGNORECASE)


def described(finding: Finding) -> bool:
    return any(a.relation not in OF_TIME and a.relation != "location" for a in finding.attributes)


def in_own_words(
    reading: Reading, finding: Finding, without: Collection[str] = OF_TIME
) -> tuple[str, tuple[Span, ...]]:
    """A finding as the report says it, and the words it is made of; attributes `without` which are left out.

    Words of change that stand behind it are no part of its name: *the effusion has decreased*.

    The words that it was read from, in the order of the text, with the small words between them. Every word but *No*,
    *Normal* and *Possible* stands in the report.
    """
    absent = finding.status == "negative"
    denials = (
        [e.span for e in finding.trace[1:] if e.note == "denied"][:1] if absent and not finding.gone else []
    )
    words = [(finding.span, finding.entity)]
    words += [
        (a.span, a.text)
        for a in finding.attributes
        if a.relation not in without and (a.relation not in OF_TIME or a.span.start < finding.span.start)
    ]
    words += [(span, reading.quote(span)) for span in denials]
    said, end = "", 0
    for span, text in sorted(words, key=lambda one: (one[0].start, -one[0].end)):
        if span.start >= end:
            between = alike(reading.report.text[end : span.start])
            said += joint(between) + spoken(text) if said else text
            end = span.end
    before = "No " if finding.gone else ""
    if absent and not denials and not finding.gone and not described(finding):
        before = "Normal " if finding.kind == "structure" else "No "
    if not absent and not finding.gone and finding.certainty == "tentative":
        before = "Possible "
    said = " ".join(said.split()).rstrip(".")
    return before + spoken(said) if before else said, tuple(sorted({span for span, _ in words}))


def spoken(words: str) -> str:
    """Inside a sentence: abbreviations keep their capitals.

    >>> spoken("ET tube"), spoken("Pleural effusion")
    ('ET tube', 'pleural effusion')
    """
    return words if words[:2].isupper() and words[1:2] != " " else words[:1].lower() + words[1:]


def joint(between: str) -> str:
    """What stands between two words of a finding: small words as they are, of others the small ones at the end.

    >>> joint(" is "), joint(" are seen in "), joint(", measuring ")
    (' is ', ' in ', ' ')
    """
    words = [w.form for w in split(between)]
    if len(words) <= MOST_SMALL and FUNCTION_WORDS.issuperset(words):
        return between
    last = list(takewhile(FUNCTION_WORDS.__contains__, reversed(words)))[:MOST_SMALL]
    return f" {' '.join(reversed(last))} " if last else " "


def by_side(said: str) -> Iterator[str]:
    """For each side where both are meant.

    >>> list(by_side("both lungs are clear"))
    ['left lung is clear', 'right lung is clear']
    """
    both = next((w for w in BOTH if re.search(rf"\b{w}\b", said, re.IGNORECASE)), None)
    pair = next((w for w in paired() if re.search(rf"\b{w}\b", said, re.IGNORECASE)), None)
    if both is None and (pair is None or SIDED.search(said)):
        yield said
        return
    for side in ("left", "right"):
        one = (
            said
            if both is None
            else re.sub(rf"\b{both}\b", BOTH[both].format(side), said, flags=re.IGNORECASE)
        )
        if pair is not None:
            named = paired()[pair] if both else f"{side} {paired()[pair]}"
            one = re.sub(rf"\b{pair}\b", named, one, flags=re.IGNORECASE)
            one = PLURAL_VERB.sub(lambda verb: OF_ONE[verb[0]], one)
        yield one.removeprefix("the ")


@cache
def paired() -> dict[str, str]:
    """Names of organs of which there are two, and of one of them; longer names first."""
    rows = lines(table_text("paired"), "paired.tsv", ("plural", "singular"))
    return {row["plural"]: row["singular"] for _, row in rows}
