"""Lines for a bank of worked examples, from reports whose right structure is known."""

from collections.abc import Iterator
from typing import Any

import msgspec

from overread.llm import Settings
from overread.report import Report
from overread.systems.lunguage.asking import (
    Asked,
    Grouping,
    Said,
    SaidEpisode,
    SaidFinding,
    SaidGroup,
    SectionFindings,
)
from overread.systems.lunguage.by_llm import numbered
from overread.systems.lunguage.follow_by_llm import observation_list
from overread.systems.lunguage.likeness import whole
from overread.systems.lunguage.schema import StructuredFinding, StructuredReport
from overread.systems.lunguage.timeline import Timeline


def report_examples(report: Report, view: StructuredReport) -> Iterator[dict[str, Any]]:
    """One example a section that has findings; write each as a JSON line of the bank."""
    for section in report.sections:
        spans = [*enumerate((sentence.span for sentence in section.sentences), 1)]
        places = {
            f.id: [n for n, span in spans if span.start <= f.sentence.start < span.end] for f in view.findings
        }
        findings = [f for f in view.findings if places[f.id]]
        numbers = {f.id: n for n, f in enumerate(findings, 1)}
        answer = SectionFindings([finding_as_answer(f, places[f.id], numbers) for f in findings])
        if findings:
            text = numbered(Asked.of(report, [section]), Settings())
            told = {"answer": msgspec.to_builtins(answer), "patient": report.patient}
            yield {"stage": "lunguage/structure", "text": text, **told}


def timeline_example(timeline: Timeline) -> dict[str, Any]:
    """One example: the patient's observations and their groups."""
    groups = []
    for group in timeline.groups:
        members = {n: o for n, o in enumerate(timeline.observations, 1) if o.entity_group == group.name}
        days = [
            sorted({o.day for o in members.values() if o.temporal_group == e.number}) for e in group.episodes
        ]
        reason = "The same finding in the same place." if len(members) > 1 else "Mentioned once."
        groups.append(SaidGroup(group.name, [*members], [SaidEpisode(one) for one in days], reason))
    text = observation_list((o.day, o.status, o.entity, whole(o)) for o in timeline.observations)
    told = {"answer": msgspec.to_builtins(Grouping(groups)), "patient": timeline.patient}
    return {"stage": "lunguage/follow", "text": text, **told}


def finding_as_answer(
    finding: StructuredFinding, sentences: list[int], numbers: dict[str, int]
) -> SaidFinding:
    return SaidFinding(
        number=numbers[finding.id],
        sentences=sentences,
        entity=finding.entity,
        category=finding.category,
        status=finding.status,
        certainty=finding.certainty,
        attributes=[Said(relation, list(words)) for relation, words in finding.attributes.items()],
        associate=[numbers[id] for id in finding.associate if id in numbers],
        evidence=[numbers[id] for id in finding.evidence if id in numbers],
    )
