"""Reading → Atoms: the sentences of the findings section, as statements, as atoms."""

import re
from collections.abc import Iterator
from itertools import islice
from operator import attrgetter

from msgspec import structs

from overread.judge import network
from overread.lexicon.statement_words import heads
from overread.lexicon.words import forms_of
from overread.reader import Finding, Reading, SentenceReading
from overread.reader.statements.coordination import side_term
from overread.reader.statements.interpret import Statement
from overread.reader.statements.sentences import Reader
from overread.reader.statements.terms import NARROWING, Term, Terms
from overread.reader.statements.vocabulary import vocabulary
from overread.report import Report
from overread.report.marks import BLANKED, RUN, alike, may_hold_blanks, origin
from overread.report.span import Span
from overread.systems.radsem.meaning.atoms import atoms_of, understood
from overread.systems.radsem.meaning.plain import denies_growth, plain, without_denied_growth
from overread.systems.radsem.schema import Atom, Atoms, Normality
from overread.systems.radsem.wording.grammar import adjectival

LIMB = ("limb",)
COLON_ENDS_LINE = re.compile(r":[ \t]*\n")
LONGEST_HEADING = 40
SPOKEN = ("findings", "addendum")
"""Sections that tell what is seen; the impression says it again."""

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
MODALITY_WORDS = tuple(set().union(*MODALITIES.values()))
Said = tuple[Statement, tuple[int, int], str]
"""A statement, the span of the sentence that makes it, and its words with blanks written alike."""

Told = tuple[SentenceReading, str, str, str]
"""A sentence, how it stands in the report, with blanks written alike, and as it is read."""


def view(reading: Reading) -> Atoms:
    """The findings section as atoms; a report without headings counts as findings."""
    found: dict[tuple[str, bool, frozenset[str]], Atom] = {}
    said = list(not_again(located(one_limb(list(spoken(reading))))))
    meant = [understood(statement, text) for statement, _, text in said]
    for (statement, span, text), made in zip(said, meant, strict=True):
        if made is not None:
            words = frozenset([t.form for t in statement.terms if t.role != "change"])
            for atom in atoms_of(made, span, text):
                found.setdefault((atom.side, atom.denied, words), atom)
    once: dict[str, Atom] = {}
    for atom in found.values():
        once.setdefault(atom.text, atom)
    kept = tuple(described(list(once.values())))
    area = dict.fromkeys([site.split("/")[0] for site in dict.fromkeys([s for a in kept for s in a.sites])])
    heard = () if kept else tuple(unread(reading))
    return Atoms(
        reading.report.id, kept, tuple(a for a in area if a != "body"), modality(reading.report), heard
    )


def not_again(said: list[Said]) -> Iterator[Said]:
    """Without what is said twice in a row: of `solid and cystic nodules with sharp margins` the margins are."""
    before = None
    for one in said:
        statement, _, text = one
        now = (statement.terms, statement.denied, statement.hedged, text)
        if now != before:
            yield one
        before = now


ABNORMAL = "There is an abnormal finding."
MOST_UNREAD = 100
"""Sentences of a report without any finding that the judge hears, so that no report takes for ever."""


def unread(reading: Reading) -> Iterator[Atom]:
    """The sentences of a report in which nothing was read, as they stand: the judge may still hear them."""
    judge, text = network(), reading.seen
    told = ((s, alike(s.span.of(text))) for s in reading.sentences if s.section in SPOKEN)
    worded = ((s, said) for s, said in told if any(c.isalpha() for c in said))
    for sentence, said in islice(worded, MOST_UNREAD):
        verdict = judge.verdicts([(said, ABNORMAL)])[0]
        normality: Normality = "normal" if verdict.denied > verdict.said else "abnormal"
        yield Atom(said, normality, sentence.span.start, sentence.span.end, said=said)


def modality(report: Report) -> str:
    """CT, MR, film or ultrasound, where the exam or technique section says so, or the first words of a plain text.

    Under headings another examination is named to compare with: *compared to the prior CT*.
    """
    told = " ".join([s.span.of(report.text) for s in report.section("exam", "technique")])
    written = told if report.headed else f"{told} {alike(report.text)[:FIRST]}"
    if not any(map(written.lower().__contains__, MODALITY_WORDS)):
        return "-"
    said = forms_of(written)
    return next((name for name, names in MODALITIES.items() if not said.isdisjoint(names)), "-")


