"""Report + client → StructuredReport: one question a section, numbered sentences with vocabulary cues; with
`whole_report` one question a report, as the paper has it.

    for outcome in structure(client, reports):
        ...  # a Structured (the view, and what was dropped), or the Failure that says why there is none

Unknown relations and categories, links to nowhere and evidence that is no observation get the layer's one
repair turn. Words that the sentences do not hold are dropped and counted. A section that fails fails its report."""

import logging
from collections.abc import Sequence
from typing import cast

import msgspec
from msgspec import Struct

from overread.llm import Client, Failure, Item, Settings, ask_many, load_prompt
from overread.report import Report, Section
from overread.report.span import Span
from overread.systems.lunguage.asking import (
    Dropped,
    IndexedRelation,
    ReportRelations,
    Said,
    SaidFinding,
    SectionFindings,
    Subject,
    Term,
    hints,
    spans_of,
)
from overread.systems.lunguage.by_rules import SECTIONS
from overread.systems.lunguage.schema import Quote, Relation, StructuredFinding, StructuredReport, both_ways

# ---- as the paper asks: candidates as JSON, answers by index; a relation between two sections is left out
PACKAGE = "overread.systems.lunguage"
LINKS = ("associate", "evidence")
Parts = list[tuple[Section, SectionFindings]]


class Asked(Struct, frozen=True):
    """What one question is about: sections of one report, their sentences numbered through."""

    report: Report
    sections: tuple[Section, ...]
    sentences: tuple[tuple[int, int, str], ...]
    """Place of the section among those asked about, number in that section from 1, and words."""


def asked_of(report: Report, sections: tuple[Section, ...]) -> Asked:
    found = (
        (place, within, " ".join(sentence.span.of(report.text).split()))
        for place, section in enumerate(sections)
        for within, sentence in enumerate(section.sentences, 1)
    )
    return Asked(report, sections, tuple(found))


def answers(client: Client, asked: Sequence[Asked]) -> list[Parts | Failure]:
    """What the model says of each section, or the failure, per question, in order."""
    settings = client.settings
    if settings.whole_report:
        items = [item_whole(one, settings) for one in asked]
        whole = ask_many(
            client, load_prompt(PACKAGE, "relations"), items, ReportRelations, check=problems_whole
        )
        return [
            o if isinstance(o, Failure) else by_section(a, o.value) for a, o in zip(asked, whole, strict=True)
        ]
    items = [item(one, settings.cues, settings.cues_as_written) for one in asked]
    each = ask_many(client, load_prompt(PACKAGE, "structure"), items, SectionFindings, check=problems)
    return [
        o if isinstance(o, Failure) else [(a.sections[0], o.value)] for a, o in zip(asked, each, strict=True)
    ]


def item_whole(asked: Asked, settings: Settings) -> Item:
    rows = []
    for number, (place, _, text) in enumerate(asked.sentences, 1):
        cues = hints(text, settings.cues_as_written) if settings.cues else []
        candidates = [[hint.text, list(hint.roles)] for hint in cues]
        row = {"sent_idx": number, "section": asked.sections[place].name, "sentence": text}
        rows.append(row | {"candidates": candidates})
    shown = "[\n" + ",\n".join(msgspec.json.encode(row).decode() for row in rows) + "\n]"
    return Item(asked.report.id, {"sentences": shown}, patient=asked.report.patient, source=asked)


def problems_whole(item: Item, answer: ReportRelations) -> list[str]:
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
    place = {n: asked.sentences[term.sent_idx - 1][0] for n, term in terms.items()}
    own: list[list[SaidFinding]] = [[] for _ in asked.sections]
    for subject in answer.subjects:
        at = place[subject.ent_idx]
        said = [
            r for r in answer.relations if r.subject_ent == subject.ent_idx and place[r.obj_ent_idx] == at
        ]
        own[at].append(finding_said(asked, subject, said, terms))
    return [(section, SectionFindings(found)) for section, found in zip(asked.sections, own, strict=True)]


def finding_said(
    asked: Asked, subject: Subject, said: Sequence[IndexedRelation], terms: dict[int, Term]
) -> SaidFinding:
    words = [r for r in said if r.relation not in LINKS]
    used = [terms[i].sent_idx for i in (subject.ent_idx, *(r.obj_ent_idx for r in words))]
    return SaidFinding(
        number=subject.ent_idx,
        sentences=list(dict.fromkeys(asked.sentences[n - 1][1] for n in used)),
        entity=terms[subject.ent_idx].text,
        category=subject.cat,
        status=subject.dx_status,
        certainty=subject.dx_certainty,
        attributes=[Said(cast(Relation, r.relation), [terms[r.obj_ent_idx].text]) for r in words],
        associate=[r.obj_ent_idx for r in said if r.relation == "associate"],
        evidence=[r.obj_ent_idx for r in said if r.relation == "evidence"],
    )


# ---- section by section
LOG = logging.getLogger(__name__)
OBSERVATIONS = frozenset({"PF", "OTH", "COF"})
INFERRED = frozenset({"PF", "CF", "NCD"})
"""What can rest on evidence: diagnoses, and findings that are inferred themselves (*opacity, likely atelectasis*)."""


class Structured(Struct, frozen=True):
    """A view, and what had to be left out of it."""

    view: StructuredReport
    dropped: Dropped


def views(client: Client, reports: Sequence[Report]) -> list[StructuredReport | Failure]:
    """One view, or one failure, per report, in order; words dropped on the way are told to the log."""
    found = structure(client, reports)
    dropped = sum((one.dropped for one in found if isinstance(one, Structured)), Dropped())
    if dropped:
        LOG.warning("Not in the text and dropped: %s.", dropped_told(dropped))
    return [one.view if isinstance(one, Structured) else one for one in found]


