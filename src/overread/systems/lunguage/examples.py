"""Lines for a bank of worked examples, from reports whose right structure is known."""

from collections.abc import Iterator
from typing import Any

import msgspec

from overread.report import Report, Section
from overread.systems.lunguage.asking import (
    Grouping,
    Said,
    SaidEpisode,
    SaidFinding,
    SaidGroup,
    SectionFindings,
)
from overread.systems.lunguage.by_llm import numbered
from overread.systems.lunguage.follow_by_llm import History, listed
from overread.systems.lunguage.schema import StructuredFinding, StructuredReport
from overread.systems.lunguage.timeline import Timeline


def report_examples(report: Report, view: StructuredReport) -> Iterator[dict[str, Any]]:
    """One example a section that has findings; write each as a JSON line of the bank."""
    for section in report.sections:
        findings = [f for f in view.findings if any(sentence_of(f, section))]
        if findings:
            answer = SectionFindings([said(f, n, findings, section) for n, f in enumerate(findings, 1)])
            yield line("lunguage/structure", numbered(report, section), answer, report.patient)


def timeline_example(history: History, timeline: Timeline) -> dict[str, Any]:
    """One example: the patient's observations and their groups."""
    groups = []
    for group in timeline.groups:
        members = [n for n, o in enumerate(timeline.observations, 1) if o.entity_group == group.name]
        seen = [timeline.observations[n - 1] for n in members]
        days = [sorted({o.day for o in seen if o.temporal_group == e.number}) for e in group.episodes]
        reason = "The same finding in the same place." if len(members) > 1 else "Mentioned once."
        groups.append(SaidGroup(group.name, members, [SaidEpisode(one) for one in days], reason))
    return line("lunguage/follow", listed(history), Grouping(groups), history.patient)


def line(stage: str, text: str, answer: SectionFindings | Grouping, patient: str | None) -> dict[str, Any]:
    return {"stage": stage, "text": text, "answer": msgspec.to_builtins(answer), "patient": patient}


def sentence_of(finding: StructuredFinding, section: Section) -> Iterator[int]:
    """Number of the finding's sentence in the section, if it stands there."""
    for number, sentence in enumerate(section.sentences, 1):
        if sentence.span.start <= finding.sentence.start < sentence.span.end:
            yield number


def said(
    finding: StructuredFinding, number: int, findings: list[StructuredFinding], section: Section
) -> SaidFinding:
    numbers = {f.id: n for n, f in enumerate(findings, 1)}
    return SaidFinding(
        number=number,
        sentences=list(sentence_of(finding, section)),
        entity=finding.entity,
        category=finding.category,
        status=finding.status,
        certainty=finding.certainty,
        attributes=[Said(relation, list(words)) for relation, words in finding.attributes.items()],
        associate=[numbers[id] for id in finding.associate if id in numbers],
        evidence=[numbers[id] for id in finding.evidence if id in numbers],
    )
