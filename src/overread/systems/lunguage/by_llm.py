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
from overread.report import Report
from overread.systems.lunguage.asking import (
    LUNGUAGE_PROMPTS,
    Asked,
    Dropped,
    Hint,
    ReportRelations,
    Said,
    SaidFinding,
    SectionFindings,
    Subject,
    grounded,
    hints,
)
from overread.systems.lunguage.by_rules import STRUCTURED_SECTIONS
from overread.systems.lunguage.schema import Relation, StructuredReport

LOG = logging.getLogger(__name__)


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
    asked: list[tuple[int, Asked]] = []
    for n, report in enumerate(reports):
        sections = [s for s in report.sections if s.name in STRUCTURED_SECTIONS and s.sentences]
        groups = [sections] if client.settings.whole_report and sections else [[s] for s in sections]
        asked += [(n, Asked.of(report, group)) for group in groups]
    found = [Structured(StructuredReport(report.id, []), Dropped()) for report in reports]
    failed: dict[int, Failure] = {}
    for (n, one), answer in zip(asked, answers_to(client, [one for _, one in asked]), strict=True):
        if isinstance(answer, Failure):
            failed.setdefault(n, answer)
        else:
            findings, lost = grounded(one, answer, before=len(found[n].view.findings))
            found[n].view.findings.extend(findings)
            found[n].dropped.update(lost)
    return [failed.get(n) or one for n, one in enumerate(found)]


def answers_to(client: Client, asked: Sequence[Asked]) -> list[SectionFindings | Failure]:
    """What the model says of each question, or the failure, in order."""
    settings = client.settings
    if not settings.whole_report:
        prompt = load_prompt(LUNGUAGE_PROMPTS, "structure")
        items = [item(one, settings) for one in asked]
        each = ask_many(client, prompt, items, SectionFindings, check=structure_problems)
        return [o if isinstance(o, Failure) else o.value for o in each]
    prompt = load_prompt(LUNGUAGE_PROMPTS, "relations")
    items = [item_whole(one, settings) for one in asked]
    whole = ask_many(client, prompt, items, ReportRelations, check=problems_whole)
    return [o if isinstance(o, Failure) else by_index(a, o.value) for a, o in zip(asked, whole, strict=True)]


def cues(words: str, settings: Settings) -> list[Hint]:
    return hints(words, settings.cues_as_written) if settings.cues else []


# ---- as the paper asks: candidates as JSON, answers by index; a relation between two sections is left out
LINK_RELATIONS = ("associate", "evidence")


def item_whole(asked: Asked, settings: Settings) -> Item:
    rows = []
    for number, (section, _) in enumerate(asked.sentences, 1):
        row = {"sent_idx": number, "section": section, "sentence": asked.words(number)}
        rows.append(msgspec.json.encode(row | {"candidates": cues(asked.words(number), settings)}).decode())
    shown = "[\n" + ",\n".join(rows) + "\n]"
    return Item(asked.report.id, {"sentences": shown}, patient=asked.report.patient, source=asked)


def problems_whole(item: Item, answer: ReportRelations) -> list[str]:
    """What makes an answer unusable, in words for the model."""
    known: range = item.source.numbers
    terms = {term.ent_idx for term in answer.terms}
    subjects = {subject.ent_idx for subject in answer.subjects}
    found = []
    if len(terms) < len(answer.terms) or len(subjects) < len(answer.subjects):
        found.append("An ent_idx stands twice in terms or in subjects.")
    if wrong := sorted({t.sent_idx for t in answer.terms if t.sent_idx not in known}):
        found.append(
            f"No sentence has the number {', '.join(map(str, wrong))}; they run from 1 to {len(known)}."
        )
    if lost := sorted(subjects - terms):
        found.append(f"Subjects without a term: {', '.join(map(str, lost))}.")
    for one in answer.relations:
        if one.subject_ent not in subjects:
            found.append(f"A relation begins at {one.subject_ent}, which is no subject.")
            continue
        ends = (subjects if one.relation in LINK_RELATIONS else terms) - {one.subject_ent}
        if one.obj_ent_idx not in ends:
            found.append(
                f"The relation {one.relation} of {one.subject_ent} points to {one.obj_ent_idx}, which it cannot."
            )
    return found


def by_index(asked: Asked, answer: ReportRelations) -> SectionFindings:
    """The answer as findings, section after section."""
    terms = {term.ent_idx: term for term in answer.terms}
    sections = [section for section, _ in asked.sentences]
    place = {n: sections.index(sections[term.sent_idx - 1]) for n, term in terms.items()}

    def said(subject: Subject) -> SaidFinding:
        own = [
            one
            for one in answer.relations
            if one.subject_ent == subject.ent_idx and place[one.obj_ent_idx] == place[subject.ent_idx]
        ]
        words = [one for one in own if one.relation not in LINK_RELATIONS]
        return SaidFinding(
            number=subject.ent_idx,
            sentences=[terms[n].sent_idx for n in (subject.ent_idx, *(one.obj_ent_idx for one in words))],
            entity=terms[subject.ent_idx].text,
            category=subject.cat,
            status=subject.dx_status,
            certainty=subject.dx_certainty,
            attributes=[Said(cast(Relation, one.relation), [terms[one.obj_ent_idx].text]) for one in words],
            associate=[one.obj_ent_idx for one in own if one.relation == "associate"],
            evidence=[one.obj_ent_idx for one in own if one.relation == "evidence"],
        )

    return SectionFindings([said(one) for one in sorted(answer.subjects, key=lambda s: place[s.ent_idx])])


# ---- section by section
OBSERVATIONS = frozenset({"PF", "OTH", "COF"})
INFERRED = frozenset({"PF", "CF", "NCD"})
"""What can rest on evidence: diagnoses, and findings that are inferred themselves (*opacity, likely atelectasis*)."""


def item(asked: Asked, settings: Settings) -> Item:
    section = asked.sentences[0][0]
    inputs = {"sentences": numbered(asked, settings), "section": section}
    return Item(f"{asked.report.id}/{section}", inputs, patient=asked.report.patient, source=asked)


def numbered(asked: Asked, settings: Settings) -> str:
    """The sentences of a section as the model sees them."""
    lines = []
    for number in asked.numbers:
        text = asked.words(number)
        lines.append(f"{number}. {text}")
        found = cues(text, settings)
        if found:
            lines.append("   cues: " + " | ".join(f"{words} ({', '.join(roles)})" for words, roles in found))
    return "\n".join(lines)


def structure_problems(item: Item, answer: SectionFindings) -> list[str]:
    """What makes an answer unusable, in words for the model."""
    sentences: range = item.source.numbers
    known = {finding.number: finding for finding in answer.findings}
    found = []
    if len(known) < len(answer.findings):
        found.append("Two findings have the same number.")
    for one in answer.findings:
        if not one.sentences or any(n not in sentences for n in one.sentences):
            found.append(f"Finding {one.number} must name sentences from 1 to {len(sentences)}.")
        for number in (*one.associate, *one.evidence):
            if number not in known or number == one.number:
                found.append(
                    f"Finding {one.number} is linked to {number}, which is no other finding of the list."
                )
        targets = [known[number] for number in one.evidence if number in known]
        if targets and one.category not in INFERRED:
            found.append(f"Finding {one.number} is no diagnosis; evidence belongs to diagnoses.")
        for target in targets:
            if target.category not in OBSERVATIONS:
                found.append(
                    f"Finding {target.number} is no observation and cannot be evidence for {one.number}."
                )
    return found
