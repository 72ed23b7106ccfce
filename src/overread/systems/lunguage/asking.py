"""What a language model is asked for and shown, and what of its words is kept."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from overread.encoders.embedded import terms_in
from overread.lexicon.lexicon import lexicon
from overread.lexicon.load import Row
from overread.lexicon.words import Word, split
from overread.report import Report, Section
from overread.report.span import Span
from overread.systems.lunguage.schema import Category, Quote, Relation, StructuredFinding, both_ways

LUNGUAGE_PROMPTS = "overread.systems.lunguage"


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
Hint = tuple[str, tuple[str, ...]]
"""One run of words and the roles it may play: categories for what can be an entity (PF, CF, …), relations for what can
describe one."""


def hints(sentence: str, as_written: bool = False) -> list[Hint]:
    """All hints of a sentence: by start, longer ones first.

    Case, hyphens and plurals do not matter; `as_written` takes only what stands there letter for letter, which is the
    paper's Algorithm 1.

    >>> [words for words, _ in hints("Small pleural effusion.")]
    ['Small', 'pleural effusion', 'pleural', 'effusion']
    >>> [words for words, _ in hints("Small pleural effusion.", as_written=True)]
    ['pleural effusion', 'pleural', 'effusion']
    """
    spoken = split(sentence)
    found = []
    for term in terms_in(spoken):
        start, end = spoken[term.first].start, spoken[term.last - 1].end
        roles = {role(row) for row in term.rows if not as_written or row.form == sentence[start:end]}
        if roles:
            found.append((start, -end, (sentence[start:end], tuple(sorted(roles)))))
    return [hint for *_, hint in sorted(found, key=lambda one: one[:2])]


def role(row: Row) -> str:
    if row.table == "findings":
        return lexicon().concepts[row.concept].category
    return "location" if row.table == "locations" else row.table


# ---- is it in the text? Words are kept where the sentence holds them, else dropped and counted
class Asked(Struct, frozen=True):
    """What one question is about: sentences of one report, numbered through."""

    report: Report
    sentences: tuple[tuple[str, Span], ...]
    """Each with the name of its section."""

    @classmethod
    def of(cls, report: Report, sections: Sequence[Section]) -> "Asked":
        return cls(report, tuple((s.name, sentence.span) for s in sections for sentence in s.sentences))

    def words(self, number: int) -> str:
        """A sentence on one line; numbers begin at 1."""
        return " ".join(self.sentences[number - 1][1].of(self.report.text).split())

    @property
    def numbers(self) -> range:
        return range(1, len(self.sentences) + 1)


Dropped = Counter[Literal["findings", "attributes", "links"]]
"""How much a model said that its sentences do not."""


def grounded(
    asked: Asked, answer: SectionFindings, before: int = 0, keep: bool = False
) -> tuple[list[StructuredFinding], Dropped]:
    """The findings with the places of their words; `before`: of the same report, from other questions.

    What its sentences do not hold is dropped, or with `keep` has no place; either way it is counted.
    """
    text, dropped = asked.report.text, Dropped()

    def stands(one: SaidFinding, words: str) -> list[Span]:
        return spans_of(words, [asked.sentences[number - 1][1] for number in one.sentences], text) or []

    def finding(one: SaidFinding) -> StructuredFinding:
        attributes: dict[Relation, list[str]] = {}
        spans = {"entity": stands(one, one.entity)}
        for relation, quoted in ((said.relation, quote) for said in one.attributes for quote in said.words):
            places = stands(one, quoted)
            dropped["attributes"] += not places
            if places or keep:
                attributes.setdefault(relation, []).append(quoted)
                spans.setdefault(relation, []).extend(places)
        section, sentence = asked.sentences[one.sentences[0] - 1]
        return StructuredFinding(
            id=ids[one.number],
            section=section,
            sentence=Quote.of(sentence, text),
            entity=one.entity,
            category=one.category,
            status=one.status,
            certainty=one.certainty,
            attributes=attributes,
            associate=[ids[number] for number in sorted(links.get(one.number, ()))],
            evidence=[ids[number] for number in one.evidence if number in ids],
            spans={name: places for name, places in spans.items() if places},
        )

    kept = [one for one in answer.findings if keep or stands(one, one.entity)]
    ids = {one.number: f"f{before + n}" for n, one in enumerate(kept, 1)}
    told = {one.number: {*one.associate, *one.evidence} for one in kept}
    links = both_ways(told)
    dropped["findings"] = len(answer.findings) - len(kept)
    dropped["links"] = sum(len(others - ids.keys()) for others in told.values())
    return [finding(one) for one in kept], dropped


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
        found = unbroken_run(wanted, spoken) or scattered(wanted, spoken)
        if found:
            return [one.shift(span.start) for one in found]
    return None


def unbroken_run(wanted: Sequence[str], spoken: Sequence[Word]) -> list[Span]:
    """The words one after another, punctuation between them passed over; none where they do not stand so."""
    plain = [word for word in spoken if word.form[0].isalnum()]
    for first in range(len(plain) - len(wanted) + 1):
        window = plain[first : first + len(wanted)]
        if wanted and [word.form for word in window] == wanted:
            return [Span(window[0].start, window[-1].end)]
    return []


def scattered(wanted: Sequence[str], spoken: Sequence[Word]) -> list[Span]:
    """The words anywhere in the sentence, each once; none where one is missing."""
    left = list(spoken)
    found = []
    for form in wanted:
        word = next((word for word in left if word.form == form), None)
        if word is None:
            return []
        left.remove(word)
        found.append(Span(word.start, word.end))
    return found
