"""Report + client → Table: one question about presence, then five about each positive condition.

    for outcome in views(client, reports):
        ...  # a Table, or the Failure that says why there is none

A question that stays without a usable answer fails its report: no cell is ever filled with a default."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, structs

from overread.errors import AskFailed, BadInput
from overread.lexicon.words import bare
from overread.llm import Client, Failure, Item, Prompt, ask_many, load_prompt
from overread.llm.outcome import schema_of
from overread.llm.prompt import opening, question_text
from overread.report import Report
from overread.report.span import Span
from overread.systems.base import Score
from overread.systems.clear.outcomes import Outcome, outcomes
from overread.systems.clear.schema import (
    CHOICES,
    CONDITIONS,
    PHRASES,
    PRESENCE,
    Cell,
    Change,
    Condition,
    FirstOccurrence,
    Level,
    Severity,
    Table,
    attributes_of,
)
from overread.systems.clear.schema import Presence as Label
from overread.systems.clear.score import METRICS
from overread.systems.tables import facts_in

# ---- answers: one Struct per prompt, every option closed
LEVEL_OF_LABEL: dict[Label, Level] = {
    "positive": "confidently present",
    "unclear": "neutral",
    "negative": "confidently absent",
}


class Seen(Struct, frozen=True, forbid_unknown_fields=True):
    """What the report says about one condition being there."""

    level: Level
    mentioned: bool


def answer(name: str, about: str | None, **fields: Any) -> type[Any]:
    """A Struct of these fields, those of conditions by their own names."""
    return msgspec.defstruct(
        name,
        [*fields.items()],
        namespace={"__doc__": about},
        module=__name__,
        rename=lambda field: field.replace("_", " ").title() if len(fields) > 1 else field,
        frozen=True,
        forbid_unknown_fields=True,
    )


CONDITION_FIELDS = {condition: condition.lower().replace(" ", "_") for condition in CONDITIONS}
Presence = answer(
    "Presence", "All 13 conditions, each by its own name.", **dict.fromkeys(CONDITION_FIELDS.values(), Seen)
)
Labels = answer(
    "Labels",
    "All 13 conditions with one of three labels each, as the paper asks for them.",
    **dict.fromkeys(CONDITION_FIELDS.values(), Label),
)


def cells_of(answer: Any) -> dict[Condition, Cell]:
    """The cells, presence only; of a label that is not decided it is not known whether it is mentioned."""
    told = {condition: getattr(answer, field) for condition, field in CONDITION_FIELDS.items()}
    return {
        condition: Cell(PRESENCE[one.level], one.level, one.mentioned)
        if isinstance(one, Seen)
        else Cell(one, LEVEL_OF_LABEL[one], one != "unclear")
        for condition, one in told.items()
    }


class Phrases(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases from the report; an empty list when it holds none."""

    phrases: tuple[str, ...]


class Likeness(Struct, frozen=True, forbid_unknown_fields=True):
    """How alike two lists of phrases are, as a judge sees it."""

    score: Annotated[float, Meta(ge=0, le=1)]


# ---- a model as judge of two phrase lists: the paper's third similarity
PACKAGE = "overread.systems.clear"


def judged(client: Client, found: Sequence[tuple[str, Outcome]]) -> list[float | Failure]:
    """A score in 0 … 1 for each (report id, outcome with phrases on a side), or why there is none.

    Two empty lists agree and one empty list agrees with nothing: neither needs a judge.
    """
    prompt = load_prompt(PACKAGE, "judge")
    asked = [n for n, (_, o) in enumerate(found) if o.reference and o.candidate]
    items = [
        Item(
            f"{id}/{o.condition}/{o.attribute}",
            {side: "\n".join(f"- {p}" for p in getattr(o, side)) for side in ("reference", "candidate")},
        )
        for id, o in (found[n] for n in asked)
    ]
    scores: list[float | Failure] = [float(not o.reference and not o.candidate) for _, o in found]
    for n, outcome in zip(asked, ask_many(client, prompt, items, Likeness), strict=True):
        scores[n] = outcome if isinstance(outcome, Failure) else outcome.value.score
    return scores


