"""Where each atom comes from: its sentence, the terms of its statement, the rows that know them, who decided."""

from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from overread.lexicon.lexicon import knows_words
from overread.lexicon.statement_words import word_rows
from overread.lexicon.words import phrase, plurals
from overread.reader import Reading
from overread.reader.statements.interpret import Statement
from overread.reader.statements.terms import Term, terms
from overread.reader.statements.vocabulary import TABLES, vocabulary
from overread.report.marks import alike, origin
from overread.report.span import Span
from overread.systems.radsem.by_rules import located, one_limb, spoken, view
from overread.systems.radsem.meaning.atoms import atoms
from overread.systems.radsem.meaning.plain import plain
from overread.systems.radsem.schema import Atom, Normality

ROLES = {
    "site": "place",
    "head": "finding",
    "compound": "finding",
    "open": "open word",
    "seq": "sequence",
    "up": "more",
    "down": "less",
}
"""Roles whose name says little; the others go by their own."""

CARRIED = "carried from before"
"""The rule of a term that no word of its own sentence says: a heading, an earlier sentence, a side that goes on."""

OPEN = "open vocabulary"
"""The rule of a word that no table knows: it stands for itself."""

SHAPE = "by its shape"
"""The rule of sizes and of codes such as `L4` and `S8`."""


class TracedTerm(Struct, frozen=True, forbid_unknown_fields=True):
    """One term of a statement."""

    form: str
    role: str
    meaning: str
    """Features, place and side it brings."""

    rule: str
    """Row of the lexicon, or why there is none."""

    span: Span | None
    """Where it stands in the report; None where it is carried or understood."""


class TracedAtom(Struct, frozen=True, forbid_unknown_fields=True):
    """One atom and all that decided it."""

    text: str
    normality: Normality
    sentence: Span
    terms: tuple[TracedTerm, ...]
    denied: bool
    denying: tuple[TracedTerm, ...]
    """Words of the sentence that deny; empty where nothing is denied or the denial goes on from before."""

    by: str
    """`grammar`, or `judge` where the judge turned the statement, or heard what the rules could not read."""


def traced(reading: Reading) -> list[TracedAtom]:
    """The atoms of the view, in its order, each with its trace."""
    seen = view(reading)
    made = dict(reversed([(atom.text, (atom, s)) for atom, s in statements(reading)]))
    found = [atom_trace(reading, *made[atom.text]) for atom in seen.atoms]
    return found + [unread(atom) for atom in seen.unread]


def statements(reading: Reading) -> Iterator[tuple[Atom, Statement]]:
    """Every atom with the statement it says, before equal ones become one."""
    for statement, span, text in located(one_limb(list(spoken(reading)))):
        for atom in atoms(statement, span, text):
            yield atom, statement


def atom_trace(reading: Reading, atom: Atom, statement: Statement) -> TracedAtom:
    span = Span(atom.start, atom.end)
    written = span.of(reading.seen)
    own = terms(plain(alike(written)), vocabulary())
    here = {(t.form, t.start) for t in own}
    said = [term_trace(t, span, written, (t.form, t.start) in here) for t in dict.fromkeys(statement.terms)]
    deny = [term_trace(t, span, written, True) for t in own if t.role == "deny"] if statement.denied else []
    by = "grammar"
    return TracedAtom(atom.text, atom.normality, span, tuple(said), statement.denied, tuple(deny), by)


def unread(atom: Atom) -> TracedAtom:
    """A sentence that rules could not read: the judge alone has heard it."""
    return TracedAtom(
        atom.text, atom.normality, Span(atom.start, atom.end), (), atom.normality == "normal", (), "judge"
    )


def term_trace(term: Term, sentence: Span, written: str, here: bool) -> TracedTerm:
    brought = dict.fromkeys((*term.sense, "/".join(term.site), term.side))
    meaning = " ".join(part for part in brought if part not in ("", "-"))
    other = SHAPE if term.role in ("measure", "site") else OPEN
    rule = rules().get(term.form, other) if here else CARRIED
    span = (
        Span(origin(written, term.start), origin(written, term.end)).shift(sentence.start) if here else None
    )
    return TracedTerm(term.form, ROLES.get(term.role, term.role), meaning, rule, span)


@knows_words
@cache
def rules() -> dict[str, str]:
    """Form → the row that speaks for it: this grain's own words before the lexicon's."""
    words = vocabulary()
    known: dict[str, str] = {}
    rows = sorted((r for r in words.lexicon.rows if r.table in TABLES), key=lambda r: TABLES[r.table])
    own = ((form, row.id) for row in word_rows() for form, _ in words.own_forms(row))
    for form, rule in own:
        known[form] = rule
    for row in rows:
        for form in (phrase(row.form), *plurals(phrase(row.form))):
            known.setdefault(form, row.id)
    return known
