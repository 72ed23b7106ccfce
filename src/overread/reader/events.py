"""Verbs that name a device without its noun: `extubated` says that the endotracheal tube is out."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from overread.lexicon.lexicon import Lexicon
from overread.lexicon.words import split
from overread.reader.drafts import Draft, Held
from overread.reader.reading import Evidence
from overread.reader.roles import Role
from overread.reader.units import Unit
from overread.report.span import Span


class Event(NamedTuple):
    """One row of `events.tsv`."""

    id: str
    form: str
    concept: str
    entity: str
    status: str
    reason: str


@cache
def events() -> dict[str, Event]:
    lines = files("overread.reader").joinpath("events.tsv").read_text("utf-8").splitlines()[1:]
    return {row.form: row for row in (Event(*line.split("\t")) for line in lines)}


@cache
def pattern() -> re.Pattern[str]:
    forms = sorted(events(), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, forms))})\b", re.IGNORECASE)


@cache
def first_words() -> frozenset[str]:
    """Looked for first: most sentences have none of them."""
    return frozenset(split(form)[0].form for form in events())


NOT_DONE = re.compile(
    r"\b(?:not|if|for|before|prior to|consider|failed|no longer)\s+(?:\w+\s+)?$", re.IGNORECASE
)
"""What was not done, or is only thought of."""


def device_events(text: str, span: Span, known: list[Draft], lex: Lexicon) -> Iterator[Draft]:
    """A draft for each device that a verb of the sentence speaks of and no noun names."""
    named = {d.concept for d in known}
    for match in pattern().finditer(text, span.start, span.end):
        row = events()[match.group().lower()]
        if row.concept in named or NOT_DONE.search(text[span.start : match.start()]):
            continue
        named.add(row.concept)
        unit = Unit(Role.FINDING, row.form, -1, -1, *match.span())
        draft = Draft(unit, row.entity, *match.span(), row.concept, "device", row.id)
        done = "removed" if row.status == "absent" else "placed"
        draft.add(Held("placement", lex.described("placement", done), *match.span(), unit))
        if row.status == "absent":
            draft.negated = "absent"
            draft.trace.append(Evidence(Span(*match.span()), row.id, "denied"))
        yield draft
