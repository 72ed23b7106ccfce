"""Reading → Atoms: the sentences of the findings section, as statements, as atoms."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from operator import attrgetter

from msgspec import structs

from overread.judge import Slots, active
from overread.lexicon.statement_words import heads
from overread.lexicon.words import forms_of
from overread.reader import Finding, Outline, Reading
from overread.reader.headed_lines import COLON_ENDS_LINE, heads_lines
from overread.reader.opinion import OUTRIGHT, Second, second, sure
from overread.reader.reconsider import may_be_gone
from overread.reader.statements.chunks import FINITE
from overread.reader.statements.coordination import side_term
from overread.reader.statements.interpret import Statement
from overread.reader.statements.sentences import Reader
from overread.reader.statements.terms import NARROWING, Term, Terms
from overread.reader.statements.vocabulary import vocabulary
from overread.report import Report
from overread.report.marks import BLANKED, RUN, alike, may_hold_blanks, origin
from overread.report.span import Span
from overread.systems.radsem.atoms import atoms_of, understood
from overread.systems.radsem.grammar import adjectival
from overread.systems.radsem.plain import denies_growth, plain, without_denied_growth
from overread.systems.radsem.schema import Atom, Atoms, Normality

LIMB = ("limb",)
SPOKEN = ("findings", "addendum")
"""Sections that tell what is seen; the impression says it again."""

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
MODALITY_WORDS = tuple(set().union(*MODALITIES.values()))
Said = tuple[Statement, tuple[int, int], str]
"""A statement, the span of the sentence that makes it, and its words with blanks written alike."""

Told = tuple[Outline, str, str, str]
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
    judge, text = active(), reading.seen
    if judge is None:
        return
    told = ((s, alike(s.span.of(text))) for s in reading.outline if s.section in SPOKEN)
    worded = ((s, said) for s, said in told if any(c.isalpha() for c in said))
    for sentence, said in islice(worded, MOST_UNREAD):
        verdict = judge.verdicts([(said, ABNORMAL)])[0]
        normality: Normality = "normal" if verdict.denied > verdict.said else "abnormal"
        yield Atom(said, normality, sentence.span.start, sentence.span.end, said=said)


def modality(report: Report) -> str:
    """CT, MR, film or ultrasound, where the exam or technique section, or the first line, says so."""
    told = " ".join([s.span.of(report.text) for s in report.section("exam", "technique")])
    written = f"{told} {alike(report.text)[:FIRST]}"
    if not any(map(written.lower().__contains__, MODALITY_WORDS)):
        return "-"
    said = forms_of(written)
    return next((name for name, names in MODALITIES.items() if not said.isdisjoint(names)), "-")


def spoken(reading: Reading) -> Iterator[Said]:
    """Statements with their sentences, as the judge hears them, but for those of which nothing is left."""
    ear = second(reading.report)
    told = list(to_be_read(reading))
    for (sentence, raw, words, _), made in zip(told, read_in_turn(told, reading.seen), strict=True):
        span = (sentence.span.start, sentence.span.end)
        if ear is not None:
            made = heard(made, sentence, ear, raw, len(reading.outline) <= FEW)
        whole = "XX" not in words
        for statement in without_gone(made, reading, sentence, raw):
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
    for sentence in reading.outline:
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


def without_gone(made: list[Statement], reading: Reading, sentence: Outline, text: str) -> list[Statement]:
    """What was there before and is no more is denied: `the drain has been withdrawn`."""
    if not may_be_gone(text) or all(s.denied for s in made):
        return made
    start = sentence.span.start
    own = [f for f in reading.findings if f.sentence == sentence.index and f.kind != "structure"]
    gone = [f for f in own if f.gone or (f.status == "negative" and f.values("improved"))]

    def names_gone(term: Term, side: str) -> bool:
        span = Span(start + origin(text, term.start), start + origin(text, term.end))
        return any(span.start < f.span.end and f.span.start < span.end and may_be_on(f, side) for f in gone)

    return [denied_as_gone(s, names_gone) if gone and not s.denied else s for s in made]


def side_of(statement: Statement) -> str | None:
    return next((t.side for t in statement.terms if t.side in ("left", "right")), None)


def may_be_on(finding: Finding, side: str) -> bool:
    """Not `on the right some is left, on the left it is gone`."""
    told = {p.side for a in finding.values("location") for p in a.places} - {"-"}
    return side == "-" or not told or side in told or "both" in told


def denied_as_gone(statement: Statement, names_gone: Callable[[Term, str], bool]) -> Statement:
    """The statement denied, with its noun and its places, where it speaks of what is gone."""
    side = side_of(statement) or "-"
    named = [t for t in statement.terms if t.role in FINDINGS and t.start >= 0]
    nouns = [t for t in named if names_gone(t, side)]
    if not nouns or any(t.role == "change" for t in statement.terms):
        return statement
    kept = tuple([t for t in statement.terms if t.site or t in nouns])
    return structs.replace(statement, terms=kept, denied=True, of_it=False)


FINDINGS = frozenset({"head", "compound", "open", "quality", "aspect"})
"""Roles of words that name a finding."""


LEAST = {"status": 0.85, "none": 0.95, "split": 0.8}
"""How sure the judge must be of what it hears."""

LEAST_IN_LONG = dict.fromkeys(LEAST, OUTRIGHT)
"""The same in reports of more sentences than `FEW`."""

FEW = 4
"""Up to so many sentences the judge is believed outright; in longer, plainer reports only where words may mislead."""


def heard(
    made: list[Statement], sentence: Outline, ear: Second, text: str, outright: bool
) -> list[Statement]:
    """The statements of a sentence as the judge hears their findings: denied, there after all, or not said at all."""
    named = [
        (n, head)
        for n, s in enumerate(made)
        if not s.of_it and (head := finding_word(s, outright)) is not None
    ]
    start = sentence.span.start
    mixed = len(named) > 1 and any(not made[n].denied for n, _ in named)
    places = [Span(origin(text, t.start), origin(text, t.end)).shift(start) for _, t in named]
    opinions = ear.slots(sentence.index, places, mixed)
    found: list[Statement | None] = list(made)
    for (n, _), slots in zip(named, opinions, strict=True):
        if not plainly_denied(made[n], text):
            found[n] = corrected(made[n], slots, None if outright else text)
    return [s for s in found if s is not None]


END, FORM = attrgetter("end"), attrgetter("form")


def finding_word(statement: Statement, unknown: bool) -> Term | None:
    """The noun of a statement that names a finding, also one that no table knows where `unknown`.

    None where only an aspect or a structure is named.
    """
    for naming in (("head", "compound"), ("open",) if unknown else ()):
        named = [t for t in statement.terms if t.role in naming and t.start >= 0 and is_noun(t.form)]
        if named:
            return max(named, key=END)
    return None


def is_noun(form: str) -> bool:
    """The judge was taught to hear nouns: not `indents the bladder`, `is occluded`."""
    return form not in FINITE and not form.endswith("ing") and not adjectival(form)


PLAIN_DENIAL = re.compile(
    r"\b(?:no|without)(?: (?:evidence of|signs? of|associated|accompanying|definite|acute|focal|other|further))*"
    r"(?: [\w-]+,? (?:or|and))? $",
    re.IGNORECASE,
)


def plainly_denied(statement: Statement, text: str) -> bool:
    """`A nodule, with no associated cavitation`: a plain `no`, and nothing in that part takes it back."""
    if not statement.denied:
        return False
    start = origin(
        text, max([t for t in statement.terms if not t.site], key=END, default=statement.terms[-1]).start
    )
    begin = max(text.rfind(",", 0, start), text.rfind(";", 0, start)) + 1
    return PLAIN_DENIAL.search(text, begin, start) is not None and TWICE_DENIED.search(text, begin) is None


def corrected(statement: Statement, slots: Slots, text: str | None) -> Statement | None:
    """The statement as the judge hears it, where the text has words by which rules may be misled; None: anywhere."""
    least = LEAST if text is None else LEAST_IN_LONG
    if not statement.denied and sure(slots, "status", least["none"]) == "none":
        return None
    side = side_of(statement)
    status = sure(slots, side, least["split"]) if side else None
    status = status if status in ("present", "absent") else sure(slots, "status", least["status"])
    if status is None or any(t.role == "change" for t in statement.terms):
        return statement
    if statement.denied and status == "present" and (text is None or TWICE_DENIED.search(text)):
        kept = tuple([t for t in statement.terms if t.role not in GROWING])
        return structs.replace(statement, terms=kept, denied=False, heard=True)
    said_normal = any(t.role == "normal" for t in statement.terms)
    gone = status == "absent" and not said_normal and (text is None or may_be_gone(text))
    if not statement.denied and gone:
        return structs.replace(statement, denied=True, heard=True)
    return statement


TWICE_DENIED = re.compile(
    r"\b(?:not without|lack\w*|devoid|free (?:of|from)|\w+-free|exclud\w*|rul\w+ out|den(?:y|ied|ying)|escape\w*|"
    r"apart|except\w*|aside|other than|but|only|not the case|persist\w*|remains?)\b",
    re.IGNORECASE,
)
"""Words by which something that rules take for denied may be there."""

GROWING = frozenset({"up", "down", "aspect", "change", "abnormal"})


def unasked(sentence: Outline, raw: str) -> str:
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
    return any(
        f.sentence == sentence and f.status == "positive" and f.values("no_change") for f in reading.findings
    )


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
