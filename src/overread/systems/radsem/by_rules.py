"""Reading → Atoms: each finding of the findings section as a sentence in the report's own words.

What speaks of time is left out, what two sides share is said of each of them (`reader/wording.py`). A sentence in which
no finding was read is an atom as it stands, if the network hears something abnormal in it, or surely nothing abnormal.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from overread.judge.beside import Beside, asked
from overread.lexicon.lexicon import lexicon
from overread.lexicon.words import forms_of
from overread.reader import Finding, Reading
from overread.reader.wording import SIDED, by_side, described, in_own_words
from overread.report import Report
from overread.report.marks import alike
from overread.report.span import Span
from overread.systems.radsem.schema import Atom, AtomChange, Atoms, AtomSide, Normality

SPOKEN = ("findings", "addendum")
"""Sections that tell what is seen; the impression says it again."""

NO_FINDINGS = frozenset({"procedure", "history", "symptom"})
ABNORMAL, LIKELY, SURELY = "There is an abnormal finding.", 0.6, 0.9
"""What the network was taught to be asked of a statement; from which probability on its denial makes it normal."""

TITLE_REACH = 80
"""Characters of a report without headings in which it may name the examination."""

MODALITIES = {
    "CT": "ct cta tomography",
    "MR": "mr mri mra",
    "ultrasound": "ultrasound sonography sonogram",
    "film": "radiograph radiographs xr cr film mammogram mammography portable views",
}


class Worded(NamedTuple):
    """The words of an atom and what they were read from."""

    text: str
    finding: Finding
    spans: tuple[Span, ...]

    @property
    def normality(self) -> Normality:
        """What is not there, or not what the name says, is normal."""
        return "normal" if self.finding.status == "negative" or self.finding.gone else "abnormal"


def view(reading: Reading) -> Atoms:
    """The findings section as atoms; a report without headings counts as findings."""
    made = list(worded(reading))
    told = [s.span for s in reading.sentences if s.kind == "statement" and s.section in SPOKEN]
    atoms = [atom(one, reading) for one in made]
    atoms += unread(set(told) - {reading.sentences[one.finding.sentence].span for one in made}, reading)
    return Atoms(
        reading.report.id,
        tuple(sorted(atoms, key=lambda atom: atom.start)),
        tuple(dict.fromkeys(region for one in made if (region := region_of(one.finding)))),
        modality(reading.report),
        told=tuple(in_one_line(span, reading) for span in told),
    )


def atom(one: Worded, reading: Reading) -> Atom:
    told = reading.sentences[one.finding.sentence].span
    return Atom(
        one.text, one.normality, told.start, told.end,
        side=side_of(one.text), change=change_of(one.finding), spans=one.spans, finding=one.finding.id,
        sentence=in_one_line(told, reading),
    )  # fmt: skip


def unread(spans: Collection[Span], reading: Reading) -> Iterator[Atom]:
    """Sentences in which no finding was read, but something abnormal, or surely nothing abnormal, is heard."""
    texts = {in_one_line(span, reading): span for span in sorted(spans)}
    for text, span in texts.items():
        normality = heard_of(asked(text, ABNORMAL))
        if normality is not None:
            yield Atom(
                text, normality, span.start, span.end, side=side_of(text), spans=(span,), sentence=text
            )


def heard_of(found: Beside) -> Normality | None:
    """Of what says nothing of the patient the network is less sure that it is normal."""
    if min(found.weighed.said, found.verdict.said) >= LIKELY:
        return "abnormal"
    return "normal" if found.verdict.denied >= SURELY else None


def in_one_line(span: Span, reading: Reading) -> str:
    return " ".join(alike(span.of(reading.report.text)).split())


def change_of(finding: Finding) -> AtomChange:
    better, worse = finding.values("improved"), finding.values("worsened")
    return "-" if bool(better) == bool(worse) else "better" if better else "worse"


def side_of(text: str) -> AtomSide:
    named = {word.lower() for word in SIDED.findall(text)}
    return "left" if named == {"left"} else "right" if named == {"right"} else "-"


def region_of(finding: Finding) -> str | None:
    """The part of the body that it lies in."""
    paths = [(*a.path, a.concept) for a in finding.values("location")]
    site = lexicon().concepts.get(finding.concept or "")
    for place in (finding.site, site.site if site else None):
        paths += [lexicon().anatomy[place]] if place in lexicon().anatomy else []
    return next((path[0] for path in paths if path[0] in REGIONS), None)


REGIONS = frozenset({"head", "neck", "thorax", "abdomen", "pelvis", "spine", "limb"})


def modality(report: Report) -> str:
    """CT, MR, film or ultrasound, where the exam or technique section says so, or the first words of a plain text.

    Under headings another examination is named to compare with: *compared to the prior CT*.
    """
    told = " ".join([s.span.of(report.text) for s in report.section("exam", "technique")])
    said = forms_of(told if report.headed else f"{told} {alike(report.text)[:TITLE_REACH]}")
    return next((name for name, names in MODALITIES.items() if not said.isdisjoint(names.split())), "-")


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
            for text in map(sentence, by_side(words)):
                if text.lower() not in seen:
                    seen.add(text.lower())
                    yield Worded(text, finding, spans)


def says_something(finding: Finding) -> bool:
    """A structure that is only named says nothing."""
    bare = finding.kind == "structure" and finding.status == "positive" and not finding.implies
    return not bare or described(finding)


def sentence(words: str) -> str:
    """
    >>> sentence("no left effusion")
    'No left effusion.'
    """
    return words[:1].upper() + words[1:] + "."