def spoken(reading: Reading) -> Iterator[Said]:
    """Statements with their sentences, but for those of which nothing is left."""
    told = list(to_be_read(reading))
    for (sentence, raw, words, _), made in zip(told, read_in_turn(told, reading.seen), strict=True):
        span = (sentence.span.start, sentence.span.end)
        whole = "XX" not in words
        for statement in as_found(made, reading, sentence, raw):
            named = (whole and names_place(statement.terms)) or not nameless(statement, words)
            if named and not is_unjudged(statement):
                yield statement, span, words


def read_in_turn(told: list[Told], text: str) -> list[list[Statement]]:
    """What each sentence says; a place named before a colon reaches to the end of its line or block."""
    reader = Reader(vocabulary())
    reader.look_ahead([said for _, _, _, said in told])
    end, heading = 0, False
    made: list[list[Statement]] = []
    for sentence, raw, _, said in told:
        span = sentence.span
        gap = text[end : span.start]
        if "\n" in gap and (not heading or "\n\n" in gap):
            reader.topic = ()
        end = span.end
        before = reader.topic
        made.append(reader.read_title(said) if sentence.section == "exam" else reader.read(said))
        if reader.topic is not before:
            heading = said.rstrip().endswith(":") or COLON_ENDS_LINE.search(raw) is not None
    return made


def to_be_read(reading: Reading) -> Iterator[Told]:
    """The sentences that tell what is seen, and titles."""
    text = reading.seen
    blanks, lines = may_hold_blanks(text), "\n" in text
    for sentence in reading.sentences:
        told = sentence.section in SPOKEN and sentence.kind != "technique"
        if not told and sentence.section != "exam":
            continue
        raw = sentence.span.of(text)
        words = alike(raw) if blanks else raw
        said = plain(words if sentence.asked is None else alike(unasked(sentence, raw)))
        if lines and heads_lines(text, sentence.span):
            said = f"{said}:"
        if denies_growth(said) and is_steady(reading, sentence.index):
            said = without_denied_growth(said)
        yield sentence, raw, words, said


def heads_lines(text: str, span: Span) -> bool:
    """Is it short, without a full stop, and alone on its line?"""
    if (
        span.end - span.start > LONGEST_HEADING
        or text[span.end - 1] == "."
        or "\n" not in text[span.end : span.end + 3]
    ):
        return False
    return text[max(0, span.start - LONGEST_HEADING) : span.start].rstrip(" \t*-•#")[-1:] in ("", "\n")


def as_found(
    made: list[Statement], reading: Reading, sentence: SentenceReading, text: str
) -> list[Statement]:
    """The statements of a sentence, there or denied as the findings of the same words are.

    A finding is believed where it has met words that the statements have not: of several statements one that is denied
    shows that they have met the denial.
    """
    named = [s for s in made if not s.of_it and nouns(s)]
    found = [f for f in reading.in_sentence(sentence.index) if f.kind != "structure"] if named else []
    if not found:
        return made
    met = any(s.denied for s in made)
    meant = Meant(found, sentence.span.start, text)
    return [as_said(s, meant.by(s), met) for s in made]


def nouns(statement: Statement) -> list[Term]:
    return [t for t in statement.terms if t.role in FINDINGS and t.start >= 0]


class Meant:
    """The findings of a sentence by where they stand and on which side: its many statements share their words."""

    def __init__(self, found: list[Finding], start: int, text: str) -> None:
        self.found, self.start, self.text = found, start, text
        self.at: dict[tuple[int, int], frozenset[int]] = {}
        self.on: dict[str, list[int]] = {}

    def by(self, statement: Statement) -> list[Finding]:
        """Those where a noun of the statement stands, of a denied one the noun that is denied."""
        told = [t for t in statement.terms if t.role in NAMING and t.start >= 0]
        named = sorted(told, key=END)[-1:] if statement.denied and told else nouns(statement)
        here = {n for t in named for n in self.under(t.start, t.end)}
        return [self.found[n] for n in self.beside(side_of(statement) or "-") if n in here]

    def under(self, first: int, last: int) -> frozenset[int]:
        if (first, last) not in self.at:
            span = Span(self.start + origin(self.text, first), self.start + origin(self.text, last))
            self.at[first, last] = frozenset(n for n, f in enumerate(self.found) if span.overlaps(f.span))
        return self.at[first, last]

    def beside(self, side: str) -> list[int]:
        if side not in self.on:
            self.on[side] = [n for n, f in enumerate(self.found) if may_be_on(f, side)]
        return self.on[side]


