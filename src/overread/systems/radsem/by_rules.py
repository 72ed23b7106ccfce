"""Reading → Atoms: each finding of the findings section as a sentence in the report's own words.

An atom is the words that its finding was read from, in the order of the text, with the small words between them; what
speaks of time is left out, what two sides share is said of each of them. Every word but *No*, *Normal*, *Possible* and
the names of the two sides stands in the report. Whether it says something abnormal is asked of the network.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple

from overread.judge.alignment import align
from overread.lexicon.lexicon import knows_words, lexicon
from overread.lexicon.load import lines, table_text
from overread.lexicon.words import forms_of
from overread.reader import Finding, Reading
from overread.report import Report
from overread.report.marks import alike
from overread.report.span import Span
from overread.systems.radsem.schema import Atom, Atoms, Normality, Side

SPOKEN = ("findings", "addendum")
"""Sections that tell what is seen; the impression says it again."""

NO_FINDINGS = frozenset({"procedure", "history", "symptom"})
OF_TIME = frozenset(
    "improved worsened no_change onset comparison past_hx other_source assessment_limitations".split()
)
"""Attributes that an atom leaves out: it tells what is there now."""

SMALL = frozenset(
    "a an the of in on at to is are was were be been has have within with along near from by as into "
    "and its for".split()
)
WORD = re.compile(r"[a-z]+|[^\sa-z]")
MOST_SMALL = 4
BOTH = {
    "bilaterally": "on the {}", "both sides": "the {} side", "bilateral": "{}", "both": "the {}",
    "bibasilar": "{} basilar", "bibasal": "{} basal", "biapical": "{} apical",
}  # fmt: skip
SIDED = re.compile(r"\b(?:left|right)\b", re.IGNORECASE)
EVEN = 0.5
FIRST = 80
"""Characters of a report without headings in which it may name the examination."""

MODALITIES = {
    "CT": {"ct", "cta", "tomography"},
    "MR": {"mr", "mri", "mra"},
    "ultrasound": {"ultrasound", "sonography", "sonogram"},
    "film": {
        "radiograph",
        "radiographs",
        "xr",
        "cr",
        "film",
        "mammogram",
        "mammography",
        "portable",
        "views",
    },
}


class Worded(NamedTuple):
    """An atom before anybody has judged it."""

    text: str
    finding: Finding
    spans: tuple[Span, ...]


def view(reading: Reading) -> Atoms:
    """The findings section as atoms; a report without headings counts as findings."""
    made = list(worded(reading))
    (abnormal, _) = align([one.text for one in made], ()).abnormal
    return Atoms(
        reading.report.id,
        tuple(atom(one, reading, sure) for one, sure in zip(made, abnormal.tolist(), strict=True)),
        tuple(dict.fromkeys(region for one in made if (region := region_of(one.finding)))),
        modality(reading.report),
    )


def atom(one: Worded, reading: Reading, abnormal: float) -> Atom:
    told = reading.sentences[one.finding.sentence].span
    normality: Normality = "abnormal" if abnormal >= EVEN else "normal"
    return Atom(one.text, normality, told.start, told.end, side_of(one.text), one.spans, one.finding.id)


def side_of(text: str) -> Side:
    named = {word.lower() for word in SIDED.findall(text)}
    return "left" if named == {"left"} else "right" if named == {"right"} else "-"


def region_of(finding: Finding) -> str | None:
    """The part of the body that it lies in."""
    paths = [(*a.path, a.concept) for a in finding.values("location")]
    site = lexicon().concepts.get(finding.concept or "")
    for place in (finding.site, site.site if site else None):
        paths += [anatomy()[place]] if place in anatomy() else []
    return next((path[0] for path in paths if path[0] in REGIONS), None)


REGIONS = frozenset({"head", "neck", "thorax", "abdomen", "pelvis", "spine", "limb"})


@knows_words
@cache
def anatomy() -> dict[str, tuple[str, ...]]:
    """What each place is part of, general to special."""
    return {row.concept: (*row.path, row.concept) for row in lexicon().rows if row.table == "locations"}


def modality(report: Report) -> str:
    """CT, MR, film or ultrasound, where the exam or technique section says so, or the first words of a plain text.

    Under headings another examination is named to compare with: *compared to the prior CT*.
    """
    told = " ".join([s.span.of(report.text) for s in report.section("exam", "technique")])
    said = forms_of(told if report.headed else f"{told} {alike(report.text)[:FIRST]}")
    return next((name for name, names in MODALITIES.items() if not said.isdisjoint(names)), "-")


# ---- words
def worded(reading: Reading, sections: Collection[str] = SPOKEN) -> Iterator[Worded]:
    """The atoms of those sections, identical ones once."""
    seen = set()
    for finding in reading.findings:
        stated = reading.sentences[finding.sentence].kind == "statement"
        if (
            finding.section in sections
            and stated
            and finding.kind not in NO_FINDINGS
            and says_something(finding)
        ):
            words, spans = in_own_words(reading, finding)
            for text in by_side(words):
                if text.lower() not in seen:
                    seen.add(text.lower())
                    yield Worded(text, finding, spans)


def says_something(finding: Finding) -> bool:
    """A structure that is only named says nothing."""
    bare = finding.kind == "structure" and finding.status == "positive" and not finding.implies
    return not bare or described(finding)


def described(finding: Finding) -> bool:
    return any(a.relation not in OF_TIME and a.relation != "location" for a in finding.attributes)


def in_own_words(reading: Reading, finding: Finding) -> tuple[str, tuple[Span, ...]]:
    absent = finding.status == "negative"
    denials = (
        [e.span for e in finding.trace[1:] if e.note == "denied"][:1] if absent and not finding.gone else []
    )
    words = [(finding.span, finding.entity)]
    words += [(a.span, a.text) for a in finding.attributes if a.relation not in OF_TIME]
    words += [(span, reading.quote(span)) for span in denials]
    said, end = "", 0
    for span, text in sorted(words):
        if span.start >= end:
            between = alike(reading.report.text[end : span.start])
            said += (between if said and is_small(between) else " ") + text
            end = span.end
    before = "No " if finding.gone else ""
    if absent and not denials and not finding.gone and not described(finding):
        before = "Normal " if finding.kind == "structure" else "No "
    if not absent and not finding.gone and finding.certainty == "tentative":
        before = "Possible "
    return before + " ".join(said.split()).rstrip("."), tuple(sorted({span for span, _ in words}))


def is_small(between: str) -> bool:
    words = WORD.findall(between.lower())
    return len(words) <= MOST_SMALL and SMALL.issuperset(words)


def by_side(said: str) -> Iterator[str]:
    """For each side where both are meant: *bilateral effusions*, *the lungs*."""
    both = next((w for w in BOTH if re.search(rf"\b{w}\b", said, re.IGNORECASE)), None)
    pair = next((w for w in paired() if re.search(rf"\b{w}\b", said, re.IGNORECASE)), None)
    if both is None and (pair is None or SIDED.search(said)):
        yield sentence(said)
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
        yield sentence(one)


@cache
def paired() -> dict[str, str]:
    """Names of organs of which there are two, and of one of them; longer names first."""
    rows = lines(table_text("paired"), "paired.tsv", ("plural", "singular"))
    return {row["plural"]: row["singular"] for _, row in rows}


def sentence(words: str) -> str:
    """
    >>> sentence("no left effusion")
    'No left effusion.'
    """
    return words[:1].upper() + words[1:] + "."
