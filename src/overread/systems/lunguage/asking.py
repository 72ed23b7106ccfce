"""What a language model is asked for and shown, and what of its words is kept."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from overread.lexicon.lexicon import lexicon
from overread.lexicon.load import Row
from overread.lexicon.words import Word, split
from overread.report.span import Span
from overread.systems.lunguage.schema import Category, Relation


# ---- answers: the findings of a section, the groups of a patient
class Said(Struct, frozen=True, forbid_unknown_fields=True):
    """Words of one relation, quoted."""

    relation: Relation
    words: list[str]


class SaidFinding(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing the sentences speak of."""

    number: int
    sentences: list[int]
    entity: str
    category: Category
    status: Literal["positive", "negative"]
    certainty: Literal["definitive", "tentative"]
    attributes: list[Said]
    associate: list[int]
    evidence: list[int]


class SectionFindings(Struct, frozen=True, forbid_unknown_fields=True):
    """All of one section."""

    findings: list[SaidFinding]


class Term(Struct, frozen=True, forbid_unknown_fields=True):
    """A phrase of the report under its index."""

    ent_idx: int
    text: str
    sent_idx: int


class Subject(Struct, frozen=True, forbid_unknown_fields=True):
    """A term that is a clinical thing of its own."""

    ent_idx: int
    cat: Category
    dx_status: Literal["positive", "negative"]
    dx_certainty: Literal["definitive", "tentative"]


class IndexedRelation(Struct, frozen=True, forbid_unknown_fields=True):
    """From a subject to a phrase about it, or to another subject."""

    subject_ent: int
    relation: Relation | Literal["associate", "evidence"]
    obj_ent_idx: int
    sent_idx: int


class ReportRelations(Struct, frozen=True, forbid_unknown_fields=True):
    """All of one report, by index."""

    terms: list[Term]
    subjects: list[Subject]
    relations: list[IndexedRelation]


class SaidEpisode(Struct, frozen=True, forbid_unknown_fields=True):
    """The days of one run."""

    days: list[float]


class SaidGroup(Struct, frozen=True, forbid_unknown_fields=True):
    """One finding through time."""

    name: str
    members: list[int]
    episodes: list[SaidEpisode]
    rationale: str = ""
    """Why these belong together, in a sentence."""


class Grouping(Struct, frozen=True, forbid_unknown_fields=True):
    """All of one patient."""

    groups: list[SaidGroup]


# ---- cues: every run of words that is a lexicon form, with all its roles, overlaps kept; they never decide
class Hint(Struct, frozen=True):
    """One run of words and the roles it may play."""

    start: int
    end: int
    text: str
    roles: tuple[str, ...]
    """Categories for what can be an entity (PF, CF, …), relations for what can describe one."""


def hints(sentence: str, as_written: bool = False) -> list[Hint]:
    """All hints of a sentence: by start, longer ones first.

    Case, hyphens and plurals do not matter; `as_written` takes only what stands there letter for letter, which is the
    paper's Algorithm 1.

    >>> [hint.text for hint in hints("Small pleural effusion.")]
    ['Small', 'pleural effusion', 'pleural', 'effusion']
    >>> [hint.text for hint in hints("Small pleural effusion.", as_written=True)]
    ['pleural effusion', 'pleural', 'effusion']
    """
    lex = lexicon()
    spoken = split(sentence)
    found = []
    for match in lex.matcher.find([lex.normal(word.form) for word in spoken]):
        start, end = spoken[match.first].start, spoken[match.last - 1].end
        rows = [row for row in match.rows if isinstance(row, Row)]
        roles = {role(row) for row in rows if not as_written or row.form == sentence[start:end]}
        if roles:
            found.append(Hint(start, end, sentence[start:end], tuple(sorted(roles))))
    return sorted(found, key=lambda hint: (hint.start, -hint.end))


def role(row: Row) -> str:
    if row.table == "findings":
        return lexicon().concepts[row.concept].category
    return "location" if row.table == "locations" else row.table


# ---- is it in the text? Words are kept where the sentence holds them, else dropped and counted
Dropped = Counter[Literal["findings", "attributes", "links"]]
"""How much a model said that its sentences do not."""


def spans_of(phrase: str, sentences: Sequence[Span], text: str) -> list[Span] | None:
    """Where the words of `phrase` stand in the sentences; None when one of them does not.

    A run of words is one span; words that stand apart are one span each.

    >>> whole = Span(0, 33)
    >>> spans_of("cardiac contours", [whole], "Cardiac and mediastinal contours.")
    [Span(start=0, end=7), Span(start=24, end=32)]
    >>> spans_of("effusion", [whole], "Cardiac and mediastinal contours.") is None
    True
    """
    wanted = [word.form for word in split(phrase) if word.form[0].isalnum()]
    for span in sentences:
        spoken = split(span.of(text))
        found = run(wanted, spoken) or scattered(wanted, spoken)
        if found:
            return [one.shift(span.start) for one in found]
    return None


def run(wanted: Sequence[str], spoken: Sequence[Word]) -> list[Span] | None:
    """The words one after another, punctuation between them passed over."""
    plain = [word for word in spoken if word.form[0].isalnum()]
    for first in range(len(plain) - len(wanted) + 1):
        window = plain[first : first + len(wanted)]
        if wanted and [word.form for word in window] == list(wanted):
            return [Span(window[0].start, window[-1].end)]
    return None


def scattered(wanted: Sequence[str], spoken: Sequence[Word]) -> list[Span] | None:
    """The words anywhere in the sentence, each once."""
    left = list(spoken)
    found = []
    for form in wanted:
        word = next((word for word in left if word.form == form), None)
        if word is None:
            return None
        left.remove(word)
        found.append(Span(word.start, word.end))
    return found or None
