"""Report + client → SrrgView: the template filled in, checked and mended once; then labels by consensus.

    for outcome in views(client, reports):
        ...  # an SrrgView, or the Failure that says why there is none

The linter reads every draft beside its report. Where it finds a fault the model is asked once more, with the
linter's messages; the second draft is linted again, and lines that have no source in the report are refused and
counted. Labels are asked of every model the client has: a disease stays when
enough of them name it (2 of 3), with the status most of them give it. A statement on which they agree on nothing
is left out of the utterances and counted in `SrrgView.dropped`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, structs

from overread.llm import Answer, Client, Failure, Item, agreed, ask_many, ask_panel, load_prompt
from overread.report import Report
from overread.report.span import Span
from overread.systems.srrg.labels import NO_FINDING, PARENTS, Status, facts
from overread.systems.srrg.lint import lint
from overread.systems.srrg.schema import (
    HEADERS,
    OPENING,
    LabelRead,
    SectionOfInterest,
    SrrgView,
    StructuredReport,
    Utterance,
)
from overread.systems.srrg.template import MARKER, show

# ---- what is sent back
if TYPE_CHECKING:
    HeaderName = str
    LabelName = str
else:
    HeaderName = Literal[HEADERS]
    LabelName = Literal[(*facts().leaves, *PARENTS)]


class Bullets(Struct, frozen=True, forbid_unknown_fields=True):
    """The bullets under one header."""

    header: HeaderName
    bullets: list[str]


class Rewritten(Struct, frozen=True, forbid_unknown_fields=True):
    """A report in the template."""

    exam_type: str
    history: str
    technique: str
    comparison: str
    findings: list[Bullets]
    impression: list[str]


def structured(answer: Rewritten) -> StructuredReport:
    """The answer as a structured report: lines tidied, empty ones and repeated headers gone."""
    found: dict[str, list[str]] = {}
    for group in answer.findings:
        found[group.header] = [*found.get(group.header, ()), *tidied_lines(group.bullets)]
    return StructuredReport(
        **{field: " ".join(getattr(answer, field).split()) for field in OPENING},
        findings={header: found[header] for header in HEADERS if found.get(header)},
        impression=tidied_lines(answer.impression),
    )


def tidied_lines(texts: list[str]) -> list[str]:
    return [line for text in texts if (line := " ".join(text.split()))]


class NamedLabel(Struct, frozen=True, forbid_unknown_fields=True):
    """One disease and its status."""

    label: LabelName
    status: Status | None


class LabelledStatement(Struct, frozen=True, forbid_unknown_fields=True):
    """The labels of one numbered statement."""

    number: int
    labels: list[NamedLabel]


class Labelling(Struct, frozen=True, forbid_unknown_fields=True):
    """The labels of every statement that was shown."""

    statements: list[LabelledStatement]


SRRG_PROMPTS = "overread.systems.srrg"
Vote = tuple[int, str, Status | None]
"""Number of the statement, label, status."""


def views(client: Client, reports: Sequence[Report]) -> list[SrrgView | Failure]:
    """One view, or one failure, per report, in order. The first of several models fills the template."""
    drafts = template_drafts(client.for_model(client.settings.models[0]), reports)
    made = [d if isinstance(d, Failure) else sourced(d, r) for r, d in zip(reports, drafts, strict=True)]
    said = {n: one for n, one in enumerate(made) if isinstance(one, SrrgView) and one.utterances}
    items = [item_of(one.id, [u.text for u in one.utterances], reports[n].patient) for n, one in said.items()]
    for (n, one), votes in zip(said.items(), ask_labels(client, items), strict=True):
        if isinstance(votes, Failure):
            made[n] = votes
            continue
        told = [structs.replace(u, labels=voted_for(votes.value, k)) for k, u in enumerate(one.utterances, 1)]
        kept = [u for u in told if u.labels]  # without the statements nobody agreed on
        made[n] = structs.replace(one, utterances=kept, dropped=len(told) - len(kept))
    return made


def sourced(draft: StructuredReport, report: Report) -> SrrgView:
    """The draft linted once more, without the lines that have no source in the report or hold an identifier.

    Its utterances have no labels yet.
    """
    text = show(draft)
    rows = text.splitlines()
    bad = {
        MARKER.sub("", rows[fault.line - 1], count=1)
        for fault in lint(text, report.text)
        if fault.rule in ("added", "identifier") and fault.line
    }
    told = {header: [line for line in lines if line not in bad] for header, lines in draft.findings.items()}
    findings = {header: lines for header, lines in told.items() if lines}
    impression = [line for line in draft.impression if line not in bad]
    said = [utterance(report, line, "findings", header) for header in findings for line in findings[header]]
    said += [utterance(report, line, "impression") for line in impression]
    refused = sum(map(len, draft.findings.values())) + len(draft.impression) - len(said)
    kept = structs.replace(draft, findings=findings, impression=impression)
    return SrrgView(report.id, kept, said, refused=refused)


# ---- the template
def template_drafts(client: Client, reports: Sequence[Report]) -> list[StructuredReport | Failure]:
    """Drafts, those with faults asked for once more; a draft stays when nothing better comes back."""
    items = [
        Item(r.id, {"report": r.text, "headers": "; ".join(HEADERS)}, patient=r.patient) for r in reports
    ]
    outcomes = ask_many(client, load_prompt(SRRG_PROMPTS, "structure"), items, Rewritten)
    found = [one if isinstance(one, Failure) else structured(one.value) for one in outcomes]
    faulty = {}
    for place, (report, draft) in enumerate(zip(reports, found, strict=True)):
        if not isinstance(draft, Failure) and (faults := complaints(draft, report)):
            given = {"report": report.text, "draft": show(draft), "faults": "\n".join(faults)}
            given["headers"] = "; ".join(HEADERS)
            faulty[place] = Item(report.id, given, patient=report.patient)
    outcomes = ask_many(client, load_prompt(SRRG_PROMPTS, "mend"), [*faulty.values()], Rewritten)
    for place, outcome in zip(faulty, outcomes, strict=True):
        if isinstance(outcome, Answer):
            found[place] = structured(outcome.value)
        elif outcome.kind != "unusable":
            found[place] = outcome
    return found


def complaints(draft: StructuredReport, report: Report) -> list[str]:
    """What the linter says of a draft, with the words it is about."""
    text = show(draft)
    return [
        f'- {fault.message} Words: "{fault.span.of(report.text if fault.rule == "lost" else text)}"'
        for fault in lint(text, report.text)
    ]


# ---- the labels
def label_lines(client: Client, texts: Sequence[str]) -> list[list[LabelRead] | Failure]:
    """The labels of lines that stand alone, asked about so many at a time; none where the models do not agree."""
    pages = [texts[n : n + PAGE] for n in range(0, len(texts), PAGE)]
    items = [item_of(f"lines {n * PAGE + 1} to {n * PAGE + len(p)}", p) for n, p in enumerate(pages)]
    found: list[list[LabelRead] | Failure] = []
    for page, outcome in zip(pages, ask_labels(client, items), strict=True):
        if isinstance(outcome, Failure):
            found += [outcome] * len(page)
        else:
            found += [voted_for(outcome.value, number) for number in range(1, len(page) + 1)]
    return found


PAGE = 20
"""Lines in one question: about as many as a long report has."""


def item_of(id: str, lines: Sequence[str], patient: str | None = None) -> Item:
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(lines, 1))
    listed = "\n".join(f"- {name}" for name in (*facts().leaves, *PARENTS))
    return Item(id, {"statements": numbered, "labels": listed}, patient=patient, source=len(lines))


def ask_labels(client: Client, items: Sequence[Item]) -> list[Answer[list[Vote]] | Failure]:
    return ask_panel(
        client,
        load_prompt(SRRG_PROMPTS, "label"),
        items,
        Labelling,
        ballots,
        check=labelling_problems,
        settle=by_disease,
    )


def voted_for(votes: Sequence[Vote], number: int) -> list[LabelRead]:
    return [LabelRead(name, status) for place, name, status in votes if place == number]


def ballots(answer: Labelling) -> Iterator[Vote]:
    """One vote per statement, label and status; No Finding beside a disease is no vote."""
    for one in answer.statements:
        diseases = [label for label in one.labels if label.label != NO_FINDING]
        for label in diseases:
            yield one.number, label.label, label.status
        if not diseases and one.labels:
            yield one.number, NO_FINDING, None


def by_disease(votes: Sequence[Sequence[Vote]], needed: int) -> list[Vote]:
    """Diseases that enough models name, as in the paper; the status is the one most of these give.

    Where two statuses are as frequent the surer one holds; a disease that is as often present as absent is uncertain.

    >>> by_disease([[(1, "Pneumonia", "Present")], [(1, "Pneumonia", "Uncertain")], []], 2)
    [(1, 'Pneumonia', 'Present')]
    >>> by_disease([[(1, "Edema", "Present")], [(1, "Edema", "Absent")]], 2)
    [(1, 'Edema', 'Uncertain')]
    """
    named = agreed([[(number, label) for number, label, _ in one] for one in votes], needed)
    return [(number, label, settled_status(votes, number, label)) for number, label in named]


def settled_status(votes: Sequence[Sequence[Vote]], number: int, label: str) -> Status | None:
    told = [{status for n, name, status in one if (n, name) == (number, label)} for one in votes]
    counts = Counter(status for statuses in told for status in statuses)
    most = {status for status, count in counts.items() if count == max(counts.values())}
    sure = most - {"Uncertain"}
    if len(sure) > 1:
        return "Uncertain"
    return next(iter(sure or most))


def labelling_problems(item: Item, answer: Labelling) -> list[str]:
    """Statements without an entry, entries without a statement, diseases without a status."""
    given, wanted = [one.number for one in answer.statements], range(1, item.source + 1)
    found = [f"Statement {number} has no entry." for number in wanted if number not in given]
    found += [f"There is no statement {number}." for number in given if number not in wanted]
    found += [
        f"{one.label} of statement {entry.number} needs a status."
        for entry in answer.statements
        for one in entry.labels
        if one.status is None and one.label != NO_FINDING
    ]
    return found


def utterance(report: Report, text: str, section: SectionOfInterest, header: str | None = None) -> Utterance:
    """A line with the sentence that shares most words with it: in its own section, else anywhere."""
    wanted = set(text.lower().split())

    def shared(span: Span) -> float:
        words = set(span.of(report.text).lower().strip(".").split())
        return len(wanted & words) / len(wanted | words)

    for sections in (report.section(section), report.sections):
        spans = [sentence.span for one in sections for sentence in one.sentences]
        best = max(spans, key=shared, default=None)
        if best is not None and shared(best) > 0:
            return Utterance(section, best.start, best.end, text, [], header)
    return Utterance(section, 0, len(report.text), text, [], header)