def judge_score(client: Client, attribute: str, reference: Table, candidate: Table) -> Score:
    """The mean rating over the conditions positive on both sides; one without an answer fails the pair."""
    cells = [o for o in outcomes(reference, candidate) if o.attribute == attribute]
    if not cells:
        return Score(None, why="no condition is positive in both reports")
    ratings = judged(client, [(reference.id, o) for o in cells])
    lost = next((r for r in ratings if isinstance(r, Failure)), None)
    if lost is not None:
        raise AskFailed(f"{lost.stage}: {lost.reason}")
    rated = [float(r) for r in ratings if not isinstance(r, Failure)]
    counts = {f"{attribute}/sum": sum(rated), f"{attribute}/n": float(len(rated))}
    told = [{"condition": o.condition, "rating": r} for o, r in zip(cells, rated, strict=True)]
    return Score(sum(rated) / len(rated), counts=counts, detail={"ratings": told})


# ---- views
ANSWERS: dict[str, type[Any]] = {
    "first_occurrence": answer("FirstOccurrenceAnswer", None, answer=FirstOccurrence),
    "change": answer("ChangeAnswer", None, answer=Change),
    "severity": answer("SeverityAnswer", None, answer=Severity),
    "location": Phrases,
    "recommendation": Phrases,
}
NOTHING = frozenset({"", "n/a", "na", "none"})
"""Entries by which a model says that its list is empty."""


def views(client: Client, reports: Sequence[Report]) -> list[Table | Failure]:
    """One table, or one failure, per report, in order.

    Every attribute of every positive condition is asked for, prompt by prompt, each prompt's items at once.
    """
    labels = client.settings.three_labels
    prompt = load_prompt(PACKAGE, "labels" if labels else "presence")
    cells: dict[int, dict[Condition, Cell]] = {}
    failed: dict[int, Failure] = {}
    items = [about_presence(report) for report in reports]
    for n, outcome in enumerate(ask_many(client, prompt, items, Labels if labels else Presence)):
        if isinstance(outcome, Failure):
            failed[n] = outcome
        else:
            cells[n] = cells_of(outcome.value)
    known = terms(client.settings.clear_terms)
    for attribute in (*CHOICES, *PHRASES):
        asked = [
            (n, condition)
            for n, row in cells.items()
            for condition, cell in row.items()
            if cell.presence == "positive" and attribute in attributes_of(condition)
        ]
        prompt = load_prompt(PACKAGE, attribute)
        items = [about_attribute(prompt, condition, reports[n], known) for n, condition in asked]
        check = from_the_report if attribute in PHRASES else None
        answers = ask_many(client, prompt, items, ANSWERS[attribute], check=check)
        for (n, condition), outcome in zip(asked, answers, strict=True):
            if isinstance(outcome, Failure):
                failed.setdefault(n, outcome)
            else:
                cells[n][condition] = cell_answered(cells[n][condition], attribute, outcome.value, reports[n])
    return [failed[n] if n in failed else Table(report.id, cells[n]) for n, report in enumerate(reports)]


def findings_and_impression(report: Report) -> str:
    """Findings and impression under their names; the whole text when the report has no headings."""
    parts = [
        f"{s.name.upper()}: {s.span.of(report.text).strip()}"
        for s in report.section("findings", "impression")
    ]
    return "\n\n".join(parts) or report.text


# ---- asking
def about_presence(report: Report) -> Item:
    given = {"report": findings_and_impression(report), "conditions": ", ".join(CONDITIONS)}
    return Item(report.id, given, patient=report.patient)


def about_attribute(
    prompt: Prompt, condition: Condition, report: Report, known: dict[Condition, "Terms"]
) -> Item:
    text, own = findings_and_impression(report), known[condition]
    looks = "; ".join(filter(None, (own.looks, own.status)))
    words = {"condition": terms()[condition].spoken, "sites": own.sites, "looks": looks, "note": own.note}
    given = {"report": text, **{name: words[name] for name in prompt.plain}}
    return Item(f"{report.id}/{condition}", given, patient=report.patient, about=condition, source=text)


