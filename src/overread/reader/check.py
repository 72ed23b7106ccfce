"""The reading held against a second question: what was read, put in plain words, is it what the text says?

The head that hears a text and a claim is asked of every finding whether it is there, on which side, and what has become
of it. It was taught by other examples than the head that reads; where it is sure that the text does not say so,
somebody should look.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Literal

from msgspec import Struct

from overread.judge import pair_answers
from overread.reader.read import READ_SECTIONS
from overread.reader.reading import Finding, Reading, SentenceReading, one_side
from overread.reader.wording import spoken
from overread.report.marks import alike
from overread.report.span import Span

About = Literal["presence", "side", "change"]
"""What was asked about."""


class Reason(Struct, frozen=True, forbid_unknown_fields=True):
    """Words that decided, and the lexicon row or rule that took them so."""

    words: str
    rule: str
    note: str = ""


class Heard(Struct, frozen=True, forbid_unknown_fields=True):
    """How likely the judge takes a claim to be said, denied or left open by the text."""

    said: float
    denied: float
    open: float

    @property
    def verdict(self) -> str:
        """The likeliest answer in words, with all three.

        >>> Heard(0.02, 0.97, 0.01).verdict
        'denied (said .02, denied .97, open .01)'
        """
        answers = {"said": self.said, "denied": self.denied, "left open": self.open}
        told = ", ".join(f"{name.split()[-1]} {digits(p)}" for name, p in answers.items())
        return f"{max(answers, key=lambda name: answers[name])} ({told})"


class Doubt(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing to look at again."""

    about: About
    finding: str
    """Id of the finding."""

    sentence: int
    """Index of the sentence in the report."""

    quote: str
    """The sentence as written."""

    words: str
    """The finding's words as written."""

    span: Span
    read: str
    """What was read, as a plain statement: this was put to the judge."""

    reasons: tuple[Reason, ...]
    """Why: rows and rules with their words."""

    heard: Heard

    @property
    def as_read(self) -> str:
        """What was read and why, in one line."""
        why = "; ".join(f"“{' '.join(r.words.split())}” {r.note or 'entity'} {r.rule}" for r in self.reasons)
        return f"read: {self.read}" + (f" ({why})" if why else "")

    @property
    def as_heard(self) -> str:
        """What the judge heard, in one line."""
        return f"held against the text: {self.heard.verdict}"


def digits(probability: float) -> str:
    """
    >>> digits(0.97), digits(1.0)
    ('.97', '1.0')
    """
    return f"{probability:.2f}"[1:] if probability < 1 else "1.0"


# ---- what was read, in plain words
CHANGE_OF_RELATION = {"improved": "better", "worsened": "worse", "no_change": "same", "onset": "new"}
"""Relation → what the judge calls the change."""

TOLD = {"better": "improved", "worse": "become worse", "same": "unchanged", "new": "new"}
NEW = frozenset({"new", "recent"})
ONE_ENDS_IN_S = re.compile(r"(?:is|us|ss)$", re.IGNORECASE)


def noun(words: str) -> str:
    """The words as they stand inside a sentence.

    >>> noun("Pleural  effusion"), noun("ETT")
    ('pleural effusion', 'ETT')
    """
    return spoken(" ".join(words.split()))


def plural(words: str) -> bool:
    """
    >>> plural("effusions"), plural("atelectasis"), plural("nodule")
    (True, False, False)
    """
    return words.lower().endswith("s") and not ONE_ENDS_IN_S.search(words)


def there(words: str, present: bool = True, side: str = "") -> str:
    """
    >>> there("effusions", side="left"), there("Edema", present=False)
    ('There are left effusions.', 'There is no edema.')
    """
    parts = ("There", "are" if plural(words) else "is", "" if present else "no", side, noun(words))
    return " ".join(part for part in parts if part) + "."


def side_statement(words: str, side: str) -> str:
    """
    >>> side_statement("effusion", "left"), side_statement("effusions", "both")
    ('The effusion is on the left.', 'The effusions are on both sides.')
    """
    where = "both sides" if side == "both" else f"the {side}"
    return f"The {noun(words)} {'are' if plural(words) else 'is'} on {where}."


def changed(words: str, change: str, side: str = "") -> str:
    """
    >>> changed("effusion", "better"), changed("nodules", "same", "left")
    ('The effusion has improved.', 'The left nodules are unchanged.')
    """
    many = plural(words)
    auxiliary = ("have" if many else "has") if change in ("better", "worse") else ("are" if many else "is")
    named = f"{side} {noun(words)}" if side else noun(words)
    return f"The {named} {auxiliary} {TOLD[change]}."


def sides(finding: Finding) -> str:
    """left, right, both or -."""
    return one_side(p.side for a in finding.values("location") for p in a.places)


def changes(finding: Finding) -> set[str]:
    """The changes a finding is said to have made; `old`, `acute` and `chronic` are none."""
    told = [a for a in finding.attributes if a.relation in CHANGE_OF_RELATION]
    return {CHANGE_OF_RELATION[a.relation] for a in told if a.relation != "onset" or a.concept in NEW}


# ---- asked again
LEAST = 0.9
"""How sure it must be that the text does not say so; benchmarks/doubts.py says how many doubts are then mistakes."""

SENTENCES_ASKED = 100
"""Sentences of a report that are asked about, so that no report takes for ever."""

HEARD = frozenset({"finding", "diagnosis", "device", "open"})
"""Kinds of findings of which such claims make sense."""


def check(reading: Reading) -> tuple[Doubt, ...]:
    """What is doubtful in a reading, in the order of the text; of a very long report, in its first sentences."""
    asked = (s for s in reading.sentences if s.findings and s.section in READ_SECTIONS - {"indication"})
    return tuple(doubt for sentence in islice(asked, SENTENCES_ASKED) for doubt in doubts(reading, sentence))


def doubts(reading: Reading, sentence: SentenceReading) -> Iterator[Doubt]:
    text = alike(reading.text(sentence.span))
    asked = (
        (f, about, claim)
        for f in reading.in_sentence(sentence.index)
        if f.kind in HEARD
        for about, claim in claims(f)
    )
    for f, about, claim in asked:
        answer = pair_answers(text, claim).verdict
        if 1 - answer.said >= LEAST:
            why = tuple(Reason(reading.quote(e.span), e.rule, e.note) for e in f.trace)
            yield Doubt(
                about, f.id, sentence.index, reading.quote(sentence.span), reading.quote(f.span), f.span, claim, why,
                Heard(*answer),
            )  # fmt: skip


def claims(finding: Finding) -> Iterator[tuple[About, str]]:
    """What was read of it in plain words: that it is there or not, where, and what has become of it."""
    if finding.gone or finding.certainty == "tentative":
        return
    yield "presence", there(finding.entity, finding.status == "positive")
    if finding.status == "positive":
        if (side := sides(finding)) != "-":
            yield "side", side_statement(finding.entity, side)
        for change in sorted(changes(finding)):
            yield "change", changed(finding.entity, change)
