"""Reading → Atoms: the sentences of the findings section, as statements, as atoms."""

import re
from collections.abc import Iterator

from msgspec import structs

from overread.lexicon.words import words as words_of
from overread.reader import Outline, Reading
from overread.reader.statements.coordination import side_term
from overread.reader.statements.interpret import Statement
from overread.reader.statements.sentences import Reader
from overread.reader.statements.tables import heads
from overread.reader.statements.terms import Term
from overread.reader.statements.vocabulary import vocabulary
from overread.report import Report
from overread.systems.radsem.atoms import atoms
from overread.systems.radsem.grammar import adjectival
from overread.systems.radsem.schema import Atom, Atoms

LIMB = ("limb",)
FIRST = 80
"""Characters of the report in which it may name the examination."""

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
Said = tuple[Statement, tuple[int, int]]
"""A statement and the span of the sentence that makes it."""


def view(reading: Reading) -> Atoms:
    """The findings section as atoms; a report without headings counts as findings."""
    forms = vocabulary()
    said = one_limb(list(spoken(reading)))
    found: dict[tuple[str, bool, frozenset[str]], Atom] = {}
    text = reading.report.text
    for statement, span in located(said):
        words = frozenset(t.form for t in statement.terms if t.role != "change")
        for atom in atoms(statement, forms, span, text[span[0] : span[1]]):
            found.setdefault((atom.side, atom.denied, words), atom)
    once: dict[str, Atom] = {}
    for atom in found.values():
        once.setdefault(atom.text, atom)
    kept = tuple(described(list(once.values())))
    area = dict.fromkeys(site.split("/")[0] for a in kept for site in a.sites)
    return Atoms(reading.report.id, kept, tuple(a for a in area if a != "body"), modality(reading.report))


def modality(report: Report) -> str:
    """CT, MR, film or ultrasound, where the exam or technique section, or the first line, says so."""
    told = " ".join(s.span.of(report.text) for s in report.section("exam", "technique"))
    said = {w.form for w in words_of(f"{told} {report.text[:FIRST]}")}
    return next((name for name, names in MODALITIES.items() if not said.isdisjoint(names)), "-")


def spoken(reading: Reading) -> Iterator[Said]:
    """Statements with their sentences; a place named before a colon reaches to the end of its line or block."""
    text = reading.report.text
    reader = Reader(vocabulary())
    end, heading = 0, False
    for sentence in reading.outline:
        if sentence.section != "findings" or sentence.kind == "technique":
            continue
        span = sentence.span
        gap = text[end : span.start]
        if "\n\n" in gap or ("\n" in gap and not heading):
            reader.topic = []
        end = span.end
        before = reader.topic
        made = reader.read(plain(unasked(sentence, text)))
        yield from ((s, (span.start, span.end)) for s in made if not nameless(s, span.of(text)))
        if reader.topic is not before:
            heading = span.of(text).rstrip().endswith(":")


def unasked(sentence: Outline, text: str) -> str:
    """The sentence up to the part that asks for something or tells who was told."""
    raw = sentence.span.of(text)
    if sentence.asked is None:
        return raw
    return raw[: max(raw.rfind(",", 0, sentence.asked - sentence.span.start), 0)]


VIEW = re.compile(
    r"\b(?:(?:only |best )?(?:seen |visible |noted )?(?:on|in) )?(?:the |a |an )?"
    r"(?:(?:frontal|lateral|pa|ap|left|right|decubitus|upright|portable|oblique|lordotic|supine|and)[ -]+)+"
    r"(?:views?|films?|projections?|radiographs?|images?)\b",
    re.IGNORECASE,
)
MORE_ON_ONE_SIDE = re.compile(
    r"\b(?:right|left)(?: side)? (?:greater|more|worse|larger) than(?: the)? (?:right|left)\b"
    r"(?: side\b)?(?: bilateral\b)?",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """The sentence without the picture it is seen on, and with both sides where one has more; as long as before.

    >>> plain("Effusion on the lateral view.")
    'Effusion                    .'
    """
    if "iew" in text or "film" in text or "ject" in text or "graph" in text or "image" in text:
        text = VIEW.sub(lambda m: " " * len(m.group()), text)
    if " than " in text:
        text = MORE_ON_ONE_SIDE.sub(lambda m: "bilateral".ljust(len(m.group())), text)
    return text


LOST = re.compile(
    r"(?:\s+XXXX)+\s*(?:,|and\b|or\b|is\b|are\b|was\b|were\b|appears?\b|remains?\b|\.|$)", re.IGNORECASE
)
ANGLES = frozenset({"costophrenic-angle", "cardiophrenic-angle"})
"""Whose adjective is enough."""

DESCRIBING = frozenset({"open", "normal", "detail", "up", "down", "quality", "shape", "abnormal", "change"})


def nameless(statement: Statement, text: str) -> bool:
    """Is the thing it speaks of missing: taken out of the report (`pulmonary … are normal`), or never named?"""
    terms = statement.terms
    blank = "XXXX" in text
    if not blank and any(t.place for t in terms):
        return False
    places = [t for t in terms if t.place]
    if not places:
        return all(
            t.role in DESCRIBING and t.role != "shape" and adjectival(t.form) for t in terms if not t.site
        )
    if any(t.role not in DESCRIBING or t.role == "open" for t in terms if not t.site):
        return False
    last = max(places, key=lambda t: t.start)
    if len(places) > 1 or last.kind != "adj" or last.site[-1] in ANGLES:
        return False
    return LOST.match(text, last.end) is not None


def one_limb(said: list[Said]) -> list[Said]:
    """A report of one limb names its side once: every bone of it is on that side."""
    sides = {t.side for s, _ in said for t in s.terms} - {"-"}
    if sides not in ({"left"}, {"right"}):
        return said
    side = sides.pop()
    return [(on_side(s, side), span) for s, span in said]


def on_side(statement: Statement, side: str) -> Statement:
    terms = statement.terms
    if any(t.side != "-" for t in terms) or not any(t.site[:1] == LIMB for t in terms):
        return statement
    return structs.replace(statement, terms=[side_term(side, terms[0].start), *terms])


def located(said: list[Said]) -> Iterator[Said]:
    """`The nodules are calcified`: a finding without a place stands where it was named before."""
    where: dict[str, list[list[Term]]] = {}
    for statement, span in said:
        terms = statement.terms
        named = [s for t in terms if t.role == "head" for s in t.sense if s in heads()]
        if any(t.place for t in terms):
            remember(where, named, [t for t in terms if t.role == "site"])
            yield statement, span
            continue
        home = next((where[h] for h in named if h in where), [])
        bare = statement.denied and not any(t.role in ("aspect", "quality", "seq") for t in terms)
        if not home or bare or any(t.side != "-" for t in terms):  # `no focal opacity` is said of anywhere
            yield statement, span
        else:
            yield from ((structs.replace(statement, terms=[*spot, *terms]), span) for spot in home)


def remember(where: dict[str, list[list[Term]]], named: list[str], spot: list[Term]) -> None:
    places = [(t.site, t.side) for t in spot]
    for head in named:
        known = where.setdefault(head, [])
        if spot and not any([(t.site, t.side) for t in other] == places for other in known):
            known.append(spot)


def described(found: list[Atom]) -> Iterator[Atom]:
    """The atoms without bare ones: `lesions are seen there` adds nothing where the lesion is described."""
    known = {
        (a.side, a.sites)
        for a in found
        if a.normality == "abnormal" and "focus" in a.finding and len(a.finding) > 1
    }
    return (a for a in found if a.finding != ("focus",) or a.denied or (a.side, a.sites) not in known)
