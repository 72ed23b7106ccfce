"""Report + client → StructuredReport: one question a section, numbered sentences with vocabulary cues; with
`whole_report` one question a report, as the paper has it.

    for outcome in structure(client, reports):
        ...  # a Structured (the view, and what was dropped), or the Failure that says why there is none

Unknown relations and categories, links to nowhere and evidence that is no observation get the layer's one
repair turn. Words that the sentences do not hold are dropped and counted. A section that fails fails its report.
"""

import logging
from collections.abc import Sequence

from msgspec import Struct

from overread.llm import Client, Failure, Item, ask_many, load_prompt
from overread.report import Report, Section
from overread.report.span import Span
from overread.systems.lunguage.answers import SaidFinding, SectionFindings
from overread.systems.lunguage.by_llm_whole import answers
from overread.systems.lunguage.by_rules import SECTIONS
from overread.systems.lunguage.cues import hints
from overread.systems.lunguage.grounding import Dropped, spans_of
from overread.systems.lunguage.schema import Quote, Relation, StructuredFinding, StructuredReport

LOG = logging.getLogger(__name__)
PACKAGE = "overread.systems.lunguage"
OBSERVATIONS = frozenset({"PF", "OTH", "COF"})
INFERRED = frozenset({"PF", "CF", "NCD"})
"""What can rest on evidence: diagnoses, and findings that are inferred themselves (*opacity, likely atelectasis*)."""


class Structured(Struct, frozen=True):
    """A view, and what had to be left out of it."""

    view: StructuredReport
    dropped: Dropped


class Asked(Struct, frozen=True):
    """One section of one report."""

    report: Report
    section: Section


def views(client: Client, reports: Sequence[Report]) -> list[StructuredReport | Failure]:
    """One view, or one failure, per report, in order; words dropped on the way are told to the log."""
    found = structure(client, reports)
    dropped = sum((one.dropped for one in found if isinstance(one, Structured)), Dropped())
    if dropped != Dropped():
        LOG.warning(
            "Not in the text and dropped: %d findings, %d attributes, %d links.",
            dropped.findings, dropped.attributes, dropped.links,
        )  # fmt: skip
    return [one.view if isinstance(one, Structured) else one for one in found]


def structure(client: Client, reports: Sequence[Report]) -> list[Structured | Failure]:
    """One structured report with its count of dropped words, or one failure, per report, in order."""
    if client.settings.whole_report:
        return [
            said if isinstance(said, Failure) else assembled(report, said)
            for report, said in zip(reports, answers(client, reports), strict=True)
        ]
    asked = [
        Asked(report, s) for report in reports for s in report.sections if s.name in SECTIONS and s.sentences
    ]
    items = [item(one, client.settings.cues, client.settings.cues_as_written) for one in asked]
    outcomes = ask_many(client, load_prompt(PACKAGE, "structure"), items, SectionFindings, check=problems)
    by_report: dict[str, list[tuple[Section, SectionFindings]]] = {}
    failed: dict[str, Failure] = {}
    for one, outcome in zip(asked, outcomes, strict=True):
        if isinstance(outcome, Failure):
            failed.setdefault(one.report.id, outcome)
        else:
            by_report.setdefault(one.report.id, []).append((one.section, outcome.value))
    return [failed.get(report.id) or assembled(report, by_report.get(report.id, [])) for report in reports]


def item(asked: Asked, cues: bool = True, as_written: bool = False) -> Item:
    text = numbered(asked.report, asked.section, cues, as_written)
    id = f"{asked.report.id}/{asked.section.name}"
    inputs = {"sentences": text, "section": asked.section.name}
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
    asked: Asked = item.source
    count = len(asked.section.sentences)
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


def assembled(report: Report, sections: Sequence[tuple[Section, SectionFindings]]) -> Structured:
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
        self.kept = [finding for finding in answer.findings if self.holds(finding)]
        self.ids = {finding.number: f"f{before + n}" for n, finding in enumerate(self.kept, 1)}
        self.dropped += Dropped(findings=len(answer.findings) - len(self.kept))

    def holds(self, finding: SaidFinding) -> bool:
        return self.spans(finding, finding.entity) is not None

    def spans(self, finding: SaidFinding, words: str) -> list[Span] | None:
        sentences = [self.section.sentences[number - 1].span for number in finding.sentences]
        return spans_of(words, sentences, self.report.text)

    def findings(self) -> list[StructuredFinding]:
        links = self.links()
        return [self.finding(one, sorted(links.get(one.number, ()))) for one in self.kept]

    def links(self) -> dict[int, set[int]]:
        """Associates both ways; evidence is always an associate too."""
        found: dict[int, set[int]] = {}
        for finding in self.kept:
            for other in {*finding.associate, *finding.evidence}:
                if other in self.ids:
                    found.setdefault(finding.number, set()).add(other)
                    found.setdefault(other, set()).add(finding.number)
                else:
                    self.dropped += Dropped(links=1)
        return found

    def finding(self, one: SaidFinding, associate: Sequence[int]) -> StructuredFinding:
        attributes: dict[Relation, list[str]] = {}
        spans = {"entity": self.spans(one, one.entity) or []}
        for said in one.attributes:
            for words in said.words:
                place = self.spans(one, words)
                if place is None:
                    self.dropped += Dropped(attributes=1)
                    continue
                attributes.setdefault(said.relation, []).append(words)
                spans.setdefault(said.relation, []).extend(place)
        sentence = self.section.sentences[one.sentences[0] - 1].span
        return StructuredFinding(
            id=self.ids[one.number],
            section=self.section.name,
            sentence=Quote(sentence.start, sentence.end, sentence.of(self.report.text)),
            entity=one.entity,
            category=one.category,
            status=one.status,
            certainty=one.certainty,
            attributes=attributes,
            associate=[self.ids[number] for number in associate],
            evidence=[self.ids[number] for number in one.evidence if number in self.ids],
            spans=spans,
        )
