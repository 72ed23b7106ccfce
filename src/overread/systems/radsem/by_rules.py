"""Reading → Atoms: the sentences of the findings section, as statements, as atoms."""

from collections.abc import Iterator

from msgspec import structs

from overread.reader import Reading, SentenceReading
from overread.systems.radsem.atoms import atoms, features
from overread.systems.radsem.clauses import clauses
from overread.systems.radsem.schema import Atom, Atoms
from overread.systems.radsem.statements import Frame, Statement, side_term, statements
from overread.systems.radsem.terms import Term, Vocabulary, own_rows, vocabulary

ADVICE = frozenset({"recommend", "communicate"})
HEADS = frozenset(s for role, meaning, _, _ in own_rows() if role == "head" for s in meaning.split())


def view(reading: Reading) -> Atoms:
    """The findings section as atoms; a report without headings counts as findings."""
    words = vocabulary()
    said = [(s, span) for s, span in spoken(reading, words)]
    found: dict[str, Atom] = {}
    for statement, span in located(one_limb(said)):
        for atom in atoms(statement, words, span):
            found.setdefault(atom.text, atom)
    kept = without_bare(list(found.values()))
    area = dict.fromkeys(site.split("/")[0] for a in kept for site in a.sites)
    return Atoms(reading.report.id, tuple(kept), tuple(a for a in area if a != "body"))


def spoken(reading: Reading, words: Vocabulary) -> Iterator[tuple[Statement, tuple[int, int]]]:
    """Statements with the span of their sentence; a place named before a colon reaches to the end of its block."""
    text = reading.report.text
    topic: list[Term] = []
    end, sticky, frame = 0, False, Frame()
    for sentence in findings_sentences(reading):
        span = sentence.span
        gap = text[end : span.start]
        if "\n\n" in gap or ("\n" in gap and not sticky):
            topic = []
        end = span.end
        raw = spoken_part(sentence, text)
        found, place, frame = statements(clauses(words.terms(raw, span.start)), topic, words, frame)
        if place:
            topic, sticky = place, raw.rstrip().endswith(":")
        yield from ((s, (span.start, span.end)) for s in found)


def findings_sentences(reading: Reading) -> Iterator[SentenceReading]:
    return (s for s in reading.sentences if s.section == "findings" and s.kind != "technique")


def spoken_part(sentence: SentenceReading, text: str) -> str:
    """The sentence up to the part that asks for something or tells who was told."""
    raw = sentence.span.of(text)
    if sentence.kind == "statement":
        return raw
    asked = min((c.span.start for c in sentence.cues if c.note in ADVICE), default=sentence.span.start)
    comma = raw.rfind(",", 0, asked - sentence.span.start)
    return raw[: max(comma, 0)]


Said = list[tuple[Statement, tuple[int, int]]]


def one_limb(said: Said) -> Said:
    """A report of one limb names its side once: every bone of it is on that side."""
    sides = {t.side for s, _ in said for t in s.terms} - {"-"}
    limbs = [t for s, _ in said for t in s.terms if t.site[:1] == ("limb",)]
    if sides not in ({"left"}, {"right"}) or not limbs:
        return said
    side = sides.pop()
    return [
        (structs.replace(s, terms=[side_term(side, s.terms[0].start), *s.terms]), span)
        if any(t.site[:1] == ("limb",) for t in s.terms) and all(t.side == "-" for t in s.terms)
        else (s, span)
        for s, span in said
    ]


def located(said: Said) -> Iterator[tuple[Statement, tuple[int, int]]]:
    """`The nodules are calcified`: a finding without a place stands where it was named before."""
    where: dict[str, list[list[Term]]] = {}
    for statement, span in said:
        heads = [s for t in statement.terms if t.role == "head" for s in t.sense if s in HEADS]
        places = [t for t in statement.terms if t.site and t.role == "site"]
        if any(t.place for t in places) or any(t.place for t in statement.terms):
            for head in heads:
                known = where.setdefault(head, [])
                if places and not any(same_place(places, k) for k in known):
                    known.append(places)
            yield statement, span
            continue
        home = next((where[h] for h in heads if h in where), [])
        if not home or any(t.side != "-" for t in statement.terms):
            yield statement, span
            continue
        for spot in home:
            yield structs.replace(statement, terms=[*spot, *statement.terms]), span


def same_place(one: list[Term], two: list[Term]) -> bool:
    return [(t.site, t.side) for t in one] == [(t.site, t.side) for t in two]


def without_bare(found: list[Atom]) -> list[Atom]:
    """`Lesions are seen there` adds nothing where the lesion has been described."""
    described = {
        (a.side, a.sites) for a in found if a.normality == "abnormal" and "focus" in a.finding and len(a.finding) > 1
    }
    return [a for a in found if a.finding != ("focus",) or a.denied or (a.side, a.sites) not in described]