class Terms(Struct, frozen=True, forbid_unknown_fields=True):
    """Words that help to see what belongs to a condition's place."""

    sites: str = ""
    looks: str = ""
    status: str = ""
    """Words of course to take along, as the paper's Table 9 has them; ours has none."""

    note: str = ""
    spoken: str = ""
    """The condition as one would say it in a sentence; always ours."""


@cache
def terms(own: str | None = None) -> dict[Condition, Terms]:
    """The terms of every condition: terms.toml, and what a file of the user's has instead."""
    shipped = msgspec.convert(facts_in("clear", "terms.toml"), dict[Condition, Terms])
    if own is None:
        return shipped
    try:
        given = msgspec.convert(
            tomllib.loads(Path(own).expanduser().read_text("utf-8")), dict[Condition, Terms]
        )
    except (OSError, ValueError) as error:
        raise BadInput(f"{own} is no file of CLEAR's terms: {error}") from None
    return {**shipped, **given}


def from_the_report(item: Item, answer: Phrases) -> list[str]:
    """Phrases most of whose words the report does not hold: they were made up."""
    known = set(bare(item.source))
    strange = [p for p in kept(answer) if 2 * sum(w in known for w in bare(p)) <= len(bare(p))]
    return [f'The phrase "{p}" is not in the report; use its own words or leave it out.' for p in strange]


# ---- answers into cells
def cell_answered(cell: Cell, attribute: str, value: Any, report: Report) -> Cell:
    """The cell with one attribute filled in, and the places of phrases that stand in the report as they are."""
    if attribute in CHOICES:
        return structs.replace(cell, **{attribute: value.answer})
    phrases = kept(value)
    places = (re.search(re.escape(p), report.text, re.IGNORECASE) for p in phrases)
    spans = tuple(sorted({Span(*place.span()) for place in places if place}))
    noted = {**cell.spans, attribute: spans} if spans else cell.spans
    return structs.replace(cell, **{attribute: phrases}, spans=noted)


def kept(answer: Phrases) -> tuple[str, ...]:
    """The phrases, each once, without those that say there is none."""
    phrases = (p.strip() for p in answer.phrases)
    return tuple(dict.fromkeys(p for p in phrases if p.lower() not in NOTHING))


def score(client: Client, name: str, reference: Table, candidate: Table) -> Score:
    """The metric called `name`; those that end in -judge let the model rate the phrases, too."""
    attribute = name.removeprefix("clear-").removesuffix("-judge")
    if name.endswith("-judge"):
        return judge_score(client, attribute, reference, candidate)
    return next(metric for metric in METRICS if metric.name == name).score(reference, candidate)


# ---- questions with their right answers, as chats to fine-tune a model on: the words that `--by llm` sends
Chat = dict[str, Any]


def chats(report: Report, table: Table) -> Iterator[Chat]:
    """One chat about presence, and one for each attribute of each positive condition."""
    seen: Chat = {
        str(c): {"level": cell.level, "mentioned": cell.mentioned} for c, cell in table.conditions.items()
    }
    yield chat(load_prompt(PACKAGE, "presence"), about_presence(report), Presence, seen)
    for condition in table.positive():
        cell = table.conditions[condition]
        for attribute in attributes_of(condition):
            value = getattr(cell, attribute)
            answer = {"answer": value or "N/A"} if attribute in CHOICES else {"phrases": list(value)}
            prompt = load_prompt(PACKAGE, attribute)
            yield chat(
                prompt, about_attribute(prompt, condition, report, terms()), ANSWERS[attribute], answer
            )


def chat(prompt: Prompt, asked: Item, output: type[Any], answer: Chat) -> Chat:
    messages = opening(question_text(prompt, asked.inputs, ()), schema_of(output))
    reply = {"role": "assistant", "content": msgspec.json.encode(answer).decode()}
    return {"messages": [*messages, reply], "stage": prompt.name, "id": asked.id}
