"""Why a report was read so, for the page: each finding with the words and lexicon rows behind it."""

from functools import lru_cache

from msgspec import Struct

from overread.lexicon.lexicon import Lexicon
from overread.reader import Finding, Reading

WHAT_CUES_DO = {
    "negation": "negates",
    "pseudo": "looks like a negation but is not",
    "hedge": "expresses uncertainty",
    "link": "links",
    "end": "ends the scope",
    "prior": "refers to an earlier study",
    "recommend": "recommends something",
    "communicate": "records a communication",
    "technique": "describes the technique",
}


class Step(Struct, frozen=True, array_like=True, gc=False):
    """One thing that was read in some words."""

    what: str
    """entity, negation, location, severity …"""

    words: str
    rule: str
    """Id of the lexicon row or rule; `network` where there is none."""

    meaning: str
    sure: float | None = None
    """The network's probability; None where a row or rule alone decided."""


class TracedFinding(Struct, frozen=True, array_like=True, gc=False):
    """One finding, where it stands, and why."""

    entity: str
    start: int
    end: int
    status: str
    certainty: str
    concept: str
    steps: tuple[Step, ...]


def traces(reading: Reading, words: Lexicon) -> tuple[TracedFinding, ...]:
    """Every finding of a report.

    >>> from overread.lexicon.lexicon import lexicon
    >>> from overread.reader import read
    >>> from overread.report import parse
    >>> [found] = traces(read(parse("No effusion.")), lexicon())
    >>> found.status, [(step.what, step.words) for step in found.steps][0]
    ('negative', ('entity', 'effusion'))
    """
    known = row_meanings(words)
    return tuple(
        TracedFinding(
            one.entity, one.span.start, one.span.end, one.status, one.certainty, one.concept or "",
            steps_of(reading, one, known),
        )
        for one in reading.findings
    )  # fmt: skip


def steps_of(reading: Reading, finding: Finding, known: dict[str, str]) -> tuple[Step, ...]:
    """What made a finding; `known` has the meanings of rows."""
    steps = [(s.note or "entity", reading.quote(s.span), s.rule, s.sure) for s in finding.trace]
    steps += [(a.relation, a.text, a.rule, a.sure) for a in finding.attributes]
    return tuple(
        Step(what, single_spaced(text), rule, known.get(rule, ""), sure) for what, text, rule, sure in steps
    )


def single_spaced(words: str) -> str:
    return " ".join(words.split())


@lru_cache(maxsize=2)
def row_meanings(words: Lexicon) -> dict[str, str]:
    """Id of a row or cue → the table it stands in, its form and what it means."""
    found = {row.id: f"{row.table}: {row.form!r} → {row.concept}" for row in words.rows}
    found |= {cue.id: f"cues: {cue.form!r}, {WHAT_CUES_DO[cue.kind]}" for cue in words.cues}
    found |= {"network": "no lexicon row: by the network alone", "sizes-then-now": "two sizes compared"}
    return found
