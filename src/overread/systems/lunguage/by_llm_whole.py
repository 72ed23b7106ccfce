"""Report + client → StructuredReport as the paper asks: one question a report, candidates as JSON, answers by index.

Terms, subjects and relations become the same findings as those of the question by section, and are held against the
text in the same way. A relation between two sections is left out: the paper's stay within one.
"""

from collections.abc import Sequence
from typing import cast

import msgspec
from msgspec import Struct

from overread.llm import Client, Failure, Item, ask_many, load_prompt
from overread.report import Report, Section
from overread.systems.lunguage.answers import (
    IndexedRelation,
    ReportRelations,
    Said,
    SaidFinding,
    SectionFindings,
    Subject,
    Term,
)
from overread.systems.lunguage.by_rules import SECTIONS
from overread.systems.lunguage.cues import hints
from overread.systems.lunguage.schema import Relation

PACKAGE = "overread.systems.lunguage"
LINKS = ("associate", "evidence")
Parts = list[tuple[Section, SectionFindings]]


class Numbered(Struct, frozen=True):
    """A sentence under its number in the question."""

    section: int
    """Place of its section among those asked about."""

    within: int
    """Its number in that section, from 1."""

    text: str


class Asked(Struct, frozen=True):
    """One report, its sentences numbered through."""

    report: Report
    sections: tuple[Section, ...]
    sentences: tuple[Numbered, ...]


def asked_of(report: Report) -> Asked:
    sections = tuple(s for s in report.sections if s.name in SECTIONS and s.sentences)
    found = [
        Numbered(place, within, " ".join(sentence.span.of(report.text).split()))
        for place, section in enumerate(sections)
        for within, sentence in enumerate(section.sentences, 1)
    ]
    return Asked(report, sections, tuple(found))


def answers(client: Client, reports: Sequence[Report]) -> list[Parts | Failure]:
    """What the model says of each section, or the failure, per report, in order."""
    asked = [asked_of(report) for report in reports]
    items = [item(one, client) for one in asked if one.sentences]
    outcomes = iter(
        ask_many(client, load_prompt(PACKAGE, "relations"), items, ReportRelations, check=problems)
    )
    found: list[Parts | Failure] = []
    for one in asked:
        outcome = next(outcomes) if one.sentences else None
        if isinstance(outcome, Failure):
            found.append(outcome)
        else:
            found.append(by_section(one, outcome.value) if outcome else [])
    return found


def item(asked: Asked, client: Client) -> Item:
    settings = client.settings
    rows = [
        {
            "sent_idx": number,
            "section": asked.sections[one.section].name,
            "sentence": one.text,
            "candidates": [
                [hint.text, list(hint.roles)] for hint in hints(one.text, settings.cues_as_written)
            ]
            if settings.cues
            else [],
        }
        for number, one in enumerate(asked.sentences, 1)
    ]
    shown = "[\n" + ",\n".join(msgspec.json.encode(row).decode() for row in rows) + "\n]"
    return Item(asked.report.id, {"sentences": shown}, patient=asked.report.patient, source=asked)


def problems(item: Item, answer: ReportRelations) -> list[str]:
    """What makes an answer unusable, in words for the model."""
    asked: Asked = item.source
    count = len(asked.sentences)
    terms = {term.ent_idx: term for term in answer.terms}
    subjects = {subject.ent_idx for subject in answer.subjects}
    found = []
    if len(terms) < len(answer.terms) or len(subjects) < len(answer.subjects):
        found.append("An ent_idx stands twice in terms or in subjects.")
    if wrong := sorted({t.sent_idx for t in answer.terms if not 1 <= t.sent_idx <= count}):
        found.append(f"No sentence has the number {', '.join(map(str, wrong))}; they run from 1 to {count}.")
    if lost := sorted(subjects - terms.keys()):
        found.append(f"Subjects without a term: {', '.join(map(str, lost))}.")
    for relation in answer.relations:
        found += relation_problems(relation, set(terms), subjects)
    return found


def relation_problems(one: IndexedRelation, terms: set[int], subjects: set[int]) -> list[str]:
    if one.subject_ent not in subjects:
        return [f"A relation begins at {one.subject_ent}, which is no subject."]
    wanted = subjects if one.relation in LINKS else terms
    if one.obj_ent_idx not in wanted or one.obj_ent_idx == one.subject_ent:
        return [
            f"The relation {one.relation} of {one.subject_ent} points to {one.obj_ent_idx}, which it cannot."
        ]
    return []


def by_section(asked: Asked, answer: ReportRelations) -> Parts:
    """The answer as findings of each section, sentences numbered within it."""
    terms = {term.ent_idx: term for term in answer.terms}
    place = {n: asked.sentences[term.sent_idx - 1].section for n, term in terms.items()}
    own: list[list[SaidFinding]] = [[] for _ in asked.sections]
    for subject in answer.subjects:
        at = place[subject.ent_idx]
        said = [
            r for r in answer.relations if r.subject_ent == subject.ent_idx and place[r.obj_ent_idx] == at
        ]
        own[at].append(finding(asked, subject, said, terms))
    return [(section, SectionFindings(found)) for section, found in zip(asked.sections, own, strict=True)]


def finding(
    asked: Asked, subject: Subject, said: Sequence[IndexedRelation], terms: dict[int, Term]
) -> SaidFinding:
    words = [r for r in said if r.relation not in LINKS]
    used = [terms[i].sent_idx for i in (subject.ent_idx, *(r.obj_ent_idx for r in words))]
    return SaidFinding(
        number=subject.ent_idx,
        sentences=list(dict.fromkeys(asked.sentences[n - 1].within for n in used)),
        entity=terms[subject.ent_idx].text,
        category=subject.cat,
        status=subject.dx_status,
        certainty=subject.dx_certainty,
        attributes=[Said(cast(Relation, r.relation), [terms[r.obj_ent_idx].text]) for r in words],
        associate=[r.obj_ent_idx for r in said if r.relation == "associate"],
        evidence=[r.obj_ent_idx for r in said if r.relation == "evidence"],
    )