def as_said(statement: Statement, found: list[Finding], met: bool) -> Statement:
    absent = {f.status == "negative" or f.gone for f in found}
    roles = {t.role for t in statement.terms}
    if len(absent) != 1 or statement.denied in absent or "change" in roles:
        return statement
    if statement.denied:
        doubted = any(f.certainty == "tentative" or f.values("no_change") for f in found)
        kept = tuple([t for t in statement.terms if t.role not in GROWING])
        return (
            structs.replace(statement, terms=kept or statement.terms, denied=False) if doubted else statement
        )
    gone = any(f.gone for f in found)
    if not gone and (met or "normal" in roles) and not statement.hedged:
        return statement
    named = {w for f in found for w in f.entity.lower().split()} if gone else set[str]()
    kept = tuple(
        [
            t
            for t in statement.terms
            if t.site or (t.role in FINDINGS and (not gone or named & set(t.form.split())))
        ]
    )
    return structs.replace(statement, terms=kept, denied=True, of_it=False)


def side_of(statement: Statement) -> str | None:
    return next((t.side for t in statement.terms if t.side in ("left", "right")), None)


def may_be_on(finding: Finding, side: str) -> bool:
    """Not `on the right some is left, on the left it is gone`."""
    told = {p.side for a in finding.values("location") for p in a.places} - {"-"}
    return side == "-" or not told or side in told or "both" in told


FINDINGS = frozenset({"head", "compound", "open", "quality", "aspect"})
"""Roles of words that name a finding."""

NAMING = FINDINGS - {"open"} | {"shape"}
"""Roles of known words that may be what is denied: `a nodule with no cavitation`."""


END, FORM = attrgetter("end"), attrgetter("form")
GROWING = frozenset({"up", "down", "aspect", "change", "abnormal"})


def unasked(sentence: SentenceReading, raw: str) -> str:
    """The sentence up to the part that asks for something or tells who was told, and what follows a semicolon."""
    if sentence.asked is None:
        return raw
    asked = sentence.asked - sentence.span.start
    if REPORTING.match(raw, asked):
        return raw
    kept = raw[: max(raw.rfind(",", 0, asked), raw.rfind(";", 0, asked), 0)]
    after = raw.find(";", asked)
    return kept if after < 0 else kept + " " * (after - len(kept)) + raw[after:]


REPORTING = re.compile(r"[\w -]{0,40}?\b(?:shows?|showed|demonstrate[sd]?|reveal(?:s|ed)?)\b", re.IGNORECASE)
"""`Follow-up examination shows: …` asks for nothing."""


def is_steady(reading: Reading, sentence: int) -> bool:
    """Is something there that is said not to have changed?"""
    return any(f.status == "positive" and f.values("no_change") for f in reading.in_sentence(sentence))


JUDGED = frozenset(
    "evaluated assessed judged evaluable assessable interpretable characterized characterised".split()
)
MANNER = frozenset("well fully adequately optimally reliably completely further accurately".split())
HARDLY = frozenset({"not well", "incompletely", "poorly", "suboptimally", "inadequately"})


def is_unjudged(statement: Statement) -> bool:
    """`The base cannot be evaluated`: neither normal nor abnormal."""
    if JUDGED.isdisjoint(map(FORM, statement.terms)):  # nearly always
        return False
    forms = {t.form for t in statement.terms if not t.site and t.role != "aspect"}
    return statement.denied or (not forms.isdisjoint(HARDLY) and forms <= JUDGED | MANNER | HARDLY)


LOST = re.compile(
    rf"(?:\s+{BLANKED})+\s*(?:,|and\b|or\b|is\b|are\b|was\b|were\b|appears?\b|remains?\b|\.|$)", re.IGNORECASE
)
BLANKS = re.compile(rf"(?:\s+{BLANKED})+\s*", re.IGNORECASE)
ANGLES = frozenset({"costophrenic-angle", "cardiophrenic-angle"})
"""Whose adjective is enough."""

