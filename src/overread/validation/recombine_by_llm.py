"""Sentences of each level + client → prose; no sentence may be lost, doubled or turned on the way."""

import re
from collections.abc import Sequence

from msgspec import Struct, field

from overread.llm import Client, Failure, Item, ask_many, load_prompt
from overread.report import Report
from overread.validation.ssree import Chain

DENIAL = re.compile(
    r"\b(?:no|not|none|nor|neither|without|absent|absence|free|negative|clear|normal|never|un\w+)\b",
    re.IGNORECASE,
)
NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence of the prose."""

    text: str
    holds: list[int] = field(default_factory=list)
    """Numbers of the sentences whose content it has."""


class Prose(Struct, frozen=True, forbid_unknown_fields=True):
    """One level as a paragraph."""

    parts: list[Part]


def recombined(
    client: Client, climbs: Sequence[tuple[Report, list[list[str]]]]
) -> tuple[list[Chain], list[Failure]]:
    """Five paragraphs a report; a report with a level that could not be written fails as a whole."""
    items = [item(r, n, sentences) for r, levels in climbs for n, sentences in enumerate(levels, 1)]
    answers = ask_many(client, load_prompt("overread.validation", "prose"), items, Prose, check=problems)
    made, failed = [], []
    for place, (report, levels) in enumerate(climbs):
        five = answers[place * len(levels) : (place + 1) * len(levels)]
        lost = [answer for answer in five if isinstance(answer, Failure)]
        failed += lost[:1]
        if not lost:
            texts = [
                " ".join(p.text.strip() for p in a.value.parts) for a in five if not isinstance(a, Failure)
            ]
            made.append(Chain(report.id, report.text, *texts))
    return made, failed


def item(report: Report, level: int, sentences: Sequence[str]) -> Item:
    lines = (f"{n}. {sentence}" for n, sentence in enumerate(sentences, 1))
    return Item(f"{report.id} L{level}", {"sentences": "\n".join(lines)}, source=list(sentences))


def problems(item: Item, answer: Prose) -> list[str]:
    """What makes the prose unusable, in words for the model."""
    sentences: list[str] = item.source
    held = sorted(n for part in answer.parts for n in part.holds)
    if held != list(range(1, len(sentences) + 1)):
        return [f"Hold each of the sentences 1 to {len(sentences)} exactly once."]
    return [told for part in answer.parts for told in changed(part, [sentences[n - 1] for n in part.holds])]


def changed(part: Part, sentences: Sequence[str]) -> list[str]:
    """Denials and numbers that went missing."""
    found = []
    denied = [bool(DENIAL.search(s)) for s in sentences]
    if any(denied) and not DENIAL.search(part.text):
        found.append(f"What sentences {part.holds} deny must stay denied.")
    if not any(denied) and re.search(r"\b(?:no|not|without)\b", part.text, re.IGNORECASE):
        found.append(f"Sentences {part.holds} deny nothing; neither may the prose.")
    lost = {n for s in sentences for n in NUMBER.findall(s)} - set(NUMBER.findall(part.text))
    return found + [f"Keep the numbers of sentences {part.holds}: {', '.join(sorted(lost))}."] * bool(lost)