def dropped_told(dropped: Dropped) -> str:
    """
    >>> dropped_told(Dropped(links=2))
    '0 findings, 0 attributes, 2 links'
    """
    return f"{dropped['findings']} findings, {dropped['attributes']} attributes, {dropped['links']} links"


def structure(client: Client, reports: Sequence[Report]) -> list[Structured | Failure]:
    """One structured report with its count of dropped words, or one failure, per report, in order."""
    asked: list[Asked] = []
    for report in reports:
        sections = tuple(s for s in report.sections if s.name in SECTIONS and s.sentences)
        parts = [sections] if client.settings.whole_report and sections else [(s,) for s in sections]
        asked += [asked_of(report, part) for part in parts]
    by_report: dict[str, Parts] = {}
    failed: dict[str, Failure] = {}
    for one, said in zip(asked, answers(client, asked), strict=True):
        if isinstance(said, Failure):
            failed.setdefault(one.report.id, said)
        else:
            by_report.setdefault(one.report.id, []).extend(said)
    return [failed.get(report.id) or assembled(report, by_report.get(report.id, [])) for report in reports]


def item(asked: Asked, cues: bool = True, as_written: bool = False) -> Item:
    (section,) = asked.sections
    text = numbered(asked.report, section, cues, as_written)
    id = f"{asked.report.id}/{section.name}"
    inputs = {"sentences": text, "section": section.name}
    return Item(id, inputs, patient=asked.report.patient, source=asked)


def numbered(report: Report, section: Section, cues: bool = True, as_written: bool = False) -> str:
    """The sentences of a section as the model sees them."""
    lines = []
    for number, sentence in enumerate(section.sentences, 1):
        text = " ".join(sentence.span.of(report.text).split())
        lines.append(f"{number}. {text}")
        found = hints(text, as_written) if cues else []
        if found:
            lines.append("   cues: " + " | ".join(f"{hint.text} ({', '.join(hint.roles)})" for hint in found))
    return "\n".join(lines)


def problems(item: Item, answer: SectionFindings) -> list[str]:
    """What makes an answer unusable, in words for the model."""
    count = len(item.source.sentences)
    known = {finding.number: finding for finding in answer.findings}
    found = []
    if len(known) < len(answer.findings):
        found.append("Two findings have the same number.")
    for finding in answer.findings:
        if not finding.sentences or any(not 1 <= n <= count for n in finding.sentences):
            found.append(f"Finding {finding.number} must name sentences from 1 to {count}.")
        found += link_problems(finding, known)
    return found


def link_problems(finding: SaidFinding, known: dict[int, SaidFinding]) -> list[str]:
    found = []
    for number in (*finding.associate, *finding.evidence):
        if number not in known or number == finding.number:
            found.append(
                f"Finding {finding.number} is linked to {number}, which is no other finding of the list."
            )
    targets = [known[number] for number in finding.evidence if number in known]
    if targets and finding.category not in INFERRED:
        found.append(f"Finding {finding.number} is no diagnosis; evidence belongs to diagnoses.")
    for target in targets:
        if target.category not in OBSERVATIONS:
            found.append(
                f"Finding {target.number} is no observation and cannot be evidence for {finding.number}."
            )
    return found


def assembled(report: Report, sections: Parts) -> Structured:
    """The sections' answers as one view, words checked against their sentences."""
    findings: list[StructuredFinding] = []
    dropped = Dropped()
    for section, answer in sections:
        grounded = Grounded(report, section, answer, len(findings))
        findings += grounded.findings()
        dropped += grounded.dropped
    return Structured(StructuredReport(report.id, findings), dropped)


class Grounded:
    """One section's answer held against its sentences."""

    def __init__(self, report: Report, section: Section, answer: SectionFindings, before: int) -> None:
        self.report, self.section = report, section
        self.dropped = Dropped()
        self.kept = [
            finding for finding in answer.findings if self.spans(finding, finding.entity) is not None
        ]
        self.ids = {finding.number: f"f{before + n}" for n, finding in enumerate(self.kept, 1)}
        self.dropped["findings"] = len(answer.findings) - len(self.kept)

    def spans(self, finding: SaidFinding, words: str) -> list[Span] | None:
        sentences = [self.section.sentences[number - 1].span for number in finding.sentences]
        return spans_of(words, sentences, self.report.text)

    def findings(self) -> list[StructuredFinding]:
        told = {one.number: {*one.associate, *one.evidence} for one in self.kept}
        lost = sum(len(others - self.ids.keys()) for others in told.values())
        self.dropped["links"] += lost
        links = both_ways(told)
        return [self.finding(one, sorted(links.get(one.number, ()))) for one in self.kept]

    def finding(self, one: SaidFinding, associate: Sequence[int]) -> StructuredFinding:
        attributes: dict[Relation, list[str]] = {}
        spans = {"entity": self.spans(one, one.entity) or []}
        for said in one.attributes:
            for words in said.words:
                place = self.spans(one, words)
                if place is None:
                    self.dropped["attributes"] += 1
                    continue
                attributes.setdefault(said.relation, []).append(words)
                spans.setdefault(said.relation, []).extend(place)
        sentence = self.section.sentences[one.sentences[0] - 1].span
        return StructuredFinding(
            id=self.ids[one.number],
            section=self.section.name,
            sentence=Quote.of(sentence, self.report.text),
            entity=one.entity,
            category=one.category,
            status=one.status,
            certainty=one.certainty,
            attributes=attributes,
            associate=[self.ids[number] for number in associate],
            evidence=[self.ids[number] for number in one.evidence if number in self.ids],
            spans=spans,
        )