DESCRIBING = frozenset({"open", "normal", "detail", "up", "down", "quality", "shape", "abnormal", "change"})


def nameless(statement: Statement, text: str) -> bool:
    """Is the thing it speaks of missing: taken out of the report (`pulmonary … are normal`), or never named?"""
    terms = statement.terms
    places = [t for t in terms if t.place]
    if places and not RUN.search(text):
        return False
    if not places:
        return all(
            t.role in DESCRIBING and t.role != "shape" and adjectival(t.form) for t in terms if not t.site
        )
    if any(t.role not in DESCRIBING or t.role == "open" for t in terms if not t.site):
        return False
    last = max(places, key=lambda t: t.start)
    if len(places) > 1 or last.kind != "adj" or last.site[-1] in ANGLES:
        return False
    blank = BLANKS.match(text, last.end)  # `Renal … normal`
    return LOST.match(text, last.end) is not None or (
        blank is not None and any(t.start == blank.end() for t in terms if not t.site)
    )


def names_place(terms: Terms) -> bool:
    """Does one of them name a place? Mostly the first with a site does."""
    for term in terms:  # noqa: SIM110
        if term.site and term.kind not in NARROWING:
            return True
    return False


def one_limb(said: list[Said]) -> list[Said]:
    """A report of one limb names its side once: every bone of it is on that side."""
    sides = {t.side for s, _, _ in said for t in s.terms} - {"-"}
    if sides not in ({"left"}, {"right"}):
        return said
    side = sides.pop()
    return [(on_side(s, side), span, text) for s, span, text in said]


def on_side(statement: Statement, side: str) -> Statement:
    terms = statement.terms
    if any(t.side != "-" for t in terms) or not any(t.site[:1] == LIMB for t in terms):
        return statement
    return structs.replace(statement, terms=(side_term(side, terms[0].start), *terms))


MOST_HOMES = 2
"""`The signal of the lesions is uneven` is said once of lesions in many places, and in each of a few."""


def located(said: list[Said]) -> list[Said]:
    """`The nodules are calcified`: a finding without a place stands where it was named before."""
    asked = heads_without_place(said)
    return list(with_homes(said, asked)) if asked else said


def heads_without_place(said: list[Said]) -> frozenset[str]:
    """The findings named without a place: mostly none."""
    bare = [s.terms for s, _, _ in said if not names_place(s.terms)]
    return heads().intersection([s for terms in bare for t in terms if t.role == "head" for s in t.sense])


def with_homes(said: list[Said], asked: frozenset[str]) -> Iterator[Said]:
    """The same, of the findings that are `asked` about."""
    where: dict[str, list[Terms]] = {}
    for one in said:
        statement, span, text = one
        terms = statement.terms
        named = [s for t in terms if t.role == "head" for s in t.sense if s in asked]
        if not named:
            yield one
            continue
        if names_place(terms):
            remember(where, named, tuple([t for t in terms if t.role == "site"]))
            yield one
            continue
        home = next((where[h] for h in named if h in where), [])
        bare = statement.denied and not any(t.role in ("aspect", "quality", "seq") for t in terms)
        if (
            not 0 < len(home) <= MOST_HOMES or bare or any(t.side != "-" for t in terms)
        ):  # `no focal opacity` is said of anywhere
            yield one
        else:
            yield from ((structs.replace(statement, terms=spot + terms), span, text) for spot in home)


def remember(where: dict[str, list[Terms]], named: list[str], spot: Terms) -> None:
    places = [(t.site, t.side) for t in spot]
    for head in named:
        known = where.setdefault(head, [])
        if spot and not any([(t.site, t.side) for t in other] == places for other in known):
            known.append(spot)


def described(found: list[Atom]) -> list[Atom]:
    """The atoms without bare ones: `lesions are seen there` adds nothing where the lesion is described."""
    known = {
        (a.side, a.sites)
        for a in found
        if a.normality == "abnormal" and "focus" in a.finding and len(a.finding) > 1
    }
    return [a for a in found if a.finding != ("focus",) or a.denied or (a.side, a.sites) not in known]
